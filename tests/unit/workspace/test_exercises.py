"""Exercises: what is asked, hints, grades, and sheets that compile."""

import shutil
import subprocess

import msgspec
import pytest

from naturalproofs.apps.report.exercises import answers_markdown, exercise_view, grade_text, sheet_latex, sheet_markdown
from naturalproofs.data import primer_folder
from naturalproofs.errors import NoExercise, RepeatedAnswer, UnknownName
from naturalproofs.sources.latex.project.tree import check_balance
from naturalproofs.workspace import Workspace
from naturalproofs.workspace.exercises import (
    Exercise,
    Option,
    cited_sentences,
    grade,
    hint_ladder,
    letter,
    make_exercise,
    next_theorem,
)


@pytest.fixture(scope="module")
def workspace():
    return Workspace.open([primer_folder()])


@pytest.fixture(scope="module")
def lagrange(workspace):
    return workspace.home.find("thm:lagrange")


def letters(exercise, keys):
    by_id = {option.id: option.letter for option in exercise.options}
    return [by_id[key] for key in keys]


@pytest.mark.parametrize("form", ["choose", "order", "blanks"])
def test_a_seed_gives_one_exercise(workspace, lagrange, form):
    one = make_exercise(workspace, lagrange, form=form, seed=3)
    assert one == make_exercise(workspace, lagrange, form=form, seed=3)
    others = [make_exercise(workspace, lagrange, form=form, seed=seed).options for seed in range(8)]
    assert len(set(others)) > 1


def test_options_are_the_used_and_plausible_others(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, distractors=5)
    used = set(lagrange.proofs[0].references)
    shown = [option.id for option in exercise.options]
    assert used < set(shown)
    assert len(shown) == len(set(shown)) == len(used) + 5
    assert [option.letter for option in exercise.options] == list("ABCDEFGH")
    wrong = [workspace.statement(key) for key in set(shown) - used]
    assert lagrange.id not in shown
    assert all(one.place.position < lagrange.place.position for one in wrong), "only what may be used"
    assert not set(lagrange.references) & {one.id for one in wrong}


def test_ordering_has_no_distractors_and_the_order_of_first_use(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, form="order")
    assert exercise.answer == tuple(dict.fromkeys(lagrange.proofs[0].references))
    assert {option.id for option in exercise.options} == set(exercise.answer)


def test_blanks_stand_where_the_citations_stood(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, form="blanks")
    assert exercise.answer == lagrange.proofs[0].references
    assert [f"⟨{n}⟩" in exercise.text for n in range(1, 4)] == [True, True, True]
    assert "ref{" not in exercise.text


def test_hints_go_from_little_to_all(workspace, lagrange):
    hints = hint_ladder(workspace, lagrange.proofs[0].references)
    assert hints[0] == "The proof uses 3 results."
    assert hints[1] == "Of these kinds: 1 definition, 2 lemmas."
    assert hints[2] == "They are found in: Groups."
    assert len(hints) == 6
    users = workspace.home.graph.used_by
    named = [
        next(key for key in lagrange.proofs[0].references if workspace.statement(key).number in h) for h in hints[3:]
    ]
    counts = [len(users.get(key, ())) for key in named]
    assert counts == sorted(counts), "what fewest use is most decisive"


def test_choices_are_graded_as_a_set(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange)
    right = letters(exercise, exercise.answer)
    assert grade(exercise, right[::-1]).perfect
    wrong = next(o.letter for o in exercise.options if o.id not in exercise.answer)
    half = grade(exercise, [right[0], wrong])
    assert (half.right, half.wrong, half.missing) == ((right[0],), (wrong,), tuple(right[1:]))
    assert half.points == pytest.approx(2 * 1 / (2 + 3))
    assert half.measures == {"set EM": 0.0, "set F1 mean": pytest.approx(40.0)}
    assert grade(exercise, []).points == 0.0


def test_orders_are_graded_as_sequences(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, form="order")
    right = letters(exercise, exercise.answer)
    assert grade(exercise, right).perfect
    swapped = grade(exercise, [right[1], right[0], right[2]])
    assert swapped.right == (right[2],)
    assert (swapped.displaced, swapped.wrong, swapped.missing) == ((right[1], right[0]), (), ())
    assert swapped.points == pytest.approx(1 - 2 / 3)
    assert swapped.measures["multiset F1 mean"] == 100.0
    assert grade(exercise, [o.lower() for o in right]).perfect
    assert grade(exercise, [key.partition(":")[2] for key in exercise.answer]).perfect, "labels will do"


def test_an_order_with_nothing_in_its_place_scores_nothing(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, form="order")
    right = letters(exercise, exercise.answer)
    assert grade(exercise, right[1:] + right[:1]).points == 0.0
    assert [grade(exercise, one).percent for one in (right, [right[1], right[0], right[2]])] == [100, 33]


def test_two_of_three_are_67_percent(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, form="blanks")
    right = letters(exercise, exercise.answer)
    assert grade(exercise, [right[0], "-", right[2]]).percent == 67


def test_each_option_says_whether_the_proof_uses_it(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange)
    right = letters(exercise, exercise.answer)
    wrong = next(o.letter for o in exercise.options if o.id not in exercise.answer)
    view = exercise_view(workspace, exercise, [right[0], wrong])
    said = [view.verdict(letter)[0] for letter in (right[0], right[1], wrong)]
    assert said == ["right", "wrong", "wrong"]
    assert view.verdict(right[1])[1].startswith("missed")
    assert exercise_view(workspace, exercise).verdict(right[0]) == ("", "")
    sentences = cited_sentences(lagrange)
    assert set(sentences) == set(exercise.answer)
    assert all("\\" in sentence and not sentence.count("$") % 2 for sentence in sentences.values())


def test_the_next_theorem_has_an_exercise_too(workspace, lagrange):
    following = next_theorem(workspace.home, lagrange)
    assert make_exercise(workspace, following).answer


def test_what_is_in_the_wrong_place_is_neither_wrong_nor_missing(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, form="order")
    right = letters(exercise, exercise.answer)
    assert "\nIn the wrong place: " in grade_text(grade(exercise, right[1:] + right[:1]))
    assert not {"Wrong:", "Missing:"} & set(grade_text(grade(exercise, right[1:] + right[:1])).split())
    short = grade(exercise, right[:2])
    assert (short.right, short.displaced, short.missing) == (tuple(right[:2]), (), (right[2],))
    with pytest.raises(RepeatedAnswer, match=f"{right[0]} is given more than once"):
        grade(exercise, [right[0]] * 3)
    view = exercise_view(workspace, exercise, [right[0]] * 3)
    assert (view.grade, view.letters) == (None, [])
    assert "more than once" in view.problem


def test_blanks_in_the_wrong_place(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, form="blanks")
    right = letters(exercise, exercise.answer)
    swapped = grade(exercise, [right[1], right[0], right[0]])
    assert (swapped.displaced, swapped.wrong, swapped.missing) == ((right[1], right[0]), (right[0],), (right[2],))


def test_options_name_what_they_cite(workspace):
    theorem = workspace.home.find("thm:lagrange")
    exercise = Exercise(theorem.id, "choose", 0, (Option("A", "primer:def:group"),), ("primer:def:group",), ())
    assert "on the product of Definition 1.1.3, such that" in sheet_markdown(workspace, [exercise])


def test_blanks_may_stay_empty(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, form="blanks")
    right = letters(exercise, exercise.answer)
    result = grade(exercise, [right[0], "-", right[2]])
    assert result.points == pytest.approx(2 / 3)
    assert result.missing == (right[1],)


def test_an_answer_that_is_no_option_is_told(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange)
    with pytest.raises(UnknownName, match="none of the options"):
        grade(exercise, ["Z"])


def test_a_proof_that_cites_nothing_makes_no_exercise(workspace):
    corpus = workspace.home
    without = next(s for s in corpus.statements if s.kind == "definition")
    with pytest.raises(NoExercise, match="no proof that cites"):
        make_exercise(workspace, without)
    single = next(s for s in corpus.statements if s.proofs and len(set(s.proofs[0].references)) == 1)
    with pytest.raises(NoExercise, match="nothing to order"):
        make_exercise(workspace, single, form="order")


def test_sheets_keep_the_answers_apart(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange, form="blanks")
    sheet = sheet_markdown(workspace, [exercise])
    assert "Lagrange" in sheet
    assert "__(1)__" in sheet
    assert "Answer" not in sheet
    answers = answers_markdown(workspace, [exercise])
    assert f"Answer: {', '.join(letters(exercise, exercise.answer))}" in answers
    latex = sheet_latex(workspace, [exercise])
    preamble, _, body = latex.partition(r"\begin{document}")
    assert r"\input{preamble}" in preamble
    assert r"\npblank{1}" in body
    assert r"\label{" not in body
    assert "cref{" not in body
    assert not check_balance(latex)


def test_a_sheet_of_a_corpus_has_the_macros_and_no_preamble(primer):
    workspace = Workspace.of([primer])
    exercise = make_exercise(workspace, primer.find("thm:lagrange"), distractors=0)
    assert sheet_latex(workspace, [exercise]).startswith(r"\documentclass{article}")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex (Debian: texlive-latex-extra)")
@pytest.mark.parametrize("form", ["choose", "order", "blanks"])
def test_tex_compiles_a_sheet_in_the_folder_of_the_project(workspace, tmp_path, form):
    folder = tmp_path / "primer"
    shutil.copytree(primer_folder(), folder)
    theorems = [workspace.home.find(name) for name in ("thm:lagrange", "thm:cauchy", "thm:bolzano-weierstrass")]
    sheet = sheet_latex(workspace, [make_exercise(workspace, one, form=form) for one in theorems])
    (folder / "sheet.tex").write_text(sheet, "utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "sheet.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]
    assert (folder / "sheet.pdf").is_file()
    assert b"Undefined control sequence" not in done.stdout


def test_exercises_go_through_json(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange)
    assert msgspec.json.decode(msgspec.json.encode(exercise), type=Exercise) == exercise


def test_every_exercise_of_the_primer_can_be_made_and_solved(workspace):
    made = 0
    for statement in workspace.home.statements:
        if not any(proof.references for proof in statement.proofs):
            continue
        exercise = make_exercise(workspace, statement, distractors=0)
        assert grade(exercise, letters(exercise, exercise.answer)).perfect
        made += 1
    assert made > 100


def test_a_grade_in_words(workspace, lagrange):
    exercise = make_exercise(workspace, lagrange)
    right = letters(exercise, exercise.answer)
    assert grade_text(grade(exercise, right)).startswith("100%, all right\nRight: ")
    assert "Missing: " in grade_text(grade(exercise, right[:1]))


def test_letters_go_on_after_z():
    assert [letter(n) for n in (0, 25, 26, 27, 51, 52)] == ["A", "Z", "AA", "AB", "AZ", "BA"]
