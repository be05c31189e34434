import pytest

from ci.catalogues import po, update

PAGES = ("book/index", "book/one")


@pytest.fixture
def write(book, monkeypatch):
    """Writes the template of a page and brings all catalogues up to date; returns those with translations."""
    monkeypatch.setattr(update.messages, "folder", lambda _book: book.root / "pot")
    monkeypatch.setattr(type(book), "domains_in", lambda _self, _language: PAGES)
    texts = dict.fromkeys(PAGES, ())

    def write(**changed):
        texts.update({f"book/{page}": messages for page, messages in changed.items()})
        for name, messages in texts.items():
            path = book.root / "pot" / f"{name}.pot"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f'msgid "{message}"\nmsgstr ""\n\n' for message in messages), encoding="utf-8")
        update.update_all(book, ["ko"])
        return {name: book.catalogue(name, "ko") for name in PAGES}

    return write


def states(path):
    """{message: (translation, fuzzy, obsolete)} of a catalogue."""
    return {entry.msgid: (entry.msgstr, entry.fuzzy, bool(entry.obsolete)) for entry in po.parse(path)}


def test_a_new_catalogue_is_announced_and_an_updated_one_keeps_its_translations(write, edit, capsys):
    index = write(index=["A line of text", "b"])["book/index"]
    assert "written: locale/ko/LC_MESSAGES/book/index.po: 2 entries to translate\n" in capsys.readouterr().out
    edit(index, 'msgid "A line of text"\nmsgstr ""', 'msgid "A line of text"\nmsgstr "글 한 줄"')
    write()
    assert "index" not in capsys.readouterr().out
    write(index=["A line of the text", "b"])
    assert "entries whose English has changed: 1" in capsys.readouterr().out
    text = index.read_text(encoding="utf-8")
    assert '#, fuzzy\n#| msgid "A line of text"\nmsgid "A line of the text"\nmsgstr "글 한 줄"' in text


def test_a_translation_stays_when_its_sentence_goes_and_follows_when_it_moves(write, edit, capsys):
    index, one = write(index=["Train it", "b"], one=["c"]).values()
    edit(index, 'msgid "Train it"\nmsgstr ""', '# waive register: "quoted"\nmsgid "Train it"\nmsgstr "학습"')
    write(index=["b"])
    assert states(index) == {"b": ("", False, False), "Train it": ("학습", False, True)}
    assert "index.po: translations whose English is gone, kept at the end (#~): 1" in capsys.readouterr().out
    write(one=["c", "Train it"])
    assert states(one)["Train it"] == ("학습", False, False)
    assert '# waive register: "quoted"\nmsgid "Train it"' in one.read_text(encoding="utf-8")
    write(index=["Train it", "b"])
    assert states(index)["Train it"] == ("학습", False, False)


def test_a_similar_sentence_takes_no_translation_away(write, edit):
    index, one = write(index=["Train the model", "b"]).values()
    edit(index, 'msgid "Train the model"\nmsgstr ""', 'msgid "Train the model"\nmsgstr "학습"')
    write(index=["Train a model", "b"])
    assert states(index)["Train a model"] == ("학습", True, False)
    write(one=["Train the model"])
    assert states(one)["Train the model"] == ("학습", False, False)
    write(one=["c"])
    write(one=["c", "Train that model"])
    assert states(one)["Train that model"] == ("학습", True, False)
    assert states(one)["Train the model"] == ("학습", False, True)
    before = one.read_text(encoding="utf-8")
    write()
    assert one.read_text(encoding="utf-8") == before


def test_a_page_takes_the_translations_of_one_that_is_gone(write, edit, book):
    _index, one = write(one=["Train it"]).values()
    edit(one, 'msgid "Train it"\nmsgstr ""', 'msgid "Train it"\nmsgstr "학습"')
    one.rename(one.with_name("gone.po"))
    assert states(write(index=["Train it"])["book/index"]) == {"Train it": ("학습", False, False)}
