"""Addresses of people's work: labelling, campaigns, gold releases."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
