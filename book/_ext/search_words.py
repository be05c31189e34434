"""Gives a language its own way of splitting words for search, where Sphinx has none: `ci/rules/LANGUAGE_search.py`."""

import importlib
import importlib.util


def add_language(app, config):
    name = f"ci.rules.{config.language}_search"
    if importlib.util.find_spec(name):
        app.add_search_language(importlib.import_module(name).Words)


def setup(app):
    app.connect("config-inited", add_language)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
