"""Options of the server."""

from naturalproofs.web.server import Serving, _hosts


def test_only_local_names_unless_told() -> None:
    assert "localhost" in _hosts(Serving(()))
    assert _hosts(Serving((), host="0.0.0.0")) == frozenset()
    assert "a.example" in _hosts(Serving((), host="0.0.0.0", allowed=("A.example",)))
    assert _hosts(Serving((), allowed=("*",))) == frozenset()
