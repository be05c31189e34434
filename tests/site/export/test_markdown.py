from ci.site.export import markdown
from tests.site.export.conftest import CELL, OPENING

NAME = "book/part/one"
SITE = "https://example.github.io/small/ko"


def test_a_chapter_is_copied_with_its_outputs_in_the_language_of_the_page(book, chapter):
    messages = {'One & "only"': "하나", "A {{ b }}": "그래프"}
    page = markdown.Page(book, NAME, "ko", chapter(), messages, lambda text: text.replace("Figure", "그림"))
    opening, cell = OPENING.format(formula="$x^2$", site=SITE), CELL.format(figure="[그림: 그래프]")
    assert markdown.markdown(page) == f"# 하나\n\n{opening}\n{cell}\n<{SITE}/{NAME}.html>\n"


def test_a_page_with_directives_is_not_copied(book, edit):
    assert markdown.has_copy(book, "book/index") and markdown.has_copy(book, NAME)
    edit(book.source("book/index"), "# A small book", "# A small book\n\n```{status-table}\n```")
    assert not markdown.has_copy(book, "book/index")


def test_the_list_for_assistants_has_the_headings_of_the_copies(book, tmp_path):
    copy = tmp_path / "html" / f"{NAME}.md"
    copy.parent.mkdir(parents=True)
    copy.write_text("# One `key`\n\n# text\n", encoding="utf-8")
    assert markdown.headings(book, tmp_path / "html") == {NAME: "One `key`"}
