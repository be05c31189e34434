from xml.etree import ElementTree
from zipfile import ZipFile

SETTINGS = {
    "html_math_renderer": "mathml",
    "html_title": "A small book",
    "author": "Somebody",
    "copyright": "2026",
    "root_doc": "index",
}
PAGE = """\
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


def test_an_e_book_is_well_formed_and_says_what_it_is(conf, build):
    conf("ebook", "elements", "highlighting", "labels", "mathml", "styles", **SETTINGS)
    formula = "# Formula\n\n```{math}\n1 + \\cos x\n```\n"
    _, output = build({"index": PAGE, "formula": formula}, builder="epub", language="ko")
    (path,) = output.glob("*.epub")
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
