"""ProofWiki, and other wikis with its conventions, from a MediaWiki export."""

from naturalproofs.wiki.source import read_proofwiki

__all__ = ["read_proofwiki"]
