"""Which code made a result."""

import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@cache
def code_version() -> str:
    """Return the SHA-256 of every Python file and prompt of the two apps, the same on every machine."""
    digest = hashlib.sha256()
    for path in sorted(path for app in ("annotate", "evaluation") for path in (ROOT / app).rglob("*.*")):
        if path.suffix in {".py", ".txt"}:
            digest.update(f"{path.relative_to(ROOT).as_posix()}\n".encode() + path.read_bytes())
    return digest.hexdigest()
