from collections import Counter

from ci.book import here
from ci.checks import mutations, outputs


def test_every_change_of_the_real_notebooks_that_matters_is_caught_and_no_other():
    verdicts = list(outputs.verdicts(here()))
    assert [(kind, where) for kind, harmful, caught, where in verdicts if caught != harmful] == []
    assert len(verdicts) >= 300
    kinds = Counter(kind for kind, *_ in verdicts)
    assert {*mutations.TEXT_MUTATIONS, *mutations.PICTURE_MUTATIONS, *outputs.NOTEBOOK_MUTATIONS} <= set(kinds)
