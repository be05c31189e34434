"""The figures of the chapters: one look for all, also where no matplotlibrc is near (Colab)."""

import matplotlib.pyplot as plt

STYLE = {
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


def axes(columns=1, *, height=3.2, **options):
    """Makes a figure of `columns` axes side by side in the style of the book.

    The style stays for the figures that follow. A style for one figure only (`rc_context`) would also restore
    Matplotlib's interactive mode, and with it hide all later figures of a notebook.

    Args:
      columns: how many axes.
      height: of the figure, in inches; its width is 6.4.
      **options: for `plt.subplots`.

    Returns:
      One `Axes`, or an array of them if `columns` is more than 1.
    """
    plt.rcParams.update(STYLE)
    return plt.subplots(1, columns, figsize=(6.4, height), **options)[1]


def curves(series, *, xlabel, ylabel, ax=None, **options):
    """Draws one labelled line for each entry of `series`.

    Args:
      series: {label: values of shape (n,)} or {label: (x, values)}.
      xlabel, ylabel: what the axes show, with units.
      ax: where to draw; default: a new figure.
      **options: for `Axes.plot`.
    """
    ax = ax or axes()
    for label, values in series.items():
        ax.plot(*(values if isinstance(values, tuple) else (values,)), label=label, **options)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.legend()


def images(pictures, titles=None, *, columns=10):
    """Shows pictures in a grid.

    Args:
      pictures: array of shape (n, height, width, 1), white ink on black.
      titles: n short texts.
      columns: pictures per row.
    """
    plt.rcParams.update(STYLE)
    rows = -(-len(pictures) // columns)
    height = 6.4 / columns * rows * (1 if titles is None else 1.25)
    _, grid = plt.subplots(rows, columns, figsize=(6.4, height), squeeze=False)
    for i, ax in enumerate(grid.flat):
        ax.axis("off")
        if i < len(pictures):
            ax.imshow(pictures[i][..., 0], cmap="gray")
            ax.set_title("" if titles is None else titles[i], fontsize=8)
