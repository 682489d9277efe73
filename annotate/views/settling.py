"""What a lead does to a campaign: each button is one action, then back to the page with what came of it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Manager, Model
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotate.access import View, lead_required
from annotate.actions.campaigns import (
    add_annotator,
    close_campaign,
    end_seat,
    reopen_campaign,
    revise_guideline,
    take_up_seat,
)
from annotate.actions.gold import freeze_gold_release
from annotate.actions.settling import (
    resolve_flag,
    set_aside_context,
    set_aside_item,
    set_aside_preference,
    take_back_item,
)
from annotate.actions.slots import release_item
from annotate.forms import AnswerFlagForm, BorderlineForm, GuidelineForm, NewAnnotatorForm, ReasonForm
from annotate.models import Assignment, Campaign, Flag, Item
from annotate.problems import Problem


class Request(HttpRequest):
    """A request of somebody signed in."""

    user: User


type Action = Callable[..., str]


def action(page: str, section: str, kind: type[Model] = Campaign) -> Callable[[Action], View]:
    """Make a view of an action on a campaign or a review: for leads, by POST, back to a section of a page.

    The action returns what it did in words; a `Problem` is shown in its place.
    """

    def make_view(act: Action) -> View:
        @wraps(act)
        def view(request: Request, slug: str, **address: int) -> HttpResponse:
            found = get_object_or_404(kind, slug=slug)
            try:
                messages.success(request, act(request, found, **address))
            except Problem as problem:
                messages.error(request, str(problem))
            return redirect(f"{reverse(page, args=[slug])}#{section}")

        return require_POST(lead_required(view))

    return make_view


def checked(form: Form) -> Form:
    """Return a form whose values are good. Raises `Problem` with the first mistake of each field."""
    if not form.is_valid():
        raise Problem(
            " ".join(f"{name}: {found[0]}".removeprefix("__all__: ") for name, found in form.errors.items())
        )
    return form


def named_seat(request: Request, seats: Manager[Any]) -> Any:
    """Return the seat whose pseudonym the form names; a NUL, which no database takes, names none."""
    pseudonym = request.POST.get("pseudonym", "")
    return get_object_or_404(seats, pseudonym="" if "\0" in pseudonym else pseudonym)


@action("campaign", "flags")
def answer_flag(request: Request, campaign: Campaign, flag: int) -> str:
    """Answer an annotator's *cannot decide*."""
    found = get_object_or_404(Flag, pk=flag, item__campaign=campaign)
    resolve_flag(found, checked(AnswerFlagForm(request.POST)).cleaned_data["answer"], request.user)
    return f"Answered; the item comes back to {found.annotator.pseudonym}."


@action("campaign", "settle")
def set_aside(request: Request, campaign: Campaign, number: int) -> str:
    """Set one item aside."""
    item = get_object_or_404(Item, campaign=campaign, number=number)
    set_aside_item(item, checked(ReasonForm(request.POST)).cleaned_data["reason"], request.user)
    return f"Item {number} is set aside."


@action("campaign", "aside")
def set_aside_many(request: Request, campaign: Campaign) -> str:
    """Set a whole context or preference aside."""
    values = checked(BorderlineForm(campaign, request.POST)).cleaned_data
    if context := values["context"]:
        number = set_aside_context(campaign, context, values["reason"], request.user)
    else:
        number = set_aside_preference(campaign, values["preference"], values["reason"], request.user)
    return f"Set aside; new among them: {number} of its items."


@action("campaign", "aside")
def take_back(request: Request, campaign: Campaign, number: int) -> str:
    """Let an item count again."""
    take_back_item(get_object_or_404(Item, campaign=campaign, number=number), request.user)
    return f"Item {number} counts again."


@action("campaign", "held")
def release_held(request: Request, campaign: Campaign, assignment: int) -> str:
    """Take a held item away from its annotator."""
    found = get_object_or_404(Assignment, pk=assignment, annotator__campaign=campaign)
    if not release_item(found):
        raise Problem(f"{found.annotator.pseudonym} no longer holds that item; nothing to release.")
    return "Released; others can label the item now."


@action("campaign", "gold")
def freeze(request: Request, campaign: Campaign) -> str:
    """Freeze a gold release."""
    release = freeze_gold_release(campaign, request.user.get_username())
    return f"Gold release {release.name} is frozen, with {release.counts['kept']:,} labels."


@action("campaign-settings", "guideline")
def revise(request: Request, campaign: Campaign) -> str:
    """Put a new text of the guideline in force."""
    before = campaign.guideline.version
    guideline = revise_guideline(
        campaign, checked(GuidelineForm(request.POST)).cleaned_data["text"], request.user
    )
    if guideline.version == before:
        return f"The text is that of version {before}; nothing changed."
    return f"Guideline version {guideline.version} is in force."


@action("campaign-settings", "annotators")
def seat(request: Request, campaign: Campaign) -> str:
    """Give an annotator a seat."""
    user = checked(NewAnnotatorForm(campaign, request.POST)).cleaned_data["user"]
    return f"{user} labels as {add_annotator(campaign, user).pseudonym}."


@action("campaign-settings", "annotators")
def end(request: Request, campaign: Campaign) -> str:
    """End an annotator's seat."""
    found = named_seat(request, campaign.annotators)
    end_seat(found)
    return f"{found.pseudonym} labels no more; the labels stay."


@action("campaign-settings", "annotators")
def take_up(request: Request, campaign: Campaign) -> str:
    """Let an annotator go on whose seat was ended."""
    found = named_seat(request, campaign.annotators)
    take_up_seat(found)
    return f"{found.pseudonym} labels again."


@action("campaign-settings", "open")
def close(request: Request, campaign: Campaign) -> str:
    """End labelling."""
    close_campaign(campaign)
    return "The campaign is closed; labels can no longer be given or changed."


@action("campaign-settings", "open")
def reopen(request: Request, campaign: Campaign) -> str:
    """Let labelling go on."""
    reopen_campaign(campaign)
    return "The campaign is open again."
