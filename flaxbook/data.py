"""The data set of the chapters: digits28 everywhere, real MNIST where it can be downloaded."""

import functools
import io
import logging
import os
import sys
from contextlib import contextmanager

import numpy as np
from PIL import Image

from flaxbook import digits28

NAMES = ("digits28", "mnist")
IN_MEMORY = "TensorFlow Datasets cannot be used here: digits28 is made in memory, the same images in the same order."


class DatasetUnavailable(RuntimeError):
    """The data set could not be prepared; the message says what to do instead."""


def chosen(name=None):
    """Returns the name of the data set: `name`, or else `$FLAXBOOK_DATASET`, or else "digits28".

    Raises:
      ValueError: there is no such data set.
    """
    name = name or os.environ.get("FLAXBOOK_DATASET") or NAMES[0]
    if name not in NAMES:
        raise ValueError(f"no data set {name!r}: set FLAXBOOK_DATASET to one of {', '.join(NAMES)}")
    return name


@contextmanager
def unlogged():
    """Keeps what is logged from the reader, and logging as it was: absl sets it up with its first message."""
    handlers, disabled = logging.root.handlers[:], logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(disabled)
        logging.root.handlers[:] = handlers


def reason(error):
    """An error on one line."""
    return f"{type(error).__name__}: {str(error).strip()[:200]}".splitlines()[0]


@functools.cache
def obstacle():
    """Says on one line why TFDS cannot be used, or returns None; the first call imports it.

    In Colab, as of August 2026, TFDS is there and cannot be imported: https://github.com/tensorflow/metadata/issues/68
    """
    with unlogged():
        try:
            # TFDS only logs what stops its own import. The module it takes its names from raises it.
            import tensorflow_datasets.public_api  # noqa: F401
        except Exception as error:  # whatever the packages below TFDS raise
            return reason(error)
    return None


def in_memory(name=None):
    """Whether `load` makes a data set in memory: digits28, where TFDS cannot be used.

    Raises:
      ValueError: there is no such data set.
    """
    return chosen(name) == "digits28" and obstacle() is not None


@functools.cache
def say_in_memory():
    """Tells the reader, once."""
    print(IN_MEMORY, file=sys.stderr)


def builder(name=None):
    """Returns the prepared TFDS builder of a data set; the first call prepares it.

    Args:
      name: "digits28" or "mnist"; default `$FLAXBOOK_DATASET`, else "digits28". MNIST is downloaded, and TFDS
        needs TensorFlow to prepare it.

    Raises:
      ValueError: there is no such data set.
      DatasetUnavailable: TFDS cannot be used, or MNIST could not be downloaded or prepared.
    """
    name = chosen(name)
    if in_memory(name):
        raise DatasetUnavailable(f"{IN_MEMORY} It has no builder: use data.load ({obstacle()}).")
    if obstacle():
        raise DatasetUnavailable(
            f"MNIST needs TensorFlow Datasets, which cannot be used here ({obstacle()}). "
            "To go back to the data set that does without, unset FLAXBOOK_DATASET."
        )
    if name == "digits28":
        from flaxbook import tfds_digits28

        return tfds_digits28.prepare()
    import tensorflow_datasets as tfds

    try:
        mnist = tfds.builder("mnist", file_format="array_record")
        mnist.download_and_prepare()
    except Exception as error:  # TFDS passes on whatever its network library or TensorFlow raises
        raise DatasetUnavailable(
            f"MNIST could not be prepared ({reason(error)}). To go back to the data set that needs no download, "
            "unset FLAXBOOK_DATASET. To try again: TFDS needs a network and TensorFlow (pip install tensorflow)."
        ) from None
    return mnist


def load(split, name=None, *, flat=False):
    """Loads a whole split into memory, in the order in which TFDS stores it (already shuffled).

    Where TFDS cannot be used, digits28 is made in memory, and a line on stderr says so.

    Args:
      split: "train", "test", or a TFDS slice of one, such as "train[:1000]".
      name: as for `builder`.
      flat: the pixels of an image in a row, from 0 to 1, as a dense network takes them.

    Returns:
      {"image": uint8 array of shape (n, 28, 28, 1), "label": int32 array of shape (n,)}; if `flat`, the images are a
      float32 array of shape (n, 784).

    Raises:
      ValueError: there is no such data set, no such split, or no example in it.
      DatasetUnavailable: as for `builder`.
    """
    examples = stored(split, name)
    if not flat:
        return examples
    return examples | {"image": examples["image"].reshape(-1, 28 * 28) / np.float32(255)}


def stored(split, name):
    """A split as TFDS stores it, for `load`."""
    if in_memory(name):
        say_in_memory()
        return digits28.load(split)
    prepared = builder(name)
    from tensorflow_datasets import decode

    # Decoding here spares the reader TFDS's advice, printed for every split, to install OpenCV.
    source = prepared.as_data_source(split, decoders={"image": decode.SkipDecoding()})
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
