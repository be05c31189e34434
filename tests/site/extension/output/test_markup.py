import xml.etree.ElementTree as ET

import pytest

from ci.site.extension.output.markup import CONTROLS, balanced


@pytest.mark.parametrize(
    "html, right",
    [
        ("</div></section><p>x", "<p>x</p>"),
        ("<table><tr><td>1", "<table><tr><td>1</td></tr></table>"),
        ("<div/>after<br>", "<div></div>after<br/>"),
        ("a &nbsp;& < <!-- -- --><![CDATA[b]]><?php c ?>", "a \xa0&amp; &lt; "),
        ('<p @click="x" a:b="1" id="one" id="two" hidden>t', '<p hidden="" id="two">t</p>'),
        ("<!DOCTYPE html><html><head><title>t</title><base href='/'></head><body>b</body></html>", "b"),
        ('<svg viewBox="0 0 1 1"><use xlink:href="#a"/></svg>', '<svg viewBox="0 0 1 1"><use href="#a"></use></svg>'),
        ("<o:p>x</o:p><plaintext>y", "xy"),
        ("<style>a > b & c {}</style>", "<style>a &gt; b &amp; c {}</style>"),
        ("<script>if (a < b) c()</script>d", "d"),
        ("<!-- open", "&lt;!-- open"),
        ("<h1 id='here'>One</h1>", "<h1>One</h1>"),
    ],
)
def test_the_html_of_an_output_is_xml_with_its_elements_closed(html, right):
    assert balanced(html, {"here"}, with_scripts=False) == right
    ET.fromstring(f"<div>{right}</div>")


def test_scripts_and_styles_are_not_escaped_on_the_site():
    html = "<style>a > b {}</style><script>if (a < b) c()</script>"
    assert balanced(html, set()) == html


def test_what_xml_cannot_contain_is_taken_out():
    assert CONTROLS.sub("", "a\x00\x08\x1b\ud800\ufffe\tb\n한국어 \U0001f389") == "a\tb\n한국어 \U0001f389"
