"""Which names of libraries code uses: what its imports say, and nothing else."""

import pytest

from ci.site.documentation.names import Use, imported, uses

DENSE = {"nn.Dense": "flax.linen.Dense"}
SPEC = "jax.sharding.PartitionSpec"


def found(*cells):
    """For each cell, what is written there, and what it is in full."""
    return [{use.written: use.name for use in one} for one in uses(cells)]


@pytest.mark.parametrize(
    "code, names",
    [
        ("import jax.numpy as jnp\njnp.mean(x)", {"jax.numpy": "jax.numpy", "jnp.mean": "jax.numpy.mean"}),
        ("import jax.numpy\njax.jit(f)", {"jax.numpy": "jax.numpy", "jax.jit": "jax.jit"}),
        (
            "import flax.linen as nn\nnn.Dense(2)(x).sum()",
            {"flax.linen": "flax.linen"} | DENSE,
        ),
        ("from jax import lax as l\nl.scan", {"lax": "jax.lax", "l.scan": "jax.lax.scan"}),
        ("from jax.sharding import PartitionSpec as P\nP(None)", {"PartitionSpec": SPEC, "P": SPEC}),
        ("from . import steps\nsteps.run()", {}),
        ("from os import *\npath", {"*": "os.*"}),
        ("@jax.jit\ndef f(x: jnp.ndarray): ...", {}),
        ("x = np.mean", {}),
    ],
)
def test_imports_say_what_a_name_is(code, names):
    assert found(code) == [names]


def test_a_name_is_carried_from_cell_to_cell():
    assert found("import numpy as np", "np.mean(x)", "np.std(x)")[1:] == [
        {"np.mean": "numpy.mean"},
        {"np.std": "numpy.std"},
    ]


@pytest.mark.parametrize(
    "code",
    [
        "np = data",
        "np: object = data",
        "np += 1",
        "(np := data)",
        "del np",
        "for np in data: pass",
        "with data as np: pass",
        "def np(): ...",
        "class np: ...",
        "try: pass\nexcept OSError as np: pass",
        "match x:\n    case [np, *_]: pass",
        "match x:\n    case {'a': 1, **np}: pass",
        "import other.data as np",
        "from .data import np",
        "a, (np, *b) = data",
    ],
)
def test_a_name_that_is_bound_to_something_else_is_no_longer_known(code):
    assert "numpy.mean" not in found(f"import numpy as np\n{code}", "np.mean(x)")[1].values()


def test_the_value_is_read_before_the_name_is_bound():
    assert "np.mean" in found("import numpy as np\nnp = np.mean(x)")[0]
    assert "np.arange" in found("import numpy as np\nfor np in np.arange(3): pass")[0]


@pytest.mark.parametrize(
    "code",
    [
        "def f(np): np.mean(np)",
        "def f():\n    np.mean(x)\n    np = 1",
        "g = lambda np: np.mean(x)",
        "a = [np.mean(x) for np in data]",
        "async def f(*, np): np.mean(np)",
    ],
)
def test_what_has_names_of_its_own_does_not_change_those_outside(code):
    inside, outside = found(f"import numpy as np\n{code}", "np.mean(x)")
    assert "np.mean" not in inside
    assert "np.mean" in outside


def test_defaults_decorators_and_bases_are_read_outside():
    code = "import flax.linen as nn\n@nn.compact\ndef f(nn=nn.relu): ...\nclass A(nn.Module):\n    b: nn.Dense = 1"
    assert {"nn.compact", "nn.relu", "nn.Module", "nn.Dense"} <= set(found(code)[0])


def test_strings_comments_and_keywords_are_not_names():
    code = "import numpy as np\nprint('np.mean', \"np\")  # np.mean\nf(np=1)\ndata.np.mean()"
    assert found(code) == [{"numpy": "numpy"}]


def test_places_are_lines_from_1_and_characters_from_0():
    code = "import jax.numpy as jnp\nprint('둘', jnp.mean(\n    jnp\n    .sum(x)))"
    assert uses([code]) == [[Use(1, 7, "jax.numpy", "jax.numpy"), Use(2, 11, "jnp.mean", "jax.numpy.mean")]]


def test_magics_are_not_code_and_a_file_is_a_program_of_its_own():
    cells = ["import numpy as np\n!pip list\n%time np.mean(x)\nnp.std(x)", "%%writefile a.py\nnp.mean(x)\nimport jax"]
    cells += ["%%writefile -a a.py\njax.jit(f)", "jax.jit(f)", "%%writefile a.py\njax.jit(f)"]
    assert found(*cells) == [
        {"numpy": "numpy", "np.std": "numpy.std"},
        {"jax": "jax"},
        {"jax.jit": "jax.jit"},
        {},
        {},
    ]


def test_a_cell_with_a_mistake_has_no_names_and_changes_none():
    assert found("import numpy as np", "np.mean(", "np.mean(x)") == [{"numpy": "numpy"}, {}, {"np.mean": "numpy.mean"}]


def test_the_modules_that_cells_import():
    assert imported(["import jax.numpy as jnp, os", "def f():\n    from flax import nnx", "from . import a"]) == {
        "jax.numpy",
        "os",
        "flax",
    }
