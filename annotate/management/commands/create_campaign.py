"""Open a campaign over a dataset."""

from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.db import transaction

from annotate.access import ANNOTATOR
from annotate.actions.accounts import create_account
from annotate.actions.campaigns import create_campaign
from annotate.management.command import TactCommand
from annotate.models import Campaign
from annotate.names import dataset_named
from annotate.problems import Problem


class Command(TactCommand):
    """`create_campaign SLUG --dataset SLUG --annotators a,b,c`."""

    help = "Open a campaign: every (context, preference) of a dataset is labelled by OVERLAP annotators."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what the campaign needs."""
        parser.add_argument("slug", help="name of the new campaign in addresses and commands")
        parser.add_argument("--dataset", required=True, help="name of the dataset")
        parser.add_argument("--overlap", type=int, default=3, help="labels an item gets (default 3)")
        parser.add_argument("--annotators", default="", help="account names, separated by commas")
        parser.add_argument(
            "--label-sets", default="", help="names of seats without an account, for labels from a file"
        )
        parser.add_argument("--name", default="", help="title on the pages")
        parser.add_argument("--guideline", type=Path, help="Markdown file with the instructions")
        parser.add_argument("--limit", type=int, help="most labels that one annotator gives")
        parser.add_argument("--seed", type=int, help="makes the random orders repeatable")
        parser.add_argument("--example", action="store_true", help="mark the labels as examples")
        parser.add_argument(
            "--create-missing",
            action="store_true",
            help="make accounts that do not exist, and print their one-time passwords",
        )
        self.add_format(parser)

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """Make missing accounts if asked to, open the campaign, and say what it holds."""
        users, passwords = self._users(options["annotators"], options["create_missing"])
        campaign = create_campaign(
            slug=options["slug"],
            dataset=dataset_named(options["dataset"]),
            users=users,
            label_sets=_names(options["label_sets"]),
            overlap=options["overlap"],
            name=options["name"],
            guideline=_text(options["guideline"]),
            label_limit=options["limit"],
            seed=options["seed"],
            is_example=options["example"],
        )
        self._report(campaign, passwords, options["format"])

    def _users(self, names: str, create_missing: bool) -> tuple[list[User], dict[str, str]]:
        users, passwords = [], {}
        for name in _names(names):
            user = User.objects.filter(username=name).first()
            if user is None and create_missing:
                user, passwords[name] = create_account(name, ANNOTATOR)
            if user is None:
                raise Problem(
                    f"There is no account {name!r}; make it first, or add --create-missing to have it made."
                )
            users.append(user)
        return users, passwords

    def _report(self, campaign: Campaign, passwords: dict[str, str], format: str) -> None:
        report = {
            "campaign": campaign.slug,
            "dataset": campaign.dataset.slug,
            "items": campaign.items.count(),
            "overlap": campaign.overlap,
            "annotators": campaign.annotators.count(),
            "seed": campaign.seed,
            "one_time_passwords": passwords,
        }
        if format == "json":
            return self.write_json(report)
        self.stdout.write(
            "Campaign {campaign}: {items} items of dataset {dataset}, {overlap} labels each, "
            "{annotators} annotators, seed {seed}.".format(**report)
        )
        for name, password in passwords.items():
            self.stdout.write(f"One-time password of {name}: {password}")
        if campaign.annotators.count() < campaign.overlap:
            self.stderr.write(
                f"{campaign.annotators.count()} annotators cannot give {campaign.overlap} labels an item; "
                "add more before items can be complete."
            )


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _text(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"The guideline {path} cannot be read as a text in UTF-8: {error}.") from error
