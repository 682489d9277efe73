"""Every template compiles and keeps to what the strict policy and the escaping of texts ask."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines
from django.template.defaulttags import URLNode
from django.template.loader_tags import ExtendsNode
from django.urls import get_resolver

PROJECT = Path(settings.BASE_DIR)
FOLDERS = [PROJECT / "templates", *sorted(PROJECT.glob("*/templates"))]
TEMPLATES = {
    str(file.relative_to(folder)): file
    for folder in FOLDERS
    for file in sorted(folder.rglob("*"))
    if file.is_file()
}

HANDLERS = r"\son(click|load|change|input|submit|error|focus|blur|key\w+|mouse\w+)="
INLINE = re.compile(rf"<style|<script(?![^>]*\ssrc=)|\sstyle=|{HANDLERS}|javascript:", re.IGNORECASE)
UNESCAPED = re.compile(r"\|\s*safe\b|autoescape\s+off")


def compiled(name: str):
    return engines["django"].engine.get_template(name)


def address_names() -> set[str]:
    """Every name that {% url %} may give, `namespace:name` included."""
    return set(names_under(get_resolver(), ""))


def names_under(resolver, prefix: str):
    yield from (prefix + name for name in resolver.reverse_dict if isinstance(name, str))
    for namespace, (_, inner) in resolver.namespace_dict.items():
        yield from names_under(inner, f"{prefix}{namespace}:")


def test_there_are_templates():
    assert "base.html" in TEMPLATES


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_compiles(name):
    compiled(name)


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_address_and_every_parent_exists(name):
    nodes = compiled(name).nodelist
    for node in nodes.get_nodes_by_type(URLNode):
        if isinstance(node.view_name.var, str):
            assert node.view_name.var in address_names()
    for node in nodes.get_nodes_by_type(ExtendsNode):
        if isinstance(node.parent_name.var, str):
            compiled(node.parent_name.var)


@pytest.mark.parametrize("name", TEMPLATES)
def test_nothing_is_inline_and_nothing_unescaped(name):
    text = TEMPLATES[name].read_text(encoding="utf-8")
    assert not INLINE.search(text)
    assert not UNESCAPED.search(text)
