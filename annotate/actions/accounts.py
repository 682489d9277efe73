"""Accounts, the passwords that are handed out with them, and the tokens that programs use."""

from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.crypto import get_random_string
from rest_framework.authtoken.models import Token

from annotate.access import ANNOTATOR, LEAD
from annotate.models import OneTimePassword
from annotate.problems import Problem

# No characters that are mistaken for each other when copied from paper.
READABLE = "abcdefghjkmnpqrstuvwxyz23456789"


class PasswordNotChosen(Problem):
    """The account still has the password that was handed out with it."""


@transaction.atomic
def create_account(username: str, role: str) -> tuple[User, str]:
    """Make an account in the group of its role; return it with its one-time password."""
    if role not in {LEAD, ANNOTATOR}:
        raise Problem(f"Role {role!r} is unknown; expected {LEAD!r} or {ANNOTATOR!r}.")
    username = User.normalize_username(username)
    _refuse_bad_name(username)
    user = User.objects.create_user(username, is_staff=role == LEAD)
    user.groups.add(Group.objects.get_or_create(name=role)[0])
    return user, issue_one_time_password(user)


@transaction.atomic
def issue_one_time_password(user: User) -> str:
    """Give the account a new password that must be replaced at the next sign-in; return it.

    Sessions end with the old password; the token, which would outlive it, is taken away.
    """
    password = "-".join(get_random_string(4, READABLE) for _ in range(4))
    user.set_password(password)
    user.save(update_fields=["password"])
    Token.objects.filter(user=user).delete()
    OneTimePassword.objects.get_or_create(user=user)
    return password


def accept_own_password(user: User) -> None:
    """Note that the user has chosen a password."""
    OneTimePassword.objects.filter(user=user).delete()


def token_of(user: User) -> Token:
    """Return the user's token, made if there is none. Raises `PasswordNotChosen` before the first choice."""
    if OneTimePassword.objects.filter(user=user).exists():
        raise PasswordNotChosen(
            "This account still has its one-time password. Sign in on the site, choose a password of your "
            "own, then ask for a token with that."
        )
    return Token.objects.get_or_create(user=user)[0]


@transaction.atomic
def renew_token(user: User) -> Token:
    """Give the user a new token; the earlier one no longer works."""
    Token.objects.filter(user=user).delete()
    return token_of(user)


def _refuse_bad_name(username: str) -> None:
    try:
        User._meta.get_field("username").clean(username, None)
    except ValidationError as error:
        raise Problem(f"An account cannot be named {username!r}: {' '.join(error.messages)}") from error
    if User.objects.filter(username=username).exists():
        raise Problem(f"There is an account {username!r} already; choose another name.")
