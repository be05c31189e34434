"""The index of symptoms, in a small book that Sphinx really renders."""

from bs4 import BeautifulSoup

HEADING = "| symptom | possible cause | the test |\n|---|---|---|\n"
CHAPTER = "# One\n\n| Symptom | Cause |\n|---|---|\n| It *falls* | A cause |\n| It rises | Another |\n"
INDEX = f"# Index\n\n```{{symptom-index}}\n{HEADING}| It waits | A lock | |\n```\n"


def test_what_is_not_translated_is_marked_as_the_language_it_is_in(book, conf, build, catalogue):
    conf("error_index")
    catalogue(book.catalogue("book/part/one", "ko"), {"It rises": "오릅니다"})
    head = book.source("book/part/one").read_text(encoding="utf-8").partition("# One")[0]
    book.source("book/part/one").write_text(head + CHAPTER, encoding="utf-8")
    _app, output = build({"index": INDEX}, language="ko")
    page = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    found = {
        row.td.get_text().strip(): row.td.select(".untranslated[lang=en]") != [] for row in page.select("tbody tr")
    }
    assert found == {"It waits": False, "It falls": True, "오릅니다": False}
    assert page.em.text == "falls"
