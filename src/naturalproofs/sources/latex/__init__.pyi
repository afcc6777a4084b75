from naturalproofs.sources.latex.display import (
    CITED,
    Formulas,
    Image,
    Link,
    Prose,
    is_text_environment,
    plain_text,
    plain_unicode,
)
from naturalproofs.sources.latex.macros.macro import Macro
from naturalproofs.sources.latex.macros.packages import without_list_settings, written_letters
from naturalproofs.sources.latex.macros.table import macros_of
from naturalproofs.sources.latex.project import choice
from naturalproofs.sources.latex.project.outline import tex_files
from naturalproofs.sources.latex.project.project import (
    LATEX,
    CachedDocument,
    Project,
    labels_of,
    read_file,
)
from naturalproofs.sources.latex.project.tree import Tree
from naturalproofs.sources.latex.read import citations, works
from naturalproofs.sources.latex.read.dialect import Dialect
from naturalproofs.sources.latex.read.numbering import with_numbers
from naturalproofs.sources.latex.scan import scanner, symbols
from naturalproofs.sources.latex.scan.arguments import plain_title, read_group, read_option
from naturalproofs.sources.latex.scan.conditionals import find_conditionals

__all__ = [
    "CITED",
    "LATEX",
    "CachedDocument",
    "Dialect",
    "Formulas",
    "Image",
    "Link",
    "Macro",
    "Project",
    "Prose",
    "Tree",
    "choice",
    "citations",
    "find_conditionals",
    "is_text_environment",
    "labels_of",
    "macros_of",
    "plain_text",
    "plain_title",
    "plain_unicode",
    "read_file",
    "read_group",
    "read_option",
    "scanner",
    "symbols",
    "tex_files",
    "with_numbers",
    "without_list_settings",
    "works",
    "written_letters",
]
