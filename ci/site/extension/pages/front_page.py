"""Directives of the front page: a text with the counts of the status page, and a field that searches the book.

    ```{counts}
    - **{cells} cells** executed
    ```

    ```{search-form}
    ```

The names in braces are the keys of `numbers`. They are replaced after the text has been translated.
"""

from typing import Any, cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.locale import get_translation
from sphinx.transforms import SphinxTransform
from sphinx.transforms.i18n import Locale
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from ci.execution.cache import code_cells
from ci.notebooks import trials
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them

NAMES = {name: name for name in ("noticed", "lessons", "variations", "held")} | {"sabotages": "listed"}
SEARCH = "search"  # the page that the theme makes
OF_SPHINX = get_translation("sphinx")


class Counts(SphinxDirective):
    """A text with names of numbers in braces."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the text; `FillIn` replaces the names in it."""
        text = nodes.container("", *self.parse_content_to_nodes(), classes=["counts"])
        if self.env.app.builder.name != "gettext":
            with errors_as_sphinx_says_them():
                text["numbers"] = numbers(cast(BookApp, self.env.app))
        return [text]


def numbers(app: BookApp) -> dict[str, int]:
    """Return {name: number} of what was executed and tried."""
    from ci.execution.nbval import exempt  # the import takes a second, and few pages need it

    entries = [entry for name in app.book.chapters if (entry := app.cache.fetch(name))]
    cells = [cell for entry in entries for cell in code_cells(entry.notebook)]
    tried = [trials.state(app.book, name) for name in app.book.chapters]
    return {
        "chapters": len(entries),
        "notebooks": len(entries) * len(app.book.languages),
        "cells": sum(not exempt(cell) for cell in cells),
        **{NAMES[name]: sum(getattr(one, name) for one in tried) for name in NAMES},
    }


class FillIn(SphinxTransform):
    """Replace the names in the text of `Counts` by their numbers.

    Raises:
      ExtensionError: A name is unknown.
    """

    default_priority = Locale.default_priority + 1

    def apply(self, **_options: Any) -> None:
        """Replace the names."""
        for container in self.document.findall(nodes.container):
            numbers = {name: f"{number:,}" for name, number in container.get("numbers", {}).items()}
            for text in list(container.findall(nodes.Text)) if numbers else ():
                try:
                    text.parent.replace(text, nodes.Text(text.format(**numbers)))
                except (KeyError, ValueError) as error:
                    raise ExtensionError(f"{self.env.docname}: {text}: names are {', '.join(numbers)}") from error


class Form(nodes.General, nodes.Element):
    """A node for the search field."""


class SearchForm(SphinxDirective):
    """A field that opens the search page with what was typed; only on the site, also without scripts."""

    def run(self) -> list[nodes.Node]:
        """Return the node of the form."""
        return [Form()]


def _visit(translator: HTML5Translator, node: Form) -> None:
    """Write the form, unless the builder, such as that of an EPUB, has no search page."""
    builder, search = translator.builder, OF_SPHINX("Search")
    if builder.name == "html":
        address = builder.get_relative_uri(builder.current_docname, SEARCH)
        translator.body += [
            translator.starttag(node, "form", classes=["search-form"], action=address),
            translator.emptytag(node, "input", type="search", name="q", **{"aria-label": search}),
            f"<button>{search}</button>\n</form>\n",
        ]
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the directives, the transform and the node."""
    app.add_directive("counts", Counts)
    app.add_directive("search-form", SearchForm)
    app.add_transform(FillIn)
    app.add_node(Form, html=(_visit, None))
