"""Parse names of splits such as "train[:1000]" without TFDS.

The notation is that of https://www.tensorflow.org/datasets/splits, without shards. TFDS implements it in
`_str_to_relative_instruction` and `_rel_to_abs_instr`:
https://github.com/tensorflow/datasets/blob/v4.9.10/tensorflow_datasets/core/splits.py
"""

import re
from collections.abc import Callable

import numpy as np

BOUND = r"(-?[\d_.]+)(%?)"
PART = re.compile(rf"([\w-]+)(?:\[(?!:\])(?:{BOUND})?:(?:{BOUND})?\])?")


def position(bound: str, percent: bool, size: int) -> int:
    """Return the index among `size` examples at which a slice begins or ends.

    Args:
      bound: text, such as "10"; "-10" counts from the end.
      percent: whether the bound is a percentage of the examples; halves are rounded to even, as in TFDS.
      size: number of examples.

    Raises:
      ValueError: the bound is not a number, or it is out of range.
    """
    value, largest = (float(bound), 100) if percent else (int(bound), size)
    if abs(value) > largest:
        raise ValueError(f"{bound} is beyond {largest}{' %' if percent else ' examples'}")
    index = round(value * size / 100) if percent else int(value)
    return index + size if index < 0 else index


def parse(split: str, sizes: dict[str, int]) -> list[tuple[str, slice]]:
    """Parse the name of a split.

    Args:
      split: "train", "train[:1000]", "test[10%:20%]", "all", or several of these joined with "+".
      sizes: the number of examples of each split, in the order in which "all" joins them.

    Returns:
      A list of (name of a split, slice with bounds that are not negative).

    Raises:
      ValueError: there is no such split, or the slice is not valid.
    """
    parts: list[tuple[str, slice]] = []
    for text in re.split(r"\s*\+\s*", split):
        match = PART.fullmatch(text)
        if text == "all":
            parts += [(name, slice(0, size)) for name, size in sizes.items()]
        elif match and match[1] in sizes:
            name, start, start_unit, stop, stop_unit = match.groups()
            percent, size = bool(start_unit or stop_unit), sizes[name]  # a % at one bound holds for both
            first = position(start, percent, size) if start else 0
            parts.append((name, slice(first, position(stop, percent, size) if stop else size)))
        else:
            known = ", ".join(sizes)
            raise ValueError(f"no split {text!r} of {known}: see https://www.tensorflow.org/datasets/splits")
    return parts


def load(split: str, stored: Callable[[str], dict[str, np.ndarray]], sizes: dict[str, int]) -> dict[str, np.ndarray]:
    """Cut a split out of whole splits in memory.

    Args:
      split: as for `parse`.
      stored: gives the arrays of a whole split by the name of the split.
      sizes: as for `parse`.

    Returns:
      New arrays with the names of those of `stored`.

    Raises:
      ValueError: there is no such split, or it has no examples.
    """
    parts = [{key: values[where] for key, values in stored(name).items()} for name, where in parse(split, sizes)]
    loaded = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    refuse_empty(split, len(next(iter(loaded.values()))))
    return loaded


def refuse_empty(split: str, examples: int) -> None:
    """Raise ValueError if a split has no examples, given how many it has."""
    if not examples:
        raise ValueError(f"there is no example in {split!r}")
