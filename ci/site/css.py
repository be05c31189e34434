"""Text within stylesheets."""

import re

from markupsafe import Markup

NOT_TEXT = re.compile(r'["\\<\n]')


def css_string(text):
    """A text as a string of a stylesheet, which may stand in a page, also in the `style` of a tag."""
    escaped = NOT_TEXT.sub(lambda found: f"\\{ord(found[0]):x} ", text)
    return Markup(f'"{escaped}"')
