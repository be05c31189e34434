from bs4 import BeautifulSoup

from ci.notebooks import sabotages
from ci.notebooks.sabotages import Result

CHAPTER = "book/part/one"
PAGE = "# Page\n\n```{status-sabotages}\n| chapter | sabotages | noticed | tried |\n|---|---|---|---|\n```\n"


def rows(output):
    soup = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    return [[cell.get_text(strip=True) for cell in row.find_all("td")][1:] for row in soup.select("tbody tr")]


def test_a_result_is_shown_until_the_chapter_changes(book, conf, build, edit):
    conf("tables")
    sabotages.store(book, {CHAPTER: Result(sabotages.digest(book, CHAPTER), "2026-01-02", "0.10", 9, 8)})
    assert rows(build({"index": PAGE})[1]) == [["9", "8", "2026-01-02"]]
    edit(book.source(CHAPTER), "1 + 1", "1 + 2")
    assert rows(build({"index": PAGE})[1]) == [["not tried since the chapter changed", "", ""]]
