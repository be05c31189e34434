from xml.etree import ElementTree
from zipfile import ZipFile

from sphinx.testing.util import SphinxTestApp

CONF = """\
extensions = ["myst_nb", "ebook", "labels", "light", "mathml", "side_by_side"]
exclude_patterns = ["_build", "book"]
nb_execution_mode = "off"
html_math_renderer = "mathml"
html_title = "A small book"
author = "Somebody"
copyright = "2026"
root_doc = "index"
"""
PAGE = """\
---
file_format: mystnb
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# A page

```{toctree}
formula
```

```{code-cell}
:tags: [hide-cell]

1 + 1
```
"""
OPF = "{http://www.idpf.org/2007/opf}"
DC = "{http://purl.org/dc/elements/1.1/}"


def test_an_e_book_is_well_formed_and_says_what_it_is(book):
    (book.root / "conf.py").write_text(CONF, encoding="utf-8")
    (book.root / "index.md").write_text(PAGE, encoding="utf-8")
    (book.root / "formula.md").write_text("# Formula\n\n```{math}\n1 + \\cos x\n```\n", encoding="utf-8")
    app = SphinxTestApp("epub", srcdir=book.root, confoverrides={"language": "ko"})
    try:
        app.build(force_all=True)
        (path,) = app.outdir.glob("*.epub")
    finally:
        app.cleanup()
    with ZipFile(path) as archive:
        pages = [name for name in archive.namelist() if name.endswith((".xhtml", ".opf", ".ncx"))]
        trees = {name: ElementTree.fromstring(archive.read(name)) for name in pages}
    content = trees["content.opf"]
    assert content.find(f".//{DC}title").text == "A small book"
    assert content.find(f".//{DC}language").text == "ko"
    identifier = content.find(f".//{DC}identifier").text
    assert identifier == "https-example-github-io-small-ko" == content.get("unique-identifier")
    assert identifier in [meta.get("content") for meta in trees["toc.ncx"].iter()]
    marked = {item.get("href") for item in content.iter(f"{OPF}item") if item.get("properties") == "mathml"}
    assert marked == {"formula.xhtml"}
    summary = trees["index.xhtml"].find(".//{http://www.w3.org/1999/xhtml}summary")
    assert summary.text == "Show this cell"  # this book has no Korean sentences
