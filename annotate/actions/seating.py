"""What people's work asks alike: names that can stand in addresses, seats, texts that can be kept."""

import random
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_slug
from django.db.models import Model
from django.utils.crypto import salted_hmac

from annotate.access import is_lead
from annotate.problems import Problem

LONGEST_SLUG = 50
SEED_BITS = 62


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


def refuse_bad_seed(seed: int) -> None:
    """Raise `Problem` for a seed that its column cannot hold."""
    if not 0 <= seed < 2**SEED_BITS:
        raise Problem(f"The seed is {seed}; expected 0 to {2**SEED_BITS - 1}.")


def secret_chance(salt: str, seed: int) -> random.Random:
    """Return a generator made of a seed and the site's secret key.

    Whoever could work an order out from a small seed alone would know what an annotator must not.
    """
    secret = salted_hmac(salt, str(seed), algorithm="sha256").hexdigest()
    return random.Random(secret)  # noqa: S311 (repeatable on this site, and nowhere else)


def seat_all(
    work: Model, seats: Any, users: Sequence[User], label_sets: Sequence[str], chance: random.Random
) -> None:
    """Give everybody a seat, users under pseudonyms in a shuffled order; `seats` are those of `work`."""
    for user in chance.sample(list(users), len(users)):
        seat_user(work, seats, user, chance.getrandbits(SEED_BITS))
    for label_set in label_sets:
        seat_label_set(work, seats, label_set, chance.getrandbits(SEED_BITS))


def seat_user(work: Model, seats: Any, user: User, seed: int) -> Any:
    """Give a user a seat under the next free pseudonym. Raises `Problem` for a lead or a second seat."""
    refuse_lead(user)
    if seats.filter(user=user).exists():
        raise Problem(f"{user} has a seat in {_named(work)} already; name each annotator once.")
    pseudonym = free_pseudonym(seats.values_list("pseudonym", flat=True))
    return seats.create(user=user, pseudonym=pseudonym, seed=seed)


def seat_label_set(work: Model, seats: Any, name: str, seed: int) -> Any:
    """Give a seat without an account, under its own name, for answers that come by a file."""
    longest = seats.model._meta.get_field("pseudonym").max_length
    refuse_label_set(name, longest, seats.values_list("pseudonym", flat=True), _named(work))
    return seats.create(pseudonym=name, seed=seed)


def _named(work: Model) -> str:
    return f"{work._meta.verbose_name} {work}"


def hold_in_state(work: Any, state: str) -> None:
    """Hold a row until the end of the transaction; refuse one that is in another state."""
    current = type(work).objects.select_for_update().get(pk=work.pk)
    if current.state != state:
        word = str(work._meta.verbose_name).capitalize()
        raise Problem(f"{word} {work} is {current.get_state_display()}; expected one that is {state}.")


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
