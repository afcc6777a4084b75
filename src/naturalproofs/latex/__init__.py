"""LaTeX: read without running TeX, in linear time, and without failing on malformed text.

From source to records:

- `files` and `scanner` make tokens of a file; `vocabulary` says at what the scanner stops, `arguments` reads arguments.
- `definitions` finds what a file defines, by `macros` and `declarations`; `discover` follows all files of a document.
- `dialect` works out what each environment and command of a document means, by `kinds` and `settings`.
- `reader` makes statements and proofs of tokens. Its parts are `walker` (with inputs and macro calls, by `expansion`,
  `conditions`), `frames`, `proofs`, `headed` (both by `headings`), `exercises`, `numbering`, `blueprint` and `boxes`.
- `resolve_labels` makes records of them, and resolves labels across documents.
- `project` reads any project, by `documents`, `tree`, `input_paths` and `cache`; `books` those of the data set.
- `choice` decides what is read when a path is given: which documents, and the folder that is not left. `outline` looks
  at files from afar, and at who reads whom.

`citations` finds labels and citations in any text, `works` those of other works and their entries. `display` renders
LaTeX as HTML and MathML.
"""

from naturalproofs.latex.scan.scanner import Scan, Token, TokenKind, scan
from naturalproofs.latex.scan.vocabulary import FULL, STRUCTURE, Vocabulary

__all__ = ["FULL", "STRUCTURE", "Scan", "Token", "TokenKind", "Vocabulary", "scan"]
