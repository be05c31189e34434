import json

import polib

from ci.catalogues import formats
from ci.catalogues.check import check_catalogue
from ci.catalogues.glossary import Glossary


def test_faults_are_said_for_people_and_for_machines():
    catalogue = polib.POFile()
    catalogue.metadata = {"Last-Translator": "x", "PO-Revision-Date": "2026-11-21"}
    catalogue.append(polib.POEntry(msgid="Run it.", msgstr="실행한다.", linenum=7))
    found = check_catalogue(catalogue, "one.po", ["Run it."], "ko", Glossary([]))
    (first, *_) = formats.text_lines(found, str)
    assert first.startswith("one.po:7: 'Run it.': ‘")
    (annotation,) = formats.github_lines(found, str)
    assert annotation.startswith("::error file=one.po,line=7,title=register::'Run it.'")
    (line,) = formats.json_lines(found, str)
    assert {"file": "one.po", "line": 7, "rule": "register"}.items() <= json.loads(line).items()
