"""Progress bars for the commands."""

from rich.console import Console
from rich.progress import track


def tracked(things, description):
    """Goes through a list and shows how far it is, on a terminal and on stderr only."""
    console = Console(stderr=True)
    return track(things, description, console=console, transient=True, disable=not console.is_terminal)
