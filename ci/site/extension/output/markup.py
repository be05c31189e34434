"""Balance the HTML that cells show, and take out what XML does not have: no output breaks a page or an EPUB."""

import re
from typing import Any

from bs4 import BeautifulSoup
from bs4.element import PreformattedString
from bs4.formatter import HTMLFormatter, XMLFormatter
from docutils import nodes
from sphinx.application import Sphinx

# Characters that no XML may contain.
CONTROLS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NAME = re.compile(r"[A-Za-z_][\w.-]*|(?:xml|xmlns):[\w.-]+")
MIXED = re.compile(r"\b[a-z]+[A-Z]\w*")  # such as viewBox, which HTML takes in any case, and XML does not
DOCUMENT = ["html", "head", "body", "frameset", "plaintext"]  # the parts of a whole page, of which the content stays
OF_PAGES = ["base", "meta", "title"]  # they would hold for the page


def balanced(html: str, ids: set[str], *, with_scripts: bool = True) -> str:
    """Return HTML in which each element is closed, without comments and the like; it is XML if it has no scripts.

    The elements lose `ids` that the page has already; their other ids are added to these.
    """
    soup, mixed = BeautifulSoup(html, "html.parser"), {name.lower(): name for name in MIXED.findall(html)}
    for text in soup.find_all(string=lambda text: isinstance(text, PreformattedString)):
        text.extract()
    for tag in soup.find_all(True):
        if tag.decomposed:
            continue
        in_svg = tag.name == "svg" or tag.find_parent("svg")
        if tag.name in OF_PAGES or (tag.name == "script" and not with_scripts):
            tag.decompose()
        elif tag.name in DOCUMENT or not NAME.fullmatch(tag.name):
            tag.unwrap()
        else:
            attributes = {key.removeprefix("xlink:"): value for key, value in tag.attrs.items()}  # as SVG 2 does
            named = {key: value for key, value in attributes.items() if NAME.fullmatch(key)}
            tag.attrs = {mixed.get(key, key) if in_svg else key: value for key, value in named.items()}
            tag.name = mixed.get(tag.name, tag.name) if in_svg else tag.name
            if tag.get("id") in ids:
                del tag["id"]
            ids.add(str(tag.get("id", "")))
    return soup.decode(formatter=(HTMLFormatter if with_scripts else XMLFormatter).REGISTRY["minimal"])


def _balance(app: Sphinx, doctree: nodes.document) -> None:
    """Balance the HTML of all outputs of a page; that of a Markdown output piece by piece."""
    ids = set(doctree.ids)
    elements = doctree.findall(nodes.Element)
    for output in (element for element in elements if element.get("nb_element") == "cell_code_output"):
        for raw in list(output.findall(nodes.raw)):
            if raw["format"] == "html":
                html = balanced(raw.astext(), ids, with_scripts=app.builder.name != "epub")
                raw.replace_self(nodes.raw("", html, **raw.attributes))
        for block in output.findall(nodes.literal_block):  # Sphinx warns of a language such as {note}
            if block.get("language", "").startswith("{"):
                block["language"] = "text"


def _take_controls_out(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Take out of a page what cannot stand in XML."""
    context["body"] = CONTROLS.sub("", context.get("body") or "")


def setup(app: Sphinx) -> None:
    """Connect the handlers."""
    app.connect("doctree-read", _balance)
    app.connect("html-page-context", _take_controls_out)
