"""Draw the figures of the chapters in one style, also where no matplotlibrc is read (Colab)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import Collection, PathCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

STYLE: dict[Any, Any] = {
    "figure.figsize": (6.4, 3.2),
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,
    "savefig.dpi": 100,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "font.size": 10,
    "legend.frameon": False,
}


CURVES = "text/vnd.flaxbook.curves"  # the MIME type of what `explore` stores


class DescribedFigure(Figure):
    """A figure that a notebook stores with a description in words, and with what `explore` has added to it."""

    curves = ""

    def __repr__(self) -> str:
        return describe(self)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        return {CURVES: self.curves} if self.curves else {}


def subplots(rows: int, columns: int, height: float, **options: Any) -> Any:
    """Make a figure 6.4 inches wide in the style of the book, which stays in effect for later figures.

    A style for one figure only (`rc_context`) would also restore Matplotlib's interactive mode, and so hide all
    later figures of a notebook.

    Args:
      rows, columns: the size of the grid of axes.
      height: height of the figure, in inches.
      **options: for `plt.subplots`.

    Returns:
      One `Axes`, or an array of them.
    """
    plt.rcParams.update(STYLE)
    return plt.subplots(rows, columns, figsize=(6.4, height), FigureClass=DescribedFigure, **options)[1]


def describe(figure: Figure) -> str:
    """Describe in words what a figure shows: its labels, lines and pictures, without their values.

    A picture looks a little different on every machine. Its description does not, so that an exact comparison finds a
    missing curve or exchanged labels.

    Returns:
      A line for the figure, and a line for each of its axes, such as
      `'loss' over 'step', line 'with' (60 points), legend ['with']`.
    """
    lines = []
    for ax in figure.axes:
        if not ax.has_data():
            continue
        parts = [repr(ax.get_title())] if ax.get_title() else []
        if ax.get_xlabel() or ax.get_ylabel():
            parts.append(f"{scaled(ax.yaxis)} over {scaled(ax.xaxis)}")
        parts += [f"line{named(line)} ({np.size(line.get_xdata())} points)" for line in ax.lines]
        parts += [f"{len(bars)} bars{named(bars)}" for bars in ax.containers if len(bars)]
        parts += [f"{type(drawn).__name__}{named(drawn)}{counted(drawn)}" for drawn in ax.collections]
        parts += [f"picture {'x'.join(map(str, np.asarray(picture.get_array()).shape))}" for picture in ax.images]
        parts += [f"text {text.get_text()!r}" for text in ax.texts if text.get_text()]
        if legend := ax.get_legend():
            parts.append(f"legend {[text.get_text() for text in legend.get_texts()]}")
        lines.append(", ".join(parts))
    width, height = figure.get_size_inches() * figure.dpi
    return "\n".join([f"<Figure of {width:.0f}x{height:.0f} pixels>", *lines])


def scaled(axis: Axis) -> str:
    """Return the label of an axis, with its scale unless it is linear."""
    label, scale = repr(axis.get_label_text()), axis.get_scale()
    return label if scale == "linear" else f"{label} ({scale})"


def named(artist: Any) -> str:
    """Return the label of what is drawn, after a space; "" if Matplotlib has made the label up."""
    label = str(artist.get_label())
    return "" if label.startswith("_") else f" {label!r}"


def counted(drawn: Collection) -> str:
    """Return the number of points of a scatter plot, in brackets; "" for other kinds of collection."""
    return f" ({len(np.asarray(drawn.get_offsets()))} points)" if isinstance(drawn, PathCollection) else ""


def axes(columns: int = 1, *, height: float = 3.2, **options: Any) -> Any:
    """Make a figure of `columns` axes side by side in the style of the book, which stays in effect for later figures.

    Args:
      columns: number of axes.
      height: height of the figure, in inches; its width is 6.4 inches.
      **options: for `plt.subplots`.

    Returns:
      One `Axes`, or an array of them if `columns` is more than 1.
    """
    return subplots(1, columns, height, **options)


def curves(series: Mapping[str, Any], *, xlabel: str, ylabel: str, ax: Axes | None = None, **options: Any) -> None:
    """Draw one labelled line for each entry of `series`.

    Args:
      series: {label: values of shape (n,)} or {label: (x, values)}.
      xlabel, ylabel: labels of the axes, with units.
      ax: the axes to draw on; default: those of a new figure.
      **options: for `Axes.plot`.
    """
    ax = ax or axes()
    for label, values in series.items():
        ax.plot(*(values if isinstance(values, tuple) else (values,)), label=label, **options)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.legend()


def explore(choices: Mapping[Any, Mapping[str, Any]], *, x: Any, slider: str) -> None:
    """Let readers of the site explore curves in place of the last figure, whose axes have the labels.

    One slider chooses an entry of `choices`, another one the point at which the curves are read.

    Args:
      choices: {position of the slider: {label: values of shape (n,)}}. Values that are not finite leave a gap.
      x: array of shape (n,), ascending.
      slider: what the slider chooses, such as "rate".
    """
    figure = plt.gcf()
    assert isinstance(figure, DescribedFigure), "draw the figure with flaxbook.plot"
    ax = figure.axes[0]
    lines = [{"slider": slider, "x": ax.get_xlabel(), "y": ax.get_ylabel(), "at": np.asarray(x).tolist()}]
    for choice, label, values in ((choice, *curve) for choice, series in choices.items() for curve in series.items()):
        shown = [round(float(value), 3) if np.isfinite(value) else None for value in values]
        lines.append({"choice": str(choice), "label": label, "values": shown})
    figure.curves = "[" + ",\n".join(map(json.dumps, lines)) + "]"


def images(pictures: np.ndarray, titles: Sequence[str] | np.ndarray | None = None, *, columns: int = 10) -> None:
    """Show pictures in a grid.

    Args:
      pictures: array of shape (n, height, width, 1), white ink on black.
      titles: n short texts.
      columns: number of pictures per row.
    """
    rows = -(-len(pictures) // columns)
    height = 6.4 / columns * rows * (1 if titles is None else 1.25)
    grid = subplots(rows, columns, height, squeeze=False)
    for i, ax in enumerate(grid.flat):
        ax.axis("off")
        if i < len(pictures):
            ax.imshow(pictures[i][..., 0], cmap="gray")
            ax.set_title("" if titles is None else titles[i], fontsize=8)


def drawing(
    boxes: Mapping[str, tuple[float, float, str]],
    arrows: Iterable[Sequence[str]] = (),
    *,
    height: float = 2.0,
    width: float = 0.7,
) -> Axes:
    """Draw a diagram of boxes that contain words, and arrows between them.

    Args:
      boxes: {text: (x, y, colour)}: the text in each box, which may have several lines, and the centre of the box,
        measured from the top left. One unit is the width of a box and the gap beside it.
      arrows: (from, to) or (from, to, words), with texts of boxes, and words to write on the arrow.
      height: height of the figure, in inches.
      width: width of a box, in the units of `boxes`; the rest of a unit is the gap.

    Returns:
      The `Axes`, so that more can be drawn on it.
    """
    ax = axes(height=height)
    ax.axis("off")
    for name, (x, y, colour) in boxes.items():
        ax.add_patch(Rectangle((x - width / 2, y - 0.3), width, 0.6, facecolor=colour, edgecolor="black", alpha=0.5))
        ax.text(x, y, name, ha="center", va="center", fontsize=8)
    for start, end, *words in arrows:
        (x0, y0, _), (x1, y1, _) = boxes[start], boxes[end]
        across = abs(x1 - x0) > abs(y1 - y0)  # leaves the box at the side that faces the other one
        dx, dy = (width / 2 * (1 if x1 > x0 else -1), 0) if across else (0, 0.3 * (1 if y1 > y0 else -1))
        tail, head = (x0 + dx, y0 + dy), (x1 - dx, y1 - dy)
        ax.annotate("", head, tail, arrowprops={"arrowstyle": "->", "shrinkA": 1, "shrinkB": 1})
        if words:
            middle = ((tail[0] + head[0]) / 2, (tail[1] + head[1]) / 2)
            ax.annotate(words[0], middle, (0, 4), textcoords="offset points", ha="center", fontsize=8)
    places = list(boxes.values())
    ax.set_xlim(min(x for x, *_ in places) - 0.5, max(x for x, *_ in places) + 0.5)
    ax.set_ylim(max(y for _, y, _ in places) + 0.45, min(y for _, y, _ in places) - 0.45)
    return ax
