"""Accounts and the passwords that are handed out with them."""

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils.crypto import get_random_string

from annotate.access import ANNOTATOR, LEAD
from annotate.models import OneTimePassword
from annotate.problems import Problem

# No characters that are mistaken for each other when copied from paper.
READABLE = "abcdefghjkmnpqrstuvwxyz23456789"


@transaction.atomic
def create_account(username: str, role: str) -> tuple[User, str]:
    """Make an account in the group of its role; return it with its one-time password."""
    if role not in {LEAD, ANNOTATOR}:
        raise Problem(f"Role {role!r} is unknown; expected {LEAD!r} or {ANNOTATOR!r}.")
    if User.objects.filter(username=username).exists():
        raise Problem(f"There is an account {username!r} already; choose another name.")
    user = User.objects.create_user(username, is_staff=role == LEAD)
    user.groups.add(Group.objects.get(name=role))
    return user, issue_one_time_password(user)


@transaction.atomic
def issue_one_time_password(user: User) -> str:
    """Give the account a new password that must be replaced at the next sign-in; return it."""
    password = "-".join(get_random_string(4, READABLE) for _ in range(4))
    user.set_password(password)
    user.save(update_fields=["password"])
    OneTimePassword.objects.get_or_create(user=user)
    return password


def accept_own_password(user: User) -> None:
    """Note that the user has chosen a password."""
    OneTimePassword.objects.filter(user=user).delete()
