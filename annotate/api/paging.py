"""How lists are cut into pages."""

from rest_framework.pagination import LimitOffsetPagination


class Pages(LimitOffsetPagination):
    """A hundred rows at a time, or as many as `limit` asks for, up to a thousand."""

    default_limit = 100
    max_limit = 1_000
