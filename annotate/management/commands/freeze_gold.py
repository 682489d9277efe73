"""Freeze what the annotators of a campaign agree on."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.actions.gold import freeze_gold_release
from annotate.management.command import TactCommand
from annotate.models import GoldRelease
from annotate.names import campaign_named
from annotate.wording import LEFT_OUT_WORDS


class Command(TactCommand):
    """`freeze_gold CAMPAIGN`."""

    help = (
        "Freeze the unanimous items of a campaign as the next gold release of its dataset. A release never "
        "changes; if nothing changed since the last one, the command says so and fails."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the campaign."""
        parser.add_argument("campaign", help="name of the campaign")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Freeze, and say what was kept and what was left out."""
        release = freeze_gold_release(campaign_named(options["campaign"]))
        if options["format"] == "json":
            return self.write_json(summary(release))
        counts = release.counts
        self.stdout.write(
            f"Gold release {release.name}: {counts['kept']:,} of {counts['items']:,} items, "
            f"{counts['apply']:,} apply and {counts['suppress']:,} suppress."
        )
        left_out = (f"{number:,} {LEFT_OUT_WORDS[reason]}" for reason, number in counts["left_out"].items())
        self.stdout.write(f"Left out: {', '.join(left_out)}.")
        self.stdout.write(f"Content hash {release.content_hash}")
        if release.example_notice:
            self.stdout.write(f"Note: {release.example_notice}")


def summary(release: GoldRelease) -> dict[str, Any]:
    """Return a release as plain data, the agreement report included."""
    return {
        "release": release.name,
        "campaign": release.campaign.slug if release.campaign else None,
        "guideline": release.guideline.version if release.guideline else None,
        "corpus_version": release.corpus_version,
        "corpus_hash": release.corpus_hash,
        "content_hash": release.content_hash,
        "is_example": release.is_example,
        "notice": release.example_notice,
        "counts": release.counts,
        "agreement": release.agreement,
    }
