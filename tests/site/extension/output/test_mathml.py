from xml.etree import ElementTree

import pytest

from ci.book import BookError
from ci.site.extension.output import mathml


def test_a_formula_is_well_formed_xml_by_itself():
    tree = ElementTree.fromstring(mathml.convert("book/page", r"1 + \cos \pi \frac{t - w}{T} < 2", as_block=True))
    assert tree.tag == "{http://www.w3.org/1998/Math/MathML}math"
    assert tree.get("display") == "block"
    assert {"cos", "π", "T"} <= set(tree.itertext())


def test_a_formula_that_cannot_be_written_names_its_page():
    with pytest.raises(BookError, match=r"book/page: the formula .*nosuchcommand"):
        mathml.convert("book/page", r"\nosuchcommand", as_block=False)
