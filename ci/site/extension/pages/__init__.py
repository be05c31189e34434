"""Components for the parts of a page besides its cells: tools, tables, links, credits and search data."""
