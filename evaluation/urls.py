"""Addresses of machines' answers: runs and their reports."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
