"""Templates that mark a page or a proof without being part of its text, as data."""

WANTED: frozenset[str] = frozenset({"proofwanted", "proof wanted", "proof-wanted", "wanted proof"})
"""No real proof stands here, whatever else does."""

UNFINISHED: frozenset[str] = frozenset(
    {"finish", "tidy", "explain", "questionable", "improve", "refactor", "stub", "disputed"}
)
"""Requests to editors; a proof that holds nothing else is none."""

SHOWN: dict[str, tuple[str, ...]] = {
    "euclidpropstatement": ("body",),
    "euclidsaid": (),
    "hl": ("1",),
    "nowrap": ("1",),
    "color": ("2",),
    "tex": ("1",),
    "wp": ("2", "1"),
    "center": ("1",),
    "link-to-category": ("2", "1"),
    "linktocategory": ("2", "1"),
}
"""Formatting templates whose argument is text: the first one given is shown."""

SYMBOLS: dict[str, str] = {
    "!": "|",
    "=": "=",
    "!!": "||",
    "((": "{{",
    "))": "}}",
    "(": "{",
    ")": "}",
    "nbsp": " ",
    "space": " ",
}
"""Templates that stand for characters."""
