"""What a language has of its own: a folder named by its code, with the modules `rules` (what the check of its
catalogues asks for besides), `search` (how its words are split) and `defects` (what the rules must find).
"""

import importlib
import importlib.util


def module(language, subject):
    """A module of a language, or None if it has none on this subject."""
    folder = f"{__name__}.{language}"
    if not (importlib.util.find_spec(folder) and importlib.util.find_spec(f"{folder}.{subject}")):
        return None
    return importlib.import_module(f"{folder}.{subject}")
