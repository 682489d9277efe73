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

__all__ = [
    "Annotator",
    "Assignment",
    "Campaign",
    "Context",
    "CorpusVersion",
    "Dataset",
    "Exclusion",
    "Flag",
    "GoldLabel",
    "GoldRelease",
    "Guideline",
    "Item",
    "Label",
    "LabelRevision",
    "MemoryStatement",
    "OneTimePassword",
    "Preference",
    "Profile",
    "ProfilePreference",
    "SuppliedPrompt",
]
