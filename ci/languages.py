"""Prints the languages of the book, one per line, for the scripts."""

from ci.chapters import here

if __name__ == "__main__":
    print("\n".join(here().languages))
