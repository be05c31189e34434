"""Search in Korean, where a noun is written together with its particle and with the nouns around it.

A page is found by any two or more adjacent syllables of a word in it: 손실 by 손실을 and 손실함수, 하강 by 경사하강법.
For nouns of one syllable, and from what a reader types, particles are cut off.
"""

import re

from sphinx.search.en import SearchEnglish

RUN = re.compile(r"[가-힣]+|[^\W가-힣]+")
CASE = "에서|에게|에|으로|로|으로서|로서|으로써|로써|으로부터|로부터|까지|부터|마다|보다|처럼|와|과|이나|나"
ENDING = (
    f"(?:(?:{CASE})?(?:은|는|도|만|의)|{CASE}|이|가|을|를|조차|밖에"
    "|이?란|이?라는|이?라고|이?며|이?고|이지만|이므로|입니다|이었습니다)"
)


def is_korean(word):
    return "가" <= word[0] <= "힣"


def forms(word):
    """The forms under which a Korean word is indexed."""
    length = len(word)
    runs = {word[start:end] for start in range(length) for end in range(start + 2, length + 1)}
    noun = re.sub(f"{ENDING}$", "", word)
    return sorted(runs | {word} | ({noun} if len(noun) == 1 else set()))


class Words(SearchEnglish):
    """Splits and stems Korean words, and English words among them."""

    lang = "ko"
    language_name = "Korean"
    js_splitter_code = (
        r"var splitQuery = query => query.match(/[가-힣]+|(?:(?![가-힣])[\p{Letter}\p{Number}_])+/gu) ?? []"
    )
    js_stemmer_code = f"""{SearchEnglish.js_stemmer_code}
const English = Stemmer
Stemmer = function() {{
  const english = new English()
  this.stemWord = word => /^[가-힣]/.test(word) ? word.replace(/^(..+?){ENDING}$/, "$1") : english.stemWord(word)
}}
"""

    def split(self, input):
        return [form for run in RUN.findall(input) for form in (forms(run) if is_korean(run) else [run])]

    def stem(self, word):
        return word if is_korean(word) else super().stem(word)
