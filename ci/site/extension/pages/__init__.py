"""Components for what stands on a page around its cells: tools, tables, links, credits, search."""

from ci.site.extension.application import BookApp
from ci.site.extension.pages.bilingual import setup_bilingual
from ci.site.extension.pages.credits import setup_credits
from ci.site.extension.pages.error_index import setup_error_index
from ci.site.extension.pages.issue_links import setup_issue_links
from ci.site.extension.pages.minutes import setup_minutes
from ci.site.extension.pages.page_tools import setup_page_tools
from ci.site.extension.pages.search_data import setup_search_data
from ci.site.extension.pages.section_links import setup_section_links
from ci.site.extension.pages.stacked_tables import setup_stacked_tables
from ci.site.extension.pages.tables import setup_tables
from ci.site.extension.pages.wide_code import setup_wide_code


def setup(app: BookApp) -> None:
    """Set up the components of this room."""
    setup_bilingual(app)
    setup_tables(app)
    setup_error_index(app)
    setup_section_links(app)
    setup_search_data(app)
    setup_page_tools(app)
    setup_minutes(app)
    setup_issue_links(app)
    setup_credits(app)
    setup_stacked_tables(app)
    setup_wide_code(app)
