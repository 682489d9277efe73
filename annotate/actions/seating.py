"""What campaigns and reviews ask alike: names that can stand in addresses, seats, texts that can be kept."""

from collections.abc import Iterable
from itertools import count

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_slug
from django.db.models import Model

from annotate.access import is_lead
from annotate.problems import Problem

LONGEST_SLUG = 50


def refuse_bad_slug(kind: type[Model], slug: str) -> None:
    """Raise `Problem` for the name of a new row that cannot stand in an address, or that is taken."""
    word = str(kind._meta.verbose_name)
    try:
        validate_slug(slug)
        MaxLengthValidator(LONGEST_SLUG)(slug)
    except ValidationError as error:
        raise Problem(
            f"{word.capitalize()} name {slug!r} cannot stand in an address; expected letters, digits, '-' "
            f"and '_', {LONGEST_SLUG} characters at most."
        ) from error
    if kind._default_manager.filter(slug=slug).exists():
        raise Problem(f"There is a {word} {slug!r} already; choose another name.")


def refuse_lead(user: User) -> None:
    """Raise `Problem` for a lead: whoever sees the answers of others gives none."""
    if is_lead(user):
        raise Problem(
            f"{user} is a lead and sees the answers of others; a seat is for somebody who is no lead."
        )


def free_pseudonym(taken: Iterable[str]) -> str:
    """Return the first of A1, A2, ... that is not taken."""
    others = set(taken)
    return next(name for number in count(1) if (name := f"A{number}") not in others)


def refuse_label_set(name: str, longest: int, taken: Iterable[str], of: str) -> None:
    """Raise `Problem` for the name of a seat without an account that is empty, too long or taken."""
    if not name or not name.isprintable():
        raise Problem(
            f"A label set is called {name[:40]!r}; expected a name without line breaks and the like."
        )
    refuse_long("name of a label set", name, longest)
    if name in set(taken):
        raise Problem(f"{name!r} is the name of another seat of {of}; choose another.")


def refuse_long(what: str, text: str, longest: int) -> None:
    """Raise `Problem` for a text that its column cannot hold."""
    if len(text) > longest:
        raise Problem(f"The {what} {text[:20]!r}... has {len(text)} characters; expected {longest} at most.")


def readable(text: str, what: str, longest: int) -> str:
    """Return a text as every database can hold it. Raises `Problem` for one that is too long."""
    text = text.replace("\0", "").strip()
    if len(text) > longest:
        raise Problem(f"The {what} has {len(text):,} characters; expected {longest:,} at most.")
    return text
