"""The tags a cell of a chapter may have."""

PAIRS = {"without": "with", "linen": "nnx", "pytorch": "jax"}  # two cells, one after the other, shown side by side
TAGS = {
    **{first: f"on the left, beside the cell tagged `{second}` that follows" for first, second in PAIRS.items()},
    **{second: f"on the right, beside the cell tagged `{first}` before it" for first, second in PAIRS.items()},
    "hide-cell": "folded away on the page, code and output: the solution of an exercise",
    "hide-input": "its code is folded away on the page, its output is not",
    "hide-output": "its output is folded away on the page, its code is not",
    "remove-cell": "not on the page at all, only in the notebooks",
    "remove-input": "its code is not on the page, its output is",
    "remove-output": "its output is not on the page, its code is",
    "raises-exception": "it may raise, and the error is its output",
}
