"""Load the data set of the chapters: digits28 everywhere, the real MNIST where it can be downloaded."""

import functools
import io
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from flaxbook import digits28, splits

if TYPE_CHECKING:  # TFDS is imported only where data are loaded, and where it can be
    import tensorflow_datasets as tfds

NAMES = ("digits28", "mnist")
MNIST = {"train": ("train", 0, 50_000), "validation": ("train", 50_000, 60_000), "test": ("test", 0, 10_000)}
"""{split: (split of TFDS, first example, the one after the last)}: `mnist` of TFDS has no split for validation."""
IN_MEMORY = "TensorFlow Datasets cannot be used here: digits28 is made in memory, the same images in the same order."


class DatasetUnavailable(RuntimeError):
    """The data set could not be prepared; the message says what to do instead."""


def chosen(name: str | None = None) -> str:
    """Return the name of the data set: `name`, or else `$FLAXBOOK_DATASET`, or else "digits28".

    Raises:
      ValueError: there is no such data set.
    """
    name = name or os.environ.get("FLAXBOOK_DATASET") or NAMES[0]
    if name not in NAMES:
        raise ValueError(f"no data set {name!r}: set FLAXBOOK_DATASET to one of {', '.join(NAMES)}")
    return name


@contextmanager
def unlogged() -> Iterator[None]:
    """Hide log messages, and restore the settings of `logging` afterwards, which absl changes with a message."""
    handlers, disabled = logging.root.handlers[:], logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(disabled)
        logging.root.handlers[:] = handlers


def reason(error: Exception) -> str:
    """Return the type and the first line of an error."""
    return f"{type(error).__name__}: {str(error).strip()[:200]}".splitlines()[0]


@functools.cache
def obstacle() -> str | None:
    """Return one line that says why TFDS cannot be used, or None if it can; the first call imports TFDS.

    In Colab, as of August 2026, TFDS is installed and cannot be imported: https://github.com/tensorflow/metadata/issues/68
    """
    with unlogged():
        try:
            # TFDS only logs the error that stops its own import. The module of its public names raises it.
            import tensorflow_datasets.public_api  # noqa: F401
        except Exception as error:  # the packages that TFDS imports raise errors of any kind
            return reason(error)
    return None


def in_memory(name: str | None = None) -> bool:
    """Return whether `load` makes the data set in memory: digits28, where TFDS cannot be used.

    Raises:
      ValueError: there is no such data set.
    """
    return chosen(name) == "digits28" and obstacle() is not None


@functools.cache
def say_in_memory() -> None:
    """Print once that the data set is made in memory."""
    print(IN_MEMORY, file=sys.stderr)


def builder(name: str | None = None) -> "tfds.core.DatasetBuilder":
    """Return the prepared TFDS builder of a data set; the first call prepares it.

    Args:
      name: "digits28" or "mnist"; default `$FLAXBOOK_DATASET`, else "digits28". MNIST is downloaded, and TFDS
        needs TensorFlow to prepare it.

    Raises:
      ValueError: there is no such data set.
      DatasetUnavailable: TFDS cannot be used, its folder cannot be written, or MNIST could not be prepared.
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

        try:
            return tfds_digits28.prepare()
        except OSError as error:
            raise DatasetUnavailable(
                f"digits28 cannot be stored ({reason(error)}): set TFDS_DATA_DIR to a folder that can be written"
            ) from error
    import tensorflow_datasets as tfds

    try:
        mnist = tfds.builder("mnist", file_format="array_record")
        mnist.download_and_prepare()
    except Exception as error:  # TFDS passes on errors of any kind from its network library or TensorFlow
        raise DatasetUnavailable(
            f"MNIST could not be prepared ({reason(error)}). To go back to the data set that needs no download, "
            "unset FLAXBOOK_DATASET. To try again: TFDS needs a network and TensorFlow (pip install tensorflow)."
        ) from None
    return mnist


def load(split: str, name: str | None = None, *, flat: bool = False) -> dict[str, np.ndarray]:
    """Load a whole split into memory, in the order in which TFDS stores it (already shuffled).

    The splits are for training, for choosing and for the final test. No two share an example or, in digits28, a
    drawing from which examples are made. Where TFDS cannot be used, digits28 is made in memory, and a line on stderr
    says so.

    Args:
      split: "train", "validation", "test", or a TFDS slice of one, such as "train[:1000]".
      name: as for `builder`.
      flat: whether each image is a row of pixels from 0 to 1, as a dense network takes it.

    Returns:
      {"image": uint8 array of shape (n, 28, 28, 1), "label": int32 array of shape (n,)}; if `flat`, the images are a
      float32 array of shape (n, 784).

    Raises:
      ValueError: there is no such data set or no such split, or the split has no examples.
      DatasetUnavailable: as for `builder`.
    """
    examples = stored(split, name)
    if not flat:
        return examples
    return examples | {"image": examples["image"].reshape(-1, 28 * 28) / np.float32(255)}


def stored(split: str, name: str | None) -> dict[str, np.ndarray]:
    """Return a split as TFDS stores it, for `load`."""
    if in_memory(name):
        say_in_memory()
        return digits28.load(split)
    prepared = builder(name)
    if isinstance(split, str):  # not an instruction of TFDS
        split = instruction(split, prepared.name)
    from tensorflow_datasets import decode

    # If TFDS decoded the images, it would print for every split that the reader should install OpenCV.
    source = prepared.as_data_source(split, decoders={"image": decode.SkipDecoding()})
    rows = source.__getitems__(range(len(source)))
    images = np.stack([np.asarray(Image.open(io.BytesIO(row["image"]))) for row in rows])[..., None]
    return {"image": images, "label": np.array([row["label"] for row in rows], np.int32)}


def instruction(split: str, name: str) -> str:
    """Return the name that a split of `load` has for the builder of a data set.

    Raises:
      ValueError: there is no such split, or it has no examples.
    """
    known = MNIST if name == "mnist" else {own: (own, 0, size) for own, size in digits28.NUM_EXAMPLES.items()}
    parts = splits.parse(split, {own: stop - start for own, (_, start, stop) in known.items()})
    splits.refuse_empty(split, sum(part.stop - part.start for _, part in parts))
    places = [(known[own], part) for own, part in parts if part.stop > part.start]
    return "+".join(f"{own}[{first + part.start}:{first + part.stop}]" for (own, first, _), part in places)


def count(dataset: Mapping[str, np.ndarray], batch_size: int) -> int:
    """Return the number of examples of a dataset.

    Args:
      dataset: arrays of numbers whose first dimension is the examples, by name.
      batch_size: number of examples per batch.

    Raises:
      ValueError: there is no array, one holds no numbers, their lengths differ, or the batch size is not at least 1.
    """
    if not (isinstance(batch_size, int | np.integer) and batch_size > 0):
        raise ValueError(f"the batch size is {batch_size!r}: write a whole number of at least 1")
    for name, values in dataset.items():
        kind = getattr(values, "dtype", None)
        if kind is None or kind.kind not in "biufcV":  # V: bfloat16 and the other types of ml_dtypes
            held = kind or type(values).__name__
            raise ValueError(f"{name!r} is of {held}: give an array of numbers, or leave it out")
    shapes = {name: values.shape for name, values in dataset.items()}
    lengths = {shape[:1] for shape in shapes.values()}
    if len(lengths) != 1 or () in lengths:
        raise ValueError(f"give at least one array, and all with the examples as first dimension; shapes: {shapes}")
    return lengths.pop()[0]


def batches(
    dataset: Mapping[str, np.ndarray],
    batch_size: int,
    *,
    seed: int | tuple[int, ...] | None = None,
    drop_remainder: bool = False,
) -> Iterator[dict[str, np.ndarray]]:
    """Yield the batches of one epoch.

    Args:
      dataset: arrays whose first dimension is the n examples, by name.
      batch_size: number of examples per batch; the last batch may be shorter.
      seed: determines the order of the examples, such as (SEED, epoch); by default they are not shuffled.
      drop_remainder: whether to omit a short last batch.

    Yields:
      Dictionaries with the same keys, of at most `batch_size` examples.

    Raises:
      ValueError: as for `count`.
    """
    n = count(dataset, batch_size)
    order = np.arange(n) if seed is None else np.random.default_rng(seed).permutation(n)
    stop = n - n % batch_size if drop_remainder else n
    for start in range(0, stop, batch_size):
        rows = order[start : start + batch_size]
        yield {key: values[rows] for key, values in dataset.items()}


def full_batches(dataset: Mapping[str, np.ndarray], batch_size: int) -> int:
    """Return how many full batches an epoch has, at least 1.

    Raises:
      ValueError: as for `count`, or a batch has more examples than there are.
    """
    n = count(dataset, batch_size)
    if n < batch_size:
        raise ValueError(f"there are {n} examples, and a batch has {batch_size}: take smaller batches")
    return n // batch_size
