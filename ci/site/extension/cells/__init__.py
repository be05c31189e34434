"""Components for what chapters consist of: their cells, questions and terms."""

from ci.site.extension.application import BookApp
from ci.site.extension.cells.api_links import setup_api_links
from ci.site.extension.cells.highlighting import setup_highlighting
from ci.site.extension.cells.labels import setup_labels
from ci.site.extension.cells.questions import setup_questions
from ci.site.extension.cells.quoting import setup_quoting
from ci.site.extension.cells.side_by_side import setup_side_by_side
from ci.site.extension.cells.terms import setup_terms


def setup(app: BookApp) -> None:
    """Set up the components of this room."""
    setup_highlighting(app)
    setup_side_by_side(app)
    setup_api_links(app)
    setup_labels(app)
    setup_questions(app)
    setup_quoting(app)
    setup_terms(app)
