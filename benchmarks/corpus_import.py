"""Time and memory of importing a CIMemories file of 200 MB: parsed, imported, imported again, exported.

Run: .venv/bin/python benchmarks/corpus_import.py [MEGABYTES]. Memory is the largest so far of the process.
"""

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

WORDS = ["bank", "school", "rent", "court", "doctor", "plan", "week", "house", "letter", "form", "call"]


def main(megabytes: int) -> None:
    """Do each step once, in a database of its own that is removed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        start_django(Path(folder))
        path = Path(folder) / "profiles.json"
        write_profiles(path, megabytes * 1_000_000)
        steps(path)


def start_django(folder: Path) -> None:
    """Make an empty database."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'corpus.sqlite3'}"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def write_profiles(path: Path, size: int) -> None:
    """Write profiles of 147 facts and 49 contexts until the file has `size` bytes."""
    chooser = random.Random(1)
    with path.open("w") as file:
        number = 0
        while file.tell() < size:
            file.write("[\n" if number == 0 else ",\n")
            json.dump(profile(number, chooser), file, indent=4)
            number += 1
        file.write("\n]\n")


def profile(number: int, chooser: random.Random) -> dict[str, object]:
    """Make up one profile in the form of the public data."""
    return {
        "bio": {"name": f"Person {number}", "sex": "F", "address": "1 Road\nTown", "age": 40},
        "information_attributes": {
            f"fact_{fact}": {
                "value": " ".join(chooser.choices(WORDS, k=8)),
                "information_domain": "finance",
                "event": "move",
                "memory_statement": " ".join(chooser.choices(WORDS, k=20)),
            }
            for fact in range(147)
        },
        "contexts": [{"recipient": f"Officer {c}", "task": f"Settle matter {c}"} for c in range(49)],
    }


def steps(path: Path) -> None:
    """Parse, import, import again, export."""
    from annotate.actions.corpus import import_corpus
    from annotate.exporters.corpus import export_corpus
    from annotate.importers.files import read_corpus_files

    print(f"{path.stat().st_size / 1e6:.0f} MB; memory before: {memory()} MB")
    read = measured("parsed and hashed", lambda: read_corpus_files("cimemories", path))
    options = {"slug": "large", "file_name": read.name, "file_hash": read.hash}
    done = measured("imported", lambda: import_corpus(read.corpus, **options))
    again = measured("imported again", lambda: import_corpus(read.corpus, **options))
    measured("exported", lambda: export_corpus(done.dataset, path.with_suffix(".jsonl")))
    print(f"first {done.outcome}, then {again.outcome}; {len(read.corpus.profiles)} profiles")


def measured[Result](name: str, step: Callable[[], Result]) -> Result:
    """Run a step and print its seconds and the memory reached."""
    begin = time.perf_counter()
    result = step()
    print(f"{name}: {time.perf_counter() - begin:.1f} s, {memory()} MB")
    return result


def memory() -> int:
    """Return the largest memory of this process so far, in MB."""
    return getrusage(RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
