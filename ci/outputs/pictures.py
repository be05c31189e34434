"""Compare pictures by structural similarity, on which other fonts and processors have little effect.

The description of a figure (`flaxbook.plot.describe`) is compared exactly, so this comparison only has to notice a
picture that is missing, incomplete or another one.
"""

import base64
import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from skimage.metrics import structural_similarity

BLUR = 4  # pixels, standard deviation: more than another font shifts any part of a picture
INK = 0.02  # pixels count if they are at least this much darker than white
# The lowest similarity of pictures that count as the same. Between processors, the figures of the book reach 0.93 or
# more. A blank figure reaches 0.6 at most, and one that is mirrored, shifted or cropped by a tenth 0.82. Only a
# diagram of boxes in a symmetric layout passes when it is mirrored or upside down, since the blur removes its labels.
ENOUGH = 0.85
SIZE = 0.01  # tolerated relative difference of the sides: Matplotlib crops by labels, whose size depends on the font


def decode(png: str) -> NDArray[np.float64]:
    """Decode a base64 PNG to a blurred array (height, width, 3) in [0, 1] on white; raise ValueError if it is none."""
    try:
        image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
    except OSError as error:
        raise ValueError("not a PNG") from error
    white = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(white, image).convert("RGB").filter(ImageFilter.GaussianBlur(BLUR))) / 255


def _similarity(expected: NDArray[np.float64], got: NDArray[np.float64]) -> float:
    """Return the mean structural similarity (Wang et al., 2004) of the pixels where either picture is not white."""
    _, everywhere = structural_similarity(
        expected, got, channel_axis=2, data_range=1, gaussian_weights=True, sigma=3, full=True
    )
    ink = np.minimum(expected, got).min(axis=2) < 1 - INK
    return float(everywhere[ink].mean()) if ink.any() else 1.0


def difference(expected: str, got: str) -> tuple[str, str] | None:
    """Return what was expected and what was found if two base64-encoded PNGs differ, or None if they look the same."""
    if expected == got:
        return None
    stored, fresh = decode(expected), decode(got)
    height, width, _ = np.minimum(stored.shape, fresh.shape)
    if any(max(sides) > (1 + SIZE) * min(sides) for sides in zip(stored.shape, fresh.shape, strict=True)):
        return "{1}x{0} pixels".format(*stored.shape), "{1}x{0} pixels".format(*fresh.shape)
    reached = _similarity(stored[:height, :width], fresh[:height, :width])
    if reached < ENOUGH:
        return f"the stored picture, or one of similarity {ENOUGH}", f"a picture of similarity {reached:.3f}"
    return None
