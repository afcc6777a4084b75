"""Find the results a proof needs: corpora and reference graphs of mathematics in natural language."""

from importlib import import_module

__all__ = ["__version__", "load_corpus", "suggest"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import what people use from Python when it is asked for; its types stand in the stub file."""
    if name in ("load_corpus", "suggest"):
        return getattr(import_module("naturalproofs.workspace.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
