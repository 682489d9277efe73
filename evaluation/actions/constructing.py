"""Handing constructed pairs over to people: what passed becomes a dataset that can be reviewed."""

import hashlib
import json
from dataclasses import asdict, replace

from django.contrib.auth.models import User

from annotate.actions.corpus import CorpusImport, import_corpus
from annotate.importers.corpus import Corpus, PairRow
from annotate.models import Dataset
from annotate.problems import Problem
from annotate.stored_corpus import preference_row, stored_corpus
from evaluation.models import Run
from evaluation.reporting.construction import passed
from evaluation.reports import run_report

DISTANCE = 1


def collect_pairs(run: Run, *, slug: str, user: User | None = None) -> CorpusImport:
    """Put the pairs of a construction run that passed every stage into a dataset, new or there already.

    Their preferences come with them. Pairs that are there stay as they are, so that collecting twice
    changes nothing. `Problem` where the run is of another kind, or nothing passed.
    """
    if run.benchmark != "construction":
        raise Problem(f"Run {run.pk} is of {run.benchmark}; expected a construction run.")
    candidates = passed(run_report(run))
    if not candidates:
        raise Problem(f"No candidate of run {run.pk} passed every stage; there is nothing to collect.")
    rows = [
        PairRow(
            id=row["identifier"],
            preference=row["preference"],
            category=row["category"],
            tier=row["tier"],
            distance=DISTANCE,
            **row["texts"],
        )
        for row in candidates
    ]
    corpus = _with_pairs(_corpus(slug, run), rows, run)
    content = json.dumps([asdict(row) for row in rows], sort_keys=True)
    return import_corpus(
        corpus,
        slug=slug,
        file_name=f"construction run {run.pk}",
        file_hash=hashlib.sha256(content.encode()).hexdigest(),
        user=user,
        accept_changes=True,
    )


def _corpus(slug: str, run: Run) -> Corpus:
    """Return what the dataset holds, or the beginning of a new one."""
    dataset = Dataset.objects.filter(slug=slug).first()
    if dataset is not None:
        return stored_corpus(dataset)
    return Corpus(
        name=f"Pairs constructed from {run.dataset.name}",
        source=f"Written by {run.endpoint_snapshot['model']} in run {run.pk}; accepted by filters alone",
        licence=run.dataset.licence,
    )


def _with_pairs(corpus: Corpus, rows: list[PairRow], run: Run) -> Corpus:
    """Add the pairs that are not there, and the preferences that they name."""
    there = {pair.id for pair in corpus.pairs}
    new = {row.id: row for row in rows if row.id not in there}
    keys = {row.preference for row in new.values()}
    named = run.dataset.preferences.filter(key__in=keys).order_by("position").prefetch_related("companions")
    by_key = {preference.key: preference for preference in corpus.preferences if preference.key}
    wanted = list(map(preference_row, named))
    for preference in wanted:
        same = by_key.get(preference.key, preference)
        if (same.text, same.companions) != (preference.text, preference.companions):
            raise Problem(
                f"Preference {preference.key} is another one there: found {same.text!r}, expected "
                f"{preference.text!r} with its companions. Put the pairs into another dataset."
            )
    missing = [preference for preference in wanted if preference.key not in by_key]
    preferences = (*corpus.preferences, *missing)
    return replace(corpus, preferences=preferences, pairs=(*corpus.pairs, *new.values()))
