"""The stylesheet, and the files of the theme."""

import furo
from sphinx.testing.util import SphinxTestApp

from ci.site.extension.output import styles


def test_the_contents_of_a_page_fold_away_before_two_columns_of_code_are_short_of_room():
    theme = (furo.THEME_PATH / "static" / "styles" / "furo.css").read_text(encoding="utf-8")
    assert styles.FOLDS in theme
    assert styles.FOLDS not in styles.theme_rules()
    assert styles.SHOULD_FOLD in styles.theme_rules()


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
