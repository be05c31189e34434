"""Quote text for stylesheets."""

import re

from markupsafe import Markup

SPECIAL = re.compile(r'["\\<\n]')


def css_string(text: str) -> Markup:
    """Return a text as a CSS string that is also safe in a `<style>` element and a `style` attribute of HTML."""
    escaped = SPECIAL.sub(lambda match: f"\\{ord(match[0]):x} ", text)
    return Markup(f'"{escaped}"')
