from collections import Counter

from ci import mutants
from ci.chapters import here


def test_every_change_of_the_real_notebooks_that_matters_is_caught_and_no_other():
    verdicts = list(mutants.verdicts(here()))
    assert [(kind, where) for kind, harmful, caught, where in verdicts if caught != harmful] == []
    assert len(verdicts) >= 300
    kinds = Counter(kind for kind, *_ in verdicts)
    assert {*mutants.TEXT_MUTATIONS, *mutants.PICTURE_MUTATIONS, *mutants.NOTEBOOK_MUTATIONS} <= set(kinds)
