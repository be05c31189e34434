"""The directive that says how to cite the book, a page of it, or the source of its data.

```{citation} book
```

```{citation} book/foundations/jax_tour
```

```{citation} data
```
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from ci.site import citation
from ci.site.citation import Work
from ci.site.extension.application import BookApp
from ci.site.extension.pages.tables import Table

BOOK, DATA = "book", "data"
UNKNOWN = f"{{page}}: {{name}} cannot be cited: write {BOOK}, {DATA} or the name of a page"


def heading(app: BookApp, page: str) -> str:
    """Return the heading of a page, in the language of the site."""
    lines = app.book.source(page).read_text(encoding="utf-8").splitlines()
    text = next(line for line in lines if line.startswith("# ")).removeprefix("# ")
    return app.messages(page).get(text, text)


class Citation(Table):
    """A line of text and a BibTeX entry, in place of a table"""

    has_content = False
    required_arguments = 1

    @staticmethod
    def facts(app: BookApp) -> list[dict[str, Work]]:
        """Return [{argument of the directive: what it cites}]."""
        facts, front = citation.load(app.book), app.book.pages[0]
        title = app.messages(front).get(facts["title"], facts["title"])
        whole = citation.of_book(app.book, facts, app.config.language, title)
        pages = {page: citation.of_page(whole, page, heading(app, page)) for page in app.book.pages}
        [data] = [one for one in facts["references"] if one["type"] == DATA]
        return [{BOOK: whole, DATA: citation.of_source(data), **pages}]

    def run(self) -> list[nodes.Node]:
        """Return the line, with a link, and the entry; nothing for the catalogues.

        Raises:
          ExtensionError: The argument is unknown.
        """
        if self.app.builder.name == "gettext":
            return []
        [works] = self.facts(self.app)
        if self.arguments[0] not in works:
            raise ExtensionError(UNKNOWN.format(page=self.env.docname, name=self.arguments[0]))
        work = works[self.arguments[0]]
        before, address, after = citation.line(work, self.app.sentences.gettext).partition(work.address)
        link = nodes.reference("", address, refuri=address)
        entry = citation.bibtex(work, self.app.sentences.gettext)
        text = nodes.paragraph("", before, link, nodes.Text(after))
        # Within a container, Sphinx does not take the paragraph for one that the catalogue of the page should have.
        return [nodes.container("", text, classes=["cited"]), nodes.literal_block(entry, entry, language="bibtex")]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("citation", Citation)
