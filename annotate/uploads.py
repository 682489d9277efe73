"""Uploaded files that wait for an answer: kept under `var/` for a day at most, and removed once used."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import BinaryIO, cast
from uuid import uuid4

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage
from django.utils import timezone

from annotate.problems import Problem

KEPT_FOR = timedelta(days=1)


def folder() -> FileSystemStorage:
    """Return the folder of waiting files, which only the server's account can read."""
    return FileSystemStorage(
        location=settings.VAR_DIR / "uploads", file_permissions_mode=0o600, directory_permissions_mode=0o700
    )


def keep(file: File) -> str:
    """Keep an upload; return the name to ask for it by."""
    remove_old()
    file.seek(0)
    return folder().save(uuid4().hex, file)


@contextmanager
def kept(name: str) -> Iterator[BinaryIO]:
    """Open a kept upload; remove it when the work with it went well."""
    try:
        file = folder().open(name)
    except FileNotFoundError as error:
        raise Problem("The uploaded file is no longer kept; upload it again.") from error
    with file:
        yield cast(BinaryIO, file.file)
    folder().delete(name)


def remove_old() -> None:
    """Remove uploads that nobody came back for."""
    waiting = folder()
    names = waiting.listdir("")[1] if waiting.exists("") else []
    for name in names:
        if timezone.now() - waiting.get_modified_time(name) > KEPT_FOR:
            waiting.delete(name)
