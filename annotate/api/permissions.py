"""The guards of the API, the same as those of the pages."""

from typing import cast

from django.contrib.auth.models import User
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from annotate.access import is_lead


class IsLead(BasePermission):
    """Only leads."""

    message = "This is for leads."

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Ask the one rule that pages ask too."""
        return is_lead(request.user)


def person(request: Request) -> User:
    """Return the signed-in user; the permission classes have let nobody else in."""
    return cast(User, request.user)
