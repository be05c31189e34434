"""Counts what the benches of the checks have found, by kind."""

from collections import Counter
from itertools import islice

from rich.console import Console
from rich.table import Table

from ci import _
from ci.book import waiting


def report(verdicts, shows_itself=False):
    """Prints verdicts, (kind, whether it should be caught, whether it was, where), counted by kind.

    Args:
      shows_itself: whether what yields them writes on the terminal meanwhile.

    Returns:
      The exit status: 1 if any is not as it should be.
    """
    made, right, wrong = Counter(), Counter(), []
    with waiting.stage(_("breaking"), unit=_("changes"), shows_itself=shows_itself) as advance:
        for kind, harmful, caught, where in verdicts:
            made[kind, harmful] += 1
            right[kind, harmful] += caught == harmful
            if caught != harmful:
                wrong.append((kind, where))
            advance()
    table = Table("change", "should be", "made", "were")
    for (kind, harmful), count in made.items():
        table.add_row(kind, "caught" if harmful else "passed", str(count), str(right[kind, harmful]))
    console = Console()
    console.print(table)
    console.print(f"{right.total()} of {made.total()} as they should be", highlight=False)
    for kind, where in islice(wrong, 20):
        console.print(f"{kind}:\n{where}\n", markup=False, highlight=False)
    return int(bool(wrong))
