"""Figures by night: a dark sheet, ink that can be read on it, and pictures as they are."""

import io

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgb
from PIL import Image

from ci.site.extension.output import night

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
    dark = night.night(day)
    by_day, by_night = (contrast(image.getpixel((1, 19)), image.getpixel((1, 1))) for image in (day, dark))
    assert dark.getpixel((1, 1)) == (night.PAGE,) * 3
    assert by_night >= min(by_day, 4.5)


def test_a_grey_picture_stays_and_a_box_of_a_diagram_does_not():
    picture = figure("black", box=(5, 5, 35, 35))
    picture.paste((200, 200, 200), (10, 10, 20, 30))
    assert night.night(picture).getpixel((6, 6)) == (0, 0, 0)
    assert night.night(picture).getpixel((15, 15)) == (200, 200, 200)
    assert night.night(figure("#eeeeee", box=(5, 5, 35, 35))).getpixel((6, 6))[0] < 60
    assert night.night(figure("#7fbf7f", box=(5, 5, 35, 35))).getpixel((6, 6)) != (127, 191, 127)


def test_colours_that_cover_little_of_a_figure_stay_beside_many_others():
    """As those of lines and of a legend do, beside a band that fades."""
    fades = np.stack([np.linspace(0, 255, 60 * 60).reshape(60, 60)] * 3, -1)
    fades[..., 1] = fades[..., 1].T
    image = Image.fromarray(fades.astype(np.uint8))
    colours = [tuple(round(255 * part) for part in colormaps["tab10"](number)[:3]) for number in range(10)]
    for number, colour in enumerate(colours):
        image.paste(colour, (6 * number, 5, 6 * number + 5, 6))
    small = Image.open(io.BytesIO(night.with_palette(image))).convert("RGB")
    for number, colour in enumerate(colours):
        assert np.abs(np.subtract(small.getpixel((6 * number + 2, 5)), colour)).max() < 16


def test_the_sheet_keeps_its_colour_by_night_beside_pictures_with_as_many_greys_as_a_palette_has():
    image = Image.new("RGB", (200, 100), (night.PAGE,) * 3)
    for number in range(night.COLOURS):
        image.paste((2 * number,) * 3, (20 + number, 20, 21 + number, 80))
    small = Image.open(io.BytesIO(night.with_palette(image))).convert("RGB")
    assert small.getpixel((0, 0)) == (night.PAGE,) * 3
