"""The priorities of the event handlers of the components.

Sphinx calls the handlers of an event in ascending order of their priorities. Handlers whose order does not matter are
not listed here: they have Sphinx's default of 500, as do most handlers of other extensions.
"""

# config-inited
SHARE_BOOK = 10  # before every other handler of this extension
TRANSLATE_LABELS = 100  # before MyST-NB reads its configuration
TRANSLATE_SITE = 900  # after sphinx-external-toc has read _toc.yml
USE_TITLE = 950  # after TRANSLATE_SITE, which translates the title

# builder-inited
REMOVE_STATIC_FILES = 100  # before other extensions copy files there
CHOOSE_STYLES = 100  # before the theme reads them
WRITE_STYLES = 900  # after the theme has chosen the styles of code

# doctree-read
DROP_CAPTIONS = 400  # before Sphinx copies the tables of contents

# doctree-resolved
MARK_UNTRANSLATED = 500
MAKE_QUESTIONS = 840  # after MARK_UNTRANSLATED
MAKE_EXPLORABLE = 840  # after MARK_UNTRANSLATED
EXPLAIN_TERMS = 850  # after MARK_UNTRANSLATED
END_PAGE = 900  # after all handlers that change the text of a page

# html-page-context
ESCAPE_TITLES = 900  # after the theme has set the titles
