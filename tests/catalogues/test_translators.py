"""What a translator is told: in order, in full, and with a way out."""

import polib
import pytest

from ci import __main__ as door  # noqa: F401 (the verbs)
from ci.book import BookError, Sentence, UsageError, nearest
from ci.book.commands import parse
from ci.catalogues import check, formats, glossary, new, po, update, wording
from ci.catalogues.translation_progress import Progress

TERMS = glossary.Glossary([glossary.Term(("shape",), ("형상",), ("모양",), "")])
HEADERS = {"Content-Type": po.CONTENT_TYPE}


def write(book, page, language, *entries, **headers):
    catalogue = polib.POFile(wrapwidth=0)
    catalogue.metadata = HEADERS | headers
    catalogue.extend(polib.POEntry(msgid=message, msgstr=text) for message, text in entries)
    path = book.catalogue(page, language)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(path))
    return path


@pytest.fixture
def messages(book):
    """The folder of templates; each page has the messages "a", "b" and "c"."""
    folder = book.root / "pot"
    for name in book.domains:
        path = folder / f"{name}.pot"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f'msgid "{message}"\nmsgstr ""\n\n' for message in "abc"), encoding="utf-8")
    return folder


def test_a_catalogue_that_is_not_there_is_said_to_be_missing(tmp_path, book, messages):
    with pytest.raises(po.Refused, match="none.po:1: there is no such catalogue: run `./ci/book.sh update`"):
        po.parse(tmp_path / "none.po")
    (problem,) = check.check(book, messages, [book.catalogue("book/index", "ko")]).problems
    assert str(problem.fault).startswith("there is no such catalogue")


def test_untranslated_entries_are_counted(book, messages):
    path = write(book, "book/index", "ko", ("a", "가"), ("b", ""), ("c", ""))
    found = check.check(book, messages, [path])
    assert (found.entries, found.untranslated) == (3, 2)
    *_faults, last = formats.text_lines(found, str)
    assert "3 entries checked, not translated: 2, to be revised: 0" in last
    assert Progress("a", "ko", 3, 1, 10, False, "", "", "").untranslated == 6


def test_an_entry_to_be_revised_is_not_counted_as_untranslated(book, messages):
    path = write(book, "book/index", "ko", ("a", "가"), ("b", "나"), ("c", ""))
    path.write_text(path.read_text(encoding="utf-8").replace('msgid "b"', '#, fuzzy\nmsgid "b"'), encoding="utf-8")
    found = check.check(book, messages, [path])
    assert (len(found.outdated), found.untranslated) == (1, 1)


def test_faults_come_in_the_order_of_the_lines_and_those_of_the_header_last(book, messages):
    paths = [write(book, page, "ko", ("a", "가 `x`"), ("b", "나 `x`"), ("c", "")) for page in book.pages]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('msgid "a"', '#, fuzzy\nmsgid "a"'), encoding="utf-8")
    found = check.check(book, messages, paths)
    assert len(found.outdated) == 2
    rules = [(problem.path, problem.fault.rule) for problem in found.in_order()]
    one, other = (book.relative(path) for path in paths)
    assert rules == [(file, rule) for file in (one, other) for rule in ("state", "code", "header", "header")]


def test_a_page_is_checked_in_every_language(book, edit):
    edit(book.root / "_config.yml", "      ko: 한국어\n", "      ko: 한국어\n      ja: 日本語\n")
    book = type(book)(book.root)
    assert check.find(book, "one", book.root / "one") == [
        book.catalogue("book/part/one", code) for code in ("ko", "ja")
    ]
    assert check.find(book, "ci", book.root / "ci") == [book.catalogue("ci", code) for code in ("ko", "ja")]
    path = write(book, "book/part/one", "ko", ("a", "가"))
    assert check.find(book, book.relative(path), path) == [path]
    with pytest.raises(UsageError):
        check.find(book, "nowhere", book.root / "nowhere")


@pytest.mark.parametrize("translation", ["모양입니다.", "생김새입니다."])
def test_a_fault_of_the_glossary_says_how_it_is_waived(translation):
    (fault,) = wording.faults("The shape of a hill", translation, TERMS)
    assert "write `# waive glossary: REASON` above the entry" in str(fault)


def test_a_catalogue_that_is_made_is_reported(book, messages, monkeypatch, capsys):
    monkeypatch.setattr(update.messages, "folder", lambda _book: messages)
    update.update(book, "book/index", "ko")
    assert capsys.readouterr().out == "written: locale/ko/LC_MESSAGES/book/index.po: 3 entries to translate\n"
    update.update(book, "book/index", "ko")
    assert capsys.readouterr().out == ""


def test_who_adds_a_language_is_told_what_comes_next(book):
    said = "\n".join(map(str, new.next_steps(new.add(book, "ja", "日本語"), "ja")))
    for word in ("日本語", "_config.yml locale/ja notebooks/ja", "batch,ja,", "./ci/book.sh preview ja"):
        assert word in said


def test_a_hint_within_a_message_is_said_in_the_language_of_the_user():
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
