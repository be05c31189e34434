"""Convert the lists in a section "Questions" to interactive questions: radio buttons, and answers that unfold.

In the source, the notebooks and the EPUB, the section is a numbered list of questions with their options, and a second
one of answers, each of which begins with the right letter in bold type. The elements also work without JavaScript;
`theme/static/book.js` counts the right answers.
"""

import string
from collections.abc import Callable
from typing import NamedTuple

from docutils import nodes
from sphinx.util import logging

from ci import _
from ci.site.extension import priorities
from ci.site.extension.application import BookApp
from ci.site.extension.output.elements import Element, element

ID = "questions"  # the id of the section, which no translation changes
FORM = _(
    "{page}: the section Questions must be a numbered list of questions with options A., B., …, a line, "
    "and a numbered list of as many answers, each of which begins with the right letter in bold type"
)
ANSWER, SCORE = _("Check the answer"), _("Right so far: {right} of {total}")
RIGHT, WRONG = _("right"), _("not right")
LOG = logging.getLogger(__name__)


class Question(NamedTuple):
    """A question, {letter: option}, the item with the answer, and the letter of the right option."""

    text: nodes.paragraph
    options: dict[str, nodes.paragraph]
    answer: nodes.list_item
    right: str


def _kinds(node: nodes.Element) -> list[type]:
    return [type(child) for child in node.children]


def _options(item: nodes.Element) -> dict[str, nodes.paragraph]:
    """Return {letter: paragraph} for the options of a question; {} if the item does not have its form."""
    has_form = _kinds(item) == [nodes.paragraph, nodes.bullet_list]
    if not has_form or any(_kinds(option) != [nodes.paragraph] for option in item[1]):
        return {}
    options = dict(zip(string.ascii_uppercase, (option[0] for option in item[1]), strict=False))
    fits = all(text.astext().startswith(f"{letter}. ") for letter, text in options.items())
    return options if fits else {}


def _right_letter(answer: nodes.Element) -> str:
    """Return the bold letter with which an answer begins, or ""."""
    first = answer.next_node(nodes.strong)
    return first.astext().rstrip(".") if first and answer.astext().startswith(first.astext()) else ""


def _questions(section: nodes.section) -> list[Question]:
    """Return the questions of a section, or [] if it does not have the form that `FORM` describes."""
    if _kinds(section) != [nodes.title, nodes.enumerated_list, nodes.paragraph, nodes.enumerated_list]:
        return []
    items, answers = section[1].children, section[3].children
    if len(items) != len(answers) or not all(map(_options, items)):
        return []
    pairs = zip(items, answers, strict=True)
    found = [Question(item[0], _options(item), answer, _right_letter(answer)) for item, answer in pairs]
    return found if all(question.right in question.options for question in found) else []


def _fieldset(number: int, question: Question, gettext: Callable[[str], str]) -> Element:
    """Return the element of a question. Its radio buttons are not in a `<form>`, so nothing can be submitted."""
    labels = []
    for letter, option in question.options.items():
        radio = element("input", type="radio", name=f"question-{number}", value=letter)
        labels.append(element("label", radio, *option.children, classes=option["classes"]))
    text = question.text
    legend = element("legend", nodes.Text(f"{number}. "), *text.children, classes=text["classes"])
    details = element("details", element("summary", nodes.Text(gettext(ANSWER))), *question.answer.children)
    return element("fieldset", legend, *labels, details, data_right=question.right)


def _ask(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Replace the lists of a chapter by interactive questions, in HTML builds only; warn if their form is wrong."""
    if app.builder.name != "html" or docname not in app.book.chapters:
        return
    gettext = app.sentences.gettext
    for section in doctree.findall(lambda node: isinstance(node, nodes.section) and ID in node["ids"]):
        if not (found := _questions(section)):
            LOG.warning(gettext(FORM).format(page=docname))
            return
        fields = [_fieldset(number, question, gettext) for number, question in enumerate(found, start=1)]
        words = {"data_said": gettext(SCORE), "data_right": gettext(RIGHT), "data_wrong": gettext(WRONG)}
        score = element("p", role="status", **words)
        section[1:] = [element("div", *fields, score, classes=["questions"], data_page=docname)]


def setup(app: BookApp) -> None:
    """Connect the handler."""
    app.connect("doctree-resolved", _ask, priority=priorities.MAKE_QUESTIONS)
