"""Pictures with curves get controls, in a small book that Sphinx really renders."""

import base64
import hashlib
import io
import json
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from ci.execution.cache import Cache
from flaxbook.plot import CURVES

STORED = json.dumps([{"slider": "rate"}, {"label": '</template><img src=x onerror="alert(1)">&'}])


def png(colour):
    written = io.BytesIO()
    Image.new("RGB", (64, 32), colour).save(written, "PNG")
    return written.getvalue()


@pytest.fixture
def page(conf, build, book, monkeypatch):
    """Renders a page of two pictures, of which one has curves, as an executed chapter has them."""
    conf("elements", "explorable", exclude_patterns=["_build"])
    outputs = []
    for colour, curves in (("red", {CURVES: STORED}), ("blue", {})):
        data = {"image/png": base64.b64encode(png(colour)).decode(), **curves}
        outputs.append(new_output("display_data", data))
    entry = SimpleNamespace(notebook=new_notebook(cells=[new_code_cell("draw()", outputs=outputs)]))
    monkeypatch.setattr(Cache, "fetch", lambda _cache, name: entry if name == "book/part/one" else None)

    def page(builder="html"):
        lines = ["# One"]
        for colour in ("red", "blue"):
            name = f"{hashlib.sha256(png(colour)).hexdigest()}.png"
            (book.root / "book" / "part" / name).write_bytes(png(colour))
            lines.append(f"![A {colour} square.]({name})")
        pages = {"book/part/one": "\n\n".join(lines), "book/index": "# Front\n", "index": "# Index\n"}
        _, output = build(pages, builder)
        (written,) = output.rglob("one.*html")
        return BeautifulSoup(written.read_text(encoding="utf-8"), "html.parser")

    return page


def test_a_picture_with_curves_has_controls_and_another_one_has_none(page):
    (place,) = (written := page()).select(".explorable")
    picture, template = place.find_all(recursive=False)
    assert [image["alt"] for image in picture.select("img")] == ["A red square."]
    assert len(written.select("article img, .body img")) == 2
    (controls,) = template.find_all(recursive=False)
    assert controls["role"] == "group" and controls["aria-label"] == "Explore the figure"
    assert [part.name for part in controls.find_all(recursive=False)] == ["svg", "label", "label", "output"]
    assert len(controls.select("label > input[type=range]")) == 2


def test_an_e_book_has_the_pictures_alone(page):
    written = page("epub")
    assert len(written.select("img")) == 2
    assert not written.select(".explorable, template, input")
