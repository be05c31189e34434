"""Figures: small, and by night with a dark sheet, ink that can be read on it, and pictures as they are."""

import io

import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib import colormaps
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from ci.site.extension.output import figures

INK = ["black", "#333333", "grey", *(colormaps["tab10"](number)[:3] for number in range(10))]


def luminance(colour):
    """Of a colour of 0 to 255: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    part = np.asarray(colour) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def figure(colour, size=(40, 40), box=(0, 18, 40, 20)):
    image = Image.new("RGB", size, "white")
    image.paste(tuple(round(255 * part) for part in to_rgb(colour)), box)
    return image


@pytest.mark.parametrize("colour", INK)
def test_ink_is_read_by_night_at_least_as_well_as_by_day(colour):
    day = figure(colour)
    dark = figures.night(day)
    by_day, by_night = (contrast(image.getpixel((1, 19)), image.getpixel((1, 1))) for image in (day, dark))
    assert dark.getpixel((1, 1)) == (figures.PAGE,) * 3
    assert by_night >= min(by_day, 4.5)


def test_a_grey_picture_stays_and_a_box_of_a_diagram_does_not():
    picture = figure("black", box=(5, 5, 35, 35))
    picture.paste((200, 200, 200), (10, 10, 20, 30))
    assert figures.night(picture).getpixel((6, 6)) == (0, 0, 0)
    assert figures.night(picture).getpixel((15, 15)) == (200, 200, 200)
    assert figures.night(figure("#eeeeee", box=(5, 5, 35, 35))).getpixel((6, 6))[0] < 60
    assert figures.night(figure("#7fbf7f", box=(5, 5, 35, 35))).getpixel((6, 6)) != (127, 191, 127)


def test_colours_that_cover_little_of_a_figure_stay_beside_many_others():
    """As those of lines and of a legend do, beside a band that fades."""
    fades = np.stack([np.linspace(0, 255, 60 * 60).reshape(60, 60)] * 3, -1)
    fades[..., 1] = fades[..., 1].T
    image = Image.fromarray(fades.astype(np.uint8))
    colours = [tuple(round(255 * part) for part in colormaps["tab10"](number)[:3]) for number in range(10)]
    for number, colour in enumerate(colours):
        image.paste(colour, (6 * number, 5, 6 * number + 5, 6))
    small = Image.open(io.BytesIO(figures.with_palette(image))).convert("RGB")
    for number, colour in enumerate(colours):
        assert np.abs(np.subtract(small.getpixel((6 * number + 2, 5)), colour)).max() < 16


def test_a_figure_becomes_smaller_and_keeps_its_size(tmp_path):
    path = tmp_path / "figure.png"
    drawing = Figure(figsize=(3, 2), dpi=100)
    drawing.subplots().plot([0, 1], [1, 0])
    drawing.savefig(path)
    with Image.open(path) as picture:
        corner = picture.convert("RGB").getpixel((0, 0))
    before = path.stat().st_size
    figures.shrink(path)
    with Image.open(path) as small:
        assert (small.size, small.mode) == ((300, 200), "P")
        assert small.convert("RGB").getpixel((0, 0)) == corner
    assert path.stat().st_size < before
    once = path.read_bytes()
    figures.shrink(path)
    assert path.read_bytes() == once


@pytest.mark.parametrize("picture", [Image.new("L", (1, 1)), Image.new("RGBA", (300, 200), (255, 0, 0, 100))])
def test_a_figure_that_would_grow_or_is_transparent_stays_as_it_is(tmp_path, picture):
    path = tmp_path / "dot.png"
    picture.save(path, optimize=True)
    before = path.read_bytes()
    figures.shrink(path)
    assert path.read_bytes() == before


def test_a_page_shows_a_figure_with_its_size_by_day_and_by_night(book, conf, build):
    conf("figures")
    figure("red").save(book.root / "one.png")
    code = "```{code-cell}\n:tags: [remove-input]\n1\n```\n"
    _app, out = build({"index": f"# A\n\n![An image](one.png)\n\n{code}"})
    page = BeautifulSoup((out / "index.html").read_text(encoding="utf-8"), "html.parser")
    (image,) = page.select("article img, .body img")
    assert {name: image[name] for name in ("alt", "width", "height", "loading")} == {
        "alt": "An image",
        "width": "40",
        "height": "40",
        "loading": "lazy",
    }
    assert (out / "_images" / "night" / "one.png").exists()
