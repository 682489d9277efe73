"""What judges are asked about an answer, and the values that they may give."""

from enum import StrEnum


class Target(StrEnum):
    """What a verdict is about."""

    LABEL = "label"
    COMPLETENESS = "completeness"
    UPTAKE = "uptake"
    FIT = "fit"
    HEDGE = "hedge"
    VERIFICATION = "verification"
    SCREENING = "screening"


YES_OR_NO = (0.0, 1.0)
MENUS: dict[Target, tuple[float, ...]] = {
    Target.LABEL: YES_OR_NO,
    Target.COMPLETENESS: (1.0, 2.0, 3.0, 4.0, 5.0),
    Target.UPTAKE: (0.0, 0.5, 1.0),
    Target.FIT: YES_OR_NO,
    Target.HEDGE: YES_OR_NO,
    Target.VERIFICATION: YES_OR_NO,
    Target.SCREENING: YES_OR_NO,
}
# One judge of answers gives these three, each in a call of its own.
OF_ANSWERS = (Target.UPTAKE, Target.FIT, Target.HEDGE)


# What people can check, by the name of the question that they are asked.
QUESTIONS_FOR_PEOPLE = {
    "label": Target.LABEL,
    "completeness": Target.COMPLETENESS,
    "uptake": Target.UPTAKE,
    "fit": Target.FIT,
    "hedging": Target.HEDGE,
}
VALIDATED = tuple(target.value for target in QUESTIONS_FOR_PEOPLE.values())


class Duty(StrEnum):
    """What a judge is named for in a run."""

    LABELS = "labels"
    COMPLETENESS = "completeness"
    ANSWERS = "answers"
    VERIFICATION = "verification"
    SCREENING = "screening"


# What a judge is asked that is named for a duty.
TARGETS_OF: dict[Duty, tuple[Target, ...]] = {
    Duty.LABELS: (Target.LABEL,),
    Duty.COMPLETENESS: (Target.COMPLETENESS,),
    Duty.ANSWERS: OF_ANSWERS,
    Duty.VERIFICATION: (Target.VERIFICATION,),
    Duty.SCREENING: (Target.SCREENING,),
}
