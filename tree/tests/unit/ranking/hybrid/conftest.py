"""The made-up world of `support.tool_world`, with and without places."""

import pytest

from naturalproofs.tasks.dataset import TrainSet
from support.tool_world import make_world


@pytest.fixture(scope="session")
def train() -> TrainSet:
    return make_world(260)


@pytest.fixture(scope="session")
def placed() -> TrainSet:
    return make_world(260, placed=True)


@pytest.fixture(scope="session")
def world():
    return make_world
