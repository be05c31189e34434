"""Translate the texts that the theme and MyST-NB would show in English, and fold hidden cells."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config

from ci import _
from ci.site.extension import priorities
from ci.site.extension.application import BookApp
from ci.site.extension.output.elements import element

# Texts that the templates have in English, or pass to gettext although Sphinx's catalogues do not have them.
LABELS = json.loads((Path(__file__).parents[2] / "theme" / "labels.json").read_text(encoding="utf-8"))
AS_IT_IS = re.compile(f'(?<=[">])(?:{"|".join(map(re.escape, LABELS))})(?=["<])')
FOLDED, SOLUTION = _("Show this cell"), _("Show the solution")
EXERCISES = {"exercise", "exercises"}  # the possible ids of the section, which no translation changes


def _translate(app: BookApp, config: Config) -> None:
    """Add the translations to Sphinx's translator, and set the label of hidden cells in MyST-NB."""
    app.translator.add_fallback(app.sentences)
    config.nb_code_prompt_show = app.sentences.gettext(FOLDED)


def around_the_article(html: str, gettext: Callable[[str], str]) -> str:
    """Return a page with the English texts of the templates translated, and with its article unchanged."""
    before, opening, rest = html.partition("<article")
    article, closing, after = rest.partition("</article>")
    before, after = (AS_IT_IS.sub(lambda match: gettext(match[0]), text) for text in (before, after))
    return before + opening + article + closing + after


def _add_filter(app: BookApp) -> None:
    """Register the template filter `labels`, which calls `around_the_article`."""
    if isinstance(app.builder, StandaloneHTMLBuilder):
        labels = partial(around_the_article, gettext=app.sentences.gettext)
        app.builder.templates.environment.filters["labels"] = labels


def _name_solutions(app: BookApp, doctree: nodes.document) -> None:
    """Label the hidden cells of the exercises "Show the solution"."""
    for section in doctree.findall(nodes.section):
        if EXERCISES.intersection(section["ids"]):
            for cell in section.findall(lambda node: isinstance(node, nodes.container) and "prompt_show" in node):
                cell["prompt_show"] = app.sentences.gettext(SOLUTION)


def _fold(app: BookApp, doctree: nodes.document, _page: str) -> None:
    """Replace hidden cells by `<details>` elements; those of MyST-NB have paragraphs where HTML allows none."""
    for cell in list(doctree.findall(nodes.container)):
        for place, part in enumerate(cell.children):
            if isinstance(part, HideCodeCellNode):
                summary = element("summary", nodes.Text(part["prompt_show"]))
                cell[place] = element("details", summary, *part.children, classes=["hide"])


def setup(app: BookApp) -> None:
    """Connect the handlers."""
    app.connect("config-inited", _translate, priority=priorities.TRANSLATE_LABELS)
    app.connect("doctree-read", _name_solutions)
    app.connect("builder-inited", _add_filter)
    app.connect("doctree-resolved", _fold)
