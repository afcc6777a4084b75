"""A browser, and a server of the Primer's pages."""

from collections.abc import Iterator

import pytest

from support import chromium
from support.web_server import listening, primer_site


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    with chromium.started(tmp_path_factory.mktemp("profile"), "1280,900") as started:
        yield started


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with listening(primer_site()) as made:
        yield made
