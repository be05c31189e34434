"""Puts a post into the folder of a blog: its file, its figures, and the date that is part of its address."""

import datetime
import errno
import re
import subprocess

from ci import _
from ci.book import BookError
from ci.book.files import write_all
from ci.site.export.post import render


def last_change(post):
    """The date of the newest commit that touched the notebook; today where there is none."""
    command = ["git", "log", "-1", "--format=%cs", "--", post.notebook]
    try:
        day = subprocess.run(command, cwd=post.book.root, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:  # no git on this machine
        day = ""
    return datetime.date.fromisoformat(day) if day else datetime.date.today()


def date_of(folder, name):
    """The date of a post that is in a blog already: it is part of its address, which must not change; else None."""
    pattern = re.compile(rf"(\d{{4}}-\d\d-\d\d)-{re.escape(name)}\.md")
    found = filter(None, (pattern.fullmatch(path.name) for path in (folder / "_posts").glob("*.md")))
    return max((datetime.date.fromisoformat(match[1]) for match in found), default=None)


def write(files):
    """Writes files, {path: bytes}, in this order; what is there stays until all the new ones are complete.

    Raises:
      BookError: a place cannot be written.
    """
    try:
        write_all(files)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        sentence = _("cannot write {file} ({reason}): name another folder")
        raise BookError(sentence, file=error.filename, reason=error.strerror) from error


def export(post, folder):
    """Writes a post and its assets into the folder of a blog, and takes away the figures it no longer has.

    Returns:
      The path of the post.

    Raises:
      BookError: as for `render` and `write`; the folder is as it was.
    """
    if folder.is_file():
        raise BookError(_("{file} is a file: name a folder"), file=folder)
    changed = last_change(post)
    date = date_of(folder, post.name) or changed
    text, assets = render(post, date, changed)
    path = folder / "_posts" / f"{date}-{post.name}.md"
    files = {folder / post.assets / file: content for file, content in assets.items()}
    write(files | {path: text.encode()})
    for old in set((folder / post.assets).glob("figure-*")).difference(files):
        old.unlink()
    return path
