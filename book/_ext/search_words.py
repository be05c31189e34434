"""Gives a language its own way of splitting words for search, where Sphinx has none: `ci/rules/LANGUAGE_search.py`."""

from ci import rules


def add_language(app, config):
    if own := rules.of_language(config.language, "_search"):
        app.add_search_language(own.Words)


def setup(app):
    app.connect("config-inited", add_language)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
