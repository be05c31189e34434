"""digits28 as a data set of TFDS, in a module of its own: it is imported only where TFDS can be."""

import io
import shutil
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import tensorflow_datasets as tfds
from absl import logging
from filelock import FileLock
from PIL import Image

from flaxbook import digits28


class Digits28(tfds.core.GeneratorBasedBuilder):
    """TFDS builder of digits28: features and splits as those of `mnist`, with fewer training examples."""

    name = "digits28"
    VERSION = tfds.core.Version("1.0.0")
    RELEASE_NOTES = {"1.0.0": "First version."}

    def _info(self):
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

    def _split_generators(self, dl_manager):
        return {split: self._generate_examples(split) for split in digits28.NUM_EXAMPLES}

    def _generate_examples(self, split):
        images, labels, _ = digits28.examples(split)
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
