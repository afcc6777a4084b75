from naturalproofs.workspace.api import load_corpus as load_corpus
from naturalproofs.workspace.api import suggest as suggest

__all__ = ["__version__", "load_corpus", "suggest"]
__version__: str
