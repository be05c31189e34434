"""Find what a language has of its own: a folder `ci/languages/CODE` with the modules `rules` (what the check of its
catalogues asks for in addition) and `words` (what its words are made of), and a stylesheet.
"""

import importlib
import importlib.util
from pathlib import Path

FOLDER = "ci.languages"


def styles():
    """The stylesheets of languages that need one; all pages have them, since a page may quote a language."""
    return sorted(Path(__file__).parents[1].glob("languages/*/style.css"))


def module(language, subject):
    """A module of a language, or None if it has none on this subject."""
    name = f"{FOLDER}.{language}"
    if not (importlib.util.find_spec(name) and importlib.util.find_spec(f"{name}.{subject}")):
        return None
    return importlib.import_module(f"{name}.{subject}")
