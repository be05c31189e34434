"""The stylesheet, and the files of the theme."""

from sphinx.testing.util import SphinxTestApp


def test_files_of_the_theme_stay_when_no_page_changes_and_those_of_an_older_one_go(book, conf):
    conf("styles", html_theme="furo")
    (book.root / "index.md").write_text("# Index\n")

    def built():
        app = SphinxTestApp("html", srcdir=book.root, freshenv=False)
        app.build()
        app.cleanup()
        return {path.name for path in (app.outdir / "_static").iterdir()}

    (book.root / "_build" / "html" / "_static").mkdir(parents=True)
    (book.root / "_build" / "html" / "_static" / "left.css").touch()
    first = built()
    assert {"doctools.js", "site.css"} <= first and "left.css" not in first
    assert built() == first
