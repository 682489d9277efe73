"""Addresses of people's work: labelling, campaigns, gold releases."""

from django.urls import URLPattern, path

from annotate.views import labelling

urlpatterns: list[URLPattern] = [
    path("", labelling.home, name="home"),
    path("campaigns/<slug:slug>/label/", labelling.label, name="label"),
    path("campaigns/<slug:slug>/labels/", labelling.own_labels_page, name="own-labels"),
]
