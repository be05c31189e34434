"""The cards that other sites show for a page."""

from types import SimpleNamespace

from matplotlib import font_manager

from ci.site.extension.output import cards


def test_the_fonts_are_known_and_a_book_may_choose_others():
    config = SimpleNamespace(ogp_social_cards={"image_mini": "logo.png"})
    cards._set_fonts(None, config)
    assert config.ogp_social_cards == {"font": cards.FONTS, "image_mini": "logo.png"}
    assert set(cards.FONTS) <= {font.name for font in font_manager.fontManager.ttflist}
    config = SimpleNamespace(ogp_social_cards={"font": "Roboto"})
    cards._set_fonts(None, config)
    assert config.ogp_social_cards == {"font": "Roboto"}
