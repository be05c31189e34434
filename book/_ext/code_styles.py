"""The colours of code, by day and by night: those of accessible-pygments, but operators look like other text.

Operators are the most frequent mark of all, and tell a reader least.
"""

from pygments.styles import get_style_by_name
from pygments.token import Operator

DAY = get_style_by_name("a11y-high-contrast-light")
NIGHT = get_style_by_name("a11y-high-contrast-dark")


class Day(DAY):
    background_color = "#f6f7f9"
    styles = {**DAY.styles, Operator: "#080808"}


class Night(NIGHT):
    styles = {**NIGHT.styles, Operator: "#f8f8f2"}
