"""Find what a user names in a command or an address, or say what there is."""

from django.db import models

from annotate.models import Campaign, Dataset, GoldRelease, Review, ValidationSample
from annotate.problems import Problem


def row_named[Row: models.Model](kind: type[Row], name: str, field: str = "slug") -> Row:
    """Return the row whose `field` is `name`. Raises `Problem` if there is none."""
    rows = kind._default_manager.all()
    row = rows.filter(**{field: name}).first()
    if row is None:
        known = ", ".join(rows.order_by(field).values_list(field, flat=True)) or "none yet"
        raise Problem(f"There is no {kind._meta.verbose_name} {name!r}; expected one of: {known}.")
    return row


def campaign_named(slug: str) -> Campaign:
    """Return the campaign of that slug. Raises `Problem` if there is none."""
    return row_named(Campaign, slug)


def dataset_named(slug: str) -> Dataset:
    """Return the dataset of that slug. Raises `Problem` if there is none."""
    return row_named(Dataset, slug)


def review_named(slug: str) -> Review:
    """Return the review of that slug. Raises `Problem` if there is none."""
    return row_named(Review, slug)


def sample_named(slug: str) -> ValidationSample:
    """Return the validation sample of that slug. Raises `Problem` if there is none."""
    return row_named(ValidationSample, slug)


def release_named(name: str) -> GoldRelease:
    """Return the gold release of a name such as `sample-1`. Raises `Problem` if there is none."""
    slug, _, number = name.rpartition("-")
    releases = GoldRelease.objects.select_related("dataset", "campaign", "guideline")
    if slug and number.isascii() and number.isdecimal():
        release = releases.filter(dataset__slug=slug, number=int(number)).first()
        if release:
            return release
    known = ", ".join(release.name for release in releases) or "none yet"
    raise Problem(f"There is no gold release {name!r}; expected one of: {known}.")
