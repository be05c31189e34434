"""A fault is reported from the section that has it."""

from urllib.parse import parse_qs, urlsplit

import yaml
from bs4 import BeautifulSoup

from ci.book import here

PAGE = "# One\n\n## First part\n\nText.\n\n### Within\n\n## Second\n"


def test_each_section_leads_to_an_issue_that_names_it(conf, build, book):
    conf("elements", "additions", exclude_patterns=["_build"])
    _, output = build({"book/part/one": PAGE, "book/index": "# Front\n", "index": "# Index\n\n## Part\n"})
    page = BeautifulSoup((output / "book" / "part" / "one.html").read_text(encoding="utf-8"), "html.parser")
    links = page.select("p.report a")
    assert [link.find_parent("section")["id"] for link in links] == ["first-part", "second"]
    assert links[0]["aria-label"].endswith(": First part")
    address = urlsplit(links[0]["href"])
    assert links[0]["href"].startswith(f"{book.repository}/issues/new?")
    values = parse_qs(address.query)
    assert values["title"] == ["book/part/one (en): first-part"]
    assert values["place"] == [f"{book.site}/en/book/part/one.html#first-part"]
    form = yaml.safe_load((here().root / ".github" / "ISSUE_TEMPLATE" / values["template"][0]).read_text("utf-8"))
    assert "place" in [field.get("id") for field in form["body"]]
    assert "report" not in (output / "index.html").read_text(encoding="utf-8").partition("<article")[2]
