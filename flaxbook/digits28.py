"""Make digits28: handwritten digits in the shape of MNIST, from data that scikit-learn includes.

The originals are the 1,797 8x8 images of the test part of "Optical Recognition of Handwritten Digits"
(Alpaydin & Kaynak, 1998, UCI Machine Learning Repository, https://doi.org/10.24432/C50P49, CC BY 4.0).
They are split into train, validation and test first; only then is each one drawn several times, enlarged and
slightly turned, sheared, scaled and shifted. So no original occurs in two splits.

Everything from the random draws to the pixels is integer arithmetic, so that every machine makes the same bytes.
"""

import functools
import hashlib

import numpy as np

from flaxbook import splits

SIZE = 28
NUM_EXAMPLES = {"train": 12_000, "validation": 2_000, "test": 10_000}
NINTHS = {"validation": slice(0, 1), "test": slice(1, 3)}  # which originals of each class, in a random order
SEED = 20

_ONE = 1 << 12  # fixed-point unit of the source coordinates
_CHUNK = 1_000  # images rendered at a time


def split_originals(labels: np.ndarray) -> dict[str, np.ndarray]:
    """Split the originals by class: of nine, one goes to validation and two to test, the other six to train.

    Args:
      labels: integers of shape (n,), the class of each original.

    Returns:
      {"train": indices, "validation": indices, "test": indices}, each a sorted int64 array; together they are 0..n-1.
    """
    random = np.random.RandomState(SEED)
    members = [random.permutation(np.flatnonzero(labels == label)) for label in np.unique(labels)]
    held_out = {}
    for split, part in NINTHS.items():
        chosen = [own[len(own) * part.start // 9 : len(own) * part.stop // 9] for own in members]
        held_out[split] = np.sort(np.concatenate(chosen))
    train = np.setdiff1d(np.arange(len(labels)), np.concatenate(list(held_out.values())))
    return {"train": train} | held_out


def draw_affine(random: np.random.RandomState, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw `n` small affine maps from the 28x28 image back into the 8x8 one, in fixed point.

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


def render(originals: np.ndarray, matrices: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Render each original through its affine map, with bilinear interpolation in integers.

    Args:
      originals: integers of shape (n, 8, 8), 0 (paper) to 16 (ink).
      matrices: int64 array of shape (n, 2, 2), from `draw_affine`.
      offsets: int64 array of shape (n, 2), from `draw_affine`.

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


def examples(split: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make a whole split in memory.

    Args:
      split: "train", "validation" or "test".

    Returns:
      (images, labels, originals): images of dtype uint8 and shape (n, 28, 28, 1); labels and the indices of their
      originals, both of dtype int64 and shape (n,).
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


def stored_order(split: str) -> np.ndarray:
    """Return the order in which TFDS stores the examples of a split, whose keys are 0..n-1.

    TFDS sorts examples by the MD5 of the name of the split and the key, read as one number:
    https://github.com/tensorflow/datasets/blob/v4.9.10/tensorflow_datasets/core/hashing.py (`Hasher`), and beside it
    shuffle.py (`Shuffler._iter_mem` sorts) and split_builder.py (the name of the split is the `hash_salt`).

    Returns:
      int64 array of shape (n,): the keys of the examples, in their stored order.
    """

    def digest(key: int) -> bytes:
        return hashlib.md5(f"{split}{key}".encode(), usedforsecurity=False).digest()

    return np.array(sorted(range(NUM_EXAMPLES[split]), key=digest), np.int64)


@functools.cache
def stored(split: str) -> dict[str, np.ndarray]:
    """Make a whole split in memory, once, in the order in which TFDS stores it.

    Returns:
      {"image": uint8 array of shape (n, 28, 28, 1), "label": int32 array of shape (n,)}; shared, so
      callers must not write into them.
    """
    images, labels, _ = examples(split)
    order = stored_order(split)
    return {"image": images[order], "label": labels[order].astype(np.int32)}


def load(split: str) -> dict[str, np.ndarray]:
    """Make in memory what `data.load` otherwise reads through TFDS: the same bytes in the same order.

    Args:
      split: "train", "validation", "test", or a slice, as for `splits.parse`.

    Returns:
      {"image": uint8 array of shape (n, 28, 28, 1), "label": int32 array of shape (n,)}.

    Raises:
      ValueError: there is no such split, or it has no examples.
    """
    return splits.load(split, stored, NUM_EXAMPLES)
