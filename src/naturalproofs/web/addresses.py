"""Where things are: the addresses of pages, for the pages themselves and for programs."""

from collections.abc import Mapping
from urllib.parse import quote, urlencode

from naturalproofs.records import StatementId

API = "/api/v1"


def statement_address(key: StatementId) -> str:
    """The page of a statement."""
    return f"/statement/{quote(key, safe=':')}"


def corpus_address(name: str, **query: str | int | None) -> str:
    """The page of a corpus, or of one of its chapters."""
    return _with(f"/corpus/{quote(name, safe='')}", query)


def graph_address(name: str) -> str:
    """The drawing of a whole corpus."""
    return f"/corpus/{quote(name, safe='')}/graph"


def search_address(**query: str | int | None) -> str:
    """The page that searches."""
    return _with("/", query)


def answers_address(task: str, key: StatementId) -> str:
    """The page that compares methods on one theorem."""
    return f"/results/{quote(task, safe='')}/{quote(key, safe=':')}"


def _with(path: str, query: Mapping[str, str | int | None]) -> str:
    given = {name: value for name, value in query.items() if value not in (None, "")}
    return f"{path}?{urlencode(given)}" if given else path
