"""A corpus as a web site of plain files: pages, graph, search index, permanent addresses."""
