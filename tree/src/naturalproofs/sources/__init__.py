"""Readers of sources: each makes statements, proofs and citations from one kind of files."""
