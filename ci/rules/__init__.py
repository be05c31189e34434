"""Rules for translated messages: `structure` for what would break or endanger a page, `wording` for every language,
and modules for each language that has rules of its own, named by its code.

A rule is a generator of `Fault`s. `structure` is never waived.
"""

import importlib
import importlib.util


def of_language(language, subject=""):
    """The module of a language, or None: with its rules, or with what it has on another subject, such as "_search"."""
    name = f"{__name__}.{language}{subject}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
