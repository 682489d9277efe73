"""The API of an annotator's own work in validation samples: what the own pages show, and nothing else."""

from collections.abc import Collection
from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from annotate.access import is_lead, rater_of
from annotate.actions.labelling import LONGEST_COMMENT
from annotate.actions.validating import save_validation_label
from annotate.api.permissions import person
from annotate.api.serializers import TokenField
from annotate.api.views import checked, never_stored
from annotate.models import ValidationItem, ValidationLabel, ValidationSample
from annotate.own_validation import OwnSample, item_at, own_labels, own_sample, validation_work
from annotate.validation import words_of

CANNOT_TELL = "cannot_tell"
SAMPLE = OpenApiParameter("slug", OpenApiTypes.STR, "path", description="Slug of the validation sample.")
PLACE = OpenApiParameter("place", OpenApiTypes.INT, "path", description="From 1 on, in your own order.")


@extend_schema_field(
    {
        "oneOf": [{"type": "number"}, {"type": "string", "enum": [CANNOT_TELL]}],
        "description": "The value of an option.",
    }
)
class ValueField(serializers.Field):
    """An answer: its number, or `cannot_tell`, which is kept as no number. Null is no answer."""

    default_error_messages = {"invalid": f"Expected the value of an option: a number, or {CANNOT_TELL}."}

    def to_internal_value(self, data: Any) -> float | None:
        """Return the number, None for *cannot tell*."""
        if isinstance(data, bool):
            self.fail("invalid")
        try:
            return None if data == CANNOT_TELL else float(data)
        except (TypeError, ValueError, OverflowError):
            self.fail("invalid")

    def to_representation(self, value: float | str) -> float | str:
        """Write the value that `value_of` returned."""
        return value


def value_of(value: float | None) -> float | str:
    """Return an answer as the API writes and takes it."""
    return CANNOT_TELL if value is None else value


class OptionSerializer(serializers.Serializer):
    """An answer that can be given."""

    value = ValueField()
    words = serializers.CharField()


class TextsField(serializers.DictField):
    """The message and what it is judged by, by name."""

    def __init__(self) -> None:
        super().__init__(child=serializers.CharField(), help_text="`message`, and what it is judged by.")


class OwnSampleSerializer(serializers.Serializer):
    """A validation sample in which you have a seat, with how far you are."""

    slug = serializers.CharField()
    name = serializers.CharField()
    question = serializers.CharField()
    answered = serializers.IntegerField()
    items = serializers.IntegerField()
    minutes_left = serializers.IntegerField(allow_null=True, help_text="Null where too little tells of it.")
    is_over = serializers.BooleanField(help_text="Answers can be looked at, and neither given nor changed.")


class OwnSampleWithGuidelineSerializer(OwnSampleSerializer):
    """One of them, with the guideline and the answers that can be given."""

    options = OptionSerializer(many=True)
    guideline = serializers.CharField(help_text="In Markdown.")


class ValidationItemSerializer(serializers.Serializer):
    """An item as its annotator sees it."""

    place = serializers.IntegerField(help_text="Its place in your own order; name it when you answer.")
    version = serializers.IntegerField(help_text="How often you have answered; name it when you answer.")
    question = serializers.CharField()
    options = OptionSerializer(many=True)
    texts = TextsField()


class OwnAnswerSerializer(serializers.Serializer):
    """An own answer as it stands."""

    place = serializers.IntegerField()
    version = serializers.IntegerField()
    texts = TextsField()
    value = ValueField()
    words = serializers.CharField()
    comment = serializers.CharField()
    saved_at = serializers.DateTimeField()


class AnsweredItemSerializer(OwnAnswerSerializer, ValidationItemSerializer):
    """An own earlier item, with the answer on it."""


class NewAnswerSerializer(serializers.Serializer):
    """An answer to be saved, in place of the one of that version."""

    place = serializers.IntegerField(min_value=1)
    value = ValueField()
    comment = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_COMMENT, help_text="Left out: none."
    )
    version = serializers.IntegerField(min_value=0, help_text="The version that you saw; 0 at first.")
    token = TokenField()


@never_stored
class OwnSampleViewSet(GenericViewSet):
    """The validation samples in which you have a seat. Nothing here tells of anybody else's answers."""

    queryset = ValidationSample.objects.none()
    serializer_class = OwnSampleSerializer

    def list(self, request: Request) -> Response:
        """List the samples in which you have a seat, with how far you are, the newest first."""
        user = person(request)
        page = self.paginate_queryset([] if is_lead(user) else validation_work(user))
        rows = [progress_of(own) for own in page or ()]
        return self.get_paginated_response(OwnSampleSerializer(rows, many=True).data)

    @extend_schema(responses=OwnSampleWithGuidelineSerializer, parameters=[SAMPLE])
    def retrieve(self, request: Request, slug: str) -> Response:
        """Tell how far you are, what is asked, and how to answer."""
        own = own_sample(rater_of(person(request), slug))
        sample = own.rater.sample
        frame = {"guideline": sample.guideline, "options": options_of(sample)}
        return Response(OwnSampleWithGuidelineSerializer(progress_of(own) | frame).data)

    @extend_schema(responses={200: ValidationItemSerializer, 204: None}, parameters=[SAMPLE])
    def next(self, request: Request, slug: str) -> Response:
        """Return the first item that you have not answered; 204 when there is none, or all is over."""
        own = own_sample(rater_of(person(request), slug))
        if own.next_place is None or own.is_over:
            return Response(status=204)
        return Response(ValidationItemSerializer(shown(item_at(own, own.next_place), own.next_place)).data)


@never_stored
@extend_schema(parameters=[SAMPLE])
class OwnAnswerViewSet(GenericViewSet):
    """Your own answers in one validation sample: list, look at, give, change."""

    queryset = ValidationLabel.objects.none()
    serializer_class = OwnAnswerSerializer

    def own(self) -> OwnSample:
        """Return how far the user is; to anybody without a seat there is no such sample."""
        return own_sample(rater_of(person(self.request), self.kwargs["slug"]))

    def list(self, request: Request, slug: str) -> Response:
        """List your own answers in the order of their places."""
        own = self.own()
        page = self.paginate_queryset(own.answered)
        rows = [answer_of(label, place) for place, label in own_labels(own, page or ())]
        return self.get_paginated_response(OwnAnswerSerializer(rows, many=True).data)

    @extend_schema(responses=AnsweredItemSerializer, parameters=[PLACE])
    def retrieve(self, request: Request, slug: str, place: int) -> Response:
        """Return an item that you have answered, with your answer."""
        own = self.own()
        [(at, label)] = own_labels(own, [met(place, own.answered)])
        return Response(AnsweredItemSerializer(shown(label.item, at) | answer_of(label, at)).data)

    @extend_schema(request=NewAnswerSerializer, responses={201: OwnAnswerSerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Answer the next item, or change an own earlier answer, which is kept.

        The same token again saves nothing twice. 409 if your answer is no longer at the version you saw.
        """
        own = self.own()
        given = checked(NewAnswerSerializer(data=request.data))
        at = met(given.pop("place"), (*own.answered, own.next_place))
        label = save_validation_label(
            own.rater, item_at(own, at), given.pop("value"), saved_by=person(request), **given
        )
        return Response(OwnAnswerSerializer(answer_of(label, at)).data, status=201)


def met(place: int, places: Collection[int | None]) -> int:
    """Return a place counted from 0, if it is one of those; of others nothing may be known."""
    if place - 1 not in places:
        raise Http404(f"You have not met place {place}; expected that of `next`, or of an own answer.")
    return place - 1


def progress_of(own: OwnSample) -> dict[str, Any]:
    """Return how far an annotator is as plain data."""
    sample = own.rater.sample
    return {
        "slug": sample.slug,
        "name": sample.name,
        "question": sample.asked.words,
        "answered": own.done,
        "items": own.total,
        "minutes_left": own.minutes_left,
        "is_over": own.is_over,
    }


def options_of(sample: ValidationSample) -> list[dict[str, Any]]:
    """Return the answers that can be given, in the order of the page."""
    values = [*(option.value for option in sample.asked.options), None]
    return [{"value": value_of(value), "words": words_of(sample.question, value)} for value in values]


def shown(item: ValidationItem, place: int) -> dict[str, Any]:
    """Return what an annotator sees of an item that is not answered."""
    sample = item.sample
    return {
        "place": place + 1,
        "version": 0,
        "question": sample.asked.words,
        "options": options_of(sample),
        "texts": {name: item.texts[name] for name in sample.asked.texts},
    }


def answer_of(label: ValidationLabel, place: int) -> dict[str, Any]:
    """Return an own answer as plain data."""
    item = label.item
    return {
        "place": place + 1,
        "version": label.version,
        "texts": {name: item.texts[name] for name in item.sample.asked.texts},
        "value": value_of(label.value),
        "words": words_of(label.question, label.value),
        "comment": label.comment,
        "saved_at": label.changed_at,
    }
