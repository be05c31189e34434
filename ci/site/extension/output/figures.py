"""Figures: write their sizes into the HTML, shrink the files, and create a version for the dark theme ("night").

There, dark lines and text become light, and grey-scale pictures, such as of digits, are not changed.
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

IMAGES = "_images"  # the folder in which Sphinx stores images
NIGHT = "night"  # the subfolder of IMAGES for the dark versions
COLOURS = 128  # in the palette of a figure
SHOWN = {"cell_output", "gallery"}  # classes of containers whose figures have dark versions
SIZED = {"width", "height", "scale"}  # attributes with which an author sets the size of an image
PAGE = 0x13  # the dark theme's background, as a grey level (about #131416)
WHITE = 250  # from this level on, a channel counts as white
LUMA = [0.2126, 0.7152, 0.0722]  # the weights of red, green and blue: ITU-R BT.709-6, item 3.2
# A connected region that is not white is a picture, such as of a digit, and not a line, a letter or a box, if its
# shorter side has at least SIDE pixels, at least the share FILLED of its bounding box is not white, the channels
# differ by less than GREY on average, and the average level is less than LIGHT.
SIDE, FILLED, GREY, LIGHT = 16, 0.6, 16, 190


def _pictures(colours: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return a mask of shape (height, width) that is True inside the grey-scale pictures of a figure."""
    ink = np.any(colours < WHITE, axis=-1)
    parts, _count = ndimage.label(ink, np.ones((3, 3)))
    found = np.zeros(ink.shape, np.bool_)
    for box in ndimage.find_objects(parts):
        is_big = min(ink[box].shape) >= SIDE and ink[box].mean() >= FILLED
        if is_big and np.ptp(colours[box], -1).mean() < GREY and colours[box].mean() < LIGHT:
            found[box] = True
    return found


def night(day: Image.Image) -> Image.Image:
    """Return the dark version of an RGB figure: each luma is inverted, and white becomes the page's colour."""
    colours = np.asarray(day, np.float64)
    swapped = np.clip(colours + 255 - 2 * (colours @ LUMA)[..., None], 0, 255)
    dark = PAGE + swapped * (255 - PAGE) / 255
    return Image.fromarray(np.where(_pictures(colours)[..., None], colours, dark).astype(np.uint8))


def with_palette(image: Image.Image) -> bytes:
    """Return an RGB figure as a PNG with a palette that keeps the colours of small parts, such as thin lines."""
    written = io.BytesIO()
    small = image.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    palette = np.reshape(np.asarray(small.getpalette(), np.uint8), (-1, 3))
    palette[np.asarray(small)[0, 0]] = np.asarray(image)[0, 0]  # the exact colour of the background
    small.putpalette(palette.tobytes())
    small.save(written, "PNG", optimize=True)
    return written.getvalue()


def shrink(path: Path) -> None:
    """Replace a PNG by one with a palette if that is smaller. One with a palette or transparency is not changed."""
    with Image.open(path) as image:
        if image.mode == "P" or image.convert("RGBA").getchannel("A").getextrema() != (255, 255):
            return
        small = with_palette(image.convert("RGB"))
    if len(small) < path.stat().st_size:
        files.write_all({path: small})


class Figure(nodes.image):
    """An image node for a PNG. `size` is (width, height); `has_night` is whether a dark version exists."""


def _is_shown_by_a_cell(node: nodes.Node | None) -> bool:
    return node is not None and (bool(SHOWN.intersection(node["classes"])) or _is_shown_by_a_cell(node.parent))


def _find_figures(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Replace PNG images by `Figure` nodes, unless sized by the author, in HTML only: an EPUB has no dark theme."""
    if app.builder.name != "html":
        return
    for image in list(doctree.findall(nodes.image)):
        path = Path(app.srcdir, image["uri"].lstrip("/"))
        if path.suffix == ".png" and not SIZED.intersection(image.attributes):
            with Image.open(path) as opened:
                size = opened.size
            image.replace_self(Figure("", size=size, has_night=_is_shown_by_a_cell(image), **image.attributes))


def _visit(translator: HTML5Translator, node: Figure) -> None:
    """Write an `<img>` for the figure and one for its dark version, with sizes, lest pages move while images load."""
    folder, name = translator.builder.imgpath, quote(translator.builder.images[node["uri"]])
    width, height = map(str, node["size"])
    common = {"alt": node.get("alt", ""), "width": width, "height": height, "loading": "lazy"}
    places = {"only-light": name, "only-dark": f"{NIGHT}/{name}"} if node["has_night"] else {"": name}
    for css, place in places.items():
        attributes = {"class": css, "src": posixpath.join(folder, place), **common}
        translator.body.append(translator.emptytag(node, "img", "\n", **attributes))
    raise nodes.SkipNode


def _write_figures(app: Sphinx, error: Exception | None) -> None:
    """Shrink the figures, and write missing dark versions. Existing ones are current: names are content hashes."""
    if error is None and app.builder.name == "html":
        for day in Path(app.outdir, IMAGES).glob("*.png"):
            shrink(day)
            path = day.parent / NIGHT / day.name
            if not path.exists():
                with Image.open(day) as image:
                    files.write_all({path: with_palette(night(image.convert("RGB")))})


def setup(app: Sphinx) -> None:
    """Register the node, and connect the handlers."""
    app.add_node(Figure, html=(_visit, None))
    app.connect("doctree-resolved", _find_figures)
    app.connect("build-finished", _write_figures)
