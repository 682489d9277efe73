"""Adding prompts: a wording once added never changes."""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from annotate.problems import Problem
from evaluation.benchpres.arms import check_added
from evaluation.models import AddedPrompt
from evaluation.prompts import Prompt, is_brought


@transaction.atomic
def add_prompt(name: str, text: str, user: User | None = None) -> AddedPrompt:
    """Add a wording under the next number of its name; the same text again is the prompt that is there.

    `Problem` where the text lacks a place; ValidationError where the name is none.
    """
    check_added(Prompt.of(name, text))
    if is_brought(name):
        raise Problem(f"Tact itself brings prompts called {name}; choose another name.")
    same = AddedPrompt.objects.filter(name=name, text=text).first()
    if same is not None:
        return same
    newest = AddedPrompt.objects.filter(name=name).aggregate(newest=Max("number"))["newest"] or 0
    prompt = AddedPrompt(name=name, number=newest + 1, text=text, created_by=user)
    prompt.full_clean()
    prompt.save()
    return prompt
