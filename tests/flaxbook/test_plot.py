import json

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from flaxbook import plot


@pytest.fixture(autouse=True)
def agg():
    """Draw without a window, and restore the style afterwards for other tests."""
    with plot.plt.rc_context():
        plot.plt.switch_backend("agg")
        yield
        plot.plt.close("all")


def test_images_stand_in_a_grid_with_titles():
    plot.images(np.zeros((3, 28, 28, 1)), ["a", "b", "c"], columns=2)
    assert [ax.get_title() for ax in plot.plt.gcf().axes] == ["a", "b", "c", ""]


def test_a_drawing_has_its_boxes_and_the_words_of_its_arrows_in_its_description():
    boxes = {"data": (0, 0, "tab:blue"), "head": (1, 0, "tab:orange"), "loss": (1, 1, "tab:green")}
    ax = plot.drawing(boxes, [("data", "head", "batch"), ("head", "loss")])
    described = plot.describe(ax.figure).splitlines()[1]
    assert described == "text 'data', text 'head', text 'loss', text 'batch'"


def test_every_figure_of_a_notebook_is_shown():
    draw = "from flaxbook import plot; plot.curves({'a': [1, 2]}, xlabel='x', ylabel='y')"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(draw) for _ in range(3)])
    NotebookClient(notebook, kernel_name="python3").execute()
    assert ["image/png" in output.data for cell in notebook.cells for output in cell.outputs] == [True] * 3
    described = notebook.cells[0].outputs[0].data["text/plain"]
    assert described == "<Figure of 640x320 pixels>\n'y' over 'x', line 'a' (2 points), legend ['a']"


def test_the_description_tells_a_lost_line_and_exchanged_labels():
    def described(**series):
        plot.curves(series, xlabel="step", ylabel="loss")
        return plot.describe(plot.plt.gcf())

    both = described(a=[1, 2], b=[1, 2])
    assert len({both, described(a=[1, 2]), described(b=[1, 2], a=[1, 2]), described(a=[1, 2], b=[1])}) == 4


def test_a_figure_has_curves_to_explore_beside_its_picture():
    ax = plot.axes()
    ax.set(xlabel="step", ylabel="loss")
    assert ax.figure._repr_mimebundle_() == {}
    series = {"a": np.array([1, np.nan]), "b": [0.12345, np.inf]}
    plot.explore({0.1: series, "none": {"a": [2, 3]}}, x=np.arange(1, 3), slider="rate")
    ((kind, stored),) = ax.figure._repr_mimebundle_().items()
    head, *curves = json.loads(stored)
    assert kind == plot.CURVES and len(stored.splitlines()) == 4
    assert head == {"slider": "rate", "x": "step", "y": "loss", "at": [1, 2]}
    assert curves == [
        {"choice": "0.1", "label": "a", "values": [1.0, None]},
        {"choice": "0.1", "label": "b", "values": [0.123, None]},
        {"choice": "none", "label": "a", "values": [2.0, 3.0]},
    ]


def test_only_a_figure_of_this_module_can_be_explored():
    plot.plt.figure().subplots()
    with pytest.raises(AssertionError, match=r"flaxbook\.plot"):
        plot.explore({0.1: {"a": [1, 2]}}, x=[1, 2], slider="rate")


def test_the_description_has_what_is_drawn_but_not_its_values():
    left, right, unused = plot.axes(3)
    left.bar([0, 1], [2, 3], label="errors")
    left.set(title="Left", xlabel="digit", yscale="log")
    right.imshow(np.zeros((4, 5)))
    right.text(0, 0, "note")
    right.scatter([1], [1], label="dots")
    assert plot.describe(plot.plt.gcf()).splitlines()[1:] == [
        "'Left', '' (log) over 'digit', 2 bars 'errors'",
        "PathCollection 'dots' (1 points), picture 4x5, text 'note'",
    ]
