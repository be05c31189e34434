"""Which examples a split such as "train[:1000]" names, for where TFDS is not there to say it.

The notation is that of https://www.tensorflow.org/datasets/splits, without shards. What TFDS makes of it stands in
`_str_to_relative_instruction` and `_rel_to_abs_instr`:
https://github.com/tensorflow/datasets/blob/v4.9.10/tensorflow_datasets/core/splits.py
"""

import re

BOUND = r"(-?[\d_.]+)(%?)"
PART = re.compile(rf"([\w-]+)(?:\[(?!:\])(?:{BOUND})?:(?:{BOUND})?\])?")


def position(bound, percent, size):
    """Returns the place among `size` examples at which a slice begins or ends.

    Args:
      bound: text, such as "10"; "-10" counts from the end.
      percent: whether it is a share of the examples; halves are rounded to even, as in TFDS.
      size: how many examples there are.

    Raises:
      ValueError: it is no number, or out of reach.
    """
    value, most = (float(bound), 100) if percent else (int(bound), size)
    if abs(value) > most:
        raise ValueError(f"{bound} is beyond {most}{' %' if percent else ' examples'}")
    place = round(value * size / 100) if percent else value
    return place + size if place < 0 else place


def parse(split, sizes):
    """Reads a split.

    Args:
      split: "train", "train[:1000]", "test[10%:20%]", "all", or several of them joined with "+".
      sizes: {name: number of examples}, in the order in which "all" takes them.

    Returns:
      A list of (name, slice), with bounds that are not negative.

    Raises:
      ValueError: there is no such split, or it cannot be sliced so.
    """
    parts = []
    for text in re.split(r"\s*\+\s*", split):
        match = PART.fullmatch(text)
        if text == "all":
            parts += [(name, slice(0, size)) for name, size in sizes.items()]
        elif match and match[1] in sizes:
            name, start, start_unit, stop, stop_unit = match.groups()
            unit, size = start_unit or stop_unit, sizes[name]  # a sign at one of them holds for both
            start = position(start, unit, size) if start else 0
            parts.append((name, slice(start, position(stop, unit, size) if stop else size)))
        else:
            known = ", ".join(sizes)
            raise ValueError(f"no split {text!r} of {known}: see https://www.tensorflow.org/datasets/splits")
    return parts
