"""Progress is one line for a person, gone when the work is done, and nothing for a pipe."""

import pytest

from naturalproofs.cli.options import WIPE, say, telling


def test_a_pipe_gets_no_progress(capsys):
    with telling() as tell:
        tell(0.25, 1, "a quarter")
    say("done")
    assert capsys.readouterr() == ("", "done\n")


@pytest.mark.parametrize("broken", [False, True])
def test_a_person_sees_one_line_that_is_wiped_in_the_end(capsys, monkeypatch, broken):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    def work():
        with telling() as tell:
            tell(0.25, 1, "a quarter")
            tell(0.5, 1, "half")
            if broken:
                raise KeyboardInterrupt

    if broken:
        with pytest.raises(KeyboardInterrupt):
            work()
    else:
        work()
    out, err = capsys.readouterr()
    assert not out
    assert err == f"{WIPE} 25%  a quarter{WIPE} 50%  half{WIPE}"


def test_what_is_said_meanwhile_begins_a_line_of_its_own(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with telling() as tell:
        tell(0.25, 1, "a quarter")
        say("first of two")
    assert f"{WIPE}first of two\n" in capsys.readouterr().err
