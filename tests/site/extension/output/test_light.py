import io

import furo
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure
from PIL import Image
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer, get_lexer_by_name
from pygments.token import STANDARD_TYPES, Keyword, Name, Operator, String, Text, string_to_tokentype
from sphinx.testing.util import SphinxTestApp

from ci.site.extension.output import light
from ci.site.extension.output.light import Day, Night

STYLES = [Day, Night]
CODE = "def f(x):  # twice\n    return 2 * x\n"


def test_code_is_the_same_without_the_marks_that_no_style_colours():
    small = highlight(CODE, PythonLexer(), light.light_formatter(STYLES)())
    full = highlight(CODE, PythonLexer(), HtmlFormatter())
    assert '<span class="k">return</span>' in small
    assert '<span class="p">' in full
    assert '<span class="p">' not in small


def test_what_looks_the_same_by_day_and_by_night_is_marked_alike():
    general = light.same_looks(STYLES)
    assert general(Name) is general(Operator) is Text
    assert general(String.Interpol) is general(String)
    assert general(Keyword) is not Text


def test_a_mark_stays_if_one_of_the_styles_colours_it():
    class Other(Night):
        styles = {Name: "#00ff00"}

    assert light.same_looks([Day, Other])(Name) is Name


def test_a_figure_becomes_smaller_and_keeps_its_size(tmp_path):
    path = tmp_path / "figure.png"
    figure = Figure(figsize=(3, 2), dpi=100)
    figure.subplots().plot([0, 1], [1, 0])
    figure.savefig(path)
    with Image.open(path) as picture:
        corner = picture.convert("RGB").getpixel((0, 0))
    before = path.stat().st_size
    light.shrink(path)
    with Image.open(path) as small:
        assert (small.size, small.mode) == ((300, 200), "P")
        assert small.convert("RGB").getpixel((0, 0)) == corner
    assert path.stat().st_size < before
    once = path.read_bytes()
    light.shrink(path)
    assert path.read_bytes() == once
    assert [file.name for file in tmp_path.iterdir()] == ["figure.png"]


@pytest.mark.parametrize("picture", [Image.new("L", (1, 1)), Image.new("RGBA", (300, 200), (255, 0, 0, 100))])
def test_a_figure_that_would_grow_or_is_transparent_stays_as_it_is(tmp_path, picture):
    path = tmp_path / "dot.png"
    picture.save(path, optimize=True)
    before = path.read_bytes()
    light.shrink(path)
    assert path.read_bytes() == before


def test_the_contents_of_a_page_fold_away_before_two_columns_of_code_are_short_of_room():
    theme = (furo.THEME_PATH / "static" / "styles" / "furo.css").read_text(encoding="utf-8")
    assert light.FOLDS in theme
    assert light.FOLDS not in light.theme_rules()
    assert light.SHOULD_FOLD in light.theme_rules()


MADE_UP = ["Generic.Whitespace", "Comment.Made.Up", "Literal.String.Doc.Deeper.Still", "Escape.X", "Stranger", ""]
TYPES = [*STANDARD_TYPES, *(string_to_tokentype(name) for name in MADE_UP)]
TEXT = "a <b> & 'c'\n  d\n"


def text_of(html):
    return BeautifulSoup(html, "html.parser").pre.get_text()


@pytest.mark.parametrize("token", TYPES, ids=str)
def test_code_of_any_type_is_shown_as_it_is(token):
    written = io.StringIO()
    light.light_formatter(STYLES)().format([(token, TEXT)], written)
    assert text_of(written.getvalue()) == TEXT


SAMPLE = """\
$ ls | wc  # how many
>>> x = {"a": [1, 2.5e-3, None]}
Traceback (most recent call last):
  File "a.py", line 1, in <module>
    1 / 0
ZeroDivisionError: division by zero
--- a
+++ b
@@ -1 +1 @@
-old
+new
%timeit !ls ? 한글 \\
"""


@pytest.mark.parametrize("name", ["console", "diff", "pytb", "ipython3", "text", "bash", "json"])
def test_what_any_lexer_finds_is_shown_as_it_is(name):
    html = highlight(SAMPLE, get_lexer_by_name(name), light.light_formatter(STYLES)())
    assert text_of(html) == SAMPLE


def test_files_of_the_theme_stay_when_no_page_changes_and_those_of_an_older_one_go(book, conf):
    conf("light", html_theme="furo")
    (book.root / "index.md").write_text("# Index\n")

    def built():
        app = SphinxTestApp("html", srcdir=book.root, freshenv=False)
        app.build()
        app.cleanup()
        return app.outdir / "_static"

    (book.root / "_build" / "html" / "_static").mkdir(parents=True)
    (book.root / "_build" / "html" / "_static" / "left.css").touch()
    first = {path.name for path in built().iterdir()}
    assert "doctools.js" in first and "left.css" not in first
    assert {path.name for path in built().iterdir()} == first
