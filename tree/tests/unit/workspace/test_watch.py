"""Following edits."""

from naturalproofs.workspace.watch import follow, is_relevant
from support.lint_projects import write_project


def test_what_changed_what_broke_what_was_solved(tmp_path):
    main = write_project(tmp_path, r"\begin{lemma}\label{lem:a} One. \end{lemma} \begin{proof} Clear. \end{proof}")
    good = main.read_text()

    def rounds():
        main.write_text(good.replace("Clear.", r"By \cref{nonsense}."))
        yield "broken"
        main.write_text(good.replace("One.", "Two."))
        yield "solved"
        yield "nothing"
        main.unlink()
        yield "gone"
        main.write_text(good)
        yield "back"

    steps = list(follow(main, rounds()))
    assert [len(step.problems) for step in steps] == [0, 1, 0, 0, 0]
    assert steps[1].problems[0].rule == "undefined-reference"
    assert [one.rule for one in steps[2].solved] == ["undefined-reference"]
    assert [statement.label for statement in steps[2].changed] == ["lem:a"]
    assert "main.tex" in steps[3].error
    assert steps[4].statements == 1


def test_a_project_that_is_back_unchanged_is_told(tmp_path):
    main = write_project(tmp_path, r"\begin{lemma}\label{lem:a} One. \end{lemma} \begin{proof} Clear. \end{proof}")
    good = main.read_bytes()

    def rounds():
        main.unlink()
        yield "gone"
        main.write_bytes(good)
        yield "back"
        yield "nothing"

    steps = list(follow(main, rounds()))
    assert [(step.statements, bool(step.error)) for step in steps] == [(1, False), (0, True), (1, False)]
    assert (steps[2].added, steps[2].changed, steps[2].problems) == ((), (), ())


def test_which_files_concern_a_project():
    assert is_relevant("/a/b/chapter.tex")
    assert is_relevant("/a/naturalproofs.toml")
    assert not is_relevant("/a/figure.pdf")
    assert not is_relevant("/a/.naturalproofs/x.tex")
