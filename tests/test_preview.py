import socket

import pytest

from ci.book import BookError
from ci.site import preview


@pytest.mark.parametrize(
    "wanted", ["one", "part/one", "book/part/one", "book/part/one.md", "locale/ko/LC_MESSAGES/book/part/one.po"]
)
def test_a_page_is_found_by_its_name_or_its_file(book, wanted):
    assert preview.find_page(book, wanted) == "book/part/one"


@pytest.mark.parametrize("wanted", ["two", "ne", ""])
def test_a_page_that_is_not_there_is_said_with_those_that_are(book, wanted):
    with pytest.raises(BookError, match="is no page of the book: it has book/index, book/part/one"):
        preview.find_page(book, wanted)


def test_a_language_that_is_not_there_is_said_with_those_that_are(book):
    with pytest.raises(BookError, match="not translated into 'en'; it is into ko"):
        preview.find_language(book, "en")


def test_a_port_that_is_taken_is_said():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(BookError, match=f"port {port} is taken; choose another: --port {port + 1}"):
            preview.check_port(port)
