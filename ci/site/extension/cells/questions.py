"""Makes questions of the lists in a section "Questions": options to choose from, and answers that open at a touch.

In the source, and wherever the site is not, it is a numbered list with the options of each question, and a second one
with the answers, which begin with the right letter in bold type. Without scripts one chooses and opens as well;
`theme/static/book.js` counts.
"""

import re
import string

from docutils import nodes
from sphinx.util import logging

from ci import _
from ci.site.extension.output.elements import made

ID = "questions"  # of the section, in every language
FORM = _(
    "{page}: the section Questions must be a numbered list of questions with options A., B., …, a line, "
    "and a numbered list of as many answers, each of which begins with the right letter in bold type"
)
ANSWER, SCORE = _("Check the answer"), _("Right so far: {right} of {total}")
RIGHT, WRONG = _("right"), _("not right")
LETTER = re.compile(r"([A-Z])\. ")
LOG = logging.getLogger(__name__)


def options(question):
    """Returns [(letter, paragraph)] of an item with a list of options, or [] if it is none."""
    if [type(child) for child in question.children] != [nodes.paragraph, nodes.bullet_list]:
        return []
    if any([type(child) for child in item.children] != [nodes.paragraph] for item in question[1]):
        return []
    paragraphs = [item[0] for item in question[1]]
    letters = [match[1] for match in map(LETTER.match, (one.astext() for one in paragraphs)) if match]
    fits = letters == list(string.ascii_uppercase[: len(paragraphs)])
    return list(zip(letters, paragraphs, strict=True)) if fits else []


def right_letter(answer):
    """The letter with which an answer begins, or ""."""
    first = answer.next_node(nodes.strong)
    return first.astext().rstrip(".") if first and answer.astext().startswith(first.astext()) else ""


def questions(section):
    """Returns [(paragraph, options, answer, its letter)] of a section, or [] if it does not have the form."""
    if [type(child) for child in section.children] != [
        nodes.title,
        nodes.enumerated_list,
        nodes.paragraph,
        nodes.enumerated_list,
    ]:
        return []
    asked, answers = section[1].children, section[3].children
    if len(asked) != len(answers) or not all(map(options, asked)):
        return []
    found = [(one[0], options(one), answer, right_letter(answer)) for one, answer in zip(asked, answers, strict=True)]
    return found if all(right in dict(choice) for _, choice, _, right in found) else []


def fieldset(number, question, choice, answer, right, gettext):
    """One question. Its options are no part of a form, so that nothing can be sent."""
    labels = []
    for letter, option in choice:
        radio = made("input", type="radio", name=f"question-{number}", value=letter)
        labels.append(made("label", radio, *option.children, classes=option["classes"]))
    legend = made("legend", nodes.Text(f"{number}. "), *question.children, classes=question["classes"])
    details = made("details", made("summary", nodes.Text(gettext(ANSWER))), *answer.children)
    return made("fieldset", legend, *labels, details, data_right=right)


def ask(app, doctree, docname):
    if app.builder.name != "html" or docname not in app.book.chapters:
        return
    gettext = app.sentences.gettext
    for section in doctree.findall(lambda node: isinstance(node, nodes.section) and ID in node["ids"]):
        if not (found := questions(section)):
            LOG.warning(gettext(FORM).format(page=docname))
            return
        fields = [fieldset(number, *one, gettext) for number, one in enumerate(found, start=1)]
        words = {"data_said": gettext(SCORE), "data_right": gettext(RIGHT), "data_wrong": gettext(WRONG)}
        score = made("p", role="status", **words)
        section[1:] = [made("div", *fields, score, classes=["questions"], data_page=docname)]


def setup_questions(app):
    app.connect("doctree-resolved", ask, priority=840)  # after `bilingual` has marked what is not translated
