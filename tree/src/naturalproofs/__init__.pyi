from naturalproofs.benchmark.evaluation import evaluate as evaluate
from naturalproofs.corpus.load import load_corpus as load_corpus
from naturalproofs.workspace import Workspace as Workspace

__all__ = ["Workspace", "__version__", "evaluate", "load_corpus"]
__version__: str
