import re

import numpy as np
import pytest

from naturalproofs.ranking.contract import how_far
from naturalproofs.ranking.hybrid.first_stage import first_stage
from naturalproofs.ranking.hybrid.ranker import Hybrid, Shipped
from naturalproofs.ranking.hybrid.scorer import Case, _analogous, _formulas, _read, _titles, _words, readable
from naturalproofs.ranking.term_vectors import row_terms
from naturalproofs.records import Passage
from naturalproofs.tasks.dataset import TrainSet


@pytest.fixture(scope="module")
def scorer(placed):
    settings = Hybrid(questions=240, trees=15, further=15, leaves=7, pool=120, dimensions=24, folds=2, enough=100)
    return settings.fit(placed, seed=0).index(placed.passages)


def said(answers):
    return {reason.kind: reason for answer in answers for reason in answer.reasons}


def test_answers_come_best_first_with_probabilities_and_few_reasons(scorer, placed):
    query = placed.examples[200].theorem
    answers = scorer.suggest(query, k=5)
    assert len(answers) == 5
    scores = [answer.score for answer in answers]
    assert scores == sorted(scores, reverse=True)
    assert all(answer.probability is not None and 0 <= answer.probability <= 1 for answer in answers)
    assert all(1 <= len(answer.reasons) <= 3 for answer in answers)
    ranking = np.argsort(-scorer.score([query])[0], kind="stable")[:5]
    assert [answer.position for answer in answers] == ranking.tolist()


def test_votes_name_the_theorems_that_voted(scorer, placed):
    reasons = [r for e in placed.examples[150:160] for a in scorer.suggest(e.theorem, k=3) for r in a.reasons]
    votes = [reason for reason in reasons if reason.kind == "votes"]
    assert votes
    proofs = {example.theorem.id: example.references for example in placed.examples}
    assert all(key in proofs for reason in votes for key in reason.statements)
    assert all(reason.text.endswith("most similar proofs") for reason in votes)


def test_a_theorem_is_never_its_own_voter(scorer, placed):
    for example in placed.examples[150:160]:
        reasons = said(scorer.suggest(example.theorem, k=3))
        assert example.theorem.id not in getattr(reasons.get("votes"), "statements", ())


def test_what_is_excluded_or_cited_is_not_suggested(scorer, placed):
    example = placed.examples[200]
    column = scorer.bound.candidates.column
    first = scorer.suggest(example.theorem, k=1)[0].position
    assert first not in {
        answer.position for answer in scorer.suggest(example.theorem, k=9, excluded=range(first, first + 1))
    }
    cited = example.references[:1]
    answers = scorer.suggest(example.theorem, k=9, cited=cited)
    assert column[cited[0]] not in {answer.position for answer in answers}


def test_what_reads_like_a_citation_of_a_similar_proof_names_its_model(scorer, placed):
    theorem = placed.examples[200].theorem
    pooled = first_stage(scorer.bound, theorem)
    proofs, texts = scorer.bound.proofs, scorer.bound.association.texts
    voters = [3, 4]
    cited = {int(place) for row in voters for place in row_terms(proofs.cited, row)}
    said = {
        position: found.statements
        for position in range(len(texts))
        if (found := _analogous(Case(scorer.bound, pooled, position, voters))) is not None
    }
    assert said, "nothing reads like anything"
    assert len(said) < len(texts), "everything reads like something"
    column = scorer.bound.candidates.column
    for position, (model,) in said.items():
        assert column[model] in cited - {position}
        nearest = max(texts[other] @ texts[position] for other in cited - {position})
        assert texts[column[model]] @ texts[position] == pytest.approx(nearest)
    assert _analogous(Case(scorer.bound, pooled, 0, ())) is None


def test_without_proofs_the_text_and_the_place_speak():
    candidates = [
        Passage("x:1", "definition", "quasi-compact morphism", "A morphism is quasi-compact if $\\Quasi$ holds."),
        Passage("x:2", "theorem", "snake", "A long exact sequence of groups."),
        Passage("x:3", "theorem", "five", "A short exact sequence of rings."),
        Passage("x:4", "theorem", "zorn", "Every chain has a bound."),
    ]
    scorer = Shipped().fit(TrainSet((), ()), seed=0).index(candidates)
    query = Passage("x:9", "theorem", "", "A quasi-compact morphism with $\\Quasi$ is closed.")
    answer = scorer.suggest(query, k=1)[0]
    assert answer.position == 0
    texts = [reason.text for reason in answer.reasons]
    assert texts
    assert any("quasi" in text.casefold() for text in texts)


def test_nothing_to_suggest_is_no_error(placed):
    scorer = Shipped().fit(TrainSet((), ()), seed=0).index(placed.passages[:3])
    assert scorer.suggest(placed.passages[0], k=5) == ()


@pytest.mark.parametrize(
    ("sign", "read"),
    [
        (r"\Stab", "Stab"),
        (r"\mapsto", "↦"),
        (r"\mathcal{F}", "ℱ"),
        ("gx", "gx"),
        (r"\colon", ""),
        (r"\biggl", ""),
        (r"\Big", ""),
        (r"\int", "∫"),
        (r"\widetildeM", "M\u0303"),
        (r"\text{rad}", "rad"),
    ],
)
def test_notation_reads_as_it_is_read(sign, read):
    assert _read(sign) == read


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"A map \begin{tikzcd} A \arrow[r, two heads] & B \end{tikzcd} of sets", ["A", "map", "of", "sets"]),
        (r"before \begin{tikzpicture} \draw node[above] {x}; is never closed", ["before"]),
        (r"a \textcolor[named]{red} word, $p \in [0, 1)$ and a closing ]", ["a", "red", "word", "and", "a", "closing"]),
    ],
)
def test_words_of_drawings_and_options_are_not_shared_words(text, words):
    assert re.findall(r"(?<![\\\w])[A-Za-z]+", re.sub(r"\\end\{\w+\}", " ", readable(text))) == words


def case(candidate, query):
    candidates = [candidate, *(Passage(f"x:{i}", "theorem", "", "A chain without a bound.") for i in range(2, 20))]
    bound = Shipped().fit(TrainSet((), ()), seed=0).index(candidates).bound
    return Case(bound, first_stage(bound, query), 0, ())


def test_commands_of_drawings_are_no_notation():
    drawn = r"\[\begin{tikzcd} A \ar[dr] & B \end{tikzcd}\] and $\Orb(x)$"
    asked = Passage("x:99", "theorem", "", rf"Let {drawn} commute.")
    assert _formulas(case(Passage("x:1", "theorem", "", f"Then {drawn}."), asked)).text == "shares the notation Orb"


@pytest.mark.parametrize(
    ("title", "text", "named"),
    [
        ("Type Expansion", "The type of the expansion is consistent.", False),
        ("Type Expansion", r"Every \emph{type} expansion is consistent.", True),
        ("The type expansions", "Every type expansion is consistent.", True),
        ("T-space", "Every space is closed.", False),
        ("$p$-group", "Every group is closed.", False),
    ],
)
def test_a_title_is_named_word_after_word(title, text, named):
    query = Passage("x:99", "theorem", "", text)
    assert (_titles(case(Passage("x:1", "theorem", title, "A chain."), query)) is not None) == named


def test_shared_words_stand_in_both_texts_as_written():
    """Not in a title, which may be made of a label, and not in another form."""
    candidates = [
        Passage("x:1", "theorem", "spectral radius", "Compact operators have closed ranges."),
        *(Passage(f"x:{i}", "theorem", "", "A chain without a bound.") for i in range(2, 20)),
    ]
    bound = Shipped().fit(TrainSet((), ()), seed=0).index(candidates).bound
    query = Passage("x:99", "theorem", "", "The spectral radius of compact operators is a closed range.")
    assert _words(Case(bound, first_stage(bound, query), 0, ())).text == "shares closed, compact, operators"


@pytest.mark.parametrize(
    ("candidate", "query", "said"),
    [
        (
            "Folgende Ringe sind zusammen noethersch.",
            "Die folgende Algebra ist zusammen mit allen noethersch.",
            "noethersch",
        ),
        ("Inoltre il nucleo è banale.", "Inoltre il nucleo di una mappa è nullo.", "nucleo"),
    ],
)
def test_words_that_say_nothing_in_their_language_are_not_named(candidate, query, said):
    candidates = [
        Passage("x:1", "theorem", "", candidate),
        *(Passage(f"x:{i}", "theorem", "", "Eine Kette.") for i in range(2, 20)),
    ]
    bound = Shipped().fit(TrainSet((), ()), seed=0).index(candidates).bound
    pooled = first_stage(bound, Passage("x:99", "theorem", "", query))
    assert _words(Case(bound, pooled, 0, ())).text == f"shares {said}"


@pytest.mark.parametrize(
    ("statements", "results", "is_result", "said"),
    [
        (1, 1, True, "stated just above"),
        (1, 0, False, "stated just above"),
        (4, 1, True, "the last result above"),
        (5, 3, True, "stated 3 results above"),
        (5, 3, False, ""),
        (40, 30, True, ""),
    ],
)
def test_only_results_are_counted(statements, results, is_result, said):
    assert how_far(statements, results, is_result=is_result) == said
