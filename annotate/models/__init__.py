"""The rows that people's judgements live in, one file an idea."""

from annotate.models.account import OneTimePassword
from annotate.models.campaign import Annotator, Assignment, Campaign, Exclusion, Guideline, Item
from annotate.models.corpus import (
    Context,
    CorpusVersion,
    Dataset,
    MemoryStatement,
    Preference,
    Profile,
    ProfilePreference,
    SuppliedPrompt,
)
from annotate.models.gold import GoldLabel, GoldRelease
from annotate.models.label import Flag, Label, LabelRevision
from annotate.models.pair import Companion, ContrastPair, Reply, Situation
from annotate.models.review import (
    Adjudication,
    Judgement,
    Review,
    ReviewedPair,
    Reviewer,
    Sheet,
    SheetRevision,
)
from annotate.models.validation import (
    Rater,
    ValidationItem,
    ValidationLabel,
    ValidationLabelRevision,
    ValidationSample,
)

__all__ = [
    "Adjudication",
    "Annotator",
    "Assignment",
    "Campaign",
    "Companion",
    "Context",
    "ContrastPair",
    "CorpusVersion",
    "Dataset",
    "Exclusion",
    "Flag",
    "GoldLabel",
    "GoldRelease",
    "Guideline",
    "Item",
    "Judgement",
    "Label",
    "LabelRevision",
    "MemoryStatement",
    "OneTimePassword",
    "Preference",
    "Profile",
    "ProfilePreference",
    "Rater",
    "Reply",
    "Review",
    "ReviewedPair",
    "Reviewer",
    "Sheet",
    "SheetRevision",
    "Situation",
    "SuppliedPrompt",
    "ValidationItem",
    "ValidationLabel",
    "ValidationLabelRevision",
    "ValidationSample",
]
