r"""LaTeX: read without running TeX, in linear time, and without failing on malformed text.

This module is the package's interface; no other module of it is imported from outside. Its parts are `scan` (tokens,
arguments, conditionals), `macros` (definitions, the one table of a document, the engine, expansion), `read`
(statements, proofs, labels and citations), `project` (files, choice of documents, cache) and `display` (HTML with
MathML, and Unicode text). ``docs/reference/reading-latex.md`` says how they work together and where to add a construct.

A project, its macros, its citations and its text as a person reads it:

>>> from naturalproofs.data import primer_folder
>>> from naturalproofs.sources.latex import LATEX, citations, macros_of, plain_unicode, scanner
>>> draft = LATEX.read(primer_folder(), name="primer", rules="fixed")
>>> draft.statements[0].kind
'definition'
>>> macros = macros_of([r"\newcommand{\NN}{\mathbb{N}}"])
>>> plain_unicode(r"Every subset of $\NN$ has a least element.", macros)
'Every subset of ℕ has a least element.'
>>> [key.key for one in citations.find_citations(r"by \cref{a,b} % \ref{c}") for key in one.keys]
['a', 'b']
>>> [token.name for token in scanner.tokenize(r"\begin{lemma} x \end{lemma}") if token.name]
['lemma', 'lemma']
"""

from importlib import import_module

_NAMES = {
    "display": "CITED Formulas Image Link Prose is_text_environment plain_text plain_unicode",
    "macros.macro": "Macro",
    "macros.packages": "without_list_settings written_letters",
    "macros.table": "macros_of",
    "project.choice": "",
    "project.outline": "tex_files",
    "project.project": "LATEX CachedDocument Project labels_of read_file",
    "project.tree": "Tree",
    "read.citations": "",
    "read.dialect": "Dialect",
    "read.numbering": "with_numbers",
    "read.works": "",
    "scan.arguments": "plain_title read_group read_option",
    "scan.conditionals": "find_conditionals",
    "scan.scanner": "",
    "scan.symbols": "",
}
"""The public names of each module, which is imported when one of them is first used; the stub file declares them.

A module without names is one itself: what is asked of it is asked together.
"""
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split() or [module.partition(".")[2]]}
__all__ = sorted(_MODULES)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    """A public name, from its module."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_MODULES[name]}")
    found = getattr(module, name) if _NAMES[_MODULES[name]] else module
    globals()[name] = found
    return found
