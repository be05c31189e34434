"""Names of libraries in code: only imports decide what a name is."""

import pytest

from ci.site.extension.cells.api_links import Use, uses

NUMPY = "import numpy as np\n"
SPEC = "jax.sharding.PartitionSpec"


def found(*cells):
    """For each cell: {what is written there: the full name}."""
    return [{use.written: use.name for use in cell} for cell in uses(cells)]


@pytest.mark.parametrize(
    "code, names",
    [
        ("import jax.numpy as jnp\njnp.mean(x)", {"jax.numpy": "jax.numpy", "jnp.mean": "jax.numpy.mean"}),
        ("import jax.numpy\njax.jit(f)", {"jax.numpy": "jax.numpy", "jax.jit": "jax.jit"}),
        ("from jax import lax as l\nl.scan", {"lax": "jax.lax", "l.scan": "jax.lax.scan"}),
        ("from jax.sharding import PartitionSpec as P\nP(None)", {"PartitionSpec": SPEC, "P": SPEC}),
        (
            "import flax.linen as nn\nnn.Dense(2)(x).sum()",
            {"flax.linen": "flax.linen", "nn.Dense": "flax.linen.Dense"},
        ),
        ("from os import *\npath", {"*": "os.*"}),
        ("@jax.jit\ndef f(x: jnp.ndarray): ...", {}),
        (NUMPY + "print('np.mean')  # np.mean\nf(np=1)\ndata.np.mean()", {"numpy": "numpy"}),
    ],
)
def test_imports_decide_what_a_name_is(code, names):
    assert found(code) == [names]


def test_a_name_is_known_in_all_cells_after_its_import():
    assert found(NUMPY, "np.mean(x)", "np.std(x)")[1:] == [{"np.mean": "numpy.mean"}, {"np.std": "numpy.std"}]


@pytest.mark.parametrize(
    "code",
    [
        "np = data",
        "(np := data)",
        "del np",
        "for np in data: pass",
        "with data as np: pass",
        "def np(): ...",
        "def f(*, np): ...",
        "try: pass\nexcept OSError as np: pass",
        "match x:\n    case [np, *_]: pass",
        "a, (np, *b) = data",
    ],
)
def test_a_name_that_is_bound_to_something_else_is_unknown_until_it_is_imported_again(code):
    cells = found(NUMPY, code, "np.mean(x)", NUMPY, "np.mean(x)")
    assert cells[2] == {}
    assert cells[4] == {"np.mean": "numpy.mean"}


def test_places_are_lines_from_1_and_characters_from_0():
    code = "import jax.numpy as jnp\nprint('둘', jnp.mean(\n    jnp\n    .sum(x)))"
    jnp = Use(3, 4, "jnp", "jax.numpy")
    assert list(uses([code])) == [[Use(1, 7, "jax.numpy", "jax.numpy"), Use(2, 11, "jnp.mean", "jax.numpy.mean"), jnp]]


def test_magics_are_not_code_and_the_code_below_them_is():
    cells = [NUMPY + "!pip list\n%time np.mean(x)\nnp.std(x)", "%%writefile a.py\nnp.mean(x)\nimport jax"]
    assert found(*cells) == [{"numpy": "numpy", "np.std": "numpy.std"}, {"np.mean": "numpy.mean", "jax": "jax"}]


def test_a_cell_with_a_syntax_error_has_no_names_and_changes_none():
    assert found(NUMPY, "np.mean(", "np.mean(x)") == [{"numpy": "numpy"}, {}, {"np.mean": "numpy.mean"}]
