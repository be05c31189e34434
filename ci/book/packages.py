"""The list of packages, requirements.txt."""

from ci.book import processes

COMPILE = [
    *("uv", "pip", "compile", "--quiet", "--universal", "--fork-strategy", "fewest", "--python-version", "3.11"),
    *("--generate-hashes", "--no-header", "--group", "book", "--group", "check", "--output-file", "requirements.txt"),
]


def renew(book, options):
    """Makes it anew from pyproject.toml, with more options for uv; returns the exit status."""
    return processes.run([*COMPILE, *options, "pyproject.toml"], cwd=book.root)
