"""The macros with which texts are shown: the author's, and usual ones; which of them can be expanded."""

import re

from naturalproofs.latex.display.nodes import Formula
from naturalproofs.latex.display.text_commands import QUIET
from naturalproofs.latex.display.usual_macros import USUAL
from naturalproofs.latex.macros.macro import UNDECIDED, Macro, Macros, mentions
from naturalproofs.latex.macros.table import macros_of
from naturalproofs.latex.scan.conditionals import may_ask
from naturalproofs.latex.scan.symbols import IGNORED

MAX_LENGTH = 200_000
_TRAILING_COMMAND = re.compile(r"\\[a-zA-Z@]+$")
_CALLED = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|def)\*?+\s*+\{?+\s*+\\[a-zA-Z@]++|\\(?:([a-zA-Z@]++)|.)", re.DOTALL
)
"""A command, in the first group unless it is one that is defined here."""
_STRUCTURE_ROUNDS = 3
_PRIMITIVE = re.compile(
    r"\\(?:(?:if(?!f(?![a-zA-Z@])|mmode)[a-zA-Z@]*|expandafter|csname|futurelet|special|catcode|global|[egx]def"
    r"|let|advance|number|the|romannumeral|setbox|sbox|savebox|usebox|copy|box|wd|ht|dp"
    r"|detokenize|string|meaning|afterassignment|aftergroup|mathchardef|tikz)(?![a-zA-Z@])|[a-zA-Z]+_[a-zA-Z_]*:|[a-zA-Z]+@[a-zA-Z@]*|@[a-zA-Z@]+)"
)
"""Commands that only TeX can run, and the internal ones of packages."""
_COMPUTED = re.compile(r"\\(?:[a-z]+_map_|[a-z]+_use:N|Str[A-Z]|foreach|forcsvlist|@t?for)")
"""A loop, or a function of strings, which is carried out when the arguments are known."""
CONDITIONALS = {
    "\\@ifnextchar": 2,
    "\\@ifstar": 2,
    "\\@firstofone": 1,
    "\\@firstoftwo": 2,
    "\\@secondoftwo": 2,
    "\\z@": 0,
    "\\nolimits@": 0,
    "\\newmcodes@": 0,
    "\\operator@font": 0,
}
"""Internal commands that are run here, and how many arguments they choose from."""
CHOICES = {
    "\\mathpalette": (2, "{0}{{}}{{{1}}}"),
    "\\mathchoice": (4, "{{{1}}}"),
}
"""Commands that depend on the size of the formula, which is of no account here: arguments, and what stands for them."""
_DERIVATIVE: Macros = macros_of(
    [
        r"\NewDocumentCommand\odif{som}{\IfNoValueTF{#2}{\clist_map_inline:nn{#3}{\mathrm{d}##1\,}}{\undecided{odif}}}"
        r"\NewDocumentCommand\pdif{som}{\IfNoValueTF{#2}{\clist_map_inline:nn{#3}{\partial ##1\,}}{\undecided{pdif}}}"
    ]
)
"""Commands of the package derivative, whose own program is too long to be run."""
_BUILT_IN: Macros = {**USUAL, **_DERIVATIVE}


class DisplayMacros:
    """The macros that can be expanded, the author's before the built-in ones, and the formulas parsed with them."""

    __slots__ = ("_known", "author", "parsed")

    def __init__(self, author: Macros) -> None:
        """Bind the author's macros."""
        self.author = author
        self._known: dict[str, Macro | None] = {}
        self.parsed: dict[tuple[str, bool], Formula] = {}

    def get(self, name: str) -> Macro | None:
        """The macro of this name, unless only TeX could run it; one that asks for its arguments may be understood."""
        if name not in self._known:
            self._known[name] = None  # A macro that leads back to itself cannot be expanded.
            macro = self.author.get(name)
            if macro is None:
                macro = _BUILT_IN.get(name)
            elif not self._may_expand(macro):
                macro = _DERIVATIVE.get(name)
            elif not self._is_known(macro):
                macro = Macro(name, (), f"\\{UNDECIDED}{{{name}}}")
            self._known[name] = macro
        return self._known[name]

    def defines(self, name: str) -> bool:
        """Whether the author defines a command, understood or not."""
        return name in self.author

    def with_macro(self, macro: Macro) -> "DisplayMacros":
        """The same with another macro, which holds in a part of a text."""
        return DisplayMacros({**self.author, macro.name: macro})

    def with_structure(self, source: str, structure: re.Pattern[str]) -> str:
        """A source in which the macros without arguments whose bodies have a structure are replaced by these."""

        def body(match: re.Match[str]) -> str:
            macro = self.get(match[1])
            is_part = macro is not None and not macro.parameters and structure.search(macro.body)
            return glued(macro.body) if macro is not None and is_part else match.group()

        for _ in range(_STRUCTURE_ROUNDS):
            before, source = source, _CALLED.sub(body, source)
            if source == before or len(source) > MAX_LENGTH:
                break
        return source

    def _may_expand(self, macro: Macro) -> bool:
        if not self._is_known(macro):
            return not _is_layout(macro.name)
        return self.can_expand(macro, macro.body) or may_ask(macro.body) or bool(_COMPUTED.search(macro.body))

    def _is_known(self, macro: Macro) -> bool:
        """Whether it is known what a macro stands for: one in terms of itself is a loop."""
        is_loop = mentions(macro.body, macro.name) and "\\@ifnextchar" not in macro.body
        return macro.is_certain and not is_loop

    def can_expand(self, macro: Macro, body: str) -> bool:
        """Whether nothing in a body has to be run by TeX, the author's internal macros in it included."""
        for match in _PRIMITIVE.finditer(body):
            command = match.group()
            loops = command[1:] == macro.name
            if command not in CONDITIONALS and not loops and ("@" not in command or self.get(command[1:]) is None):
                return False
        return True


def _is_layout(name: str) -> bool:
    """Whether a command says nothing, so that it does not matter how an author defines it."""
    return not name.isalpha() or name in IGNORED or name in QUIET


def glued(body: str) -> str:
    """A text that goes before another: a command at its end must not swallow a letter that follows it."""
    return f"{body} " if _TRAILING_COMMAND.search(body) else body
