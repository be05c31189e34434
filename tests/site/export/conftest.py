"""The small book with built pages in which there is everything that an export changes."""

import pytest

from ci.site import publish

FRONT = """\
<span class="sidebar-brand-text">A small book</span>
<div class="sidebar-tree"><p class="caption">Part one</p><ul><li><a href="part/one.html">One</a></li></ul></div>
<article role="main"><section id="top"><h1>A small book<a class="headerlink" href="#top">#</a></h1>
<p><a href="part/one.html#cells">cells</a></p></section></article>
"""
CHAPTER = """\
<meta name="description" content="What {{ it }} is &quot;about&quot;">
<article role="main"><div class="page-tools">tools</div><section id="top">
<h1>One &amp; "only"<a class="headerlink" href="#top">#</a></h1>
<img src="../../_images/a.png" alt="A {{ b }}" loading="lazy">
<p>A <button class="term" popovertarget="term-key">key</button><span popover class="definition">It opens.</span>
and <button class="copy">Copy</button></p>
<img class="only-dark" src="../../_images/night/a.png">
<p class="report"><a href="https://example.org">Report</a></p>
<details class="hide"><summary>Show this cell</summary><pre>1 + 1</pre></details></section></article>
"""
PNG = b"\x89PNG of a figure"


@pytest.fixture
def built(book):
    """Puts pages and a figure where the built ones are, in English."""
    folder = publish.published(book) / "en"
    for name, text in {"book/index": FRONT, "book/part/one": CHAPTER}.items():
        path = folder / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "_images").mkdir()
    (folder / "_images" / "a.png").write_bytes(PNG)
    book.config.update(author="Kim & Lee", copyright="2026")
    return book
