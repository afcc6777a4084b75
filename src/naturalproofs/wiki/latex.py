"""Writing ProofWiki's own LaTeX commands out."""

import re

from naturalproofs.wiki.macros import MACROS

MAX_DEPTH = 24
"""How deep commands may stand inside each other's arguments."""
MAX_BARE = 3
"""How many commands may follow each other as bare arguments, as in ``\\map \\cl S``."""

# Grouped by their first letter, so that a command of TeX's own is passed over after a few comparisons.
_BY_LETTER = {name[0]: [n[1:] for n in sorted(MACROS) if n[0] == name[0]] for name in MACROS}
_COMMAND = re.compile(
    r"\\(" + "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in _BY_LETTER.items()) + r")(?![A-Za-z])"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_TOKEN = re.compile(r"\s*(\\[A-Za-z]+|\\.|[^\s{}$])", re.DOTALL)
_SPACE = re.compile(r"\s*")
_PARAMETER = re.compile(r"#([1-3])")


def written_out(text: str) -> str:
    """Replace ProofWiki's own commands by standard LaTeX; what cannot be read is left as it is."""
    if "\\" not in text or _COMMAND.search(text) is None:
        return text
    return _Writer(text).write(0, len(text), 0)


class _Writer:
    """Works on positions in one text, whose braces are matched once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._groups: dict[int, int] = {}
        opened: list[int] = []
        for match in _BRACE.finditer(text):
            if match[0] == "{":
                opened.append(match.start())
            elif match[0] == "}" and opened:
                self._groups[opened.pop()] = match.end()

    def write(self, start: int, end: int, depth: int) -> str:
        """Give a stretch with its commands written out."""
        pieces: list[str] = []
        while depth < MAX_DEPTH and (match := _COMMAND.search(self._text, start, end)):
            count, meaning = MACROS[match[1]]
            read = self._arguments(match.end(), end, count, 0)
            pieces.append(self._text[start : match.start()])
            if read is None:
                pieces.append(match[0])
                start = match.end()
                continue
            spans, start = read
            values = [self.write(*span, depth + 1).strip() for span in spans]
            written = _filled(meaning, values)
            # A command that ends in a letter must not run into the next one.
            glued = written[-1].isalpha() and self._text[start : start + 1].isalpha()
            pieces.append(written + " " if glued else written)
        pieces.append(self._text[start:end])
        return "".join(pieces)

    def _arguments(self, position: int, end: int, count: int, bare: int) -> tuple[list[tuple[int, int]], int] | None:
        """Find arguments as TeX does: a group in braces, or the next single token."""
        found: list[tuple[int, int]] = []
        for _ in range(count):
            space = _SPACE.match(self._text, position, end)
            position = space.end() if space is not None else position
            after = self._groups.get(position)
            if after is not None and after <= end:
                found.append((position + 1, after - 1))
                position = after
                continue
            token = _TOKEN.match(self._text, position, end)
            if token is None or bare > MAX_BARE:
                return None
            position = token.end()
            if token[1][:1] == "\\" and token[1][1:] in MACROS:
                # A command of ours takes its own arguments along.
                inner = self._arguments(position, end, MACROS[token[1][1:]][0], bare + 1)
                if inner is None:
                    return None
                position = inner[1]
            found.append((token.start(1), position))
        return found, position


def _filled(meaning: str, values: list[str]) -> str:
    return _PARAMETER.sub(lambda hit: values[int(hit[1]) - 1], meaning) if values else meaning
