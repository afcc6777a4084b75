"""ProofWiki, and other wikis written in its conventions, from a MediaWiki export."""

from naturalproofs.wiki.read import read_proofwiki

__all__ = ["read_proofwiki"]
