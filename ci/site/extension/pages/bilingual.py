"""Do what Sphinx does not do for a translated book of notebooks.

- The title and the captions of the parts come from the catalogue of the front page.
- Chapters link to each other as notebooks (`../training/batch_norm.ipynb`), which works wherever a notebook is read;
  on the site such a link leads to the page.
- A block without translation is marked as being in the source language, for readers, screen readers and search.
"""

import posixpath
from typing import Any

from docutils import nodes
from markupsafe import escape
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment

from ci.catalogues.compile import compile_all
from ci.site.extension import priorities
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them


def compile_catalogues(app: BookApp, config: Config) -> None:
    """Give Sphinx the catalogues of this language, compiled.

    Raises:
      ExtensionError: A catalogue has something that must not be published.
    """
    config.gettext_auto_build = False  # Sphinx would compile what it finds, unread
    with errors_as_sphinx_says_them():
        compile_all(app.book, config.language)


def translate_site(app: BookApp, config: Config) -> None:
    """Translate the book's title and the captions of its parts."""
    site_map = config.external_site_map
    translations = app.messages(site_map.root.docname)
    config.html_title = translations.get(config.html_title, config.html_title)
    for document in site_map.values():
        for part in document.subtrees:
            part.caption = translations.get(part.caption, part.caption)


def link_pages(app: Sphinx, doctree: nodes.document) -> None:
    """Make links to a notebook of this book lead to its page."""
    folder = posixpath.dirname(app.env.docname)
    for link in doctree.findall(addnodes.pending_xref):
        target, _, section = link.get("reftarget", "").partition("#")
        name = posixpath.normpath(posixpath.join(folder, target.removesuffix(".ipynb")))
        if target.endswith(".ipynb") and name in app.env.found_docs:
            link["refdomain"], link["reftarget"], link["reftargetid"] = "doc", name, section or None


def mark_untranslated(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Give each block without translation the `lang` attribute of the source language."""
    source = app.book.source_language
    if app.config.language == source:
        return
    if not app.messages(docname):
        doctree[0]["classes"] += ["untranslated", f"language-{source}"]  # docutils writes language-* as an attribute
        return
    for node in doctree.findall(nodes.TextElement):
        if "untranslated" in node.get("classes", []):
            node["classes"].append(f"language-{source}")


def changed_sidebars(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return all pages when a title or caption has changed, since the sidebar of each page shows them all."""
    shown = (
        app.config.html_title,
        [part.caption for document in app.config.external_site_map.values() for part in document.subtrees],
        {name: title.astext() for name, title in sorted(env.titles.items())},
    )
    before, vars(env)["shown_in_sidebars"] = vars(env).get("shown_in_sidebars"), shown
    return list(env.found_docs) if shown != before else []


def keep_contents(_app: Sphinx, env: BuildEnvironment) -> None:
    """Let Sphinx not write the front page whenever a chapter has changed: its contents show titles only.

    `changed_sidebars` returns it when a title has changed. Sphinx has pickled and checked the environment by then.
    """
    env.files_to_rebuild.clear()


def escape_titles(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Escape the titles that the theme prints unescaped, since a catalogue may have anything in them.

    The result is `Markup`, which a template that does escape leaves alone.
    """
    for key in ("pagetitle", "root_title", "docstitle", "page_description"):
        if key in context:
            context[key] = escape(context[key])


def setup(app: Sphinx) -> None:
    """Translate the site, link its languages and mark what is not translated."""
    app.add_config_value("book_languages", {}, "env", [dict])
    app.connect("config-inited", compile_catalogues)
    app.connect("config-inited", translate_site, priority=priorities.TRANSLATE_SITE)
    app.connect("doctree-read", link_pages)
    app.connect("env-updated", changed_sidebars)
    app.connect("env-check-consistency", keep_contents)
    app.connect("html-page-context", escape_titles, priority=priorities.ESCAPE_TITLES)
    app.connect("doctree-resolved", mark_untranslated, priority=priorities.MARK_UNTRANSLATED)
