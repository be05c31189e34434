"""Faults of single translations; tests/catalogues/defects.py has more, which are put into the real catalogues."""

import pytest

from ci.catalogues import structure

MESSAGE = "Call `init` with $x$ and read [the **guide**](https://flax.readthedocs.io)."
GOOD = "`init`을 $x$로 부르고 [**안내서**](https://flax.readthedocs.io)를 읽으세요."


def test_a_good_translation_has_no_faults():
    assert list(structure.faults(MESSAGE, GOOD)) == []


@pytest.mark.parametrize(
    "translation, fault",
    [
        (GOOD.replace("`init`", "`apply`"), "inline code: `init` is missing"),
        (GOOD.replace("$x$", "$y$"), "math: `y` is not in the English"),
        (GOOD.replace("flax.", "jax."), "link targets: `https://flax.readthedocs.io` is missing"),
        (GOOD + " <script>alert(1)</script>", "HTML or roles: `<script>`, `</script>` is not in the English"),
        (GOOD + "\r[a]: https://evil.example", "it has a line break"),
        (GOOD.replace("읽으세요", "_꼭_를 읽으세요"), "an asterisk, underscore or backtick would be shown"),
        (GOOD + r" \<script>alert(1)\</script>", "HTML or roles: `<script>alert(1)</script>`"),
        (GOOD + " &#60;img", "HTML or roles: `<img`"),
        (GOOD + " [x](DATA:text/html,x)", "link targets: `](DATA:text/html,x)`"),
        (GOOD + " <javascript:alert(1)>", "link targets"),
        (GOOD + " data:text/html,x", "link targets: `data:text/html,x`"),
        (GOOD + " www.evil.example", "link targets: `www.evil.example`"),
        (GOOD + r" \\begin{equation}x", "math"),
        (GOOD + " {", "text in braces: `{`"),
    ],
)
def test_each_fault_is_found_and_said(translation, fault):
    assert any(fault in sentence for sentence in map(str, structure.faults(MESSAGE, translation)))


@pytest.mark.parametrize("message", ["1. Setup", "2024.", "- x"])
@pytest.mark.parametrize(
    "translation", ["<script>alert(1)</script>", "```{raw} html\n<b>\n```", "1. <script>x</script>"]
)
def test_a_message_that_reads_as_a_list_lets_no_other_block_through(message, translation):
    assert list(structure.faults(message, translation))
