"""The check finds defects in the real catalogues and names the rule that each of them breaks."""

import importlib
import importlib.util
import random
from functools import cache
from itertools import islice

import polib
import pytest

from ci.book import here
from ci.catalogues import check, glossary, po
from tests.catalogues import defects

SEED = 0
SMALLEST = 10  # catalogues, into which defects of whole files are put
ENTRIES, FILES = 8, 2  # of each kind


def own_defects(language):
    """Return the defects that only a translation into this language can have."""
    name = f"tests.languages.{language}.defects"
    return importlib.import_module(name).ENTRY_DEFECTS if importlib.util.find_spec(name) else {}


ENTRY_KINDS = [
    pytest.param(language, rule, change, id=f"{language}-{kind}")
    for language in here().translations
    for kind, (rule, change) in (defects.ENTRY_DEFECTS | own_defects(language)).items()
]
FILE_KINDS = [
    pytest.param(language, rule, change, id=f"{language}-{kind}")
    for language in here().translations
    for kind, (rule, change) in defects.FILE_DEFECTS.items()
]


@cache
def complete_catalogues(language):
    """Return the catalogues that are declared complete, the only ones in which no translation may be missing."""
    catalogues = (po.parse(here().catalogue(page, language)) for page in here().domains)
    return [catalogue for catalogue in catalogues if po.is_complete(catalogue)]


@cache
def terms(language):
    return glossary.load(here(), language)


def broken_entries(language, change):
    """Yield (English, bytes of a catalogue of one changed entry, messages of its page)."""
    rng = random.Random(SEED)
    places = [
        (catalogue.metadata, entry)
        for catalogue in complete_catalogues(language)
        for entry in catalogue.translated_entries()
        if not check.waivers(entry)
    ]
    for metadata, entry in rng.sample(places, len(places)):
        text = change(entry, rng)
        if text is not None and text != entry.msgstr:
            broken = polib.POFile(wrapwidth=0)
            broken.metadata = metadata
            broken.append(polib.POEntry(msgid=entry.msgid, msgstr=text))
            yield entry.msgid, str(broken).encode(), [entry.msgid]


def broken_files(language, change):
    """Yield (None, bytes of a whole changed catalogue, messages of its page)."""
    rng = random.Random(SEED)
    catalogues = sorted(complete_catalogues(language), key=len)[:SMALLEST]  # whole files take long to check
    for catalogue in rng.sample(catalogues, len(catalogues)):
        with open(catalogue.fpath, encoding="utf-8") as file:
            text = file.read()
        if (content := change(text, rng)) != text.encode():
            yield None, content, [entry.msgid for entry in catalogue if not entry.obsolete]


def assert_found(broken, language, rule, book):
    cases = list(broken)
    assert cases
    for message, content, expected in cases:
        path = book.root / "defect.po"
        path.write_bytes(content)
        report = check.check_file(book, path, expected, language, terms(language))
        found = {problem.fault.rule for problem in report.problems if message in (None, problem.message)}
        assert rule in found, content.decode(errors="replace")[-2000:]


@pytest.mark.parametrize("language, rule, change", ENTRY_KINDS)
def test_a_defect_of_an_entry_is_found(language, rule, change, book):
    assert_found(islice(broken_entries(language, change), ENTRIES), language, rule, book)


@pytest.mark.parametrize("language, rule, change", FILE_KINDS)
def test_a_defect_of_a_file_is_found(language, rule, change, book):
    assert_found(islice(broken_files(language, change), FILES), language, rule, book)
