"""Over the real projects: what methods see holds no label keys, made-up labels, formal names or names of files."""

import json
import re
import tarfile

from naturalproofs.corpus.load import load_corpus
from naturalproofs.corpus.names import has_generated_label
from naturalproofs.records import formal_names
from naturalproofs.tasks.protocols import passages

LEFT_OUT = {"mazhe", "v-notebook", "ods"}
"""Two that take a minute, and one that needs a Makefile first."""
_COMMAND = re.compile(r"\\([a-zA-Z]++)\*?+\s*+(?:\[[^][]*+\])?+\{([^{}]*+)\}")
_NOT_MATHEMATICS = re.compile(r"\\(?:uses|lean|leanok|label|input|includegraphics)\b")


def test_passages_hold_mathematics_only(real_source, tmp_path):
    entries = json.loads(real_source("projects/INDEX.json").read_text("utf-8"))
    found = []
    for archive in dict.fromkeys(entry["archive"] for entry in entries):
        name = archive.partition(".")[0]
        if name not in LEFT_OUT:
            with tarfile.open(real_source(f"projects/{archive}")) as packed:
                packed.extractall(tmp_path / name, filter="data")
            found += [f"{name}: {one}" for one in violations(load_corpus(tmp_path / name))]
    assert found == []


def violations(corpus):
    mentions = [m for s in corpus.statements for m in (*s.mentions, *(m for p in s.proofs for m in p.mentions))]
    labels = {s.label for s in corpus.statements} | {m.target for m in mentions}
    # A label that is one word may stand in a text as this word; emphasised words with hyphens too.
    keys = {label for label in labels if re.search(r"[:_./]|\d", label) and re.search("[a-z]{2}", label)}
    uses = {m.reference for s in corpus.statements for m in s.mentions if m.surface == "uses"}
    for passage, statement in zip(passages(corpus.statements), corpus.statements, strict=True):
        for text in (passage.title, passage.text):
            for command in _COMMAND.finditer(text):
                if keys.intersection(key.strip() for key in command[2].split(",")):
                    yield f"{passage.id} has {command[0]}"
            if wrong := _NOT_MATHEMATICS.search(text):
                yield f"{passage.id} has {wrong[0]}"
            if any("." in formal.name and formal.name in text for formal in formal_names(statement)):
                yield f"{passage.id} names its formal counterpart"
        if has_generated_label(statement) and passage.title and not statement.title:
            yield f"{passage.id} has a title made of a generated label"
        if uses and set(passage.cites) - {m.reference for m in statement.mentions if m.surface != "uses"}:
            yield f"{passage.id} cites what it only uses"
