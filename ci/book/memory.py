"""About how long something takes: by how far it is, and by what is remembered of the last time."""

import json


def to_go(elapsed, done, total, expected):
    """About how many seconds something still takes, or None if nothing is known.

    Args:
      elapsed: seconds up to now.
      done: how much is done of `total`, which may be None.
      expected: seconds that all of it takes by what is known from last time, or None.
    """
    if done and total:
        return max(0, elapsed * (total - done) / done)
    return expected - elapsed if expected is not None and expected > elapsed else None


def expectation(last, total):
    """The seconds that a stage takes, from what is known of the last time, {"seconds": …, "total": …}; or None."""
    try:
        return float(last["seconds"]) * (total / last["total"] if total and last["total"] else 1)
    except (KeyError, TypeError, ValueError):
        return None


def read(path):
    """What is known of the last time, {stage: as for `expectation`}; a file that cannot be read knows nothing."""
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
