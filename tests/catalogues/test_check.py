import polib
import pytest

from ci.book import BookError, UsageError
from ci.catalogues import check
from ci.catalogues.glossary import Glossary
from ci.catalogues.sentences import Sentences

COMPLETE = {"X-Complete": "yes"}
PLAIN = {"msgid": "Run it.", "msgstr": "실행한다.", "linenum": 7}


def checked(*entries, expected=("a",), **headers):
    catalogue = polib.POFile()
    catalogue.metadata = {"Last-Translator": "x", "PO-Revision-Date": "2026-11-21", "X-Reviewer": "x"} | headers
    catalogue.extend(polib.POEntry(**entry) for entry in entries)
    return check.check_catalogue(catalogue, "one.po", expected, "ko", Glossary([]))


def sentences(report):
    return [str(problem.fault) for problem in report.problems]


def rules(report):
    return {problem.fault.rule for problem in report.problems}


def test_a_complete_catalogue_has_no_faults():
    assert sentences(checked({"msgid": "a", "msgstr": "가"}, **COMPLETE)) == []


@pytest.mark.parametrize(
    "entry, fault",
    [
        ({"msgid": "a", "msgstr": ""}, "it is not translated"),
        ({"msgid": "a", "msgstr": "가", "flags": ["fuzzy"]}, "the English has changed"),
    ],
)
def test_unfinished_entries_are_faults_only_in_a_catalogue_declared_complete(entry, fault):
    (sentence,) = sentences(checked(entry, **COMPLETE))
    assert fault in sentence
    begun = checked(entry)
    assert begun.problems == []
    assert [problem.message for problem in begun.outdated] == (["a"] if "flags" in entry else [])


@pytest.mark.parametrize(
    "entry, expected, fault",
    [
        ({"msgid": "a", "msgstr": "가"}, [], "no longer in the English"),
        ({"msgid": "a", "msgstr": "가"}, ["a", "b"], "it is missing"),
    ],
)
def test_an_entry_too_many_or_too_few_is_a_fault(entry, expected, fault):
    (sentence,) = sentences(checked(entry, expected=expected))
    assert fault in sentence


def test_an_obsolete_entry_is_no_fault_and_translates_nothing():
    kept = {"msgid": "a", "msgstr": "가", "obsolete": True}
    assert sentences(checked(kept, expected=[])) == []
    (sentence,) = sentences(checked(kept, expected=["a"]))
    assert "it is missing" in sentence


@pytest.mark.parametrize("header", ["Last-Translator", "PO-Revision-Date", "X-Reviewer"])
@pytest.mark.parametrize("value", ["", "<x@example.org>"])
def test_a_header_without_name_or_date_is_a_fault(header, value):
    (sentence,) = sentences(checked({"msgid": "a", "msgstr": "가"}, **COMPLETE, **{header: value}))
    assert sentence.startswith(f"the header {header} is missing")
    assert sentences(checked({"msgid": "a", "msgstr": ""}, **{header: value})) == []


def test_a_waiver_with_a_reason_accepts_a_fault_and_is_counted():
    report = checked(PLAIN | {"tcomment": "waive register: 인용한 말입니다."}, expected=["Run it."])
    assert report.problems == []
    ((waived, reason),) = report.waived
    assert (waived.fault.rule, reason) == ("register", "인용한 말입니다.")


@pytest.mark.parametrize("comment", ["waive register:", "waive glossary: 까닭"])
def test_a_waiver_without_a_reason_or_of_another_rule_accepts_nothing(comment):
    assert rules(checked(PLAIN | {"tcomment": comment}, expected=["Run it."])) == {"register", "waiver"}


def test_a_fault_of_the_structure_cannot_be_waived():
    entry = {"msgid": "Run `x`.", "msgstr": "실행하세요.", "tcomment": "waive code: 괜찮습니다."}
    assert "code" in rules(checked(entry, expected=["Run `x`."]))


def test_problems_are_written_for_people_and_for_programs():
    report = checked(PLAIN, expected=["Run it."])
    (problem,) = report.problems
    gettext = Sentences({problem.fault.sentence: "{ending}: 존댓말로"}).gettext
    line, summary = check.text_lines(report, gettext)
    assert line == "one.po:7: 'Run it.': 실행한다.: 존댓말로"
    assert "1 entries checked" in summary
    (annotation,) = check.github_lines(report, str)
    assert annotation.startswith("::error file=one.po,line=7,title=register::'Run it.'")


@pytest.fixture
def messages(book):
    """The folder of templates; each page has the messages "a", "b" and "c"."""
    folder = book.root / "pot"
    for name in book.domains:
        path = folder / f"{name}.pot"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f'msgid "{message}"\nmsgstr ""\n\n' for message in "abc"), encoding="utf-8")
    return folder


def test_a_file_that_does_not_exist_or_is_no_catalogue_of_the_book_is_named(book, messages):
    stray = book.root / "none.po"
    with pytest.raises(BookError, match="there is no file"):
        check.check(book, messages, [stray])
    stray.touch()
    for file, fault in ((stray, "no page belongs to this file"), (book.catalogue("ci", "ko"), "no such catalogue")):
        (problem,) = check.check(book, messages, [file]).problems
        assert fault in str(problem.fault)


def test_entries_without_translation_are_counted_apart_from_those_to_be_revised(book, messages, catalogue):
    entries = 'msgid "a"\nmsgstr "가"\n\n#, fuzzy\nmsgid "b"\nmsgstr "나"\n\nmsgid "c"\nmsgstr ""\n'
    report = check.check(book, messages, [catalogue(book.catalogue("book/index", "ko"), entries)])
    assert (report.entries, report.untranslated, len(report.outdated)) == (3, 1, 1)
    *_faults, summary = check.text_lines(report, str)
    assert "3 entries checked, not translated: 1, to be revised: 1" in summary


def test_faults_come_in_the_order_of_the_lines_and_those_of_the_headers_last(book, messages, catalogue):
    entries = '#, fuzzy\nmsgid "a"\nmsgstr "가"\n\nmsgid "b"\nmsgstr "나 `x`"\n\nmsgid "c"\nmsgstr ""\n'
    paths = [catalogue(book.catalogue(page, "ko"), entries) for page in book.pages]
    problems = check.check(book, messages, paths).in_order()
    assert [(problem.path, problem.fault.rule) for problem in problems] == [
        (book.relative(path), rule) for path in paths for rule in ("state", "code", "header", "header")
    ]


def test_a_page_is_checked_in_every_language_and_a_file_alone(book, catalogue, edit):
    edit(book.root / "_config.yml", "  ko: 한국어\n", "  ko: 한국어\n  ja: 日本語\n")
    book = type(book)(book.root)
    for name, page in (("one", "book/part/one"), ("ci", "ci")):
        assert check.find(book, name, book.root / name) == [book.catalogue(page, code) for code in ("ko", "ja")]
    path = catalogue(book.catalogue("book/part/one", "ko"))
    assert check.find(book, book.relative(path), path) == [path]
    with pytest.raises(UsageError):
        check.find(book, "nowhere", book.root / "nowhere")
