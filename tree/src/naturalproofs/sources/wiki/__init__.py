"""ProofWiki, and other wikis with its conventions, from a MediaWiki export.

`dump` reads the pages; `titles` and `wikitext` parse names and texts; `sections` finds statements and proofs in a page;
`render` writes their text and finds their citations, by `templates`, `plain` and `latex`. `fixed` and `paper` are the
two sets of rules, `source` chooses between them. `published_text` shows the wikitext of the published files.
"""
