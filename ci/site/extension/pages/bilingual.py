"""Translate what Sphinx does not translate in a book of notebooks.

- The title and the captions of the parts are translated with the catalogue of the front page.
- Chapters link to each other as notebooks (`../training/batch_norm.ipynb`), so that the links work in notebooks, too;
  on the site, such a link is replaced by one to the page.
- A block without translation gets the `lang` attribute of the source language, for screen readers and search, and a
  class, for the stylesheet.
"""

import posixpath
from typing import Any

from docutils import nodes
from markupsafe import escape
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config

from ci.catalogues.po import compile_all
from ci.site.extension import priorities
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them


def compile_catalogues(app: BookApp, config: Config) -> None:
    """Compile the catalogues of the language; raise ExtensionError if one has something not to be published."""
    config.gettext_auto_build = False  # Sphinx would compile the catalogues without checking them
    with errors_as_sphinx_says_them():
        compile_all(app.book, config.language)


def translate_site(app: BookApp, config: Config) -> None:
    """Translate the title of the book and the captions of its parts, in the configuration."""
    site_map = config.external_site_map
    translations = app.messages(site_map.root.docname)
    config.html_title = translations.get(config.html_title, config.html_title)
    for document in site_map.values():
        for part in document.subtrees:
            part.caption = translations.get(part.caption, part.caption)


def link_pages(app: Sphinx, doctree: nodes.document) -> None:
    """Replace links to notebooks of the book by links to their pages."""
    folder = posixpath.dirname(app.env.docname)
    for link in doctree.findall(addnodes.pending_xref):
        target, _, section = link.get("reftarget", "").partition("#")
        name = posixpath.normpath(posixpath.join(folder, target.removesuffix(".ipynb")))
        if target.endswith(".ipynb") and name in app.env.found_docs:
            link["refdomain"], link["reftarget"], link["reftargetid"] = "doc", name, section or None


def drop_empty_captions(app: Sphinx, doctree: nodes.document) -> None:
    """Delete the captions of parts that have none, which would be empty messages of the catalogue."""
    for contents in doctree.findall(addnodes.toctree):
        if app.builder.name == "gettext" and not contents.get("rawcaption"):
            contents.attributes.pop("rawcaption", None)


def mark_untranslated(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Set the `lang` of each block without a translation to the source language; of the page, if it has none."""
    source = app.book.source_language
    if app.config.language == source:
        return
    if not app.messages(docname):
        doctree[0]["classes"] += ["untranslated", f"language-{source}"]  # docutils writes language-* as an attribute
        return
    for node in doctree.findall(nodes.TextElement):
        if "untranslated" in node.get("classes", []):
            node["classes"].append(f"language-{source}")


def escape_titles(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], *_rest: object) -> None:
    """Escape the titles that the theme prints unescaped, since their translations may contain HTML.

    The result is `Markup`, which templates with autoescaping do not escape again.
    """
    for key in ("pagetitle", "root_title", "docstitle", "page_description"):
        if key in context:
            context[key] = escape(context[key])


def setup(app: Sphinx) -> None:
    """Connect the handlers."""
    app.connect("config-inited", compile_catalogues)
    app.connect("config-inited", translate_site, priority=priorities.TRANSLATE_SITE)
    app.connect("doctree-read", link_pages)
    app.connect("doctree-read", drop_empty_captions, priority=priorities.DROP_CAPTIONS)
    app.connect("html-page-context", escape_titles, priority=priorities.ESCAPE_TITLES)
    app.connect("doctree-resolved", mark_untranslated, priority=priorities.MARK_UNTRANSLATED)
