"""The EPUB: its metadata, taken from the book, and corrections of what Sphinx writes."""

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.epub3 import Epub3Builder
from sphinx.config import Config

from ci.site.extension import priorities
from ci.site.extension.application import BookApp
from ci.site.releases import CITATION, cited


def _describe(app: BookApp, config: Config) -> None:
    """Set the metadata of the EPUB: version, title, identifier and publisher."""
    known = (app.book.root / CITATION).exists()
    config.version = str(cited(app.book)["version"]) if known else "0"  # EPUB requires one
    config.epub_title = config.html_title
    # Both must be equal, and valid as an XML name; otherwise reading systems treat the EPUB as two books.
    config.epub_identifier = config.epub_uid = re.sub(r"\W+", "-", f"{app.book.site}/{config.language}")
    config.epub_publisher = config.author


class EbookBuilder(Epub3Builder):
    """Sphinx's EPUB builder; it also declares the files that contain MathML, as EPUB 3 requires."""

    def build_content(self) -> None:
        """Write content.opf with `properties="mathml"` for files with formulas."""
        super().build_content()
        content = Path(self.outdir, "content.opf")
        text = content.read_text(encoding="utf-8")
        for file in self.files:
            if "<math" in Path(self.outdir, file).read_text(encoding="utf-8", errors="replace"):
                text = text.replace(f'href="{file}"', f'href="{file}" properties="mathml"')
        content.write_text(text, encoding="utf-8")


def _drop_missing_stylesheet(app: Sphinx, _page: str, _template: str, context: dict[str, Any], *_rest: object) -> None:
    """Remove the reference to MyST-NB's stylesheet from the pages of the EPUB, which does not contain the file."""
    if app.builder.name == "epub":
        context["css_files"] = [file for file in context["css_files"] if "mystnb" not in str(file.filename)]


def setup(app: BookApp) -> None:
    """Replace Sphinx's EPUB builder, and connect the handlers."""
    app.add_builder(EbookBuilder, override=True)
    app.connect("html-page-context", _drop_missing_stylesheet)
    app.connect("config-inited", _describe, priority=priorities.USE_TITLE)
