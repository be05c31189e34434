import pytest

from ci.book import TOOLS
from ci.catalogues.sentences import sentences, user_language


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
    assert user_language(environment) == language


def test_sentences_are_taken_from_the_catalogue_of_the_commands(book, catalogue):
    catalogue(book.catalogue(TOOLS, "ko"), {"a {x}": "가 {x}"})
    assert sentences(book, "ko").known == {"a {x}": "가 {x}"}
    assert sentences(book, "ko").gettext("a {x}") == "가 {x}"
    assert sentences(book, "ko").gettext("b") == "b"
    assert sentences(book, "C").known == {}
