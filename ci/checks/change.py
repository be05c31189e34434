"""Changes of one place in a text, for the checks."""

import re


def replaced(pattern, text, rng, change):
    """Changes one match of a pattern, chosen at random; None if there is none or it stays the same.

    Args:
      change: gets the match and returns what is to stand in its place.
    """
    matches = list(re.finditer(pattern, text))
    if not matches:
        return None
    match = rng.choice(matches)
    new = change(match)
    return None if new == match[0] else text[: match.start()] + new + text[match.end() :]
