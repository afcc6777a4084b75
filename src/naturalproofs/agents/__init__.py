"""For agents: the library's verbs over the Model Context Protocol, in answers short enough to read many of them."""
