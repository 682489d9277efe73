"""Find what a user names in a command or an address, or say what there is."""

from annotate.models import Campaign, GoldRelease
from annotate.problems import Problem


def campaign_named(slug: str) -> Campaign:
    """Return the campaign of that slug. Raises `Problem` if there is none."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        known = ", ".join(Campaign.objects.values_list("slug", flat=True)) or "none yet"
        raise Problem(f"There is no campaign {slug!r}; expected one of: {known}.")
    return campaign


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
