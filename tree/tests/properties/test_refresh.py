"""Random documents, edited at random: the cache always gives what reading everything gives."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from support.linked_documents import NAMES, assert_as_if_new, open_project, write_documents

LABELS = st.sampled_from(["p", "q", "r", "t", "u", "v", "a-p"])
KEYS = st.sampled_from(["p", "q", "r", "a-p", "b-p", "b-q", "c-p", "a-a-p", "c-r", "c-t", "a-u", "v", "far-p"])
CITED = st.one_of(
    st.builds("\\ref{{{}}}".format, KEYS),
    st.builds("\\ref{{{}}}".format, KEYS),
    st.builds("\\cite{{{}}}".format, st.sampled_from(["knuth", "euler"])),
    st.just("Lemma 1"),
)
TEXTS = st.lists(CITED, max_size=2).map(" and ".join)
PIECES = st.one_of(
    st.builds("\\begin{{lemma}}\\label{{{}}} Say {}. \\end{{lemma}}".format, LABELS, TEXTS),
    st.builds("\\begin{{lemma}}\\label{{{}}} Say {}. \\end{{lemma}}".format, LABELS, TEXTS),
    st.builds("\\begin{{lemma}} Unnamed {}. \\end{{lemma}}".format, TEXTS),
    st.builds("\\begin{{proof}} By {}. \\end{{proof}}".format, TEXTS),
    st.builds("\\begin{{proof}}[Proof of Lemma \\ref{{{}}}] By {}. \\end{{proof}}".format, KEYS, TEXTS),
    st.builds("\\section{{S}}\\label{{s-{}}}".format, LABELS),
)
BODIES = st.lists(PIECES, max_size=3).map("\n".join)


@settings(max_examples=40)
@given(
    bodies=st.tuples(BODIES, BODIES, BODIES),
    edits=st.lists(st.tuples(st.sampled_from(NAMES), BODIES), min_size=1, max_size=3),
)
def test_the_index_after_any_edit(bodies, edits):
    start = dict(zip(NAMES, bodies, strict=True))
    start["c"] += "\n\\begin{lemma}\\label{last} There is something to keep. \\end{lemma}"
    with TemporaryDirectory() as scratch:
        folder = Path(scratch, "works")
        write_documents(folder, start)
        open_project(folder)
        for name, body in edits:
            kept = "\n\\begin{lemma}\\label{last} There is something to keep. \\end{lemma}" if name == "c" else ""
            write_documents(folder, {name: body + kept})
            assert_as_if_new(folder, open_project(folder))
