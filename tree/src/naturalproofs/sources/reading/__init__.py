"""What all sources of documents share: words for statements, builders, labels, settings, encodings."""
