"""Sentences come, go, change and move, translators write, and catalogues follow: no translation is lost."""

import random

import polib
import pytest

from ci.catalogues import po, update

NAMES = ("book/index", "book/one", "book/two")
PLAIN = ("the", "step", "of", "a", "batch", "takes", "one", "loss", "and", "gives", "state", "more", "than", "before")


class Pages:
    """Pages with their sentences, of which some are out of the book, and the catalogues of their translations."""

    def __init__(self, book, monkeypatch, seed):
        self.book, self.random, self.number = book, random.Random(seed), 0
        self.texts = {name: [self.sentence() for _ in range(4)] for name in NAMES}
        self.listed, self.away = set(NAMES), []
        monkeypatch.setattr(update.messages, "folder", lambda _book: book.root / "pot")
        monkeypatch.setattr(type(book), "domains_in", lambda _self, _language: sorted(self.listed))

    def sentence(self):
        return " ".join(self.random.sample(PLAIN, self.random.randrange(3, 9)))

    def some(self):
        return self.texts[self.random.choice(NAMES)]

    def add(self):
        self.some().append(self.sentence())

    def move(self):
        source = self.some()
        if source:
            self.some().append(source.pop(self.random.randrange(len(source))))

    def remove(self):
        source = self.some()
        self.away += [source.pop(0)] if source else []

    def restore(self):
        if self.away:
            self.some().append(self.away.pop())

    def change(self):
        source = self.some()
        if source:
            self.away.append(source[0])
            source[0] += f" {self.random.choice(PLAIN)}"

    def leave_out(self):
        self.listed ^= {self.random.choice(NAMES[1:])}

    def translate(self):
        """Write some translations, each of which is another text; revise what is fuzzy."""
        for name in sorted(self.listed):
            if (path := self.book.catalogue(name, "ko")).exists():
                catalogue = polib.pofile(str(path))
                for entry in catalogue:
                    if not entry.obsolete and (entry.fuzzy or not entry.msgstr) and self.random.random() < 0.6:
                        self.number += 1
                        entry.msgstr, entry.flags, entry.previous_msgid = f"글 {self.number}", [], None
                catalogue.save()

    def update(self):
        """Bring the catalogues up to date; nothing that stands in one may be gone or, where its sentence is, empty."""
        before = self.entries()
        for name in self.listed:
            path = self.book.root / "pot" / f"{name}.pot"
            path.parent.mkdir(parents=True, exist_ok=True)
            texts = dict.fromkeys(self.texts[name])
            path.write_text("".join(f'msgid "{text}"\nmsgstr ""\n\n' for text in texts), encoding="utf-8")
        update.update_all(self.book, ["ko"])
        after = self.entries()
        assert {entry.msgstr for entry in before} - {""} <= {entry.msgstr for entry in after}
        translated = {entry.msgid for entry in before if entry.msgstr and not entry.fuzzy}
        shown = [entry for name in self.listed for entry in po.parse(self.book.catalogue(name, "ko"))]
        assert not translated & {entry.msgid for entry in shown if not entry.msgstr}

    def entries(self):
        return [entry for path in sorted(self.book.root.glob("locale/**/*.po")) for entry in po.parse(path)]


@pytest.mark.parametrize("seed", range(8))
def test_no_translation_is_lost(book, monkeypatch, seed):
    pages = Pages(book, monkeypatch, seed)
    acts = [pages.add, pages.move, pages.move, pages.remove, pages.restore, pages.change, pages.leave_out]
    for _time in range(8):
        pages.update()
        pages.translate()
        for act in pages.random.choices(acts, k=3):
            act()
    pages.update()
    assert pages.number > len(NAMES)
