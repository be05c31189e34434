"""Components for what stands on a page around its cells: tools, tables, links, credits, search."""
