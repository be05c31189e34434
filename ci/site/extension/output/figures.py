"""Figures: with their size, in few bytes, and by night.

By night a figure has a sheet as dark as the page, ink as light as it was dark, and grey pictures as they are.
"""

import io
import posixpath
from pathlib import Path
from urllib.parse import quote

import numpy as np
from docutils import nodes
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from ci.book import files

IMAGES = "_images"  # Sphinx's folder
NIGHT = "night"  # a folder beside the figures by day
COLOURS = 128  # of a figure's palette
SHOWN = {"cell_output", "gallery"}  # the classes of what holds a figure
SIZED = {"width", "height", "scale"}  # the attributes by which an author gives an image another size
PAGE = 0x13  # how light the page of the theme is by night, of 255 (about #131416)
WHITE = 250
LUMA = [0.2126, 0.7152, 0.0722]  # of red, green and blue: ITU-R BT.709-6, item 3.2
# A picture, such as of a digit, differs from a line, a letter or a box by: pixels of a side, the share of ink in its
# box, how far its colours are from grey, and how light it is on average.
SIDE, FILLED, GREY, LIGHT = 16, 0.6, 16, 190


def _pictures(colours: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where a figure has grey pictures, as booleans of the shape (height, width)."""
    ink = np.any(colours < WHITE, axis=-1)
    parts, _count = ndimage.label(ink, np.ones((3, 3)))
    found = np.zeros(ink.shape, np.bool_)
    for box in ndimage.find_objects(parts):
        is_big = min(ink[box].shape) >= SIDE and ink[box].mean() >= FILLED
        if is_big and np.ptp(colours[box], -1).mean() < GREY and colours[box].mean() < LIGHT:
            found[box] = True
    return found


def night(day: Image.Image) -> Image.Image:
    """Return a figure by night, given one by day as RGB.

    The colours are shifted until each is as light as it was dark, by its luma; white then becomes the page.
    """
    colours = np.asarray(day, np.float64)
    swapped = np.clip(colours + 255 - 2 * (colours @ LUMA)[..., None], 0, 255)
    dark = PAGE + swapped * (255 - PAGE) / 255
    return Image.fromarray(np.where(_pictures(colours)[..., None], colours, dark).astype(np.uint8))


def with_palette(image: Image.Image) -> bytes:
    """Return a PNG of a figure, given as RGB, with a palette that keeps colours of small parts, such as thin lines."""
    written = io.BytesIO()
    small = image.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    palette = np.reshape(np.asarray(small.getpalette(), np.uint8), (-1, 3))
    palette[np.asarray(small)[0, 0]] = np.asarray(image)[0, 0]  # the sheet
    small.putpalette(palette.tobytes())
    small.save(written, "PNG", optimize=True)
    return written.getvalue()


def shrink(path: Path) -> None:
    """Write a PNG with a palette if that makes it smaller. A PNG with a palette or with transparency stays."""
    with Image.open(path) as image:
        if image.mode == "P" or image.convert("RGBA").getchannel("A").getextrema() != (255, 255):
            return
        small = with_palette(image.convert("RGB"))
    if len(small) < path.stat().st_size:
        files.write_all({path: small})


class Figure(nodes.image):
    """A PNG with its `size`; `has_night` says whether there is one by night."""


def _is_shown_by_a_cell(node: nodes.Node) -> bool:
    parent = node.parent
    while parent is not None and not SHOWN.intersection(parent.get("classes", [])):
        parent = parent.parent
    return parent is not None


def _find_figures(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Make figures of the images of a page, on the site only: an e-book has one look."""
    if app.builder.name != "html":
        return
    for image in list(doctree.findall(nodes.image)):
        path = Path(app.srcdir, image["uri"].lstrip("/"))
        if path.suffix == ".png" and not SIZED.intersection(image.attributes):
            with Image.open(path) as opened:
                size = opened.size
            image.replace_self(Figure("", size=size, has_night=_is_shown_by_a_cell(image), **image.attributes))


def _visit(translator: HTML5Translator, node: Figure) -> None:
    """Write the figure by day, and that by night; the theme shows one of them.

    With their size the page does not jump when they arrive, and they may wait for the text.
    """
    folder, name = translator.builder.imgpath, quote(translator.builder.images[node["uri"]])
    width, height = map(str, node["size"])
    common = {"alt": node.get("alt", ""), "width": width, "height": height, "loading": "lazy"}
    places = {"only-light": name, "only-dark": f"{NIGHT}/{name}"} if node["has_night"] else {"": name}
    for css, place in places.items():
        attributes = {"class": css, "src": posixpath.join(folder, place), **common}
        translator.body.append(translator.emptytag(node, "img", "\n", **attributes))
    raise nodes.SkipNode


def _write_figures(app: Sphinx, error: Exception | None) -> None:
    """Shrink the figures by day, and write those by night that are missing: the name is that of the content."""
    if error is None and app.builder.name == "html":
        for day in Path(app.outdir, IMAGES).glob("*.png"):
            shrink(day)
            path = day.parent / NIGHT / day.name
            if not path.exists():
                with Image.open(day) as image:
                    files.write_all({path: with_palette(night(image.convert("RGB")))})


def setup(app: Sphinx) -> None:
    """Write the figures."""
    app.add_node(Figure, html=(_visit, None))
    app.connect("doctree-resolved", _find_figures)
    app.connect("build-finished", _write_figures)
