"""Tables in LaTeX that need no package."""

from collections.abc import Sequence

SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{each: rf"\{each}" for each in "&%$#_{}"},
    }
)


def latex_table(
    caption: str, columns: str, head: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> str:
    """Return a table ready to be put into a document; all words are set as they are, never interpreted."""
    lines = [" & ".join(cell.translate(SPECIAL) for cell in row) + r" \\" for row in (head, *rows)]
    body = "\n".join([lines[0], r"\hline", *lines[1:]])
    below = "".join(rf"\par\footnotesize {note.translate(SPECIAL)}" + "\n" for note in notes)
    return (
        f"\\begin{{table}}\n\\caption{{{caption.translate(SPECIAL)}}}\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\hline\n{body}\n\\hline\n\\end{{tabular}}\n{below}\\end{{table}}"
    )
