"""Fonts of a package for the cards of sphinxext-opengraph, which show Korean and look the same on every machine."""

import importlib.util
from pathlib import Path

from matplotlib import font_manager
from sphinx.application import Sphinx
from sphinx.config import Config

FONTS = ["NanumGothic", "DejaVu Sans"]


def _set_fonts(_app: Sphinx, config: Config) -> None:
    """Register the fonts of the package with Matplotlib, and use them unless `_config.yml` names others."""
    package = importlib.util.find_spec("koreanize_matplotlib")
    for folder in (package and package.submodule_search_locations) or ():
        for path in sorted(Path(folder).glob("fonts/*.ttf")):
            font_manager.fontManager.addfont(path)
    config.ogp_social_cards = {"font": FONTS, **(getattr(config, "ogp_social_cards", None) or {})}


def setup(app: Sphinx) -> None:
    """Connect the handler."""
    app.connect("config-inited", _set_fonts)
