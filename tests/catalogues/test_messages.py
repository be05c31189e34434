import polib

from ci.catalogues import messages


def test_what_is_marked_in_the_code_is_extracted(book):
    (book.root / "ci").mkdir()
    (book.root / "ci" / "one.py").write_text('from ci import _\n\nX = _("one {y}")\nZ = "not marked"\n')
    messages.extract_sentences(book)
    template = polib.pofile(str(book.root / "_build" / "gettext" / "ci.pot"))
    assert [entry.msgid for entry in template] == ["one {y}"]
