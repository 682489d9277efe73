"""Contrast pairs (PairPref): a preference, one request, two situations, four replies, companion memories."""

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q

from annotate import pairs
from annotate.models.corpus import Dataset, Preference


def choices(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return names with the words that pages show for them."""
    return [(name, pairs.words_of(name)) for name in names]


class Companion(models.Model):
    """Another memory of the user who holds a preference, given to a model beside it."""

    preference = models.ForeignKey(Preference, on_delete=models.CASCADE, related_name="companions")
    kind = models.CharField(max_length=10, choices=choices(tuple(pairs.COMPANIONS)))
    text = models.TextField()
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["preference", "position"]
        constraints = [
            models.UniqueConstraint(fields=["preference", "position"], name="one_companion_per_position"),
            models.CheckConstraint(
                condition=Q(kind__in=tuple(pairs.COMPANIONS)), name="companion_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class ContrastPair(models.Model):
    """One request in two situations: in the positive one the preference should guide the answer."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="pairs")
    preference = models.ForeignKey(Preference, on_delete=models.RESTRICT, related_name="pairs")
    identifier = models.CharField(max_length=100, help_text="As released, e.g. M07-C6-c26634.")
    category = models.CharField(max_length=30, choices=choices(pairs.CATEGORIES))
    tier = models.CharField(
        max_length=20, choices=choices(pairs.TIERS), help_text="Of the positive situation."
    )
    distance = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(1)], help_text="Rounds from the situation to the request."
    )
    request = models.TextField()
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["dataset", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["dataset", "identifier"], name="pair_identifier_once_per_dataset"
            ),
            models.CheckConstraint(condition=Q(distance__gte=1), name="distance_is_at_least_one"),
            models.CheckConstraint(condition=Q(category__in=pairs.CATEGORIES), name="pair_category_known"),
            models.CheckConstraint(condition=Q(tier__in=pairs.TIERS), name="pair_tier_known"),
        ]

    def __str__(self) -> str:
        return self.identifier


class Situation(models.Model):
    """One side of a pair."""

    pair = models.ForeignKey(ContrastPair, on_delete=models.CASCADE, related_name="situations")
    side = models.CharField(max_length=10, choices=choices(pairs.SIDES))
    text = models.TextField()

    class Meta:
        ordering = ["pair", "-side"]
        constraints = [
            models.UniqueConstraint(fields=["pair", "side"], name="one_situation_per_side"),
            models.CheckConstraint(condition=Q(side__in=pairs.SIDES), name="situation_side_known"),
        ]

    def __str__(self) -> str:
        return f"{self.side} situation of {self.pair}"


class Reply(models.Model):
    """One of the four replies that both situations of a pair share."""

    pair = models.ForeignKey(ContrastPair, on_delete=models.CASCADE, related_name="replies")
    role = models.CharField(max_length=20, choices=choices(pairs.ROLES))
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pair", "role"], name="one_reply_per_role"),
            models.CheckConstraint(condition=Q(role__in=pairs.ROLES), name="reply_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.role} reply of {self.pair}"
