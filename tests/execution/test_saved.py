"""Notebooks as editors save them: read with all that an author wrote, or refused with the reason."""

import copy
import json
import random
import re
from contextlib import suppress

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.book import BookError
from ci.execution import saved
from ci.notebooks import chapter_text

CODE = new_code_cell("x = 1\nx", outputs=[new_output("stream", text="1\n")], execution_count=1, id="a")
NOTEBOOK = json.loads(json.dumps(new_notebook(cells=[new_markdown_cell("# One", id="b"), CODE], metadata={})))
CONTENT = [("markdown", "# One", {}), ("code", "x = 1\nx", {})]
WORDS = re.compile(r"word-\d+-")


def notebook(about=None, gone=(), **cell):
    """The bytes of a notebook, with other keys in its last cell and beside its cells."""
    made = copy.deepcopy(NOTEBOOK)
    made["cells"][-1] |= cell
    for key in gone:
        made.pop(key, None)
        made["cells"][-1].pop(key, None)
    return json.dumps(made | (about or {})).encode()


OLD = b"""{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"metadata": {}, "cells": [
{"cell_type": "heading", "level": 1, "metadata": {}, "source": "One"}, {"cell_type": "code", "collapsed": false,
"input": ["x = 1\\n", "x"], "language": "python", "metadata": {}, "outputs": []}]}]}"""
SMALL_FAULTS = {
    "old": OLD,
    **{f"no {key}": notebook(gone=[key]) for key in ("execution_count", "outputs", "metadata", "id", "nbformat")},
    **{f"null {key}": notebook(**{key: None}) for key in ("execution_count", "outputs", "metadata", "id")},
    **{f"minor {minor}": notebook({"nbformat_minor": minor}) for minor in (0, "2", None)},
    **{f"version {version}": notebook({"nbformat": version}) for version in (5, "4", 3)},
    **{coding: notebook().decode().encode(coding) for coding in ("utf-8-sig", "utf-16", "utf-32")},
    "same ids": notebook(id="b"),
    "odd id": notebook(id="a b"),
    "no name": notebook(outputs=[{"output_type": "stream"}]),
    "no data": notebook(outputs=[{"output_type": "execute_result"}, {"output_type": "error"}]),
    "odd metadata": notebook({"metadata": {"kernelspec": {}, "widgets": 1}}, metadata={"collapsed": "", "a": 1e999}),
    "lines": notebook(source=["x = 1\r\n", "x"]),
    "line ends": notebook(source="x = 1\rx"),
    "attachments": notebook(attachments=None, more={}),
}
REFUSED = {
    "it is not UTF-8": b'{"cells": ["\xe9"]}',
    "it is no JSON with cells (Unterminated string": notebook()[:40],
    "it is no JSON with cells ('cells')": b"{}",
    "it is no JSON with cells (list indices": b"[]",
    "its cells are no list": notebook({"cells": {}}),
    "git could not merge two versions": b'{\n<<<<<<< HEAD\n"cells": []\n=======\n>>>>>>> main\n}',
    "cell 2 has the type 'sql'": notebook(cell_type="sql"),
    "(KeyError: 'source')": notebook(gone=["source"]),
    "cell 2 is not as Jupyter writes cells (UnicodeEncodeError": notebook(source="\ud800"),
    "cell 2 is not as Jupyter writes cells (": notebook(outputs=[{"output_type": "other"}]),
}


@pytest.mark.parametrize("content", SMALL_FAULTS.values(), ids=SMALL_FAULTS)
def test_small_faults_are_repaired_and_nothing_is_lost(content):
    assert chapter_text.content(saved.parse(content)) == CONTENT


def test_tags_with_commas_are_several():
    repaired = saved.parse(notebook(metadata={"tags": ["hide-input, remove-output", "hide-input"]}))
    assert repaired.cells[1].metadata.tags == ["hide-input", "remove-output"]


@pytest.mark.parametrize("reason, content", REFUSED.items(), ids=REFUSED)
def test_what_is_no_notebook_is_refused_with_the_reason(reason, content):
    with pytest.raises(BookError, match=re.escape(reason)) as refused:
        saved.parse(content)
    assert "\n" not in str(refused.value)


def damaged(rng, part):
    """A part of a notebook with values taken away or replaced at random; words that an author wrote stay."""
    if isinstance(part, dict):
        return {key: damaged(rng, value) for key, value in part.items() if rng.random() > 0.03}
    if isinstance(part, list):
        return [damaged(rng, value) for value in part]
    odd = [None, 0, -1.5, True, "", "\r\n", "\0", "a,b", "code", [], [None], {}, {"a": []}, float("nan")]
    return part if rng.random() > 0.03 or WORDS.search(str(part)) else rng.choice(odd)


def test_of_a_thousand_damaged_notebooks_none_raises_another_error_or_loses_a_word():
    rng, read = random.Random(0), 0
    for number in range(1000):
        source = f"word-{number}-\r\nx"
        whole = json.loads(notebook(metadata={"tags": ["a"], "mystnb": {"image": {"alt": "b"}}}, source=source))
        content = json.dumps(damaged(rng, whole)).encode()
        with suppress(BookError):
            words = WORDS.findall(str(chapter_text.content(saved.parse(content))))
            assert words == WORDS.findall(content.decode())
            read += 1
    assert read > 300
