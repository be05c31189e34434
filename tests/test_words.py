import polib
import pytest

from ci.catalogues import po
from ci.catalogues import sentences as words


@pytest.mark.parametrize(
    "environment, language",
    [
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LC_ALL": "C", "LANG": "ko_KR.UTF-8"}, "C"),
        ({"LC_ALL": "", "LC_MESSAGES": "ko", "LANG": "en_US.UTF-8"}, "ko"),
        ({"FLAXBOOK_LANG": "ko_KR.UTF-8", "LC_ALL": "C"}, "ko"),
        ({}, ""),
    ],
)
def test_the_language_of_the_user_is_that_of_the_environment(environment, language):
    assert words.user_language(environment) == language


def test_sentences_are_taken_from_the_catalogue_of_the_commands(book):
    path = book.catalogue("ci", "ko")
    path.parent.mkdir(parents=True)
    path.write_text(
        f'msgid ""\nmsgstr "Content-Type: {po.CONTENT_TYPE}\\n"\n\nmsgid "a {{x}}"\nmsgstr "가 {{x}}"\n',
        encoding="utf-8",
    )
    assert words.sentences(book, "ko") == {"a {x}": "가 {x}"}
    assert words.sentences(book, "C") == {}


def test_what_is_marked_in_the_code_is_extracted(book):
    (book.root / "ci").mkdir()
    (book.root / "ci" / "one.py").write_text('from ci.faults import _\n\nX = _("one {y}")\nZ = "not marked"\n')
    words.extract(book)
    template = polib.pofile(str(book.root / "_build" / "gettext" / "ci.pot"))
    assert [entry.msgid for entry in template] == ["one {y}"]
