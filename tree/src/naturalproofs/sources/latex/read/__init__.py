"""From tokens to statements, proofs, labels and citations."""
