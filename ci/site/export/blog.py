"""Write a post into the folder of a blog: its file, its figures, and the date that is part of its URL."""

import datetime
import errno
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ci import _
from ci.book import BookError
from ci.book.files import write_all
from ci.site.export.post import Post, render


def last_change(post: Post) -> datetime.date:
    """Return the date of the last commit that touched the notebook; today if there is none."""
    command = ["git", "log", "-1", "--format=%cs", "--", str(post.notebook)]
    try:
        day = subprocess.run(command, cwd=post.book.root, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:  # git is not installed
        day = ""
    return datetime.date.fromisoformat(day) if day else datetime.date.today()


def first_date(folder: Path, name: str) -> datetime.date | None:
    """Return the date of a post that the blog already has; it is part of the URL, which must not change."""
    pattern = re.compile(rf"(\d{{4}}-\d\d-\d\d)-{re.escape(name)}\.md")
    posts = filter(None, (pattern.fullmatch(path.name) for path in (folder / "_posts").glob("*.md")))
    return max((datetime.date.fromisoformat(match[1]) for match in posts), default=None)


def write(files: Mapping[Path, bytes]) -> None:
    """Write files, {path: content}, in this order; no old one is replaced before all new ones are complete.

    Raises:
      BookError: a path cannot be written.
    """
    try:
        write_all(files)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        sentence = _("cannot write {file} ({reason}): name another folder")
        raise BookError(sentence, file=error.filename, reason=error.strerror) from error


def export(post: Post, folder: Path) -> Path:
    """Write a post and its assets into the folder of a blog, and remove figures that it no longer has.

    Returns:
      The path of the post.

    Raises:
      BookError: as for `render` and `write`; the folder is then as it was.
    """
    if folder.is_file():
        raise BookError(_("{file} is a file: name a folder"), file=folder)
    changed = last_change(post)
    created = first_date(folder, post.name) or changed
    text, assets = render(post, created, changed)
    path = folder / "_posts" / f"{created}-{post.name}.md"
    files = {folder / post.assets / file: content for file, content in assets.items()}
    write(files | {path: text.encode()})
    for old in set((folder / post.assets).glob("figure-*")).difference(files):
        old.unlink()
    return path
