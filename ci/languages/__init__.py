"""A folder for each language with rules of its own: see `ci.book.languages`."""
