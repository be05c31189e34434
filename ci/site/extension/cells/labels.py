"""Says in the language of the site what the theme and MyST-NB say in English."""

import re
from html import escape

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode

from ci import _

# What the theme asks gettext for, and Sphinx's own catalogues do not have.
ASKED_FOR = [
    _("Skip to content"),
    _("Back to top"),
    _("Next"),
    _("Previous"),
    _("Home"),
    _("Made with "),
    _("Link to this heading"),
    _("Link to this image"),
    _("Link to this table"),
    _("Copyright &#169; %(copyright)s"),
    _("Please activate JavaScript to enable the search functionality."),
]
# What stands in its templates, and in ours, as it is.
WRITTEN_OUT = [
    _("On this page"),
    _("Toggle site navigation sidebar"),
    _("Toggle table of contents sidebar"),
    _("Toggle Light / Dark / Auto color theme"),
    _("Contents"),
    _("Menu"),
    _("Expand"),
    _("Light mode"),
    _("Dark mode"),
    _("Auto light/dark, in light mode"),
    _("Auto light/dark, in dark mode"),
]
AS_IT_IS = re.compile(f'(?<=[">])(?:{"|".join(map(re.escape, WRITTEN_OUT))})(?=["<])')
FOLDED, SOLUTION = _("Show this cell"), _("Show the solution")
EXERCISES = {"exercise", "exercises"}  # the ids of the section, in every language


def translate(app, config):
    app.translator.add_fallback(app.sentences)
    config.nb_code_prompt_show = app.sentences.gettext(FOLDED)


def around_the_article(html, gettext):
    """Translates what the theme's templates leave in English, and nothing that a chapter says."""
    before, *article = re.split("(?=<article)", html, maxsplit=1)
    article, end, after = "".join(article).partition("</article>")
    before, after = (AS_IT_IS.sub(lambda found: gettext(found[0]), text) for text in (before, after))
    return before + article + end + after


def add_filter(app):
    """Gives the templates the filter `labels`."""
    if templates := getattr(app.builder, "templates", None):
        templates.environment.filters["labels"] = lambda html: around_the_article(html, app.sentences.gettext)


def name_solutions(app, doctree):
    """What is folded away in the exercises is their solutions."""
    for section in doctree.findall(nodes.section):
        if EXERCISES.intersection(section["ids"]):
            for cell in section.findall(lambda node: isinstance(node, nodes.container) and "prompt_show" in node):
                cell["prompt_show"] = app.sentences.gettext(SOLUTION)


def visit_folded(translator, node):
    """Writes a cell that is folded away; MyST-NB would put paragraphs where HTML allows none."""
    translator.body.append(f'<details class="hide">\n<summary>{escape(node["prompt_show"])}</summary>\n')


def depart_folded(translator, node):
    translator.body.append("</details>\n")


def setup_labels(app):
    app.add_node(HideCodeCellNode, override=True, html=(visit_folded, depart_folded))
    app.connect("config-inited", translate, priority=100)  # before MyST-NB reads its configuration
    app.connect("doctree-read", name_solutions)
    app.connect("builder-inited", add_filter)
