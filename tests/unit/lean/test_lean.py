"""Blueprints in Lean: tagged declarations, their order, what they use and how far they are formalised."""

from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build, load_corpus
from naturalproofs.errors import NaturalProofsError
from naturalproofs.records import STAGE, Statement, formal_names
from naturalproofs.sources.lean import LEAN, tokens
from naturalproofs.sources.registry import detect_source

BASIC = r"""import Architect
/- A comment /- inside a comment -/ with @[blueprint "no"] def no := 1 -/
-- @[blueprint "not-this"] def neither := 1

namespace Toy

@[blueprint "def:double" (title := "The \"double\"")
  (statement := /-- The double of $n$ is $n + n$. -/)]
def double (n : Nat) : Nat := n + n

/-- A doubled number is even. -/
@[simp, blueprint]
theorem even_double (n : Nat) : Even (double n) := by
  /-- Take $k = n$. -/
  exact ⟨n, rfl⟩

def helper := "a string with sorry and @[blueprint \"s\"]"

@[blueprint "thm:last" (latexEnv := "proposition")
  (statement := /-- See \ref{def:double}. -/)
  (proof := /-- By the lemma. -/)
  (uses := ["outside"]) (proofUses := [even_double])]
theorem last (x' : Nat) (c := '"') : True := by
  have := even_double.symm
  sorry

end Toy
"""


def read(folder: Path, **files: str) -> Corpus:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_tex", ".tex").replace("_lean", ".lean")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return build(LEAN, folder, name="toy")


def stage(statement: Statement) -> str:
    return next(line for note in statement.notes if note.kind == STAGE for line in note.lines)


def test_tagged_declarations_with_titles_kinds_names_and_stages(tmp_path: Path) -> None:
    corpus = read(tmp_path, Basic_lean=BASIC)
    assert [(one.label, one.form, one.title, stage(one)) for one in corpus.statements] == [
        ("def:double", "definition", 'The "double"', "proved"),
        ("Toy.even_double", "theorem", "", "proved"),
        ("thm:last", "proposition", "", "sorry"),
    ]
    assert [one.name for statement in corpus.statements for one in formal_names(statement)] == [
        "Toy.double",
        "Toy.even_double",
        "Toy.last",
    ]
    # Without a text of its own it has that of its documentation, and its proof that of the proof's comments.
    double = corpus.find("Toy.even_double")
    assert double.text == "A doubled number is even."
    assert double.proofs[0].text == "Take $k = n$."


def test_every_edge_has_an_origin(tmp_path: Path) -> None:
    last = read(tmp_path, Basic_lean=BASIC).find("thm:last")
    found = [(one.target, one.origin) for one in (*last.mentions, *last.proofs[0].mentions)]
    assert found == [("outside", "uses"), ("def:double", "reference"), ("Toy.even_double", "uses")]
    even = read(tmp_path).find("Toy.even_double")
    assert [(one.target, one.origin) for one in even.mentions] == [("def:double", "lean")]


def test_places_are_those_of_the_lean_file(tmp_path: Path) -> None:
    corpus = read(tmp_path, Basic_lean=BASIC)
    lines = BASIC.split("\n")
    assert all(one.origin and one.origin.path == "Basic.lean" for one in corpus.statements)
    last = corpus.find("thm:last")
    assert last.origin is not None
    assert "thm:last" in lines[last.origin.line - 1]
    cited = next(one for one in last.mentions if one.origin == "reference")
    assert "\\ref{def:double}" in lines[cited.line - 1]
    assert [file.path for file in corpus.inputs] == ["Basic.lean"]


def test_the_account_counts_what_was_read_from_lean_files(tmp_path: Path) -> None:
    (account,) = read(tmp_path, Basic_lean=BASIC, Two_lean="def two := 2").account
    assert (account.path, account.statements, account.note) == ("Basic.lean", 3, "")


def test_modules_come_in_the_order_of_imports(tmp_path: Path) -> None:
    tagged = '@[blueprint "{0}" (statement := /-- {0} -/)] def {0} := 1\n'
    corpus = read(
        tmp_path,
        Toy_lean="import Toy.Z\nimport Toy.A\n",
        Toy__Z_lean=tagged.format("z"),
        Toy__A_lean="import Toy.Z\nimport Toy.Loop\n" + tagged.format("a"),
        Toy__Loop_lean="import Toy.A\n" + tagged.format("loop"),
    )
    assert [one.label for one in corpus.statements] == ["z", "loop", "a"]
    assert corpus.find("a").chapter == "Toy.A"


def test_latex_around_it_inputs_modules_and_nodes(tmp_path: Path) -> None:
    tagged = '@[blueprint "{0}" (statement := /-- Text of {0}. -/)] theorem {0} : True := trivial\n'
    corpus = read(
        tmp_path,
        Toy__One_lean=tagged.format("first") + "\n" + tagged.format("second"),
        Toy__Two_lean=tagged.format("third"),
        Toy__Rest_lean=tagged.format("fourth"),
        blueprint__web_tex=r"\documentclass{report}\newtheorem{theorem}{Theorem}[chapter]\begin{document}"
        + "\n\\input{content}\n\\end{document}",
        blueprint__content_tex="\\input{../.lake/build/blueprint/library/Toy}\n\\chapter{Begin}\n"
        "\\inputleannode{third}\n\\chapter{Go on}\n\\inputleanmodule{Toy.One}\n\\inputleanmodule{Toy.Absent}\n",
    )
    assert [(one.label, one.chapter, one.number) for one in corpus.statements] == [
        ("third", "Begin", "1.1"),
        ("first", "Go on", "2.1"),
        ("second", "Go on", "2.2"),
        ("fourth", "Toy.Rest", "3.1"),
    ]
    assert corpus.statements[0].origin is not None
    assert str(corpus.statements[0].origin) == "Toy/Two.lean:1"
    assert str(corpus.find("second").origin) == "Toy/One.lean:3"
    said = {one.rule: one.message for one in corpus.diagnostics}
    assert "Toy.Absent" in said["missing-file"]
    assert "Toy.Rest" in said["module-not-input"]


def test_what_is_input_in_comments_or_in_other_files_is_not_lost(tmp_path: Path) -> None:
    tagged = '@[blueprint "{0}" (statement := /-- Text of {0}. % a comment -/)] theorem {0} : True := trivial\n'
    corpus = read(
        tmp_path,
        Toy__One_lean=tagged.format("first"),
        Toy__Two_lean=tagged.format("second"),
        Toy__Three_lean=tagged.format("third"),
        main_tex="\\documentclass{book}\\begin{document}\n\\inputleanmodule{Toy.One}\n"
        "% \\inputleanmodule{Toy.Two}\n\\end{document}",
        old_tex="\\inputleannode{third}",
    )
    assert sorted(one.label for one in corpus.statements) == ["first", "second", "third"]
    assert [one.text for one in corpus.statements] == [f"Text of {one.label}." for one in corpus.statements]


def test_several_declarations_are_one_node(tmp_path: Path) -> None:
    text = '@[blueprint "both" (statement := /-- Both. -/)]\ntheorem a : True := trivial\n@[blueprint "both"]\n'
    corpus = read(tmp_path, A_lean=text + 'theorem b : True := sorry\nattribute [blueprint "old"] Nat.add_comm\n')
    both = corpus.find("both")
    assert [one.name for one in formal_names(both)] == ["a", "b"]
    assert stage(both) == "sorry"
    assert [one.name for one in formal_names(corpus.find("old"))] == ["Nat.add_comm"]


def test_a_folder_is_opened_without_saying_what_it_is(tmp_path: Path) -> None:
    read(tmp_path, Basic_lean=BASIC)
    assert detect_source(tmp_path) == "lean"
    assert len(load_corpus(tmp_path).statements) == 3


def test_lean_without_tags_is_left_to_others(tmp_path: Path) -> None:
    (tmp_path / "A.lean").write_text("-- @[blueprint]\ntheorem a : True := trivial\n")
    assert detect_source(tmp_path) == "latex"
    with pytest.raises(NaturalProofsError, match="no declaration is tagged"):
        build(LEAN, tmp_path, name="x")


@pytest.mark.parametrize(
    "end",
    ["/- " * 20_000, '"' + "\\" * 20_001, "@[blueprint (" * 10_000, "([{" * 20_000, "namespace a\n" * 5_000,
     'r#"' * 20_000, "open a\n" * 9_000,
     "@[blueprint \"x\" (statement := /-- never closed", "'" * 20_000, "a." * 20_000, "«" * 20_000, "\0\ufeff"],
)  # fmt: skip
def test_hostile_input_is_read_without_a_traceback(tmp_path: Path, end: str) -> None:
    corpus = read(tmp_path, Basic_lean=BASIC + end)
    assert corpus.find("thm:last")


def test_tokens_know_comments_strings_and_names() -> None:
    text = 'a\' -- b\n/- c /- d -/ e -/ "f -- \\" g" r#"h " i"# \'x\' «j k».l'
    assert [one.text for one in tokens(text)] == [
        "a'",
        "/- c /- d -/ e -/",
        '"f -- \\" g"',
        'r#"h " i"#',
        "«j k».l",
    ]
