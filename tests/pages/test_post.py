"""Each chapter as a post: whole, and without anything that is not beside it."""

import re

import nbformat

from ci.execution.cache import code_cells
from ci.site.export import post as posts
from tests.pages.reading import BOOK, each

IMAGE = re.compile(r"!\[(.+?)\]\(\{\{ '(.+?)' \| relative_url \}\}(.+?)\)")
LINK = re.compile(r"\]\((?!https://)\S+")


@each(BOOK.chapters)
def test_each_chapter_is_whole_and_stands_by_itself(name, language, tmp_path):
    text = posts.export(BOOK, name, language, tmp_path).read_text(encoding="utf-8")
    cells = code_cells(nbformat.read(BOOK.notebook(name, language), as_version=4))
    shown = [cell for cell in cells if "remove-cell" not in cell.metadata.get("tags", [])]
    plain = re.sub(r"\{\{ '(\{[{%])' \}\}", r"\1", text)
    assert [cell.source for cell in shown if f"python\n{cell.source.rstrip()}\n```" not in plain] == []
    figures = [output for cell in shown for output in cell.outputs if "image/png" in output.get("data", {})]
    pictures = [folder + file for _description, folder, file in IMAGE.findall(text)]
    assert len(pictures) == 1 + len(figures)
    assert set(pictures) == {f"/{path.relative_to(tmp_path)}" for path in tmp_path.rglob("assets/*/*/*")}
    prose = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", IMAGE.sub("", text), flags=re.DOTALL)
    assert not LINK.search(prose) and "<math" not in re.sub(r"\{::nomarkdown\}.*?\{:/nomarkdown\}", "", prose)
