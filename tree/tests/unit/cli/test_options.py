"""Output of the commands: progress, messages, and text without control characters."""

from itertools import count

import pytest
from click.shell_completion import ShellComplete

from naturalproofs.apps.cli.main import cli
from naturalproofs.apps.cli.options import LINE_INTERVAL, WIPE, echo, info, paint, printable, progress_bar
from naturalproofs.data import primer_folder


def on_a_terminal(monkeypatch):
    """Call it in the test itself: stderr is another object while fixtures are set up."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)


def test_a_pipe_gets_no_progress(capsys):
    with progress_bar("Training") as progress:
        progress(0.25, 1, "a quarter")
    info("done")
    assert capsys.readouterr() == ("", "done\n")


@pytest.mark.parametrize("broken", [False, True])
def test_a_terminal_gets_one_line_that_is_wiped(capsys, monkeypatch, broken):
    on_a_terminal(monkeypatch)

    def work():
        with progress_bar("Training", clock=count().__next__) as progress:
            progress(0.25, 1, "a quarter")
            progress(0.5, 1, "half")
            if broken:
                raise KeyboardInterrupt

    if broken:
        with pytest.raises(KeyboardInterrupt):
            work()
    else:
        work()
    out, err = capsys.readouterr()
    assert not out
    first, second, *rest = err.split(WIPE)[1:]
    assert first == f"Training  [{'#' * 6}{'-' * 18}]  25%  0:03 left  a quarter"
    assert second == f"Training  [{'#' * 12}{'-' * 12}]  50%  0:02 left  half"
    assert rest == [""]


def test_the_remaining_time_starts_over_with_a_new_stage(capsys, monkeypatch):
    on_a_terminal(monkeypatch)
    with progress_bar("x", clock=count().__next__) as progress:
        progress(3, 4)
        progress(0, 2)
        progress(1, 2)
    shown = capsys.readouterr().err.split(WIPE)[1:]
    assert "left" not in shown[1]
    assert shown[2].endswith("50%  0:01 left")


def test_an_unknown_total_shows_no_share(capsys, monkeypatch):
    on_a_terminal(monkeypatch)
    with progress_bar("Fetching") as progress:
        progress(10, 0)
        progress(20, 0)
    assert capsys.readouterr().err == f"{WIPE}Fetching{WIPE}"


def test_a_message_during_work_stands_on_its_own_line(capsys, monkeypatch):
    on_a_terminal(monkeypatch)
    with progress_bar("Training") as progress:
        progress(0.25, 1, "a quarter")
        info("first of two")
    assert f"{WIPE}first of two\n" in capsys.readouterr().err


def test_a_log_gets_a_line_now_and_then(capsys):
    times = iter([0.0, 1.0, LINE_INTERVAL, LINE_INTERVAL + 1, 2 * LINE_INTERVAL])
    with progress_bar("Training", log=True, clock=times.__next__) as progress:
        for step in range(5):
            progress(step, 5, f"step {step}")
    assert capsys.readouterr().err.splitlines() == [
        "Training:   0%  step 0",
        "Training:  40%  step 2",
        "Training:  80%  step 4",
    ]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("two\tlines\nof ⟨text⟩", "two\tlines\nof ⟨text⟩"),
        ("\x1b]0;title\x07\x1b]52;c;aGk=\x1b\\", "]0;title]52;c;aGk=\\"),
        ("\x1b[2Jgone\r\x00\x08\x7f", "[2Jgone"),
        ("\x9b31mred\x85", "31mred"),
    ],
)
def test_control_characters_do_not_reach_the_terminal(capsys, text, plain):
    echo(text)
    info(text)
    assert capsys.readouterr() == (plain + "\n", plain + "\n")


def test_colours_are_kept_where_they_are_ours():
    assert printable("\x1b[1;31mred\x1b[0m\x1b]0;x\x07", styled=True) == "\x1b[1;31mred\x1b[0m]0;x"
    assert printable("\x1b[1mred", styled=False) == "[1mred"


def test_no_color_is_obeyed(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert paint("x", "name") == "\x1b[1mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint("x", "name") == "x"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("show", ["PRIMER"]),
        ("path", ["PRIMER"]),
        ("impact", ["PRIMER"]),
        ("exercise", ["PRIMER"]),
        ("suggest", ["PRIMER", "--at"]),
    ],
)
def test_shells_complete_labels(command, words):
    given = [command, *(str(primer_folder()) if word == "PRIMER" else word for word in words)]
    found = ShellComplete(cli, {}, "naturalproofs", "_NATURALPROOFS_COMPLETE").get_completions(given, "thm:lag")
    assert [item.value for item in found] == ["thm:lagrange"]


def test_shells_complete_nothing_where_there_is_nothing():
    shell = ShellComplete(cli, {}, "naturalproofs", "_NATURALPROOFS_COMPLETE")
    assert shell.get_completions(["show", "no-such-folder"], "thm") == []
