"""What the commands say to a user, in the language of the user."""

import pytest

from ci import __main__ as door  # noqa: F401 (the verbs)
from ci.book import BookError, Sentence, UsageError, nearest
from ci.book.commands import parse


def test_a_hint_within_a_message_is_translated():
    korean = {"no {word}{hint}": "{word} 없음{hint}", " (did you mean {word}?)": " (혹시 {word}인가요?)"}
    error = BookError("no {word}{hint}", word="chek", hint=nearest("chek", ["check"]))
    assert str(error) == "no chek (did you mean check?)"
    assert error.say(lambda text: korean.get(text, text)) == "chek 없음 (혹시 check인가요?)"
    assert nearest("xyz", ["check"]) == "" and isinstance(error, Sentence)


def test_a_brace_in_a_message_without_values_stays():
    assert str(BookError("{x}: broken")) == "{x}: broken"


@pytest.mark.parametrize(
    "argv, said",
    [
        (["export"], "WORDS language, chapter"),
        (["serve", "x"], "VALUE port 'x'"),
        (["check", "--format"], "argument --format: expected one argument (./ci/book.sh check --help)"),
    ],
)
def test_what_argparse_says_is_translated(argv, said):
    known = {
        "the following arguments are required: {names} ({prog} --help)": "WORDS {names}",
        "argument {name}: invalid {kind} value: {word} ({prog} --help)": "VALUE {name} {word}",
    }
    with pytest.raises(UsageError) as error:
        parse(argv, str)
    assert error.value.say(lambda text: known.get(text, text)) == said


def test_the_help_is_in_the_language_of_the_user(capsys):
    with pytest.raises(SystemExit):
        parse(["check", "--help"], lambda text: text if text is None else f"<{text}>")
    said = capsys.readouterr().out
    for word in ("<usage>: ./ci/book.sh check", "<options>", "<show this help message and exit>", "<positional"):
        assert word in said
