"""Corpus folders with splits: what is loaded is checked against the corpus."""

import pytest

from naturalproofs.benchmark.make import load_folder
from naturalproofs.corpus import store
from naturalproofs.errors import BadSchema, NotACorpus
from naturalproofs.records import Split
from naturalproofs.tasks.splits import Splits


@pytest.mark.parametrize(
    ("test", "message"),
    [
        (Split((("primer:nowhere", 0),)), "names proof 0 of primer:nowhere, which does not exist"),
        (Split((("primer:thm:lagrange", 7),)), "names proof 7 of primer:thm:lagrange, which does not exist"),
        (Split((("primer:thm:lagrange", -1),)), "names proof -1"),
        (Split((), ("primer:nowhere",)), "names statement primer:nowhere, which does not exist"),
    ],
)
def test_splits_that_name_what_does_not_exist_are_refused(primer, tmp_path, test, message):
    store.save(primer, tmp_path / "primer", splits=Splits("hand", Split(), Split(), test).to_json())
    with pytest.raises(BadSchema, match=message):
        load_folder(tmp_path / "primer")


def test_missing_splits_are_reported(primer, tmp_path):
    store.save(primer, tmp_path / "primer", splits=Splits("hand", Split(), Split(), Split()).to_json())
    (tmp_path / "primer" / store.SPLITS).unlink()
    with pytest.raises(NotACorpus, match=r"splits\.json: cannot be read"):
        load_folder(tmp_path / "primer")
