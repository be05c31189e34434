"""Components for what is written of a page: its elements, figures and formulas, its styles, its card, an e-book."""

from ci.site.extension.application import BookApp
from ci.site.extension.output.cards import setup_cards
from ci.site.extension.output.ebook import setup_ebook
from ci.site.extension.output.elements import setup_elements
from ci.site.extension.output.figures import setup_figures
from ci.site.extension.output.mathml import setup_mathml
from ci.site.extension.output.styles import setup_styles


def setup(app: BookApp) -> None:
    """Set up the components of this room."""
    setup_elements(app)
    setup_mathml(app)
    setup_figures(app)
    setup_styles(app)
    setup_cards(app)
    setup_ebook(app)
