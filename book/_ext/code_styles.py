"""The colours of code, by day and by night: those of accessible-pygments, but without operators and built-in names.

They are the most frequent of all, and to colour every `=` and every `print` tells a reader least.
"""

from pygments.styles import get_style_by_name
from pygments.token import Name, Operator

DAY = get_style_by_name("a11y-high-contrast-light")
NIGHT = get_style_by_name("a11y-high-contrast-dark")


class Day(DAY):
    background_color = "#f6f7f9"
    highlight_color = "#e3effd"
    styles = {**DAY.styles, Operator: "#080808", Name.Builtin: "#080808", Name.Builtin.Pseudo: "#080808"}


class Night(NIGHT):
    highlight_color = "#1d3048"
    styles = {**NIGHT.styles, Operator: "#f8f8f2", Name.Builtin: "#f8f8f2", Name.Builtin.Pseudo: "#f8f8f2"}
