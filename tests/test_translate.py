import pytest

from ci import translate
from ci.chapters import BookError

SOURCE = r"""# Title with *emphasis*

A paragraph
over two lines with `code`
and $x$.

- an item
  that goes on
- an item **in bold**

> **Note.** A quote
> over two lines.

1. first
2. second

| a | b \| c |
|---|---|
| one | one |

$$
x = 1
$$
"""


def test_blocks_are_the_messages_of_the_catalogues():
    assert [block.message for block in translate.blocks(SOURCE)] == [
        "Title with *emphasis*",
        "A paragraph over two lines with `code` and $x$.",
        "an item that goes on",
        "an item **in bold**",
        "**Note.** A quote over two lines.",
        "first",
        "second",
        "a",
        "b | c",
        "one",
        "one",
    ]


def test_text_without_translations_stays_as_it_is():
    assert translate.translate(SOURCE, {}) == SOURCE


def test_each_block_is_replaced_in_its_place():
    translations = {block.message: block.message.upper() for block in translate.blocks(SOURCE)}
    assert (
        translate.translate(SOURCE, translations)
        == r"""# TITLE WITH *EMPHASIS*

A PARAGRAPH OVER TWO LINES WITH `CODE` AND $X$.

- AN ITEM THAT GOES ON
- AN ITEM **IN BOLD**

> **NOTE.** A QUOTE OVER TWO LINES.

1. FIRST
2. SECOND

| A | B \| C |
|---|---|
| ONE | ONE |

$$
x = 1
$$
"""
    )


def test_a_block_without_translation_stays_in_the_source_language():
    assert translate.translate("# One\n\nTwo\n", {"One": "하나"}) == "# 하나\n\nTwo\n"


def test_a_cell_of_a_table_is_replaced_in_its_own_column():
    assert translate.translate("| ab | b |\n|---|---|\n", {"b": "X"}).startswith("| ab | X |\n")
    assert translate.translate("| a | a |\n|---|---|\n", {"a": "b|c"}).startswith("| b\\|c | b\\|c |\n")


def test_a_list_marker_is_not_text():
    assert translate.translate("1. 1\n", {"1": "하나"}) == "1. 하나\n"


def test_code_is_not_text():
    source = "```python\n# One\n```\n\n    One\n"
    assert translate.translate(source, {"One": "하나", "# One": "# 하나"}) == source


def catalogue(tmp_path, text):
    path = tmp_path / "one.po"
    path.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n' + text, encoding="utf-8")
    return path


def test_only_finished_entries_are_published(tmp_path):
    path = catalogue(
        tmp_path,
        'msgid "a"\nmsgstr "가"\n\n#, fuzzy\nmsgid "b"\nmsgstr "나"\n\nmsgid "c"\nmsgstr ""\n\n'
        '#~ msgid "d"\n#~ msgstr "라"\n',
    )
    assert translate.load(path) == {"a": "가"}


def test_a_page_without_catalogue_has_no_translations(tmp_path):
    assert translate.load(tmp_path / "none.po") == {}


@pytest.mark.parametrize(
    "text, reason",
    [
        ('msgid "a"\nmsgstr 가\n', "one.po:5: not a valid catalogue: .*missing quote"),
        ('msgid "a"\nmsgstr "가"\n\nmsgid "a"\nmsgstr "나"\n', "one.po: not a valid catalogue: .*already exists"),
    ],
    ids=["syntax", "duplicate"],
)
def test_a_broken_catalogue_is_named(tmp_path, text, reason):
    with pytest.raises(BookError, match=reason):
        translate.load(catalogue(tmp_path, text))


def test_a_byte_order_mark_and_a_conflict_are_named(tmp_path):
    path = catalogue(tmp_path, "<<<<<<< HEAD\n")
    with pytest.raises(BookError, match="one.po:4: a conflict that git left"):
        translate.load(path)
    path.write_text("\ufeff", encoding="utf-8")
    with pytest.raises(BookError, match="byte order mark"):
        translate.load(path)


def test_a_catalogue_in_another_encoding_is_named(tmp_path):
    path = tmp_path / "one.po"
    path.write_bytes('msgid "a"\nmsgstr "가"\n'.encode("euc-kr"))
    with pytest.raises(BookError, match="one.po: not UTF-8"):
        translate.load(path)
