"""ProofWiki as a source among the others."""

from dataclasses import dataclass
from pathlib import Path

from naturalproofs.progress import Progress, silent
from naturalproofs.records import Draft, Rules
from naturalproofs.source import SourceInfo
from naturalproofs.wiki.read import read_proofwiki

INFO = SourceInfo(
    name="proofwiki",
    title="ProofWiki",
    authors="The ProofWiki contributors",
    licence="CC-BY-SA-4.0",
    url="https://proofwiki.org",
    citation="ProofWiki contributors. ProofWiki: online compendium of mathematical proofs.",
    split="layers",
)


@dataclass(frozen=True, slots=True)
class ProofWiki:
    """A MediaWiki export of ProofWiki, or of a wiki written in its conventions."""

    info: SourceInfo = INFO

    def read(self, path: Path, *, name: str, rules: Rules, progress: Progress = silent) -> Draft:
        """Read a dump."""
        return read_proofwiki(path, rules=rules, name=name, progress=progress)


PROOFWIKI = ProofWiki()
