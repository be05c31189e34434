"""Pictures of a few pixels; mutations.py changes the figures of the book."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from ci.outputs import pictures


def png(height=100, shape=(320, 640), colour=(31, 119, 180)):
    """A wave of some height, with axes."""
    canvas = np.full((*shape, 3), 255, np.uint8)
    columns = np.arange(60, 600)
    rows = (160 + height * np.sin(columns / 100)).astype(int)
    for thick in range(3):
        canvas[rows + thick, columns] = colour
    canvas[20:300, 58:60] = canvas[298:300, 60:600] = 0
    file = io.BytesIO()
    Image.fromarray(canvas).save(file, format="PNG")
    return base64.b64encode(file.getvalue()).decode()


def test_a_line_that_moved_a_little_and_a_side_shorter_by_a_pixel_are_the_same():
    assert pictures.difference(png(100), png(102)) is None
    assert pictures.difference(png(), png(shape=(319, 640))) is None


def test_another_line_and_another_size_are_named():
    assert "similarity" in pictures.difference(png(100), png(-100))[1]
    assert pictures.difference(png(), png(shape=(330, 640))) == ("640x320 pixels", "640x330 pixels")


def test_data_that_is_not_a_picture_is_an_error():
    with pytest.raises(ValueError, match="not a PNG"):
        pictures.difference(png(), "aGVsbG8=")
