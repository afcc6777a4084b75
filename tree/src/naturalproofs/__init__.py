"""Find the results a proof needs: corpora and reference graphs of mathematics in natural language."""

from importlib import import_module

__all__ = ["Workspace", "__version__", "evaluate", "load_corpus"]
__version__ = "0.2.0"
_MODULES = {
    "Workspace": "naturalproofs.workspace",
    "evaluate": "naturalproofs.benchmark.evaluation",
    "load_corpus": "naturalproofs.corpus.load",
}


def __getattr__(name: str) -> object:
    """Import the public functions and classes on first use; the stub file declares their types."""
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, those that are not yet imported included."""
    return sorted(__all__)
