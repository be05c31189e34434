"""Rules for translated messages: `structure` for what would break or endanger a page, `wording` for every language,
and a module for each language that has rules of its own, named by its code.

A rule is a generator of `Fault`s. `structure` is never waived.
"""

import importlib
import importlib.util


def of_language(language):
    """The module with the rules of a language, or None."""
    name = f"{__name__}.{language}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
