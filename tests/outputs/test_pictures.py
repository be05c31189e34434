import base64
import io

import numpy as np
import pytest
from PIL import Image

from ci.outputs import pictures


def png(draw, shape=(320, 640)):
    canvas = np.full((*shape, 3), 255, np.uint8)
    draw(canvas)
    file = io.BytesIO()
    Image.fromarray(canvas).save(file, format="PNG")
    return base64.b64encode(file.getvalue()).decode()


def figure(height=100, left=60, colour=(31, 119, 180)):
    """An axis with ticks, and a wave."""

    def draw(canvas):
        columns = np.arange(left, 600)
        rows = (160 + height * np.sin(columns / 100)).astype(int)
        for thick in range(3):
            canvas[rows + thick, columns] = colour
        canvas[20:300, left - 2 : left] = 0
        canvas[298:300, left:600] = 0
        for tick in range(left, 600, 60):
            canvas[302:312, tick : tick + 6] = 0

    return draw


def test_a_line_that_moved_a_little_shows_the_same():
    assert pictures.difference(png(figure(100)), png(figure(102))) is None


@pytest.mark.parametrize(
    "other",
    [lambda canvas: None, figure(-100), figure(100, left=120)],
    ids=["blank", "another line", "shifted"],
)
def test_another_picture_is_found(other):
    assert "structural similarity" in pictures.difference(png(figure()), png(other))


def test_a_picture_that_another_font_makes_a_pixel_smaller_passes():
    whole = Image.open(io.BytesIO(base64.b64decode(png(figure()))))
    file = io.BytesIO()
    whole.crop((0, 0, whole.width, whole.height - 1)).save(file, format="PNG")
    assert pictures.difference(png(figure()), base64.b64encode(file.getvalue()).decode()) is None


def test_a_picture_of_another_size_is_found():
    assert "640x320 pixels" in pictures.difference(png(figure()), png(figure(), (330, 640)))


def test_what_is_no_picture_is_found():
    with pytest.raises(ValueError, match="not a PNG"):
        pictures.difference(png(figure()), "aGVsbG8=")
