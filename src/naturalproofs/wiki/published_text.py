"""Wikitext of published files in terms of LaTeX: equations, headings and emphasis; other templates as their text.

Corpora that are built from a dump are rendered when they are read. The published files hold the wikitext as it is.
"""

import re

from naturalproofs.wiki.templates import SYMBOLS, equation_row

_EQUATIONS = re.compile(r"\{\{\s*begin-eqn\s*\}\}(.*?)(?:\{\{\s*end-eqn\s*\}\}|\Z)", re.DOTALL | re.IGNORECASE)
_EQUATION = re.compile(r"\{\{\s*eqn\b", re.IGNORECASE)
_FIELD = re.compile(r"\|\s*(ll|lo|l|ro|rr|r|o|cc|c|n)\s*=")
_DROPPED = re.compile(
    r"\{\{\s*(?:qed(?:\s*\|[^{}]*)?|handwaving|explain|refactor|proofread|tidy|stub|improve|missinglinks?|expand|todo"
    r"|mistake|questionable|disambiguate|link|delete|wtd|begin-eqn|end-eqn|namedfor|eulerian)(?:\s*\|[^{}]*)?\}\}",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"\{\{\s*Defof\s*\|([^{}|]*)(?:\|[^{}]*)?\}\}", re.IGNORECASE)
_TEMPLATE = re.compile(r"\{\{\s*([A-Za-z][\w /:'-]*)((?:\|[^{}]*)?)\}\}")
_TRANSCLUSION = re.compile(r"\{\{\s*+:\s*+((?:[^{}|\s]|\s++(?![|}]))++)\s*+(?:\|[^{}]*+)?+\}\}")
_NAMESPACE = re.compile(r"(?:Definition|Axiom|Symbols):")
_HEADING = re.compile(r"^(={2,6})\s{0,20}(.{0,300}?)\s{0,20}\1\s*$", re.MULTILINE)
_BOLD = re.compile(r"'''([^'\n]+)'''")
_ITALIC = re.compile(r"(?<!')''([^'\n]+)''(?!')")


def readable(text: str) -> str:
    """Wikitext with its common templates replaced; what is not known keeps its words."""
    if "{{" in text:
        text = _EQUATIONS.sub(lambda match: _aligned(match[1]), text)
        text = _DEFINITION.sub(r"Definition of \1", _DROPPED.sub("", text))
        # The text of another page, which the published files do not repeat.
        text = _TRANSCLUSION.sub(lambda match: f"[[{match[1]}|{_NAMESPACE.sub('', match[1])}]]", text)
        text = _TEMPLATE.sub(_words, text)
    if "==" in text:
        text = _HEADING.sub(r"\\textbf{\2}", text)
    if "''" in text:
        text = _ITALIC.sub(r"\\emph{\1}", _BOLD.sub(r"\\textbf{\1}", text))
    return text


def _words(template: re.Match[str]) -> str:
    """The phrase that a template stands for, its last argument, or its name."""
    name = template[1].strip()
    return SYMBOLS.get(name.casefold()) or template[2].rpartition("|")[2].strip() or name


def _aligned(block: str) -> str:
    """The rows of a list of equations as aligned LaTeX."""
    block = _DEFINITION.sub(r"Definition of \1", block)
    rows = [equation_row(_fields(row)) for row in _EQUATION.split(block)[1:]]
    return "\\begin{align*}\n" + "\n".join(rows).removesuffix("\\\\") + "\n\\end{align*}" if rows else ""


def _fields(row: str) -> dict[str, str]:
    """The arguments of one equation; the braces that end the template are dropped."""
    body = row.rstrip()
    if "}}" in body:
        # What follows the template stands between two equations and is no part of either.
        body = body[: _end(body)]
    parts = _FIELD.split(body)
    return {name: " ".join(value.split()) for name, value in zip(parts[1::2], parts[2::2], strict=False)}


def _end(body: str) -> int:
    """Where the template ends: at the first two closing braces that close nothing inside."""
    depth = 0
    for match in re.finditer(r"\\.|[{}]", body, re.DOTALL):
        sign = match.group()
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth < 0:
                return match.start()
    return len(body)
