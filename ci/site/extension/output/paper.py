"""The book as one page to print: its theme, and ids that differ between chapters."""

from datetime import date
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.builders.singlehtml import SingleFileHTMLBuilder

from ci.site.extension.application import BookApp
from ci.site.extension.output import styles

PAPER = "singlehtml"  # the name of the builder
THEME = Path(__file__).parents[2] / "export" / "templates" / "paper"
START = "#document-"  # of the URL of a page


class PaperBuilder(SingleFileHTMLBuilder):
    """Sphinx's builder of a single page, in which ids begin with the name of their page."""

    def fix_refuris(self, tree: nodes.Node) -> None:
        """Add the names of the pages to ids, and to links."""
        pages: list[nodes.Element] = [tree] if isinstance(tree, nodes.document) else []
        pages += tree.findall(addnodes.start_of_file)
        for page in reversed(pages):  # the innermost first
            for node in page.findall(nodes.Element):
                node["ids"] = [name if "/" in name else f"{page['docname']}/{name}" for name in node["ids"]]
                if "refid" in node and "/" not in node["refid"]:
                    node["refid"] = f"{page['docname']}/{node['refid']}"
        for link in tree.findall(nodes.reference):
            name, mark, target = link.get("refuri", "").removeprefix(START).partition("#")
            if mark and link["refuri"].startswith(START):
                link["refuri"] = f"#{name}/{target}"


def _describe(app: BookApp, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Set the values of the template."""
    if app.builder.name == PAPER:
        site = f"{app.book.site}/{app.config.language}"
        contents = app.sentences.gettext("Contents")
        context.update(rules=styles.rules(), author=app.config.author, contents=contents, site=site, date=date.today())


def setup(app: BookApp) -> None:
    """Register the theme and the builder."""
    app.add_html_theme("paper", str(THEME))
    app.add_builder(PaperBuilder, override=True)
    app.connect("html-page-context", _describe)
