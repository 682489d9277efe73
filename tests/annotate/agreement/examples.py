"""Hypothesis as these tests use it: enough examples, no clock."""

from hypothesis import given, settings


def for_examples(**strategies):
    return lambda test: settings(max_examples=40, deadline=None)(given(**strategies)(test))
