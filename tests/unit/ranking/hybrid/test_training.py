"""How the shipped ranker is trained: books within corpora, features that mean the same everywhere."""

from dataclasses import replace

from naturalproofs.ranking.hybrid.boosting import Boosting
from naturalproofs.ranking.hybrid.features import ABSOLUTE
from naturalproofs.ranking.hybrid.training import books, train_shipped
from naturalproofs.tasks.dataset import TrainSet, with_fields

FEW = Boosting(trees=5, leaves=5)


def in_chapters(train: TrainSet, size: int) -> TrainSet:
    """The same with a chapter every so many statements."""
    place = {p.id: replace(p.place, chapter=f"chapter {p.place.position // size}") for p in train.passages}
    return TrainSet(
        tuple(replace(passage, place=place[passage.id]) for passage in train.passages),
        tuple(replace(e, theorem=replace(e.theorem, place=place[e.theorem.id])) for e in train.examples),
    )


def test_a_chapter_is_a_book_whose_proofs_cite_inside_it(placed):
    whole = in_chapters(placed, 200)
    chapters = list(books(whole, chapters=True))
    assert chapters
    for number, book in enumerate(chapters):
        inside = {passage.id for passage in book.passages}
        assert len({passage.place.chapter for passage in book.passages}) == 1
        assert all(inside.issuperset({e.theorem.id, *e.references}) for e in book.examples)
        assert any(passage.title for passage in book.passages) == (number % 2 == 0)
    assert list(books(whole, chapters=False)) == [whole]


def test_only_features_that_mean_the_same_in_every_corpus_are_read(placed):
    booster = train_shipped([(placed, 60)], FEW, 0)
    assert not any(name.partition("/")[2] in ABSOLUTE or name.startswith("learned/") for name in booster.names)
    assert "place/distance" in booster.names
    unplaced = train_shipped([(with_fields(placed, place=None), 60)], FEW, 0)
    assert not any(name.startswith("place/") for name in unplaced.names)


def test_all_books_are_read_and_seeds_repeat(placed, world):
    other = world(120, placed=True, seed=4)
    both, again, one = (
        train_shipped(shown, FEW, 0).text for shown in ([(placed, 60), (other, 60)],) * 2 + ([(placed, 60)],)
    )
    assert both == again
    assert both != one
