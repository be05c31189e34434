"""What proves that the checks of the book can fail, and what they say of the book."""

from ci import _
from ci.book import UsageError

EXECUTED = ("runs", "kills", "sabotages")  # they need the data


def proof(book, what, chapters, count):
    """Breaks something on purpose, prints what was caught, and returns the exit status.

    Args:
      what: "outputs", "runs", "catalogues", "kills" or "sabotages".
      chapters: of sabotages.
      count: of kills.

    Raises:
      UsageError: chapters are named for something else.
    """
    if chapters and what != "sabotages":
        raise UsageError(_("prove {what} is about the whole book: name no chapter"), what=what)
    if what in EXECUTED:
        from ci.execution import run

        run.prepare_data()
    if what == "sabotages":
        from ci.checks import sabotage

        return sabotage.report(book, chapters)
    if what == "kills":
        from ci.checks import kills

        return int(kills.report(book, count) > 0)
    from ci.checks.report import report

    return report(verdicts(book, what), shows_itself=what == "runs")


def verdicts(book, what):
    """The verdicts of a proof, as `ci.checks.report` takes them."""
    if what == "catalogues":
        from ci.catalogues import messages
        from ci.checks import catalogues

        messages.extract(book)
        return catalogues.verdicts(book)
    if what == "runs":
        from ci.checks import runs

        return runs.verdicts(book)
    from ci.checks import outputs

    return outputs.verdicts(book)
