"""Make an account, or hand out a new one-time password for one."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User

from annotate.access import ANNOTATOR, LEAD
from annotate.actions.accounts import create_account, issue_one_time_password
from annotate.management.command import TactCommand
from annotate.problems import Problem


class Command(TactCommand):
    """`add_account ana --role annotator` prints a one-time password."""

    help = "Make an account and print its one-time password, which is replaced at the first sign-in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name, role, and whether the account is there already."""
        parser.add_argument("username")
        parser.add_argument("--role", choices=[ANNOTATOR, LEAD], default=ANNOTATOR)
        parser.add_argument(
            "--renew",
            action="store_true",
            help="hand out a new password to an account that is there",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the one-time password alone on a line."""
        username = options["username"]
        if not options["renew"]:
            _, password = create_account(username, options["role"])
        elif user := User.objects.filter(username=username).first():
            password = issue_one_time_password(user)
        else:
            raise Problem(f"There is no account {username!r}; leave out --renew to make it.")
        self.stdout.write(password)
