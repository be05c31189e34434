"""Settings of the EPUB that follow from the book: who made it, where it is, which version it is."""

import re
from importlib.metadata import version
from pathlib import Path

from sphinx.builders.epub3 import Epub3Builder


def describe(app, config):
    config.version = version("flaxbook")
    config.epub_title = config.html_title
    # The same twice, and a name in XML, or a reader takes the parts of the book for those of two.
    config.epub_identifier = config.epub_uid = re.sub(r"\W+", "-", f"{app.book.site}/{config.language}")
    config.epub_publisher = config.author


class EbookBuilder(Epub3Builder):
    """Sphinx's own builder, but the list of an e-book's files says which of them have formulas, as EPUB 3 asks."""

    def build_content(self):
        super().build_content()
        content = Path(self.outdir, "content.opf")
        text = content.read_text(encoding="utf-8")
        for file in self.files:
            if "<math" in Path(self.outdir, file).read_text(encoding="utf-8", errors="replace"):
                text = text.replace(f'href="{file}"', f'href="{file}" properties="mathml"')
        content.write_text(text, encoding="utf-8")


def drop_missing_stylesheet(app, pagename, templatename, context, doctree):
    """MyST-NB names its stylesheet in an e-book and leaves the file out."""
    if app.builder.name == "epub":
        context["css_files"] = [file for file in context["css_files"] if "mystnb" not in str(file.filename)]


def setup_ebook(app):
    app.add_builder(EbookBuilder, override=True)
    app.connect("html-page-context", drop_missing_stylesheet)
    app.connect("config-inited", describe, priority=950)  # after the title is translated
