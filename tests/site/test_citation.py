"""The page that says how to cite the book has the facts of CITATION.cff."""

import pytest

from ci.book import BookError, here
from ci.site import releases

BOOK = here()


def test_the_page_cites_the_book_and_a_chapter_as_the_facts_have_them():
    facts, page = releases.cited(BOOK), " ".join(BOOK.source("book/cite").read_text(encoding="utf-8").split())
    [author], title, date = facts["authors"], facts["title"], facts["date-released"]
    edition, site = f"Edition {facts['version']}, {date}", facts["url"]
    name, chapter = author["name"], BOOK.chapters[0]
    address = f"{site}/{BOOK.source_language}/{chapter}.html"
    lines = BOOK.source(chapter).read_text(encoding="utf-8").splitlines()
    heading = next(line for line in lines if line.startswith("# ")).removeprefix("# ")
    dated = f"year = {{{date[:4]}}}, note = {{{edition}}}"
    assert f"{name}: {title}. {edition}. {site} " in page
    assert f"author = {{{{{name}}}}}, title = {{{{{title}}}}}, {dated}, url = {{{site}}}," in page
    assert f"{name}: {heading}. In: {title}. {edition}. {address} " in page
    assert f"title = {{{{{heading}}}}}, booktitle = {{{{{title}}}}}, {dated}, url = {{{address}}}," in page


@pytest.mark.parametrize("text", [None, "title: ["])
def test_facts_that_cannot_be_read_are_an_error_that_names_the_file(book, text):
    if text:
        (book.root / releases.CITATION).write_text(text)
    with pytest.raises(BookError, match=r"^CITATION\.cff: "):
        releases.cited(book)
