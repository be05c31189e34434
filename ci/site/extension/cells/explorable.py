"""Explorable figures: curves that a cell has stored beside its picture (`flaxbook.plot.explore`), with two sliders.

`theme/static/explore.js` replaces the picture. Without it, in exports and in print, the picture is shown.
"""

import base64
import hashlib
from pathlib import Path

from docutils import nodes

from ci import _
from ci.execution.cache import code_cells
from ci.site.extension import priorities
from ci.site.extension.application import BookApp
from ci.site.extension.output.elements import Element, element

CURVES = "text/vnd.flaxbook.curves"  # the MIME type of what `flaxbook.plot.explore` stores
EXPLORE = _("Explore the figure")
READ = _("{line}: {value} at {x} {at}, lowest so far {lowest} at {x} {where}")


def _controls(app: BookApp, curves: str) -> Element:
    """Return a template of what replaces the picture; the script fills in the drawing, the labels and the values."""
    gettext, source = app.sentences.gettext, app.book.source_language
    slider = [element("span", lang=source), element("input", type="range", min="0"), element("span", lang=source)]
    row = element("label", *slider)
    parts = [element("svg", role="img"), row, row.deepcopy(), element("output", data_said=gettext(READ))]
    return element("template", element("div", *parts, role="group", aria_label=gettext(EXPLORE)), data_curves=curves)


def _make_explorable(app: BookApp, doctree: nodes.document, page: str) -> None:
    """Add the template to each picture of a chapter that has curves, in HTML builds only."""
    if app.builder.name != "html" or page not in app.book.chapters or not (entry := app.cache.fetch(page)):
        return
    shown = [output.get("data", {}) for cell in code_cells(entry.notebook) for output in cell.get("outputs", [])]
    # MyST-NB names a picture by its hash.
    known = {hashlib.sha256(base64.b64decode(data["image/png"])).hexdigest(): data for data in shown if CURVES in data}
    for image in list(doctree.findall(nodes.image)):
        if data := known.get(Path(image["uri"]).stem):
            picture = element("div")
            image.parent.replace(image, element("div", picture, _controls(app, data[CURVES]), classes=["explorable"]))
            picture += image


def setup(app: BookApp) -> None:
    """Connect the handler, and suppress MyST-NB's warning about an unknown MIME type."""
    app.config.suppress_warnings.append("mystnb.unknown_mime_type")
    app.connect("doctree-resolved", _make_explorable, priority=priorities.MAKE_EXPLORABLE)
