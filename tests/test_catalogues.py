import json

import polib
import pytest

from ci.book import BookError
from ci.catalogues import check as catalogues
from ci.catalogues import glossary, structure
from ci.catalogues import report as check

MESSAGE = "Call `init` with $x$ and read [the **guide**](https://flax.readthedocs.io)."
GOOD = "`init`을 $x$로 부르고 [**안내서**](https://flax.readthedocs.io)를 읽으세요."


def test_a_good_translation_has_no_faults():
    assert list(structure.faults(MESSAGE, GOOD)) == []


@pytest.mark.parametrize(
    "translation, fault",
    [
        (GOOD.replace("`init`", "`apply`"), "inline code: `init` is missing"),
        (GOOD.replace("`init`", "init"), "inline code: `init` is missing"),
        (GOOD.replace("$x$", "$y$"), "math: `y` is not in the English"),
        (GOOD.replace("$x$", "x"), "math: `x` is missing"),
        (GOOD.replace("flax.", "jax."), "link targets: `https://flax.readthedocs.io` is missing"),
        (GOOD + " <script>alert(1)</script>", "HTML or roles: `<script>`, `</script>` is not in the English"),
        (GOOD + " {ref}`x`", "HTML or roles: `{ref} x` is not in the English"),
        (GOOD + " ![a](b.png)", "images: `b.png` is not in the English"),
        ("- " + GOOD, "more than one paragraph"),
        ("```{code-cell}\n1\n```\n" + GOOD, "more than one paragraph"),
        ("# " + GOOD, "more than one paragraph"),
        (GOOD.replace(" ", "\n", 1), "it has a line break"),
        (
            GOOD.replace("읽으세요", "**읽기(reading)**를 하세요"),
            "an asterisk, underscore or backtick would be printed",
        ),
        (GOOD.replace("읽으세요", "_꼭_를 읽으세요"), "an asterisk, underscore or backtick would be printed"),
        (GOOD + r" \<script>alert(1)\</script>", "HTML or roles: `<script>alert(1)</script>`"),
        (GOOD + " &lt;script&gt;", "HTML or roles: `<script>`"),
        (GOOD + " &#60;img", "HTML or roles: `<img`"),
        (GOOD + " <img src=x onerror=alert(1) //", "HTML or roles: `<img`"),
        (GOOD + " [클릭](javascript:alert(1))", "link targets: `](javascript:alert(1))`"),
        (GOOD + " [x](DATA:text/html,x)", "link targets: `](DATA:text/html,x)`"),
        (GOOD + " <javascript:alert(1)>", "link targets"),
        (GOOD + " https://evil.example", "link targets: `https://evil.example`"),
        (GOOD + " www.evil.example", "link targets: `www.evil.example`"),
        (GOOD + r" \\begin{equation}x", "math"),
        (GOOD + " [^1]", "footnotes: `[^1]`"),
        (GOOD + "\r[a]: https://evil.example", "it has a line break"),
        (" " + GOOD, "begins or ends with a space"),
        (GOOD + " {", "what stands in braces: `{`"),
        (GOOD + " {{ x }}", "what stands in braces: `{`, `{ x }`, `}`"),
        (GOOD + "\u200b", "cannot be seen (U+200B)"),
        (GOOD * 20, "characters: "),
    ],
)
def test_each_fault_is_found_and_said(translation, fault):
    assert any(fault in str(found) for found in structure.faults(MESSAGE, translation))


@pytest.mark.parametrize("message", ["1. Setup", "2024.", "- x"])
@pytest.mark.parametrize(
    "translation", ["<script>alert(1)</script>", "```{raw} html\n<b>\n```", "1. <script>x</script>"]
)
def test_a_message_that_reads_as_a_list_lets_no_other_block_through(message, translation):
    assert list(structure.faults(message, translation))


def test_the_targets_of_two_links_cannot_be_exchanged():
    message = "See [`init`](a.md) and [`apply`](b.md)."
    faults = map(str, structure.faults(message, "[`init`](b.md)과 [`apply`](a.md)를 보세요."))
    assert any("`init` -> b.md" in fault for fault in faults)
    assert list(structure.faults(message, "[`apply`](b.md)와 [`init`](a.md)을 보세요.")) == []


def catalogue(*entries, **headers):
    po = polib.POFile()
    po.metadata = {"Last-Translator": "x", "PO-Revision-Date": "2026-11-21", "X-Reviewer": "x"} | headers
    po.extend(entries)
    return po


def report(po, expected):
    return catalogues.check_catalogue(po, "one.po", expected, "ko", glossary.Glossary([]))


def sentences(po, expected):
    return [str(one.fault) for one in report(po, expected).problems]


COMPLETE = {"X-Complete": "yes"}


def test_a_complete_catalogue_has_no_faults():
    assert sentences(catalogue(polib.POEntry(msgid="a", msgstr="가"), **COMPLETE), ["a"]) == []


@pytest.mark.parametrize(
    "entry, fault",
    [
        (polib.POEntry(msgid="a", msgstr=""), "is not translated"),
        (polib.POEntry(msgid="a", msgstr="가", flags=["fuzzy"]), "the English has changed"),
    ],
)
def test_unfinished_entries_are_faults_only_where_the_page_is_declared_complete(entry, fault):
    (found,) = sentences(catalogue(entry, **COMPLETE), ["a"])
    assert fault in found
    begun = report(catalogue(entry), ["a"])
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
    (found,) = sentences(catalogue(entry), expected)
    assert fault in found


@pytest.mark.parametrize("header", ["Last-Translator", "PO-Revision-Date", "X-Reviewer"])
def test_a_missing_header_is_a_fault(header):
    po = catalogue(polib.POEntry(msgid="a", msgstr="가"), **COMPLETE)
    for value in ("", "<x@example.org>"):
        po.metadata[header] = value
        (found,) = sentences(po, ["a"])
        assert found.startswith(f"the header {header} is missing")


def test_a_page_nobody_has_begun_needs_no_translator():
    po = catalogue(polib.POEntry(msgid="a", msgstr=""))
    po.metadata = {}
    assert sentences(po, ["a"]) == []


PLAIN = {"msgid": "Run it.", "msgstr": "실행한다."}


def test_a_waiver_with_a_reason_lets_one_rule_be_broken_and_is_counted():
    found = report(catalogue(polib.POEntry(**PLAIN, tcomment="waive register: 인용한 말입니다.")), ["Run it."])
    assert found.problems == []
    ((waived, reason),) = found.waived
    assert (waived.fault.rule, reason) == ("register", "인용한 말입니다.")


@pytest.mark.parametrize("comment", ["waive register:", "waive", "waive glossary: 까닭"])
def test_a_waiver_without_reason_or_of_another_rule_is_none(comment):
    found = report(catalogue(polib.POEntry(**PLAIN, tcomment=comment)), ["Run it."])
    assert {one.fault.rule for one in found.problems} == {"register", "waiver"}


def test_what_would_break_a_page_cannot_be_waived():
    entry = polib.POEntry(msgid="Run `x`.", msgstr="실행하세요.", tcomment="waive code: 괜찮습니다.")
    assert "code" in {one.fault.rule for one in report(catalogue(entry), ["Run `x`."]).problems}


def test_faults_are_said_for_people_and_for_machines():
    found = report(catalogue(polib.POEntry(**PLAIN, linenum=7)), ["Run it."])
    (first, *_) = check.text_lines(found, {})
    assert first.startswith("one.po:7: 'Run it.': ‘")
    (annotation,) = check.github_lines(found, {})
    assert annotation.startswith("::error file=one.po,line=7,title=register::'Run it.'")
    (line,) = check.json_lines(found, {})
    assert {"file": "one.po", "line": 7, "rule": "register"}.items() <= json.loads(line).items()


def test_faults_are_said_in_the_language_of_the_user():
    (problem,) = report(catalogue(polib.POEntry(**PLAIN, linenum=7)), ["Run it."]).problems
    assert problem.sentence({problem.fault.sentence: "{ending}: 존댓말로"}) == "'Run it.': 실행한다.: 존댓말로"


def test_checking_a_file_that_is_no_catalogue_of_the_book_is_a_fault(book):
    stray = book.root / "none.po"
    with pytest.raises(BookError, match="there is no file"):
        catalogues.check(book, book.root, [stray])
    stray.touch()
    (problem,) = catalogues.check(book, book.root, [stray]).problems
    assert "there is no such page" in str(problem.fault)
