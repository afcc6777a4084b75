import msgspec
import pytest

from naturalproofs.data import primer_folder
from naturalproofs.errors import UnknownName
from naturalproofs.latex.files import check_balance
from naturalproofs.report.exercises import answers_markdown, grade_text, sheet_latex, sheet_markdown
from naturalproofs.workspace.exercises import Exercise, hint_ladder, letter, make_exercise
from naturalproofs.workspace.grading import grade
from naturalproofs.workspace.library import Library


@pytest.fixture(scope="module")
def library():
    return Library.open([primer_folder()])


@pytest.fixture(scope="module")
def lagrange(library):
    return library.shelves[0].corpus.find("thm:lagrange")


def letters(exercise, keys):
    by_id = {option.id: option.letter for option in exercise.options}
    return [by_id[key] for key in keys]


@pytest.mark.parametrize("form", ["choose", "order", "blanks"])
def test_a_seed_gives_one_exercise(library, lagrange, form):
    one = make_exercise(library, lagrange, form=form, seed=3)
    assert one == make_exercise(library, lagrange, form=form, seed=3)
    others = [make_exercise(library, lagrange, form=form, seed=seed).options for seed in range(8)]
    assert len(set(others)) > 1


def test_options_are_the_used_and_plausible_others(library, lagrange):
    exercise = make_exercise(library, lagrange, distractors=5)
    used = set(lagrange.proofs[0].references)
    shown = [option.id for option in exercise.options]
    assert used < set(shown)
    assert len(shown) == len(set(shown)) == len(used) + 5
    assert [option.letter for option in exercise.options] == list("ABCDEFGH")
    wrong = [library.statement(key) for key in set(shown) - used]
    assert lagrange.id not in shown
    assert all(one.place.position < lagrange.place.position for one in wrong), "only what may be used"
    assert not set(lagrange.references) & {one.id for one in wrong}


def test_ordering_has_no_distractors_and_the_order_of_first_use(library, lagrange):
    exercise = make_exercise(library, lagrange, form="order")
    assert exercise.answer == tuple(dict.fromkeys(lagrange.proofs[0].references))
    assert {option.id for option in exercise.options} == set(exercise.answer)


def test_blanks_stand_where_the_citations_stood(library, lagrange):
    exercise = make_exercise(library, lagrange, form="blanks")
    assert exercise.answer == lagrange.proofs[0].references
    assert [f"⟨{n}⟩" in exercise.text for n in range(1, 4)] == [True, True, True]
    assert "ref{" not in exercise.text


def test_hints_go_from_little_to_all(library, lagrange):
    hints = hint_ladder(library, lagrange.proofs[0].references)
    assert hints[0] == "The proof uses 3 results."
    assert hints[1] == "Of these kinds: 1 definition, 2 lemmas."
    assert hints[2] == "They are found in: Groups."
    assert len(hints) == 6
    users = library.shelves[0].graph.used_by
    named = [
        next(key for key in lagrange.proofs[0].references if library.statement(key).number in h) for h in hints[3:]
    ]
    counts = [len(users.get(key, ())) for key in named]
    assert counts == sorted(counts), "what fewest use is most decisive"


def test_choices_are_graded_as_a_set(library, lagrange):
    exercise = make_exercise(library, lagrange)
    right = letters(exercise, exercise.answer)
    assert grade(exercise, right[::-1]).perfect
    wrong = next(o.letter for o in exercise.options if o.id not in exercise.answer)
    half = grade(exercise, [right[0], wrong])
    assert (half.right, half.wrong, half.missing) == ((right[0],), (wrong,), tuple(right[1:]))
    assert half.points == pytest.approx(2 * 1 / (2 + 3))
    assert half.measures == {"set EM": 0.0, "set F1 mean": pytest.approx(40.0)}
    assert grade(exercise, []).points == 0.0


def test_orders_are_graded_as_sequences(library, lagrange):
    exercise = make_exercise(library, lagrange, form="order")
    right = letters(exercise, exercise.answer)
    assert grade(exercise, right).perfect
    swapped = grade(exercise, [right[1], right[0], right[2]])
    assert swapped.right == (right[2],)
    assert swapped.points == pytest.approx(1 - 2 / 3)
    assert swapped.measures["multiset F1 mean"] == 100.0
    assert grade(exercise, [o.lower() for o in right]).perfect
    assert grade(exercise, [key.partition(":")[2] for key in exercise.answer]).perfect, "labels will do"


def test_blanks_may_stay_empty(library, lagrange):
    exercise = make_exercise(library, lagrange, form="blanks")
    right = letters(exercise, exercise.answer)
    result = grade(exercise, [right[0], "-", right[2]])
    assert result.points == pytest.approx(2 / 3)
    assert result.missing == (right[1],)


def test_an_answer_that_is_no_option_is_told(library, lagrange):
    exercise = make_exercise(library, lagrange)
    with pytest.raises(UnknownName, match="none of the options"):
        grade(exercise, ["Z"])


def test_a_proof_that_cites_nothing_makes_no_exercise(library):
    corpus = library.shelves[0].corpus
    without = next(s for s in corpus.statements if s.kind == "definition")
    with pytest.raises(UnknownName, match="no proof that cites"):
        make_exercise(library, without)
    single = next(s for s in corpus.statements if s.proofs and len(set(s.proofs[0].references)) == 1)
    with pytest.raises(UnknownName, match="nothing to order"):
        make_exercise(library, single, form="order")


def test_sheets_keep_the_answers_apart(library, lagrange):
    exercise = make_exercise(library, lagrange, form="blanks")
    sheet = sheet_markdown(library, [exercise])
    assert "Lagrange" in sheet
    assert "__(1)__" in sheet
    assert "Answer" not in sheet
    answers = answers_markdown(library, [exercise])
    assert f"Answer: {', '.join(letters(exercise, exercise.answer))}" in answers
    latex = sheet_latex(library, [exercise])
    assert latex.startswith(r"\documentclass")
    assert r"\blank{1}" in latex
    assert r"\label{" not in latex
    assert "cref{" not in latex
    assert not check_balance(latex)


def test_exercises_go_through_json(library, lagrange):
    exercise = make_exercise(library, lagrange)
    assert msgspec.json.decode(msgspec.json.encode(exercise), type=Exercise) == exercise


def test_every_exercise_of_the_primer_can_be_made_and_solved(library):
    made = 0
    for statement in library.shelves[0].corpus.statements:
        if not any(proof.references for proof in statement.proofs):
            continue
        exercise = make_exercise(library, statement, distractors=0)
        assert grade(exercise, letters(exercise, exercise.answer)).perfect
        made += 1
    assert made > 100


def test_a_grade_in_words(library, lagrange):
    exercise = make_exercise(library, lagrange)
    right = letters(exercise, exercise.answer)
    assert grade_text(grade(exercise, right)).startswith("100%, all right\nRight: ")
    assert "Missing: " in grade_text(grade(exercise, right[:1]))


def test_letters_go_on_after_z():
    assert [letter(n) for n in (0, 25, 26, 27, 51, 52)] == ["A", "Z", "AA", "AB", "AZ", "BA"]
