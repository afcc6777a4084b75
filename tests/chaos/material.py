"""The folder that the cases start from: a small project in each format, and everything that is made from it."""

import os
import random
import shutil
import tempfile
from importlib import import_module
from pathlib import Path

from support.command_line import call
from support.mediawiki_dumps import write_dump

WORDS = "group ring field ideal module prime kernel image order index".split()


def write_project(folder: Path, statements: int = 40, *, colour: str = "") -> Path:
    """A LaTeX project of several files, with definitions, lemmas, proofs and citations."""
    folder.mkdir(parents=True)
    lines = []
    for number in range(statements):
        word, other = WORDS[number % 10], WORDS[(number * 3 + 1) % 10]
        kind = "definition" if number % 5 == 0 else "lemma"
        lines.append(
            f"\\begin{{{kind}}}[The {word} {number}]\\label{{l{number}}} Every {colour} {word} $x_{{{number}}}$ "
            f"has a {other}.\\end{{{kind}}}"
        )
        if kind == "lemma":
            cited = f"\\ref{{l{number - 1}}} and \\ref{{l{number * 2 // 3}}}"
            lines.append(f"\\begin{{proof}} By {cited}, the {word} has a {other}.\\end{{proof}}")
    half = len(lines) // 2
    (folder / "second.tex").write_text("\n".join(lines[half:]))
    (folder / "main.tex").write_text(
        "\\documentclass{article}\n\\newtheorem{lemma}{Lemma}[section]\n\\newtheorem{definition}[lemma]{Definition}\n"
        "\\newcommand{\\N}{\\mathbb{N}}\n\\begin{document}\n\\section{Numbers}\n"
        + "\n".join(lines[:half])
        + "\n\\section{More}\n\\input{second}\n\\end{document}\n"
    )
    return folder


def write_wiki(path: Path) -> Path:
    """A MediaWiki dump in ProofWiki's style."""
    path.parent.mkdir(parents=True)
    pages = {"Definition:Ring": "== Definition ==\nA '''ring''' is a set.\n[[Category:Definitions/Rings]]"}
    for number in range(12):
        pages[f"Theorem {number}"] = (
            "== Theorem ==\nLet $x$ be in a [[Definition:Ring|ring]].\n== Proof ==\n"
            f"By [[Theorem {max(0, number - 1)}]], {{{{eqn|l=x|r=y|c={{{{Defof|Ring}}}}}}}} {{{{qed}}}}\n"
            "[[Category:Rings]]"
        )
    pages["Template:Defof"] = "Definition of [[Definition:{{{1}}}|{{{1}}}]]"
    return write_dump(path, pages)


def write_pretext(path: Path) -> Path:
    """A book in PreTeXt."""
    statements = "".join(
        f'<lemma xml:id="l{number}"><title>The {word}</title><statement><p>Every {word} <m>x</m>.</p></statement>'
        f'<proof><p>See <xref ref="l{max(0, number - 1)}"/>.</p></proof></lemma>'
        for number, word in enumerate(WORDS)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'<?xml version="1.0"?><pretext><book xml:id="b"><title>B</title><chapter xml:id="c"><title>C</title>'
        f"<section><title>S</title>{statements}</section></chapter></book></pretext>"
    )
    return path


def write_markdown(path: Path) -> Path:
    """A Quarto document."""
    blocks = "\n\n".join(
        f"::: {{#lem-l{number}}}\n## The {word}\nEvery {word} $x$.\n:::\n\n"
        f"::: {{.proof}}\nBy @lem-l{max(0, number - 1)}.\n:::"
        for number, word in enumerate(WORDS)
    )
    path.parent.mkdir(parents=True)
    path.write_text(f"---\ntitle: B\n---\n\n# One\n\n{blocks}\n")
    return path


def must(*arguments: object) -> None:
    """Run a command that must succeed, in this process."""
    code, _, err = call(*arguments)
    assert code == 0, err


def make_template(folder: Path) -> Path:
    """Everything a case needs; it also imports what the commands need, before processes are forked."""
    folder.mkdir(parents=True)
    for name in ("cache", "tmp", "out", "outside"):
        (folder / name).mkdir()
    (folder / "outside" / "precious.txt").write_text("precious")
    project, other = write_project(folder / "project"), write_project(folder / "other", 30, colour="red")
    must("build", "latex", project, "-o", folder / "corpus", "--name", "corpus", "-q")
    must("build", "latex", other, "-o", folder / "corpus2", "--name", "corpus2", "-q")
    write_wiki(folder / "wiki" / "dump.xml")
    write_pretext(folder / "pretext" / "book.ptx")
    write_markdown(folder / "markdown" / "book.qmd")
    must("export", folder / "corpus", "--to", "naturalproofs-json", "-o", folder / "corpus.json")
    must("evaluate", "bm25", folder / "corpus", "-o", folder / "run")
    must("train", "hybrid", folder / "corpus", "-o", folder / "model")
    _import_what_commands_need(folder)
    return folder


def _import_what_commands_need(folder: Path) -> None:
    """Run other commands once: what they import is then there in every forked process."""
    before = os.environ.get("NATURALPROOFS_CACHE")
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["NATURALPROOFS_CACHE"] = str(Path(scratch) / "cache")
        must("search", folder / "project", "group")
        must("suggest", folder / "project", "--at", "l7")
        must("stats", folder / "corpus", "--plots", Path(scratch) / "plots")
        must("build", "proofwiki", folder / "wiki" / "dump.xml", "-o", Path(scratch) / "wiki", "-q")
    if before is None:
        del os.environ["NATURALPROOFS_CACHE"]
    else:
        os.environ["NATURALPROOFS_CACHE"] = before
    for server in ("naturalproofs.apps.agents", "naturalproofs.apps.editor.server"):
        import_module(server)


def damage(path: Path, random_: random.Random) -> str:
    """Damage a file in one of many ways; returns which."""
    data = bytearray(path.read_bytes())
    how = random_.choice(["flip", "flip", "flip", "overwrite", "cut", "extend", "empty", "folder", "link", "delete"])
    if how == "flip" and data:
        for _ in range(random_.choice([1, 1, 4, 64])):
            data[random_.randrange(len(data))] ^= 1 << random_.randrange(8)
        path.write_bytes(data)
    elif how == "overwrite" and data:
        at, size = random_.randrange(len(data)), random_.choice([4, 8, 64, 512])
        value = random_.choice([b"\xff", b"\x00", b"\x7f", b"A", b"9"])
        data[at : at + size] = value * len(data[at : at + size])
        path.write_bytes(data)
    elif how == "cut":
        path.write_bytes(data[: random_.randrange(len(data) + 1)])
    elif how == "extend":
        path.write_bytes(data + random_.randbytes(random_.choice([1, 100, 5000])))
    elif how == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
        if how == "folder":
            path.mkdir()
        elif how == "link":
            path.symlink_to(random_.choice([Path("/dev/null"), Path("/"), Path("nowhere"), path.parent]))
    return how


def mutated(text: bytes, random_: random.Random, tokens: list[bytes]) -> bytes:
    """A text with pieces deleted, repeated, moved, inserted or replaced."""
    data = bytearray(text)
    for _ in range(random_.choice([1, 1, 2, 4, 16])):
        at = random_.randrange(len(data) + 1)
        end = min(len(data), at + random_.choice([1, 2, 8, 64, 400]))
        how = random_.randrange(6)
        if how == 0:
            del data[at:end]
        elif how == 1:
            data[at:at] = data[at:end] * random_.choice([1, 2, 50])
        elif how == 2:
            piece = bytes(data[at:end])
            del data[at:end]
            to = random_.randrange(len(data) + 1)
            data[to:to] = piece
        elif how == 3:
            data[at:at] = random_.choice(tokens) * random_.choice([1, 1, 3, 200])
        elif how == 4:
            data[at:end] = random_.choice(tokens)
        else:
            data[at:end] = random_.randbytes(end - at)
    return bytes(data)


def copy_of(path: Path, to: Path) -> Path:
    """A copy of a file or a folder."""
    return Path(shutil.copytree(path, to) if path.is_dir() else shutil.copy(path, to))
