"""Patterns for Korean words, in which no space separates a noun from its particle and from the nouns around it.

Search finds any two or more adjacent syllables within a word: 손실 in 손실을 and 손실함수, 하강 in 경사하강법.
"""

LETTERS = "가-힣"  # for use within the brackets of a regular expression
CASE = "에서|에게|에|으로|로|으로서|로서|으로써|로써|으로부터|로부터|까지|부터|마다|보다|처럼|와|과|이랑|랑|이나|나"
# The particles and endings that search cuts off from a noun.
ENDING = (
    f"(?:(?:{CASE})?(?:은|는|도|만|의)|{CASE}|이|가|을|를|조차|밖에"
    "|이?란|이?라는|이?라고|이?며|이?고|이지만|이므로|입니다|이었습니다)"
)
NOUN_BEGINS = r"(?<!\w)"
REST_OF_WORD = r"\w*"  # what follows a noun without a space, such as a particle
