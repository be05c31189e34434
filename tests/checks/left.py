"""What a command leaves behind."""

import psutil

MARK = "FLAXBOOK_WATCHED"


def marked(mark):
    """Return the processes with a mark in their environment."""
    processes = psutil.process_iter(["environ"])
    return [process for process in processes if (process.info["environ"] or {}).get(MARK) == mark]
