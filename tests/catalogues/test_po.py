"""Catalogues are data from strangers: what reaches a page is text, made of the parts of its message."""

import pytest

from ci.catalogues import po


def test_only_finished_entries_are_published(tmp_path, catalogue):
    path = catalogue(
        tmp_path / "one.po",
        'msgid "a"\nmsgstr "가"\n\n#, fuzzy\nmsgid "b"\nmsgstr "나"\n\nmsgid "c"\nmsgstr ""\n\n'
        '#~ msgid "d"\n#~ msgstr "라"\n',
    )
    assert po.load(path) == {"a": "가"}


def test_no_catalogue_has_no_translations_and_one_with_line_ends_of_windows_is_read(tmp_path, catalogue):
    assert po.load(tmp_path / "none.po") == {}
    path = catalogue(tmp_path / "one.po", {"a": "가"})
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert po.load(path) == {"a": "가"}


@pytest.mark.parametrize(
    "text, reason",
    [
        ('msgid "a"\nmsgstr 가\n', "one.po:5: not a valid catalogue: look for a missing quote"),
        ('msgid "a"\nmsgstr "\\x3cscript\\x3e"\n', "one.po:5: .*an odd backslash"),
        ('msgid "a"\nmsgstr "\\074"\n', "one.po:5: .*an odd backslash"),
        ('msgid "a"\nmsgstr "\\r"\n', "one.po:5: .*an odd backslash"),
        ('msgid "a"\nmsgstr "가"\n\nmsgid "a"\nmsgstr "나"\n', "one.po:7: the same English occurs twice"),
        ('msgctxt "x"\nmsgid "a"\nmsgstr "가"\n', "one.po:.*msgctxt and plural forms"),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr[0] "가"\n', "one.po:.*msgctxt and plural forms"),
        ("<<<<<<< HEAD\n", "one.po:4: this is a conflict marker of git"),
        ("# \0\n", "one.po:4: the line has a NUL"),
        ('#,fuzzy\nmsgid "a"\nmsgstr "가"\n', "one.po:4: #,fuzzy does not mark the entry as fuzzy"),
        ('# Fuzzy\nmsgid "a"\nmsgstr "가"\n', "one.po:4: # Fuzzy does not mark the entry as fuzzy"),
        ('#, fuzzzy\nmsgid "a"\nmsgstr "가"\n', "one.po:4: #, fuzzzy does not mark"),
        ('#, c-format\nmsgid "a"\nmsgstr "가"\n', "one.po:4: the flag in #, c-format has no effect here"),
        ("#" * (po.LARGEST + 1), "one.po:1: .* bytes: a catalogue has 1048576 at most"),
        ('msgid "a"\nmsgstr "<script>alert(1)</script>"\n', "one.po:4: HTML or roles"),
        ('msgid "a"\nmsgstr "' + "[" * 100_000 + '"\n', "one.po:4: it has 100000 characters: 204 are allowed"),
        ('msgid "' + "1," * 30_000 + '"\nmsgstr "가"\n', "one.po:4: no page has an entry as long as this"),
        ('msgid "a"\nmsgstr "가&#8238;나"\n', r"one.po:4: it has invisible characters \(U\+202E\)"),
        ('msgid "a"\nmsgstr "가\u3164나"\n', r"one.po:4: it has invisible characters \(U\+3164\)"),
        ('msgid "a"\nmsgstr "가\u202e나"\n', r"one.po:4: it has invisible characters \(U\+202E\)"),
    ],
)
def test_what_must_not_be_published_is_refused_with_its_place(tmp_path, catalogue, text, reason):
    with pytest.raises(po.Refused, match=reason):
        po.load(catalogue(tmp_path / "one.po", text))


@pytest.mark.parametrize(
    "content, reason",
    [
        ("\ufeff".encode(), "byte order mark"),
        ('msgid "a"\nmsgstr "가"\n'.encode("euc-kr"), "not UTF-8"),
        (
            b'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-7\\n"\n\n',
            "the header Content-Type must be text/plain; charset=UTF-8",
        ),
        (b'msgid "a"\nmsgstr "b"\n', "the header Content-Type must be"),
    ],
    ids=["byte order mark", "EUC-KR", "UTF-7 declared", "no header"],
)
def test_a_catalogue_in_another_encoding_is_refused(tmp_path, content, reason):
    path = tmp_path / "one.po"
    path.write_bytes(content)
    with pytest.raises(po.Refused, match=reason):
        po.load(path)


def test_a_link_is_refused(tmp_path, catalogue):
    catalogue(tmp_path / "other.po")
    (tmp_path / "one.po").symlink_to(tmp_path / "other.po")
    (tmp_path / "two.po").mkdir()
    for name in ("one", "two"):
        with pytest.raises(po.Refused, match=f"{name}.po:1: this is a symbolic link or a folder"):
            po.load(tmp_path / f"{name}.po")
