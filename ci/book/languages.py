"""Find the modules and stylesheets for single languages.

A folder `ci/languages/CODE` may have the modules `rules` (additional checks of its catalogues) and `words` (how the
search splits its words), and a stylesheet `style.css`.
"""

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType


def styles() -> list[Path]:
    """Return the stylesheets of all languages; each page loads all of them, since it may quote any language."""
    return sorted(Path(__file__).parents[1].glob("languages/*/style.css"))


def module(language: str, subject: str) -> ModuleType | None:
    """Import and return a module of a language, such as "rules"; return None if the language has no such module."""
    name = f"ci.languages.{language}"
    if not (importlib.util.find_spec(name) and importlib.util.find_spec(f"{name}.{subject}")):
        return None
    return importlib.import_module(f"{name}.{subject}")
