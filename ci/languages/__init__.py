"""Modules and stylesheets for single languages, a folder for each: see `ci.book.languages`."""
