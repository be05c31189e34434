"""Compares pictures by their looks: structural similarity, blind to fonts and to the noise of another processor.

What a figure says in words (`flaxbook.plot.describe`) is compared to the letter besides; so this needs only tell that
the picture is there, whole, and the right one.
"""

import base64
import io

import numpy as np
from PIL import Image, ImageFilter
from skimage.metrics import structural_similarity

BLUR = 4  # pixels, standard deviation: wider than what another font moves
INK = 0.02  # how far from white a place must be to count
# Between processors, figures of the book reach 0.93 or more. Blank, mirrored, or shifted or cropped by a tenth, they
# reach 0.6 at most.
ENOUGH = 0.85
SIZE = 0.01  # by how much a side may be longer: labels decide where Matplotlib cuts, and fonts how large they are


def decode(png):
    """Decodes a base64-encoded PNG into floats of shape (height, width, 3) between 0 and 1, blurred, on white.

    Raises:
      ValueError: it is not a picture.
    """
    try:
        image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
    except OSError as error:
        raise ValueError("not a PNG") from error
    white = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(white, image).convert("RGB").filter(ImageFilter.GaussianBlur(BLUR))) / 255


def similarity(expected, got):
    """Mean structural similarity (Wang et al., 2004) of two pictures where either of them is not white.

    Args:
      expected, got: float arrays of shape (height, width, 3), between 0 and 1.

    Returns:
      A float; 1 if they are equal.
    """
    _, everywhere = structural_similarity(
        expected, got, channel_axis=2, data_range=1, gaussian_weights=True, sigma=3, full=True
    )
    ink = np.minimum(expected, got).min(axis=2) < 1 - INK
    return float(everywhere[ink].mean()) if ink.any() else 1.0


def difference(expected, got):
    """Says how two base64-encoded PNGs differ, or returns None if they show the same."""
    if expected == got:
        return None
    expected, got = decode(expected), decode(got)
    height, width, _ = np.minimum(expected.shape, got.shape)
    if any(max(sides) > (1 + SIZE) * min(sides) for sides in zip(expected.shape, got.shape, strict=True)):
        sizes = ("{1}x{0} pixels".format(*picture.shape) for picture in (expected, got))
        return "size\n  expected:  {}\n  got:       {}".format(*sizes)
    expected, got = expected[:height, :width], got[:height, :width]
    if (reached := similarity(expected, got)) < ENOUGH:
        return (
            "looks\n"
            "  expected:  the stored picture\n"
            f"  got:       a picture of structural similarity {reached:.3f}\n"
            f"  tolerance: {ENOUGH} or more"
        )
    return None
