"""The API of endpoints, for leads. A key is never in it, only the name of its environment variable."""

from rest_framework import serializers
from rest_framework.mixins import CreateModelMixin, ListModelMixin, RetrieveModelMixin, UpdateModelMixin
from rest_framework.viewsets import GenericViewSet

from annotate.api.permissions import IsLead
from evaluation.models import Endpoint


class EndpointSerializer(serializers.ModelSerializer):
    """An endpoint. The rules that keep keys out are the model's."""

    class Meta:
        model = Endpoint
        fields = [
            "name", "base_url", "model", "key_env", "parameters", "concurrency", "deadline", "capabilities",
            "is_embedded", "created_at",
        ]  # fmt: skip
        read_only_fields = ["capabilities", "created_at"]


class EndpointViewSet(ListModelMixin, CreateModelMixin, RetrieveModelMixin, UpdateModelMixin, GenericViewSet):
    """Where models are asked. A run keeps what it used, whatever is changed here later."""

    permission_classes = [IsLead]
    queryset = Endpoint.objects.all()
    serializer_class = EndpointSerializer
    lookup_field = "name"
    repeats_input = False
