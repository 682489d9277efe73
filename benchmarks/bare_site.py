"""The least that Django can do: one select and one insert, with this site's settings and middleware."""

import os
import random
from uuid import uuid4

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
settings.ROOT_URLCONF = __name__
django.setup()

from django.contrib.auth.decorators import login_required  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402

from annotate.models import Flag, Item  # noqa: E402


def bare(request: HttpRequest) -> HttpResponse:
    """Read an item by its key and write a row about it."""
    item = Item.objects.get(pk=random.randint(1, 1000))
    Flag.objects.create(item=item, annotator_id=1, comment="bare", token=uuid4())
    return HttpResponse(f"item {item.number}")


urlpatterns = [path("bare/", bare), path("signed-in/", login_required(bare))]
application = WSGIHandler()
