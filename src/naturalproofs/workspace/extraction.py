"""What was seen in a LaTeX project and not understood: environments, reference commands, keys and inputs."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from naturalproofs.errors import SourceNotFound
from naturalproofs.records import Origin
from naturalproofs.sources.latex import choice, citations
from naturalproofs.workspace.check.prose import sources
from naturalproofs.workspace.open_corpus import OpenCorpus

_BEGIN = re.compile(r"^[^%\n]*?\\begin\s*\{([^{}\n]*)\}")
_ANY_BEGIN = re.compile(r"\\begin\s*\{([^{}\n#]{1,60})\}")
_CALL = re.compile(r"\\([a-zA-Z]+)\*?\s*(?:\[[^\]\n]*\])?\{([^{}\\#\n]{1,80})\}")
_NOT_REFERENCES = re.compile(
    r"begin|end|input|include|bibitem|hypertarget|\w*label|emph|math\w+|text\w*|overline|underline|operatorname|index"
)
_SHORTEST_KEY = 4


@dataclass(frozen=True, slots=True)
class Extraction:
    """Counts of what was read, and of what was not understood, most frequent first."""

    files: int
    statements: int
    proofs: int
    mentions: int
    resolved: int
    environments: tuple[tuple[str, int], ...]
    """Environments that are neither statements nor proofs, and not known as layout or formulas."""
    commands: tuple[tuple[str, int], ...]
    """Commands whose argument is the label of a statement, and which are not followed as references."""
    keys: tuple[tuple[str, int], ...]
    """Cited keys that no label has."""
    inputs: tuple[str, ...]
    """Inputs that were not followed, with the reason."""


def audit_extraction(opened: OpenCorpus) -> Extraction:
    """Compare the files of a project with what was read from them."""
    corpus = opened
    if opened.root is None or opened.reading is None:
        raise SourceNotFound(f"{opened.name}: not a LaTeX project; give the folder or the main file of one")
    lines = {path: text.splitlines() for path, text in opened.texts.items()}
    origins = [one.origin for one in corpus.statements] + [p.origin for one in corpus.statements for p in one.proofs]
    understood = {name for origin in origins if origin and (name := _environment_at(lines, origin))}
    seen: Counter[str] = Counter()
    commands: Counter[str] = Counter()
    labels = {one.label for one in corpus.statements} | set(opened.anchors or {})
    syntax = citations.KeySyntax.of(opened.macros)
    for visible in (source.text for source in sources(opened).values()):
        seen.update(_ANY_BEGIN.findall(visible))
        followed = {one.start for one in syntax.find(visible)}
        for match in _CALL.finditer(visible):
            keys = {key.strip() for key in match[2].split(",")}
            if min(map(len, keys)) < _SHORTEST_KEY or _NOT_REFERENCES.fullmatch(match[1]):
                continue
            if keys <= labels and match.start() not in followed:
                commands[f"\\{match[1]}"] += 1
    mentions = [mention for one in corpus.statements for mention in one.mentions]
    mentions += [mention for one in corpus.statements for proof in one.proofs for mention in proof.mentions]
    return Extraction(
        files=len(opened.texts),
        statements=len(corpus.statements),
        proofs=sum(len(one.proofs) for one in corpus.statements),
        mentions=len(mentions),
        resolved=sum(mention.reference is not None for mention in mentions),
        environments=tuple(
            (name, count)
            for name, count in seen.most_common()
            if name not in understood and not choice.is_ordinary_environment(name)
        ),
        commands=tuple(commands.most_common()),
        keys=tuple(Counter(one.target for one in opened.unresolved if one.reason == "undefined").most_common()),
        inputs=tuple(f"{one.path}:{one.line}: {one.message}" for one in choice.not_followed(opened.diagnostics)),
    )


def _environment_at(lines: dict[str, list[str]], origin: Origin) -> str:
    file = lines.get(origin.path, [])
    match = _BEGIN.match(file[origin.line - 1]) if 0 < origin.line <= len(file) else None
    return match[1].strip() if match else ""
