"""List the tags that a cell of a chapter may have; CONTRIBUTING says what each does."""

from ci.execution.compiled import COUNTS

PAIRS = {"without": "with", "linen": "nnx", "pytorch": "jax"}  # two cells, one after the other, shown side by side
TAGS = (
    *PAIRS.keys(),
    *PAIRS.values(),
    "hide-cell",
    "hide-input",
    "hide-output",
    "remove-cell",
    "remove-input",
    "remove-output",
    "raises-exception",
    COUNTS,
)
