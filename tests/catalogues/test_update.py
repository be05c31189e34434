from ci.catalogues import update


def test_a_new_catalogue_is_announced_and_an_updated_one_keeps_its_translations(book, edit, monkeypatch, capsys):
    template = book.root / "pot" / "book" / "index.pot"
    template.parent.mkdir(parents=True)
    template.write_text('msgid "A line of text"\nmsgstr ""\n\nmsgid "b"\nmsgstr ""\n', encoding="utf-8")
    monkeypatch.setattr(update.messages, "folder", lambda _book: book.root / "pot")
    update.update(book, "book/index", "ko")
    assert capsys.readouterr().out == "written: locale/ko/LC_MESSAGES/book/index.po: 2 entries to translate\n"
    path = book.catalogue("book/index", "ko")
    edit(path, 'msgid "A line of text"\nmsgstr ""', 'msgid "A line of text"\nmsgstr "글 한 줄"')
    update.update(book, "book/index", "ko")
    assert capsys.readouterr().out == ""
    edit(template, "A line of text", "A line of the text")
    update.update(book, "book/index", "ko")
    assert "entries whose English has changed: 1" in capsys.readouterr().out
    text = path.read_text(encoding="utf-8")
    assert '#, fuzzy\n#| msgid "A line of text"\nmsgid "A line of the text"\nmsgstr "글 한 줄"' in text
