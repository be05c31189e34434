import polib
import pytest

from ci import catalogues

MESSAGE = "Call `init` with $x$ and read [the **guide**](https://flax.readthedocs.io)."
GOOD = "`init`을 $x$로 부르고 [**안내서**](https://flax.readthedocs.io)를 읽으세요."


def test_a_good_translation_has_no_faults():
    assert catalogues.entry_faults(MESSAGE, GOOD) == []


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
    ],
)
def test_each_fault_is_found_and_said(translation, fault):
    assert any(fault in found for found in catalogues.entry_faults(MESSAGE, translation))


@pytest.mark.parametrize("message", ["1. Setup", "2024.", "- x"])
@pytest.mark.parametrize(
    "translation", ["<script>alert(1)</script>", "```{raw} html\n<b>\n```", "1. <script>x</script>"]
)
def test_a_message_that_reads_as_a_list_lets_no_other_block_through(message, translation):
    assert catalogues.entry_faults(message, translation)


def catalogue(*entries):
    po = polib.POFile()
    po.metadata = {header: "x" for header in catalogues.HEADERS}
    po.extend(entries)
    return po


def sentences(po, expected):
    return [sentence for _, sentence in catalogues.catalogue_faults(po, expected)]


def test_a_complete_catalogue_has_no_faults():
    assert sentences(catalogue(polib.POEntry(msgid="a", msgstr="가")), ["a"]) == []


@pytest.mark.parametrize(
    "entry, expected, fault",
    [
        (polib.POEntry(msgid="a", msgstr=""), ["a"], "is not translated"),
        (polib.POEntry(msgid="a", msgstr="가", flags=["fuzzy"]), ["a"], "is fuzzy"),
        (polib.POEntry(msgid="a", msgstr="가"), [], "no longer in the English"),
        (polib.POEntry(msgid="a", msgstr="가", obsolete=True), [], "no longer in the English"),
        (polib.POEntry(msgid="a", msgstr="가"), ["a", "b"], "'b' is missing"),
    ],
)
def test_each_state_but_finished_is_a_fault(entry, expected, fault):
    (found,) = sentences(catalogue(entry), expected)
    assert fault in found


def test_a_missing_header_is_a_fault():
    po = catalogue(polib.POEntry(msgid="a", msgstr="가"))
    po.metadata["Last-Translator"] = ""
    assert sentences(po, ["a"]) == ["the header Last-Translator is missing: fill it in"]
