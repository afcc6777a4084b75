"""What a mathematician, an editor, the page and agents ask for: one `Workspace` of open projects and corpora."""

from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.workspace import Match, Workspace

__all__ = ["Match", "OpenCorpus", "Workspace"]
