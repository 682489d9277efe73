"""A campaign of a million items with three labels each, loaded by the database itself."""

import os
import sys
import tempfile
from pathlib import Path

import django
from django.db import connection, transaction

ANNOTATORS = 3
# Two numbers mixed by multiplication give labels that look random and are the same on every machine.
LABELS = """
    INSERT INTO annotate_label (item_id, annotator_id, value, version, created_at, changed_at)
    SELECT i.id, a.id, CASE WHEN (i.number * 7919 + i.number / 1000 * 31) % 100 < 34
                  THEN CASE WHEN (i.number * 104729 + a.seed * 1299709) % 100 < 92 THEN 1 ELSE 0 END
                  ELSE CASE WHEN (i.number * 104729 + a.seed * 1299709) % 100 < 8 THEN 1 ELSE 0 END END,
           1, '2026-03-01 12:00:00+00:00', '2026-03-01 12:00:00+00:00'
    FROM annotate_item i JOIN annotate_annotator a ON a.campaign_id = i.campaign_id ORDER BY i.id, a.id"""
REVISIONS = """
    INSERT INTO annotate_labelrevision (label_id, version, value, guideline_id, token, saved_at)
    SELECT l.id, 1, l.value, g.id, {token}, l.created_at
    FROM annotate_label l CROSS JOIN annotate_guideline g ORDER BY l.id"""
TOKENS = {"sqlite": "printf('%032x', l.id)", "postgresql": "lpad(to_hex(l.id), 32, '0')::uuid"}
ITEMS = """
    INSERT INTO annotate_item (campaign_id, number, context_id, preference_id, overlap, open_slots, set_aside)
    SELECT g.id, (c.position * {preferences} + p.position), c.id, p.id, 3, 0, ''
    FROM annotate_campaign g CROSS JOIN annotate_context c CROSS JOIN annotate_preference p
    ORDER BY c.position, p.position"""


def start_django(items: int) -> None:
    """Use a database of its own for `items` items, kept between calls under the temporary folder."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    path = Path(tempfile.gettempdir()) / f"tact-{items}-items.sqlite3"
    os.environ.setdefault("DATABASE_URL", f"sqlite:///{path}")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


def load_campaign(items: int) -> None:
    """Migrate and fill the database, unless an earlier call did; `items` is a square number."""
    from django.core.management import call_command

    from annotate.models import Campaign

    call_command("migrate", verbosity=0)
    if not Campaign.objects.exists():
        with transaction.atomic(), connection.cursor() as cursor:
            _corpus_and_seats(round(items**0.5))
            cursor.execute(ITEMS.format(preferences=round(items**0.5)))
            cursor.execute(LABELS)
            cursor.execute(REVISIONS.format(token=TOKENS[connection.vendor]))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _corpus_and_seats(side: int) -> None:
    from annotate.models import Annotator, Campaign, Context, CorpusVersion, Dataset, Guideline, Preference

    dataset = Dataset.objects.create(slug="large", name="Large", content_hash="c" * 64)
    CorpusVersion.objects.create(dataset=dataset, version=1, content_hash="c" * 64)
    campaign = Campaign.objects.create(slug="large", name="Large", dataset=dataset, seed=1)
    Guideline.objects.create(campaign=campaign, version=1, text="Label what fits.")
    Context.objects.bulk_create(
        Context(
            dataset=dataset, recipient=f"Recipient {n}", task="Ask for a form", domains=["tax"], position=n
        )
        for n in range(side)
    )
    Preference.objects.bulk_create(
        Preference(dataset=dataset, category="tone", text=f"Likes answers of kind {n}.", position=n)
        for n in range(side)
    )
    for n in range(1, ANNOTATORS + 1):
        Annotator.objects.create(campaign=campaign, pseudonym=f"A{n}", seed=n)
