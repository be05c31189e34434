"""Text within stylesheets."""

import re

from markupsafe import Markup

NOT_TEXT = re.compile(r'["\\<\n]')


def css_string(text: str) -> Markup:
    """Return a text as a string of a stylesheet, which may stand in a page, also in the `style` of a tag."""
    escaped = NOT_TEXT.sub(lambda match: f"\\{ord(match[0]):x} ", text)
    return Markup(f'"{escaped}"')
