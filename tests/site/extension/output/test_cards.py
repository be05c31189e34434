"""The cards that other sites show for a page."""

import pytest
from matplotlib.font_manager import FontProperties
from rich.cells import cell_len

from ci.book import here
from ci.site.extension.output import cards

FONTS = here().config["sphinx"]["config"]["ogp_social_cards"]["font"]


class Text:
    """As much of Matplotlib's text as a card needs."""

    def get_fontproperties(self):
        return FontProperties(family=FONTS, weight="bold")

    def set_text(self, text):
        self.text = text


@pytest.fixture(scope="module")
def title():
    cards.add_fonts()
    lines = cards.Lines(Text(), cards.TITLE)
    lines.english = "Dropout"
    return lines


@pytest.mark.parametrize("text", ["드롭아웃", "Régularisation", "Исключение", "バッチ正規化"])
def test_what_the_fonts_have_is_written(title, text):
    title.set_text(text)
    assert title.text.text == text


@pytest.mark.parametrize("text", ["学習", "\N{DEVANAGARI LETTER A}"])
def test_what_no_font_has_gives_way_to_the_english(title, text):
    title.set_text(text)
    assert title.text.text == "Dropout"


def test_a_title_without_spaces_is_cut_into_lines_of_the_width_of_the_card():
    title = "ドロップアウトとJAX、そしてバッチのスケジュール"
    rows = cards.fitted(title, 20, 3).split("\n")
    assert "".join(rows) == title and len(rows) == 3
    assert all(cell_len(row) <= 20 for row in rows)


def test_a_title_longer_than_the_card_ends_in_dots():
    assert cards.fitted("あ" * 30, 20, 2) == f"{'あ' * 10}\n{'あ' * 10}…"


@pytest.mark.parametrize("title", ["전체 데이터셋에서 평가하기", "Transfer learning", ""])
def test_a_title_with_spaces_is_left_to_matplotlib(title):
    assert cards.fitted(title, *cards.TITLE) == title


def test_the_pages_of_the_book_have_an_english_title():
    for page in here().pages:
        assert cards.HEADING.search(here().source(page).read_text(encoding="utf-8"))
