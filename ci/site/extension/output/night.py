"""Figures by night: a sheet as dark as the page, ink as light as it was dark, and grey pictures as they are."""

import io
import shutil
from pathlib import Path

import numpy as np
from PIL import Image
from scipy import ndimage
from sphinx.environment import CONFIG_OK

from ci.book import files

COLOURS = 128  # of a figure's palette
SHOWN = {"cell_output", "gallery"}  # the classes of what holds a figure
NIGHT = "night"  # a folder beside the figures by day
PAGE = 0x13  # how light the page of the theme is by night, of 255 (about #131416)
WHITE = 250
LUMA = [0.2126, 0.7152, 0.0722]  # of red, green and blue: ITU-R BT.709-6, item 3.2
# What is a picture, such as of a digit, and no line, letter or box: pixels of a side, the share of ink in its box, how
# far its colours are from grey, and how light it is on average.
SIDE, FILLED, GREY, LIGHT = 16, 0.6, 16, 190


def pictures(colours):
    """Finds the grey pictures in a figure: returns where, as booleans of the shape (height, width)."""
    ink = (colours < WHITE).any(-1)
    parts, _count = ndimage.label(ink, np.ones((3, 3)))
    found = np.zeros_like(ink)
    for box in ndimage.find_objects(parts):
        is_big = min(ink[box].shape) >= SIDE and ink[box].mean() >= FILLED
        if is_big and np.ptp(colours[box], -1).mean() < GREY and colours[box].mean() < LIGHT:
            found[box] = True
    return found


def night(day):
    """A figure by night, given one by day as RGB.

    The colours are shifted until each is as light as it was dark, by its luma; white then becomes the page.
    """
    colours = np.asarray(day, np.float64)
    swapped = np.clip(colours + 255 - 2 * (colours @ LUMA)[..., None], 0, 255)
    dark = PAGE + swapped * (255 - PAGE) / 255
    return Image.fromarray(np.where(pictures(colours)[..., None], colours, dark).astype(np.uint8))


def is_figure(node):
    """Whether an image is what a cell has shown."""
    while node is not None and not SHOWN.intersection(node.get("classes", [])):
        node = node.parent
    return node is not None


def with_night(html, name):
    """The tag of a figure by day, and after it that by night; the theme shows one of them."""
    return html + html.replace("only-light", "only-dark").replace(f"/{name}", f"/{NIGHT}/{name}")


def forget_nights(app):
    """Removes the figures of an older version of this module, as Sphinx renders all pages again."""
    if app.builder.name == "html" and app.env.config_status != CONFIG_OK:
        shutil.rmtree(Path(app.outdir, app.builder.imagedir, NIGHT), ignore_errors=True)


def with_palette(image):
    """The bytes of a figure, given as RGB, with a palette in which colours that cover little, as thin lines, stay."""
    written = io.BytesIO()
    small = image.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    sheet, palette = small.getpixel((0, 0)), small.getpalette()
    palette[3 * sheet : 3 * sheet + 3] = image.getpixel((0, 0))
    small.putpalette(palette)
    small.save(written, "PNG", optimize=True)
    return written.getvalue()


def write_nights(app, error):
    """Writes each figure by night, once: a figure's name is that of its content."""
    if error is not None or app.builder.name != "html":
        return
    folder = Path(app.outdir, app.builder.imagedir)
    for day in folder.glob("*.png"):
        if not (path := folder / NIGHT / day.name).exists():
            with Image.open(day) as image:
                files.write_all({path: with_palette(night(image.convert("RGB")))})


def setup_night(app):
    app.connect("builder-inited", forget_nights)
    app.connect("build-finished", write_nights, priority=900)  # after `light` has made the figures by day smaller
