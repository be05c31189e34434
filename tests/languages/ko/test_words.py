import re

import pytest

from ci.languages.ko.words import ENDING


@pytest.mark.parametrize(
    "word, noun",
    [
        ("손실을", "손실"),
        ("평가", "평가"),
        ("에포크에서는", "에포크"),
        ("파이토치랑", "파이토치"),
        ("층", "층"),
        ("키를", "키를"),
    ],
)
def test_a_particle_is_cut_off_if_two_syllables_remain(word, noun):
    assert re.sub(f"(?<=..){ENDING}$", "", word) == noun
