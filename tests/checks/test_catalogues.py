import random

import polib
import pytest

from ci.checks import catalogues


@pytest.mark.parametrize(
    "english, translation, left",
    [
        ("First one. The second is longer.", "첫째. 둘째는 더 깁니다.", "첫째. The second is longer."),
        ("B. The second is longer.", "B. 둘째는 더 깁니다.", None),  # an option: nothing else would be translated
        ("Only one sentence.", "한 문장뿐입니다.", None),
    ],
)
def test_a_sentence_is_left_in_english_only_beside_one_that_is_not(english, translation, left):
    entry = polib.POEntry(msgid=english, msgstr=translation)
    assert catalogues.half_copied(entry, random.Random(0)) == left
