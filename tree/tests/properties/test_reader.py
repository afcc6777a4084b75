"""Whatever a file holds, a source gives statements and diagnostics, never a traceback."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.corpus.corpus import Corpus, Provenance, check_corpus, resolve
from naturalproofs.sources.textbooks import STACKS

BLOCKS = [
    "\\begin{lemma}", "\\end{lemma}", "\\begin{definition}", "\\end{definition}", "\\begin{proof}", "\\end{proof}",
    "\\begin{proof}[Proof of Lemma~\\ref{a}]", "\\begin{lemma}[A title]", "\\label{a}", "\\label{b}", "\\ref{a}",
    "\\ref{x-b}", "\\begin{equation}", "\\end{equation}", "\\begin{slogan}", "\\end{slogan}", "\\begin{exercise}",
    "\\end{exercise}", "\\section{S}", "% ", "\n", "word ", "\\iffalse", "\\fi", "{", "}", "$",
]  # fmt: skip


@given(st.lists(st.sampled_from(BLOCKS), max_size=50).map("".join), st.binary(max_size=60))
def test_any_file_gives_a_valid_corpus(text, tail):
    with TemporaryDirectory() as folder:
        Path(folder, "x.tex").write_bytes(text.encode() + tail)
        draft = STACKS.read(Path(folder), name="s", rules="fixed")
        statements, resolution, unresolved = resolve(draft)
        check_corpus(Corpus("s", statements, Provenance("stacks", "fixed"), resolution))
        assert resolution.mentions == resolution.references + len(unresolved)
        paper = STACKS.read(Path(folder), name="s", rules="paper")
        resolve(paper, "paper")
