"""Rules of single languages, a folder for each: see `ci.book.languages`."""
