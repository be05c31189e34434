"""What search knows: the text of each section by itself, and the words by which readers look for it."""

import json

import pytest

from ci.book import BookError
from ci.catalogues import lists
from ci.site.extension.pages import search_data

PAGE = """\
# Page

Opening with `code`.

```{code-cell}
print("printed")
```

## Second

- an item

| a | b |
|---|---|
| x | y |

### Within

Formula {math}`a^2`, and
text.
"""


@pytest.fixture
def sections(conf, build, book):
    """Builds a chapter; returns what search knows of it: {id: (title, prose, code, words)}."""
    conf("search_data", exclude_patterns=["_build"])

    def sections():
        _, output = build({"book/part/one": PAGE, "book/index": "# Front\n", "index": "# Index\n"})
        assert not (output / "searchindex.js").exists()
        written = (output / search_data.FILE).read_text(encoding="utf-8")
        data = json.loads(written.removeprefix("searchIn(").removesuffix(")\n"))
        found = {page: sections for page, _is_chapter, sections in data["pages"]}
        return {id: rest for id, *rest in found["book/part/one"]}

    return sections


def words(book, *rows):
    lists.search_path(book).parent.mkdir(exist_ok=True)
    lists.search_path(book).write_text("\n".join(["page,section,language,words", *rows]) + "\n")


def test_each_section_has_its_own_text_and_its_code_apart(sections):
    found = sections()
    assert found[""] == ["Page", "Opening with code.", 'print("printed")', ""]
    assert found["second"] == ["Second", "an item a · b x · y", "", ""]
    assert found["within"] == ["Within", "Formula …, and text.", "", ""]


def test_search_words_of_all_languages_belong_to_their_section(sections, book):
    words(book, "book/part/one,,en,first;other", "book/part/one,second,en,next", "book/part/one,second,ko,다음")
    found = sections()
    assert [found[id][3] for id in ("", "second", "within")] == ["first;other", "next;다음", ""]


@pytest.mark.parametrize(
    "row, said",
    [
        ("book/part/one,third,en,x", "search.csv: book/part/one has no section 'third'"),
        ("book/two,,en,x", "search.csv: there is no page book/two"),
    ],
)
def test_words_for_what_is_not_there_are_an_error(sections, book, row, said):
    words(book, row)
    with pytest.raises(Exception, match=said):
        sections()


def test_a_list_in_another_form_is_an_error(book):
    lists.search_path(book).parent.mkdir()
    lists.search_path(book).write_text("page,words\n")
    with pytest.raises(BookError, match="search.csv:1: the columns must be page, section, language, words"):
        lists.search_words(book)
    words(book, "book/part/one,x,en")
    with pytest.raises(BookError, match="search.csv:2: the row must have 4 columns"):
        lists.search_words(book)
