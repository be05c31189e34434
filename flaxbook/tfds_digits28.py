"""Provide digits28 as a data set of TFDS, in a module that is imported only where TFDS can be used."""

import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from logging import root
from pathlib import Path
from typing import Any

import tensorflow_datasets as tfds
from absl import logging
from filelock import FileLock
from PIL import Image

from flaxbook import digits28


class Digits28(tfds.core.GeneratorBasedBuilder):
    """TFDS builder of digits28, with the features of `mnist`, fewer training examples and a split for validation."""

    name = "digits28"
    VERSION = tfds.core.Version("2.0.0")
    RELEASE_NOTES = {"2.0.0": "A split for validation. No two splits share an original."}

    def _info(self) -> "tfds.core.DatasetInfo":
        return tfds.core.DatasetInfo(
            builder=self,
            description=digits28.__doc__,
            features=tfds.features.FeaturesDict(
                {
                    "image": tfds.features.Image(shape=(digits28.SIZE, digits28.SIZE, 1)),
                    "label": tfds.features.ClassLabel(num_classes=10),
                }
            ),
            supervised_keys=("image", "label"),
            homepage="https://doi.org/10.24432/C50P49",
        )

    def _split_generators(self, dl_manager: Any) -> dict[str, Iterator[tuple[int, dict]]]:
        return {split: self._generate_examples(split) for split in digits28.NUM_EXAMPLES}

    def _generate_examples(self, split: str) -> Iterator[tuple[int, dict]]:
        images, labels, _ = digits28.examples(split)
        for i, (image, label) in enumerate(zip(images, labels, strict=True)):
            # TFDS does not need TensorFlow, which takes ten seconds to import, if the image is encoded already.
            png = io.BytesIO()
            Image.fromarray(image[..., 0]).save(png, format="PNG")
            png.seek(0)
            yield i, {"image": png, "label": label}


def prepare(data_dir: str | Path | None = None) -> Digits28:
    """Prepare digits28 once; safe to interrupt, and to call from several processes at once.

    Args:
      data_dir: the folder in which TFDS keeps its data; default `$TFDS_DATA_DIR` or `~/tensorflow_datasets`.

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
            # Only the holder of the lock prepares, so no other process still uses an incomplete folder.
            for left in folder.glob(f"incomplete.*_{builder.version}"):
                shutil.rmtree(left)
            builder = Digits28(data_dir=data_dir, file_format="array_record")
            if not builder.is_prepared():
                builder.download_and_prepare()
    return builder


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the progress bars and advice of TFDS out of the output of the cell that loads data first."""
    verbosity, handlers = logging.get_verbosity(), root.handlers[:]
    logging.set_verbosity(logging.ERROR)
    tfds.disable_progress_bar()  # widgets in a notebook, which are no text on stderr
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield
    finally:
        tfds.enable_progress_bar()
        logging.set_verbosity(verbosity)
        root.handlers[:] = handlers  # a handler that was added inside writes into the discarded text
