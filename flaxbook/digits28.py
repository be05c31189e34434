"""digits28: handwritten digits in the shape of MNIST, made from data that scikit-learn ships.

The originals are the 1,797 8x8 images of the test part of "Optical Recognition of Handwritten Digits"
(Alpaydin & Kaynak, 1998, UCI Machine Learning Repository, https://doi.org/10.24432/C50P49, CC BY 4.0).
They are split into train and test first; only then is each one drawn several times, enlarged and slightly
turned, sheared, scaled and shifted. So no original stands on both sides.

Everything from the random draws to the pixels is integer arithmetic, so that every machine makes the same bytes.
"""

import io
import shutil
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import tensorflow_datasets as tfds
from absl import logging
from filelock import FileLock
from PIL import Image

SIZE = 28
NUM_EXAMPLES = {"train": 12_000, "test": 10_000}
TEST_SHARE = 3  # one original in three goes to the test split
SEED = 20

_ONE = 1 << 12  # fixed-point unit of the source coordinates
_CHUNK = 1_000  # images rendered at a time


def split_originals(labels):
    """Splits the originals by class: one in `TEST_SHARE` of each class for test, the others for train.

    Args:
      labels: integers of shape (n,), the class of each original.

    Returns:
      {"train": indices, "test": indices}, each a sorted int64 array; together they are 0..n-1.
    """
    random = np.random.RandomState(SEED)
    test = []
    for label in np.unique(labels):
        members = random.permutation(np.flatnonzero(labels == label))
        test.extend(members[: len(members) // TEST_SHARE])
    test = np.sort(np.array(test))
    return {"train": np.setdiff1d(np.arange(len(labels)), test), "test": test}


def draw_affine(random, n):
    """Draws `n` small affine maps from the 28x28 image back into the 8x8 one, in fixed point.

    Returns:
      int64 arrays: matrices of shape (n, 2, 2) and offsets of shape (n, 2), in 1/4096 of a source pixel. The digit
      is enlarged 2.5 times (as in MNIST, it fills a 20x20 box), then scaled by up to 12 %, turned or sheared by
      up to 0.2 (about 11 degrees) and shifted by up to 2 target pixels.
    """
    scale = _ONE * 2 // 5
    matrices = np.stack(
        [
            scale + random.randint(-scale // 8, scale // 8 + 1, n),
            random.randint(-scale // 5, scale // 5 + 1, n),
            random.randint(-scale // 5, scale // 5 + 1, n),
            scale + random.randint(-scale // 8, scale // 8 + 1, n),
        ],
        axis=-1,
    ).reshape(n, 2, 2)
    offsets = random.randint(-2 * scale, 2 * scale + 1, (n, 2))
    return matrices.astype(np.int64), offsets.astype(np.int64)


def render(originals, matrices, offsets):
    """Draws each original through its affine map, with bilinear interpolation in integers.

    Args:
      originals: integers of shape (n, 8, 8), 0 (paper) to 16 (ink).
      matrices, offsets: as `draw_affine` returns them.

    Returns:
      uint8 array of shape (n, 28, 28, 1), 0 (paper) to 255 (ink).
    """
    target = 2 * np.indices((SIZE, SIZE)).reshape(2, -1) - (SIZE - 1)  # doubled, so that the centre is whole
    source = (matrices @ target + 7 * _ONE) // 2 + offsets[:, :, None]  # 7/2 is the centre of 0..7
    whole, part = source // _ONE, source % _ONE
    padded = np.pad(originals.astype(np.int64), ((0, 0), (1, 2), (1, 2)))
    index = np.arange(len(originals))[:, None]
    ink = np.zeros((len(originals), SIZE * SIZE), np.int64)
    for down in (0, 1):
        for right in (0, 1):
            row = np.clip(whole[:, 0] + down, -1, 8) + 1
            column = np.clip(whole[:, 1] + right, -1, 8) + 1
            weight = (part[:, 0] if down else _ONE - part[:, 0]) * (part[:, 1] if right else _ONE - part[:, 1])
            ink += padded[index, row, column] * weight
    gray = ink * 255 // (16 * _ONE * _ONE)
    gray = np.clip(2 * gray - 96, 0, 255)  # a pen's edge is sharper than the enlarged grid
    return gray.astype(np.uint8).reshape(-1, SIZE, SIZE, 1)


def examples(split):
    """Makes a whole split in memory.

    Returns:
      (images, labels, originals): uint8 (n, 28, 28, 1), int64 (n,), and int64 (n,), each one's original.
    """
    from sklearn.datasets import load_digits

    digits = load_digits()
    own = split_originals(digits.target)[split]
    n = NUM_EXAMPLES[split]
    random = np.random.RandomState([SEED, list(NUM_EXAMPLES).index(split)])
    chosen = random.permutation(np.resize(own, n))
    matrices, offsets = draw_affine(random, n)
    images = np.concatenate(
        [
            render(digits.images[chosen[part]].astype(np.int64), matrices[part], offsets[part])
            for part in (slice(start, start + _CHUNK) for start in range(0, n, _CHUNK))
        ]
    )
    return images, digits.target[chosen].astype(np.int64), chosen


class Digits28(tfds.core.GeneratorBasedBuilder):
    """TFDS builder of digits28: features and splits as those of `mnist`, with fewer training examples."""

    name = "digits28"
    VERSION = tfds.core.Version("1.0.0")
    RELEASE_NOTES = {"1.0.0": "First version."}

    def _info(self):
        return tfds.core.DatasetInfo(
            builder=self,
            description=__doc__,
            features=tfds.features.FeaturesDict(
                {
                    "image": tfds.features.Image(shape=(SIZE, SIZE, 1)),
                    "label": tfds.features.ClassLabel(num_classes=10),
                }
            ),
            supervised_keys=("image", "label"),
            homepage="https://doi.org/10.24432/C50P49",
        )

    def _split_generators(self, dl_manager):
        return {split: self._generate_examples(split) for split in NUM_EXAMPLES}

    def _generate_examples(self, split):
        images, labels, _ = examples(split)
        for i, (image, label) in enumerate(zip(images, labels, strict=True)):
            # Given an encoded file, TFDS has no need of TensorFlow, which takes ten seconds to import.
            png = io.BytesIO()
            Image.fromarray(image[..., 0]).save(png, format="PNG")
            png.seek(0)
            yield i, {"image": png, "label": label}


def prepare(data_dir=None):
    """Prepares digits28 once; safe to interrupt, and to call from several processes at once.

    Args:
      data_dir: where TFDS keeps its data; default `$TFDS_DATA_DIR` or `~/tensorflow_datasets`.

    Returns:
      The prepared builder, ready for `as_data_source`.

    Raises:
      OSError: the folder cannot be written, or the disk is full.
    """
    with quiet():
        builder = Digits28(data_dir=data_dir, file_format="array_record")
        if builder.is_prepared():
            return builder
        folder = Path(builder.data_dir).parent
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "prepare.lock"):
            # Only the holder of the lock prepares, so what another one left half-made has no owner.
            for left in folder.glob(f"incomplete.*_{builder.version}"):
                shutil.rmtree(left)
            builder = Digits28(data_dir=data_dir, file_format="array_record")
            if not builder.is_prepared():
                builder.download_and_prepare()
    return builder


@contextmanager
def quiet():
    """Keeps the progress bars and advice of TFDS out of the outputs of whichever cell comes first."""
    verbosity = logging.get_verbosity()
    logging.set_verbosity(logging.ERROR)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.set_verbosity(verbosity)
