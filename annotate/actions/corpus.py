"""Import a corpus: everything or nothing, the same file again changes nothing, a changed one asks."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction

from annotate.actions.corpus_rows import refuse_losses, write_rows
from annotate.actions.gold import import_gold_release
from annotate.importers.changes import Changes, changes_between
from annotate.importers.corpus import Corpus, content_hash
from annotate.models import CorpusVersion, Dataset, GoldRelease
from annotate.problems import Problem
from annotate.stored_corpus import stored_corpus, stored_gold

LONGEST_SLUG = 50


@dataclass(frozen=True)
class CorpusImport:
    """What an import did."""

    dataset: Dataset
    outcome: Literal["created", "changed", "unchanged"]
    changes: Changes
    release: GoldRelease | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "dataset": self.dataset.slug,
            "outcome": self.outcome,
            "version": self.dataset.version,
            "content_hash": self.dataset.content_hash,
            "changes": self.changes.counts(),
            "gold_release": self.release.name if self.release else None,
        }


class UnacceptedChanges(Problem):
    """The file differs from what is stored; whoever imports it has to say that this is meant."""

    def __init__(self, dataset: Dataset, changes: Changes) -> None:
        super().__init__(
            f"The file would change dataset {dataset.slug}, version {dataset.version}. Nothing was "
            f"imported. If the changes are meant, import the file again and accept them."
        )
        self.dataset = dataset
        self.changes = changes


def import_corpus(
    corpus: Corpus,
    *,
    slug: str,
    file_name: str,
    file_hash: str,
    user: User | None = None,
    accept_changes: bool = False,
) -> CorpusImport:
    """Bring a dataset to what `corpus` says.

    1. Compare with what is stored; the same content ends here.
    2. Refuse to remove a row that labels, reviews or runs rest on, and to change a pair under review.
    3. Raise `UnacceptedChanges` where the dataset is there already and `accept_changes` is not given.
    4. Write rows, version and labels in one transaction.
    """
    dataset = Dataset.objects.filter(slug=slug).first()
    stored = stored_like(corpus, dataset)
    changes = changes_between(stored, corpus)
    if dataset and not changes:
        return CorpusImport(dataset, "unchanged", changes, last_imported_release(dataset))
    if dataset:
        refuse_losses(dataset, corpus, changes)
    if dataset and not accept_changes:
        raise UnacceptedChanges(dataset, changes)
    origin = CorpusVersion(
        file_name=storable(file_name), file_hash=file_hash, imported_by=user, changes=changes.counts()
    )
    outcome: Literal["created", "changed"] = "changed" if dataset else "created"
    dataset = dataset or new_dataset(slug)
    return CorpusImport(dataset, outcome, changes, write(dataset, corpus, changes, origin))


def stored_like(corpus: Corpus, dataset: Dataset | None) -> Corpus:
    """Return what is stored; equal hashes spare reading every row, and a new dataset has none."""
    if dataset is None:
        return replace(corpus, contexts=(), preferences=(), profiles=(), pairs=(), gold=())
    if dataset.content_hash == content_hash(corpus):
        return replace(corpus, gold=stored_gold(dataset))
    return stored_corpus(dataset)


def new_dataset(slug: str) -> Dataset:
    """Make a dataset that is not saved yet."""
    check_slug(slug)
    return Dataset(slug=slug, version=0)


def check_slug(slug: str) -> None:
    """Raise `Problem` where a dataset cannot have this name."""
    try:
        validate_slug(slug)
    except ValidationError as error:
        expected = "only letters, digits, hyphens and underscores, for it is part of addresses"
        raise Problem(f"Dataset name is {slug!r}; expected {expected}.") from error
    if len(slug) > LONGEST_SLUG:
        raise Problem(f"Dataset name has {len(slug)} characters; expected at most {LONGEST_SLUG}.")


def last_imported_release(dataset: Dataset) -> GoldRelease | None:
    """Return the newest gold release that came with a corpus."""
    return dataset.gold_releases.filter(origin=GoldRelease.Origin.IMPORTED).order_by("-number").first()


def storable(file_name: str) -> str:
    """Return a file name as every database can hold it."""
    return file_name.encode(errors="replace").decode()[-255:]


@transaction.atomic
def write(dataset: Dataset, corpus: Corpus, changes: Changes, origin: CorpusVersion) -> GoldRelease | None:
    """Write what differs, and where it came from; return the gold release, if labels came."""
    if not changes.only_gold:
        raise_version(dataset, corpus)
        write_rows(dataset, corpus, changes)
        origin.dataset, origin.version, origin.content_hash = dataset, dataset.version, dataset.content_hash
        origin.save()
    if not corpus.gold:
        return None
    return import_gold_release(dataset, corpus.gold, str(origin.imported_by or ""))


def raise_version(dataset: Dataset, corpus: Corpus) -> None:
    """Save the dataset's own row; refuse if it is no longer the one that was compared."""
    compared = dataset.version
    values = {
        "name": corpus.name,
        "source": corpus.source,
        "licence": corpus.licence,
        "content_hash": content_hash(corpus),
        "version": compared + 1,
    }
    for name, value in values.items():
        setattr(dataset, name, value)
    if dataset.pk:
        is_saved = Dataset.objects.filter(pk=dataset.pk, version=compared).update(**values) == 1
    else:
        saved, is_saved = Dataset.objects.get_or_create(slug=dataset.slug, defaults=values)
        dataset.pk = saved.pk
    if not is_saved:
        raise Problem(f"Dataset {dataset.slug} was changed by another import meanwhile; import again.")
