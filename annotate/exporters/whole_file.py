"""Write a file whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from annotate.problems import Problem


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file beside `path` for writing; move it to `path` at the end, remove it after an error.

    Raises `Problem` where the system refuses to write there.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            yield file
        os.replace(part, path)
    except OSError as error:
        raise Problem(f"Cannot write {path}: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)
