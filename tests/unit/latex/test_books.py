"""The reader on small files, through the dialect of the Stacks project: what belongs to what."""

from pathlib import Path

import pytest

from naturalproofs.corpus.load import build, source_macros
from naturalproofs.errors import SourceNotFound
from naturalproofs.sources.registry import source


def stacks(tmp_path: Path, **files: str):
    for name, text in files.items():
        (tmp_path / f"{name}.tex").write_text(text)
    return build(source("stacks"), tmp_path, name="s")


LEMMA = "\\begin{lemma}\\label{lemma-a}\nA.\n\\end{lemma}\n"


def test_a_title_may_stand_before_the_label(tmp_path):
    text = "\\begin{lemma}[Nakayama's\n lemma]\n\\label{lemma-n}\nText.\n\\end{lemma}\n"
    (lemma,) = stacks(tmp_path, algebra=text).statements
    assert (lemma.id, lemma.title, lemma.lines) == ("s:algebra-lemma-n", "Nakayama's lemma", ("Text.",))


def test_labels_are_local_first_then_absolute(tmp_path):
    other = "\\begin{lemma}\\label{lemma-b}\\ref{lemma-a} \\ref{x-lemma-a}\\end{lemma}" + LEMMA
    corpus = stacks(tmp_path, x=LEMMA, y=other)
    assert corpus.find("y-lemma-b").references == ("s:y-lemma-a", "s:x-lemma-a")


def test_comments_verbatim_and_dead_text_are_not_read(tmp_path):
    dead = "% \\begin{lemma}\n\\iffalse\\begin{lemma}\\end{lemma}\\fi\\begin{verbatim}\\begin{lemma}\\end{verbatim}"
    assert len(stacks(tmp_path, x=dead + LEMMA).statements) == 1


@pytest.mark.parametrize("code", ["\\small\\verbatim", "\\VerbatimEnvironment\\begin{VerbatimOut}{x.tex}"])
def test_the_text_of_an_environment_that_opens_a_verbatim_one_is_not_read(tmp_path, code):
    ending = "\\endverbatim" if "small" in code else "\\end{VerbatimOut}"
    main = f"\\documentclass{{article}}\\newtheorem{{lemma}}{{Lemma}}\\newenvironment{{code}}{{{code}}}{{{ending}}}\n"
    main += (
        "\\begin{document}\\begin{code}\\begin{lemma}x\\end{lemma}\\end{code}\\begin{lemma}y\\end{lemma}\\end{document}"
    )
    (tmp_path / "main.tex").write_text(main)
    (lemma,) = build(source("latex"), tmp_path, name="s").statements
    assert (lemma.text, lemma.number) == ("y", "1")


def test_notes_are_not_contents(tmp_path):
    text = "\\begin{lemma}\\label{l}\n\\begin{slogan}\nShort.\n\\end{slogan}\nLong \\ref{l}.\n\\end{lemma}"
    (lemma,) = stacks(tmp_path, x=text).statements
    assert lemma.lines == ("Long \\ref{l}.",)
    assert [(note.kind, note.lines) for note in lemma.notes] == [("slogan", ("Short.",))]


@pytest.mark.parametrize(
    ("written", "title"), [("(Gauss)", "Gauss"), ("(a) and (b)", "(a) and (b)"), ("A (b)", "A (b)")]
)
def test_parentheses_around_a_title_are_no_part_of_it(tmp_path, written, title):
    (lemma,) = stacks(tmp_path, x=f"\\begin{{lemma}}[{written}]\nText.\n\\end{{lemma}}").statements
    assert lemma.title == title


def test_two_proofs_of_one_lemma(tmp_path):
    proofs = "\\begin{proof}1\\end{proof}\n\\begin{proof}[Second proof]2\\end{proof}"
    (lemma,) = stacks(tmp_path, x=LEMMA + proofs).statements
    assert [proof.lines for proof in lemma.proofs] == [("1",), ("2",)]


def test_a_named_proof_goes_to_what_it_names(tmp_path):
    second = LEMMA.replace("lemma-a", "lemma-b")
    proof = "\\begin{proof}[Proof of Lemma \\ref{lemma-a}]x \\ref{lemma-b}\\end{proof}"
    corpus = stacks(tmp_path, x=LEMMA + second + proof)
    assert [len(s.proofs) for s in corpus.statements] == [1, 0]
    assert corpus.examples[0].references == ("s:x-lemma-b",)


def test_prose_may_announce_a_proof(tmp_path):
    second = LEMMA.replace("lemma-a", "lemma-b") + "\\begin{proof}b\\end{proof}"
    text = LEMMA + second + "We now prove Lemma \\ref{lemma-a}.\n\\begin{proof}a\\end{proof}"
    corpus = stacks(tmp_path, x=text)
    assert [proof.lines for s in corpus.statements for proof in s.proofs] == [("a",), ("b",)]


def test_an_announcement_does_not_rob_a_waiting_lemma(tmp_path):
    second = LEMMA.replace("lemma-a", "lemma-b")
    text = LEMMA + second + "The proof of Lemma \\ref{lemma-a} is alike.\n\\begin{proof}b\\end{proof}"
    corpus = stacks(tmp_path, x=text)
    assert [len(s.proofs) for s in corpus.statements] == [0, 1]


def test_a_proof_of_an_exercise_is_nobody_elses(tmp_path):
    text = LEMMA + "\\begin{exercise}x\\end{exercise}\n\\begin{proof}p\\end{proof}"
    built = stacks(tmp_path, x=text)
    assert [len(s.proofs) for s in built.statements] == [0]
    assert [d.rule for d in built.diagnostics] == ["proof-without-statement"]


def test_equations_and_items_lead_to_their_statement(tmp_path):
    first = (
        "\\begin{lemma}\\label{lemma-a}\\begin{equation}\\label{equation-e}x\\end{equation}"
        "\\begin{enumerate}\\item\\label{item-i} y\\end{enumerate}\\end{lemma}"
    )
    second = "\\begin{lemma}\\label{lemma-b}\\end{lemma}\\begin{proof}\\ref{equation-e} \\ref{item-i}\\end{proof}"
    corpus = stacks(tmp_path, x=first + second)
    assert corpus.examples[0].references == ("s:x-lemma-a", "s:x-lemma-a")
    assert corpus.resolution.by_label == {"equation": 1, "item": 1}


def test_a_proof_citing_its_own_lemma_is_no_reference(tmp_path):
    built = stacks(tmp_path, x=LEMMA + "\\begin{proof}\\ref{lemma-a}\\end{proof}")
    assert built.examples == ()
    assert [unresolved.reason for unresolved in built.unresolved] == ["self"]


def test_unresolved_mentions_say_why(tmp_path):
    text = "\\section{S}\\label{section-s}" + LEMMA + "\\begin{proof}\\ref{section-s} \\ref{nowhere}\\end{proof}"
    built = stacks(tmp_path, x=text)
    assert [(u.reason, u.target) for u in built.unresolved] == [("section", "x-section-s"), ("undefined", "nowhere")]
    assert str(built.unresolved[1].path) == "x.tex"


def test_a_second_use_of_a_label_is_said_and_the_first_counts(tmp_path):
    text = LEMMA + LEMMA + "\\begin{lemma}\\label{lemma-c}\\ref{lemma-a}\\end{lemma}"
    built = stacks(tmp_path, x=text)
    assert [s.id for s in built.statements] == ["s:x-lemma-a", "s:x-lemma-a~2", "s:x-lemma-c"]
    assert built.find("x-lemma-c").references == ("s:x-lemma-a",)
    assert [d.rule for d in built.diagnostics] == ["duplicate-label"]


def test_generated_ids_survive_changes_elsewhere(tmp_path):
    plain = "\\begin{lemma}\nNo label here.\n\\end{lemma}\n"
    before = stacks(tmp_path, x=plain).statements[-1]
    after = stacks(tmp_path, x="\\section{New}\n" + LEMMA + plain).statements[-1]
    assert before.id == after.id
    assert before.id.startswith("s:x-lemma-")


def test_chapters_follow_the_makefile(tmp_path):
    (tmp_path / "Makefile").write_text("LIJST = zebra \\\n\tapple\nOTHER = x\n")
    files = dict.fromkeys(("apple", "mango", "zebra"), LEMMA)
    corpus = stacks(tmp_path, **files)
    assert [s.origin.path for s in corpus.statements] == ["zebra.tex", "apple.tex", "mango.tex"]


def test_unclosed_environments_are_said(tmp_path):
    built = stacks(tmp_path, x="\\begin{lemma}\\label{lemma-a}\n a \\end{proof}")
    assert {d.rule for d in built.diagnostics} == {"unclosed-environment", "unmatched-end"}
    assert built.statements[0].lines == ("a \\end{proof}",)


@pytest.mark.parametrize("rules", ["fixed", "paper"])
def test_an_empty_folder_is_a_clear_error(tmp_path, rules):
    with pytest.raises(SourceNotFound, match=r"no \.tex files"):
        build(source("stacks"), tmp_path, name="s", rules=rules)


def test_a_claim_inside_a_proof_counts_for_both(tmp_path):
    inner = "\\begin{lemma}\\label{lemma-in}in\\end{lemma}\\begin{proof}\\ref{lemma-z}\\end{proof}"
    outer = "\\begin{lemma}\\label{lemma-out}\\end{lemma}\\begin{proof}One. " + inner + " Two.\\end{proof}"
    corpus = stacks(tmp_path, x=LEMMA.replace("lemma-a", "lemma-z") + outer)
    assert corpus.find("x-lemma-in").proofs[0].references == ("s:x-lemma-z",)
    assert corpus.find("x-lemma-out").proofs[0].references == ("s:x-lemma-z",)
    assert "Two." in " ".join(corpus.find("x-lemma-out").proofs[0].lines)


def test_links_that_lead_outside_are_not_followed(tmp_path):
    root, outside = tmp_path / "stacks", tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.tex").write_text(
        "\\begin{lemma}\\label{lemma-secret}A secret.\\end{lemma}\\newcommand{\\secret}{x}"
    )
    (outside / "tags").write_text("0001,a-lemma-a\n")
    (root / "chapters").mkdir(parents=True)
    (root / "chapters" / "c.tex").write_text("\\begin{lemma}\\label{lemma-c}C.\\end{lemma}")
    (root / "a.tex").write_text("\\begin{lemma}\\label{lemma-a}A.\\end{lemma}")
    for name, target in (("b.tex", "../outside/secret.tex"), ("c.tex", "chapters/c.tex"), ("d.tex", "d.tex")):
        (root / name).symlink_to(target)
    (root / "macros.sty").symlink_to("../outside/secret.tex")
    (root / "tags").symlink_to("../outside")
    loaded = build(source("stacks"), root, name="stacks")
    assert [statement.label for statement in loaded.statements] == ["a-lemma-a", "c-lemma-c"]
    assert not any(statement.tag for statement in loaded.statements)
    assert not any("secret" in macro.body for macro in source_macros(loaded).values())
