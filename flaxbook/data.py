"""The data set of the chapters: digits28 everywhere, real MNIST where it can be downloaded."""

import io
import os

import numpy as np
import tensorflow_datasets as tfds
from PIL import Image

from flaxbook import digits28

NAMES = ("digits28", "mnist")


class DatasetUnavailable(RuntimeError):
    """The data set could not be prepared; the message says what to do instead."""


def builder(name=None):
    """Returns the prepared TFDS builder of a data set; the first call prepares it.

    Args:
      name: "digits28" or "mnist"; default `$FLAXBOOK_DATASET`, else "digits28". MNIST is downloaded, and TFDS
        needs TensorFlow to prepare it.

    Raises:
      ValueError: there is no such data set.
      DatasetUnavailable: MNIST could not be downloaded or prepared.
    """
    name = name or os.environ.get("FLAXBOOK_DATASET") or NAMES[0]
    if name not in NAMES:
        raise ValueError(f"no data set {name!r}: set FLAXBOOK_DATASET to one of {', '.join(NAMES)}")
    if name == "digits28":
        return digits28.prepare()
    try:
        mnist = tfds.builder("mnist", file_format="array_record")
        mnist.download_and_prepare()
    except Exception as error:  # TFDS passes on whatever its network library or TensorFlow raises
        reason = f"{type(error).__name__}: {str(error).strip()[:200]}".splitlines()[0]
        raise DatasetUnavailable(
            f"MNIST could not be prepared ({reason}). To go back to the data set that needs no download, "
            "unset FLAXBOOK_DATASET. To try again: TFDS needs a network and TensorFlow (pip install tensorflow)."
        ) from None
    return mnist


def load(split, name=None):
    """Loads a whole split into memory, in the order in which TFDS stores it (already shuffled).

    Args:
      split: "train", "test", or a TFDS slice of one, such as "train[:1000]".
      name: as for `builder`.

    Returns:
      {"image": uint8 array of shape (n, 28, 28, 1), "label": int32 array of shape (n,)}.
    """
    # Decoding here spares the reader TFDS's advice, printed for every split, to install OpenCV.
    source = builder(name).as_data_source(split, decoders={"image": tfds.decode.SkipDecoding()})
    rows = source.__getitems__(range(len(source)))
    images = np.stack([np.asarray(Image.open(io.BytesIO(row["image"]))) for row in rows])[..., None]
    return {"image": images, "label": np.array([row["label"] for row in rows], np.int32)}


def batches(dataset, batch_size, *, seed=None, drop_remainder=False):
    """Yields the batches of one epoch.

    Args:
      dataset: dictionary of arrays with one leading dimension of n examples.
      batch_size: examples per batch; the last batch may be shorter.
      seed: an int or a tuple of ints, such as (SEED, epoch), to shuffle by; default: in order.
      drop_remainder: leave the short last batch out.

    Yields:
      Dictionaries with the same keys, of at most `batch_size` examples.
    """
    n = len(next(iter(dataset.values())))
    order = np.arange(n) if seed is None else np.random.default_rng(seed).permutation(n)
    stop = n - n % batch_size if drop_remainder else n
    for start in range(0, stop, batch_size):
        chosen = order[start : start + batch_size]
        yield {key: values[chosen] for key, values in dataset.items()}
