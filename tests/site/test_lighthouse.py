import pytest

from ci.site.lighthouse import Measurement, median, missed, read

GOOD = {"performance": 0.96, "accessibility": 1, "best-practices": 1, "seo": 1}


def report(*urls, size=100_000, **scores):
    return {
        "categories": {name: {"score": score} for name, score in (GOOD | scores).items()},
        "audits": {
            "network-requests": {"details": {"items": [{"url": url} for url in urls]}},
            "total-byte-weight": {"numericValue": size},
        },
    }


@pytest.mark.parametrize(
    "given, names",
    [
        (report("http://here/en/a.html", "data:image/svg+xml,"), []),
        (report("http://here/en/a.html", "https://elsewhere.example/font.woff2"), ["outside"]),
        (report("http://here/en/a.html", size=300_001), ["bytes"]),
        (report("http://here/en/a.html", performance=0.94, seo=0.9), ["performance", "seo"]),
    ],
)
def test_what_a_page_misses_is_named(given, names):
    assert missed("en/book/index.html", read(given, "http://here")) == names


def test_the_search_page_need_not_be_found_by_search_engines():
    assert missed("en/search.html", read(report(seo=0.6), "http://here")) == []


def test_the_median_of_the_runs_counts():
    runs = [Measurement(GOOD | {"performance": score}, 10, 0) for score in (0.9, 0.97, 0.96)]
    assert median(runs).scores["performance"] == 0.96
