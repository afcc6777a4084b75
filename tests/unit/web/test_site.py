"""Values that are computed once."""

import threading

import pytest

from naturalproofs.web.site import Lazy


def test_a_value_is_made_once_by_whoever_asks() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    lazy = Lazy(make)
    threads = [threading.Thread(target=lazy) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lazy() == 1
    assert made == [1]


def test_an_error_is_not_kept() -> None:
    answers = iter([ValueError("no"), 7])

    def make() -> int:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    lazy = Lazy(make)
    with pytest.raises(ValueError, match="no"):
        lazy()
    assert lazy() == 7
