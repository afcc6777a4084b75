"""What is without_keys in a statement's text: keys, file names and formal names are none."""

import pytest

from naturalproofs.records import Mention, Note, Statement
from naturalproofs.sources.latex.read.citations import without_keys
from naturalproofs.tasks.protocols import TextView, label_words, passages, stated_citations, statement_text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (r"By Lemma \ref{lem:zorn-a} and~\eqref{eq:1}, $x = 1$.", "By Lemma  and~, $x = 1$."),
        (r"See \cref{thm:a,thm:b}, \Crefrange{a:1}{a:9}.", "See , ."),
        (r"See \hyperref[lem:zorn]{Zorn's lemma}.", "See Zorn's lemma."),
        (r"See \href{https://a.b/c_d}{the page}, \cite[Lemma 6.3]{Jech}.", "See {the page}, ."),
        (r"\emph{by \lemref{flat-base} again}", r"\emph{by  again}"),
        (r"\label{{xca:double}}\label{a_b} A group", " A group"),
        (r"\begin{figure}\includegraphics[width=3cm]{img/torus.png}\end{figure}", r"\begin{figure}\end{figure}"),
        (r"$\frac{a}{b} \in \mathbb{Z}$", r"$\frac{a}{b} \in \mathbb{Z}$"),
        (r"\uses{def:a, def:b}\lean{Foo.bar}\leanok Every field", r"\leanok Every field"),
        ("plain {text}", "plain {text}"),
    ],
)
def test_keys_are_no_mathematics(text, left):
    assert without_keys(text) == left


def test_commands_that_a_project_defines_are_known_by_what_they_cite():
    mentions = (Mention("zorn", "lem", 1, "c:zorn"),)
    one = Statement("c:a", "theorem", "a", "", (r"By \lem{zorn} and \emph{choice}.",), mentions)
    assert statement_text(one) == r"By  and \emph{choice}."


def test_what_a_blueprint_uses_is_not_what_its_statement_cites():
    mentions = (Mention("b", "uses", 1, "c:b"), Mention("d", "ref", 1, "c:d"))
    one = Statement("c:a", "theorem", "a", "", ("text",), mentions)
    assert stated_citations(one) == ("c:d",)
    (shown,) = passages([one])
    assert shown.cites == ("c:d",)
    (as_in_the_paper,) = passages([one], view=TextView(keys=True))
    assert as_in_the_paper.cites == ("c:b", "c:d")


def test_formal_names_are_no_mathematics():
    one = Statement("c:a", "theorem", "a", "", ("Nat.add_comm says that $a + b = b + a$.",),
                    notes=(Note("lean", ("Nat.add_comm",)),))  # fmt: skip
    assert statement_text(one) == " says that $a + b = b + a$."


def test_a_label_that_the_author_did_not_give_has_no_words():
    given, made = (Statement(f"c:{label}", "theorem", label, "", ("x",)) for label in ("flat-base", "lemma-5c84abcdef"))
    assert label_words([given, made, *(Statement(f"c:{i}", "theorem", f"z{i}", "", ()) for i in range(9))])[
        made.id
    ] == ""  # fmt: skip


def test_titles_from_labels_can_be_left_out():
    one = Statement("c:flat-base", "theorem", "flat-base", "", ("x",))
    names = {one.id: "flat base"}
    assert [p.title for p in passages([one], names=names)] == ["flat base"]
    assert [p.title for p in passages([one], view=TextView(label_words=False), names=names)] == [""]
