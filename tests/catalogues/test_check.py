import polib
import pytest

from ci.book import BookError
from ci.catalogues import check, glossary
from ci.catalogues.sentences import Sentences


def of(*entries, **headers):
    po = polib.POFile()
    po.metadata = {"Last-Translator": "x", "PO-Revision-Date": "2026-11-21", "X-Reviewer": "x"} | headers
    po.extend(entries)
    return po


def report(po, expected):
    return check.check_catalogue(po, "one.po", expected, "ko", glossary.Glossary([]))


def sentences(po, expected):
    return [str(one.fault) for one in report(po, expected).problems]


COMPLETE = {"X-Complete": "yes"}


def test_a_complete_catalogue_has_no_faults():
    assert sentences(of(polib.POEntry(msgid="a", msgstr="가"), **COMPLETE), ["a"]) == []


@pytest.mark.parametrize(
    "entry, fault",
    [
        (polib.POEntry(msgid="a", msgstr=""), "is not translated"),
        (polib.POEntry(msgid="a", msgstr="가", flags=["fuzzy"]), "the English has changed"),
    ],
)
def test_unfinished_entries_are_faults_only_where_the_page_is_declared_complete(entry, fault):
    (found,) = sentences(of(entry, **COMPLETE), ["a"])
    assert fault in found
    begun = report(of(entry), ["a"])
    assert begun.problems == []
    assert [one.message for one in begun.outdated] == (["a"] if entry.fuzzy else [])


@pytest.mark.parametrize(
    "entry, expected, fault",
    [
        (polib.POEntry(msgid="a", msgstr="가"), [], "no longer in the English"),
        (polib.POEntry(msgid="a", msgstr="가", obsolete=True), [], "no longer in the English"),
        (polib.POEntry(msgid="a", msgstr="가"), ["a", "b"], "it is missing"),
    ],
)
def test_a_catalogue_that_is_not_in_step_with_the_english_is_a_fault(entry, expected, fault):
    (found,) = sentences(of(entry), expected)
    assert fault in found


@pytest.mark.parametrize("header", ["Last-Translator", "PO-Revision-Date", "X-Reviewer"])
def test_a_missing_header_is_a_fault(header):
    po = of(polib.POEntry(msgid="a", msgstr="가"), **COMPLETE)
    for value in ("", "<x@example.org>"):
        po.metadata[header] = value
        (found,) = sentences(po, ["a"])
        assert found.startswith(f"the header {header} is missing")


def test_a_page_nobody_has_begun_needs_no_translator():
    po = of(polib.POEntry(msgid="a", msgstr=""))
    po.metadata = {}
    assert sentences(po, ["a"]) == []


PLAIN = {"msgid": "Run it.", "msgstr": "실행한다."}


def test_a_waiver_with_a_reason_lets_one_rule_be_broken_and_is_counted():
    found = report(of(polib.POEntry(**PLAIN, tcomment="waive register: 인용한 말입니다.")), ["Run it."])
    assert found.problems == []
    ((waived, reason),) = found.waived
    assert (waived.fault.rule, reason) == ("register", "인용한 말입니다.")


@pytest.mark.parametrize("comment", ["waive register:", "waive", "waive glossary: 까닭"])
def test_a_waiver_without_reason_or_of_another_rule_is_none(comment):
    found = report(of(polib.POEntry(**PLAIN, tcomment=comment)), ["Run it."])
    assert {one.fault.rule for one in found.problems} == {"register", "waiver"}


def test_what_would_break_a_page_cannot_be_waived():
    entry = polib.POEntry(msgid="Run `x`.", msgstr="실행하세요.", tcomment="waive code: 괜찮습니다.")
    assert "code" in {one.fault.rule for one in report(of(entry), ["Run `x`."]).problems}


def test_faults_are_said_in_the_language_of_the_user():
    (problem,) = report(of(polib.POEntry(**PLAIN, linenum=7)), ["Run it."]).problems
    gettext = Sentences({problem.fault.sentence: "{ending}: 존댓말로"}).gettext
    assert problem.say(gettext) == "'Run it.': 실행한다.: 존댓말로"


def test_checking_a_file_that_is_no_catalogue_of_the_book_is_a_fault(book):
    stray = book.root / "none.po"
    with pytest.raises(BookError, match="there is no file"):
        check.check(book, book.root, [stray])
    stray.touch()
    (problem,) = check.check(book, book.root, [stray]).problems
    assert "no page belongs to this file" in str(problem.fault)
