"""Which generations of a run a lead reads: filters as database queries, and the same unit in another run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from django.db.models import Count, Exists, F, Manager, Max, Min, OuterRef, Prefetch, Q, QuerySet

from annotate.models import GoldLabel
from annotate.pairs import CATEGORIES
from annotate.problems import Problem
from evaluation.benchpres import prompting as benchpres
from evaluation.models import Generation, Run, Verdict
from evaluation.models.generation import Outcome, Task
from evaluation.targets import Target

ALL, MISAPPLIED, OMITTED, DISAGREEMENT, UNREAD = "all", "misapplied", "omitted", "disagreement", "unread"
SHOWS = {
    ALL: "all",
    MISAPPLIED: "with a preference misapplied",
    OMITTED: "with a preference omitted",
    DISAGREEMENT: "on which judges disagree",
    UNREAD: "not read or failed, or with such a verdict",
}
SUPPRESS, APPLY = 0, 1
# Where nobody labelled, the side of a pair says whether the preference should guide the answer.
GOLD_OF_SIDES = {"positive": APPLY, "negative": SUPPRESS}
# What is read from a closed question where the preference is followed.
FOLLOWING = {Task.PROBE: benchpres.APPLY, Task.SELECTION: "memory", Task.APPLY: "yes"}
# Verdicts that say whether the preference is followed: where their value is above 0.
OF_USE = (Target.LABEL, Target.UPTAKE)
# What a unit is about and how often it was asked, in names that other runs and imports share.
INSTANCE = (
    "task", "profile__key", "context__recipient", "context__task", "preference__text", "pair__identifier",
    "side", "sample", "sampled",
)  # fmt: skip
ABOUT = ("profile", "context", "preference", "pair__preference", "sampled__item__sample")


@dataclass(frozen=True)
class Filters:
    """What a lead wants to see: of one condition and category where named, and one of `SHOWS`."""

    condition: str = ""
    category: str = ""
    show: str = ALL

    @classmethod
    def read(cls, run: Run, given: Mapping[str, Any]) -> Self:
        """Take filters from the parameters of an address; `Problem` where the run knows no such name."""
        found = cls(given.get("condition", ""), given.get("category", ""), given.get("show") or ALL)
        for kind, name, known in (
            ("condition", found.condition, run.conditions),
            ("category", found.category, categories_of(run)),
            ("show", found.show, SHOWS),
        ):
            if name and name not in known:
                raise Problem(f"The {kind} {name!r} is unknown; expected one of: {'; '.join(known)}.")
        return found


def categories_of(run: Run) -> list[str]:
    """Return the categories of the pairs that a run of PairPref is about, of the preferences otherwise.

    A judging run has those of the items of its sample.
    """
    rows: Manager[Any] = run.dataset.pairs if run.benchmark == "pairpref" else run.dataset.preferences
    if run.validation:
        rows = run.validation.units
    found = set(rows.exclude(category="").order_by().values_list("category", flat=True).distinct())
    return sorted(found, key=lambda name: (CATEGORIES.index(name) if name in CATEGORIES else 0, name))


def filtered(run: Run, filters: Filters) -> QuerySet[Generation]:
    """Return the generations that a lead asked for, in the order of the plan."""
    rows = run.generations.order_by("id")
    if filters.condition:
        rows = rows.filter(condition=filters.condition)
    verdicts = Verdict.objects.filter(generation=OuterRef("pk")).order_by()
    if filters.category:
        judged = Q(preference__category=filters.category)
        rows = rows.filter(_of_category(filters.category) | Exists(verdicts.filter(judged)))
        verdicts = verdicts.filter(judged | _of_category(filters.category, "generation__"))
    wanted = {
        MISAPPLIED: lambda: _against_gold(run, verdicts, SUPPRESS),
        OMITTED: lambda: _against_gold(run, verdicts, APPLY),
        DISAGREEMENT: lambda: Q(Exists(_disputed(verdicts))),
        UNREAD: lambda: _unread() | Q(Exists(verdicts.filter(_unread()))),
    }
    return rows.filter(wanted[filters.show]()) if filters.show in wanted else rows


def counterpart(row: Generation, run: Run, condition: str) -> Generation | None:
    """Return the unit of a run that asks under a condition what a unit asks, or None."""
    names = Generation.objects.filter(pk=row.pk).values(*INSTANCE).get()
    missing = {f"{name}__isnull": True for name, value in names.items() if value is None}
    same = {name: value for name, value in names.items() if value is not None}
    return whole(run.generations.filter(condition=condition, **same, **missing)).first()


def comparable_runs(run: Run) -> QuerySet[Run]:
    """Return the other runs of the same dataset and benchmark, or of the same sample, newest first."""
    runs = Run.objects.filter(dataset=run.dataset_id, benchmark=run.benchmark, validation=run.validation_id)
    return runs.exclude(pk=run.pk).order_by("-pk")


def whole(rows: QuerySet[Generation], *, with_replies: bool = False) -> QuerySet[Generation]:
    """Fetch with generations, in a few queries for all, what pages show of them.

    `with_replies` brings the raw replies of judges too.
    """
    verdicts = Verdict.objects.select_related("preference", "judge__endpoint")
    verdicts = verdicts if with_replies else verdicts.defer("reply")
    parts = ("pair__situations", "pair__replies", Prefetch("verdicts", verdicts))
    return rows.select_related(*ABOUT).prefetch_related(*parts)


def gold_of(run: Run, rows: list[Generation]) -> dict[tuple[int, int], int]:
    """Return the gold labels of the contexts that generations are about, by (context, preference)."""
    contexts = {row.context_id for row in rows if row.context_id}
    if run.release_id is None or not contexts:
        return {}
    labels = GoldLabel.objects.filter(release=run.release_id, context__in=contexts)
    return {
        (context, preference): value
        for context, preference, value in labels.values_list("context", "preference", "value")
    }


def _of_category(category: str, before: str = "") -> Q:
    """Say that the preference, the pair or the item that a generation is about is of a category."""
    parts = ("preference", "pair", "sampled")
    return Q(*((f"{before}{part}__category", category) for part in parts), _connector=Q.OR)


def _against_gold(run: Run, verdicts: QuerySet[Verdict], gold: int) -> Q:
    """Say that a preference is followed where gold suppresses it, or not followed where it applies."""
    side = next(name for name, value in GOLD_OF_SIDES.items() if value == gold)
    of_context = GoldLabel.objects.filter(
        release=run.release_id, value=gold, preference=OuterRef("preference")
    )
    labels = verdicts.filter(
        Exists(of_context.filter(context=OuterRef("generation__context"))),
        target=Target.LABEL,
        value=1 - gold,
    )
    uptakes = verdicts.filter(target=Target.UPTAKE, generation__side=side)
    uptakes = uptakes.filter(value__gt=0) if gold == SUPPRESS else uptakes.filter(value=0)
    of_probe = Exists(of_context.filter(context=OuterRef("context")))
    return (
        Q(Exists(labels))
        | Q(Exists(uptakes))
        | (Q(of_probe) & _chosen(Task.PROBE, gold))
        | (Q(side=side) & (_chosen(Task.SELECTION, gold) | _chosen(Task.APPLY, gold)))
    )


def _chosen(task: Task, gold: int) -> Q:
    """Say that what was chosen follows the preference where gold is *suppress*, and does not otherwise."""
    follows = Q(choice=FOLLOWING[task])
    return Q(task=task, outcome=Outcome.DONE) & (follows if gold == SUPPRESS else ~follows)


def _disputed(verdicts: QuerySet[Verdict]) -> QuerySet[Any]:
    """Return each (target, preference) for which two judges gave different values."""
    read = verdicts.filter(value__isnull=False, judge__isnull=False).values("target", "preference")
    extremes = read.annotate(judges=Count("judge", distinct=True), low=Min("value"), high=Max("value"))
    return extremes.filter(judges__gt=1, high__gt=F("low"))


def _unread() -> Q:
    return Q(outcome__in=(Outcome.NOT_READ, Outcome.FAILED))
