"""Decides from contents which of a chapter and its notebook was edited."""

CHAPTER, NOTEBOOK = "chapter", "notebook"


class Undecided(Exception):
    """Nobody but the author knows which of the two counts; the message says why."""


def one_sided(chapter, notebook, known):
    """The one that is in no state in which the two agreed, if the other is in one."""
    if (chapter in known) == (notebook in known):
        return None
    return NOTEBOOK if chapter in known else CHAPTER


def between_known_states(chapter, notebook, committed, touched):
    """The one that counts where each is in another of the known states, as git or an undoing leaves them.

    Raises:
      Undecided: the times of the files do not tell.
    """
    # A notebook alone put back may be meant as that, and not as the undoing of the chapter it was made from.
    if len(touched) == 1 and not (touched[0] == NOTEBOOK and notebook == committed):
        return touched[0]
    other = {CHAPTER: notebook, NOTEBOOK: chapter}
    if len(touched) == 2 and other[touched[-1]] == committed:  # git put both back, then an edit was made again
        return touched[-1]
    raise Undecided("stand at two different states of before, and nothing tells which one is wanted")


def decide(chapter, notebook, committed=None, paired=(), touched=(), clean=False):
    """Decides which of a chapter and its notebook counts.

    Known are the states in which the two agreed. Who is in none of them was edited. States are only compared for
    equality.

    Args:
      chapter, notebook: the states of the two.
      committed: the state in the newest commit in which the two agree; None if there is none.
      paired: the states in which they were brought together here.
      touched: which of the two files have been written since the last time, the one written last at the end.
      clean: whether both are as in the last commit, so that it does not matter what was done here before.

    Returns:
      CHAPTER or NOTEBOOK, or None if the two agree.

    Raises:
      Undecided: the author has to say which one counts.
    """
    if chapter == notebook:
        return None
    known = {committed, *paired} - {None}
    found = (clean and one_sided(chapter, notebook, {committed})) or one_sided(chapter, notebook, known)
    if found:
        return found
    if not known:
        raise Undecided("differ, and nothing tells which one was edited")
    if chapter not in known:
        raise Undecided("were both edited")
    return between_known_states(chapter, notebook, committed, touched)
