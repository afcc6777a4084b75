"""The command line in process."""

import contextlib
import io

import pytest

from naturalproofs.apps.cli.main import run


def call(*arguments):
    """Run as the console script would; give exit code, stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as stop:
        run([str(argument) for argument in arguments])
    return stop.value.code, out.getvalue(), err.getvalue()
