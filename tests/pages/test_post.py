"""Each chapter as a post: whole, and without anything that is not beside it."""

import nbformat
from bs4 import BeautifulSoup

from ci.execution.cache import code_cells
from ci.site.export import post as posts
from ci.site.export.post import Post
from tests.pages.reading import BOOK, each


@each(BOOK.chapters)
def test_each_chapter_is_whole_and_stands_by_itself(name, language, tmp_path):
    text = posts.export(Post(BOOK, name, language), tmp_path).read_text(encoding="utf-8")
    folder = f"{{{{ '/assets/flaxbook/{name.rpartition('/')[2]}-{language}' | relative_url }}}}"
    body = BeautifulSoup(text.replace(folder, "assets:").split("---\n", 2)[2], "html.parser")
    cells = code_cells(nbformat.read(BOOK.notebook(name, language), as_version=4))
    shown = [cell for cell in cells if "remove-cell" not in cell.metadata.get("tags", [])]
    blocks = [block.get_text().strip() for block in body.select("pre")]
    assert [cell.source for cell in shown if cell.source.strip() not in blocks] == []
    figures = [output for cell in shown for output in cell.outputs if "image/png" in output.get("data", {})]
    pictures = body.select("img")
    assert len(pictures) == 1 + len(figures)
    assert all(picture["alt"] for picture in pictures)
    assert {picture["src"] for picture in pictures} == {
        f"assets:/{path.name}" for path in tmp_path.rglob("assets/*/*/*")
    }
    assert all(link["href"].startswith("https://") for link in body.select("a"))
    assert "{{" not in str(body) and "{%" not in str(body)
