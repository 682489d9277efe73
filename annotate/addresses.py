"""Addresses that no database can be asked about: there is nothing at them."""

from collections.abc import Callable

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase


def address_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer *not found* where an address holds a NUL, which PostgreSQL refuses as an error."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if "\0" in request.path_info:
            raise Http404("There is no such address.")
        return get_response(request)

    return middleware
