"""Nouns in Korean text: each begins a word, and what follows without a space, such as a particle, ends it."""

BEGIN = r"(?<!\w)"
REST = r"\w*"
