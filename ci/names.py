"""Names what the scripts loop over, one per line: python -m ci.names languages | chapters"""

import sys

from ci.chapters import here
from ci.errors import reported

if __name__ == "__main__":
    with reported():
        book = here()
        print("\n".join(book.languages if sys.argv[1] == "languages" else map("{}.md".format, book.chapters)))
