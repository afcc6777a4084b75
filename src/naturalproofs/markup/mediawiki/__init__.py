"""MediaWiki exports and wikitext as text, titles, sections and nodes; nothing here knows of theorems."""
