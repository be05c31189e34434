"""Social cards: the preview pictures that other sites show for a link to a page, drawn by sphinxext-opengraph.

They use the fonts of a package, so that they look the same on every machine and can show Korean.
"""

import importlib.util
from pathlib import Path

from matplotlib import font_manager
from sphinx.application import Sphinx
from sphinx.config import Config

PACKAGE = "koreanize_matplotlib"  # only its fonts are used
FONTS = ["NanumGothic", "DejaVu Sans"]


def _set_fonts(_app: Sphinx, config: Config) -> None:
    """Register the fonts of the package with Matplotlib, and use them unless `_config.yml` names others."""
    package = importlib.util.find_spec(PACKAGE)
    if package and package.origin:
        for path in sorted(Path(package.origin).parent.glob("fonts/*.ttf")):
            font_manager.fontManager.addfont(path)
    config.ogp_social_cards = {"font": FONTS, **(getattr(config, "ogp_social_cards", None) or {})}


def setup(app: Sphinx) -> None:
    """Connect the handler."""
    app.connect("config-inited", _set_fonts)
