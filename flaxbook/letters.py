"""Make printed letters in the shape of digits28, from the fonts that Matplotlib includes.

They serve as a source task for transfer learning: its classes are not digits, and none of it is handwritten. The
fonts are DejaVu (https://dejavu-fonts.github.io), STIX (https://www.stixfonts.org) and Computer Modern, in the folder
`mpl-data/fonts/ttf` of Matplotlib. Each letter is drawn large and reduced to 8x8 pixels. The functions that make
digits28 then enlarge, turn, shear and shift it.
"""

import functools
import string
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from flaxbook import digits28, splits

CLASSES = string.ascii_uppercase
NUM_EXAMPLES = {"train": 12_000, "test": 2_000}
FONTS = (
    *("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSansMono", "DejaVuSansMono-Oblique"),
    *("DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSerif-Italic"),
    *("STIXGeneral", "STIXGeneralBol", "STIXGeneralItalic", "STIXGeneralBolIta"),
    *("cmr10", "cmb10", "cmss10", "cmtt10", "cmmi10"),
)
SEED = 21

_GRID = 8  # pixels of an original, as in scikit-learn's digits
_FINE = 20  # points of the large drawing per pixel of an original


def original(letter: str, font: ImageFont.FreeTypeFont) -> np.ndarray:
    """Draw a letter so that it fills a grid of 8x8 pixels in its longer direction.

    Returns:
      int64 array of shape (8, 8), 0 (paper) to 16 (ink), like the images of scikit-learn's digits.
    """
    paper = Image.new("L", (400, 400))
    ImageDraw.Draw(paper).text((200, 200), letter, font=font, fill=255, anchor="mm")
    glyph = paper.crop(paper.getbbox())
    side = max(glyph.size)
    square = Image.new("L", (side, side))
    square.paste(glyph, ((side - glyph.width) // 2, (side - glyph.height) // 2))
    fine = np.asarray(square.resize((_GRID * _FINE, _GRID * _FINE), Image.Resampling.BILINEAR), np.int64)
    ink = fine.reshape(_GRID, _FINE, _GRID, _FINE).sum(axis=(1, 3))
    return (ink * 16 + 255 * _FINE**2 // 2) // (255 * _FINE**2)


@functools.cache
def originals() -> np.ndarray:
    """Draw all letters in all fonts, once.

    Returns:
      int64 array of shape (26, fonts, 8, 8); shared, so callers must not write into it.
    """
    import matplotlib

    folder = Path(matplotlib.get_data_path(), "fonts", "ttf")
    fonts = [ImageFont.truetype(folder / f"{name}.ttf", 160, layout_engine=ImageFont.Layout.BASIC) for name in FONTS]
    return np.array([[original(letter, font) for font in fonts] for letter in CLASSES])


@functools.cache
def stored(split: str) -> dict[str, np.ndarray]:
    """Make a whole split in memory, once; the result is shared, so callers must not write into it."""
    n = NUM_EXAMPLES[split]
    random = np.random.RandomState([SEED, list(NUM_EXAMPLES).index(split)])
    labels = random.permutation(np.resize(np.arange(len(CLASSES)), n))
    drawn = originals()[labels, random.randint(0, len(FONTS), n)]
    images = digits28.render(drawn, *digits28.draw_affine(random, n))
    return {"image": images, "label": labels.astype(np.int32)}


def load(split: str) -> dict[str, np.ndarray]:
    """Load a split of printed capital letters; "train" and "test" have the same fonts, differently distorted.

    Args:
      split: "train", "test", or a slice, as for `splits.parse`.

    Returns:
      {"image": uint8 array of shape (n, 28, 28, 1), "label": int32 array of shape (n,), 0 (A) to 25 (Z)}.

    Raises:
      ValueError: there is no such split, or it has no examples.
    """
    return splits.load(split, stored, NUM_EXAMPLES)
