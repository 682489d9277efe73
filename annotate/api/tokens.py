"""Signing in: a name and a password for a token."""

from typing import Any

from rest_framework.authtoken.views import ObtainAuthToken
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle

from annotate.actions.accounts import token_of


class SignInThrottle(AnonRateThrottle):
    """Lets one address try ten passwords a minute."""

    scope = "sign-in"
    rate = "10/min"


class SignIn(ObtainAuthToken):
    """Give the token of an account for its name and password. A one-time password must be replaced first."""

    authentication_classes = []
    throttle_classes = [SignInThrottle]
    repeats_input = False

    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Send the token in the header `Authorization: Token ...` from then on."""
        account = self.get_serializer(data=request.data)
        account.is_valid(raise_exception=True)
        token = token_of(account.validated_data["user"])
        return Response({"token": token.key}, headers={"Cache-Control": "no-store"})
