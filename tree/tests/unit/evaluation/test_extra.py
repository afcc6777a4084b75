"""Without numpy the package names the extra to install."""

import importlib
import importlib.util

import pytest

import naturalproofs.tasks.measures
from naturalproofs.errors import MissingExtra


def test_without_numpy_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"evaluation needs the extra 'rank': .*\[rank\]'"):
        importlib.reload(naturalproofs.tasks.measures)
