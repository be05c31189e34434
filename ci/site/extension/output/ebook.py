"""Settings of the EPUB that follow from the book: who made it, where it is, which version it is."""

import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.epub3 import Epub3Builder
from sphinx.config import Config

from ci.site.extension import priorities
from ci.site.extension.application import BookApp


def _describe(app: BookApp, config: Config) -> None:
    """Set what an e-book says about itself."""
    config.version = version("flaxbook")
    config.epub_title = config.html_title
    # The same twice, and a name in XML, or a reader takes the parts of the book for those of two books.
    config.epub_identifier = config.epub_uid = re.sub(r"\W+", "-", f"{app.book.site}/{config.language}")
    config.epub_publisher = config.author


class EbookBuilder(Epub3Builder):
    """Sphinx's builder, with the files that have formulas marked as EPUB 3 asks."""

    def build_content(self) -> None:
        """Write the list of files."""
        super().build_content()
        content = Path(self.outdir, "content.opf")
        text = content.read_text(encoding="utf-8")
        for file in self.files:
            if "<math" in Path(self.outdir, file).read_text(encoding="utf-8", errors="replace"):
                text = text.replace(f'href="{file}"', f'href="{file}" properties="mathml"')
        content.write_text(text, encoding="utf-8")


def _drop_missing_stylesheet(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Remove MyST-NB's stylesheet from the pages of an e-book, which does not have the file."""
    if app.builder.name == "epub":
        context["css_files"] = [file for file in context["css_files"] if "mystnb" not in str(file.filename)]


def setup(app: BookApp) -> None:
    """Replace Sphinx's builder."""
    app.add_builder(EbookBuilder, override=True)
    app.connect("html-page-context", _drop_missing_stylesheet)
    app.connect("config-inited", _describe, priority=priorities.USE_TITLE)
