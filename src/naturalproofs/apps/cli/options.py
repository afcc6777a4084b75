"""Options, output and progress display shared by the commands."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from click.shell_completion import CompletionItem

from naturalproofs.errors import MissingExtra, valid_text
from naturalproofs.io.listing import name_of
from naturalproofs.progress import Progress, silent

if TYPE_CHECKING:
    from naturalproofs.apps.collections.answers import OpenCollection
    from naturalproofs.workspace import Workspace

PATH = click.Path(path_type=Path)


class _Source(click.Path):
    """A path that will be read: what no reader can read is refused before any work."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error that says what to give instead."""
        from naturalproofs.io.archives import refuse_unreadable

        path = cast(Path, super().convert(value, param, ctx))
        refuse_unreadable(path)
        return path


SOURCE = _Source(path_type=Path)
"""A project, one of its files, an archive, a corpus or a collection."""
WIPE = "\r\x1b[K"
"""Clears the current line of a terminal."""
BAR_WIDTH = 24
MAX_COMPLETIONS = 500
"""Labels that a shell is offered."""
LINE_INTERVAL = 30.0
"""Least seconds between two progress lines in a log file."""

path_argument = click.argument("path", type=SOURCE)
"""A project, one of its files, or a corpus."""
corpus_argument = click.argument("corpus", type=SOURCE, metavar="PATH")
"""A corpus folder and nothing else."""
output_option = click.option("-o", "--output", type=PATH, required=True, metavar="PATH", help="Output path.")


def _replace_any(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from naturalproofs.io.outputs import replacing_any_file

        context.with_resource(replacing_any_file())


force_option = click.option(
    "--force",
    is_flag=True,
    expose_value=False,
    callback=_replace_any,
    help="Replace an output file that no command of this program wrote, or that was changed since.",
)


def place_option(text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """``--on PLACE``: this machine or a cluster; the text says what is done there."""
    return click.option("--on", "place", default="local", metavar="PLACE", help=text)


seed_option = click.option("--seed", default=0, help="Random seed.")


class _ProtocolOption(click.Option):
    """An option whose help names all protocols; they are imported when the help is printed."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help."""
        from naturalproofs.tasks.protocols import PROTOCOLS

        self.help = f"Evaluation protocol (candidates, and what is visible): {', '.join(PROTOCOLS)}."
        return super().get_help_record(ctx)


protocol_option = click.option("--protocol", "protocol_name", cls=_ProtocolOption, default="clean")
suite_option = click.option(
    "--suite", metavar="NAME|FILE", help="Instead of a corpus: a suite of books, 'books' or a JSON file."
)
projects_option = click.option(
    "--projects",
    "folders",
    type=PATH,
    multiple=True,
    metavar="FOLDER",
    help="With --suite: where the texts of the books lie; may be repeated.",
)
source_option = click.option(
    "--source",
    "kind",
    metavar="NAME",
    help="What PATH is, if it is not a corpus: latex, pretext, markdown, stacks …  [default: recognised]",
)

main_option = click.option(
    "--main",
    "mains",
    multiple=True,
    metavar="FILE",
    help="Main file inside the folder, if it holds several documents; may be repeated.",
)

known_option = click.option(
    "--known",
    multiple=True,
    metavar="NAME",
    help="What is known: a statement by label or number, or 'chapter NAME'; may be repeated.",
)


def with_option(text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """``--with PATH``: further projects and corpora; the text says what is done with them."""
    return click.option(
        "--with", "others", type=SOURCE, multiple=True, metavar="PATH", help=f"{text}; may be repeated."
    )


macros_option = click.option(
    "--macros", type=PATH, metavar="FILE", help="A LaTeX file whose macros the formulas use, if PATH is a corpus."
)


def open_workspace(path: Path, mains: tuple[str, ...] = (), others: tuple[Path, ...] = (), **options: Any) -> Workspace:
    """Open a project or corpus with progress on stderr, and say which of several documents in a folder are read.

    Args:
        path: What the user gave.
        mains: Main files inside of it, each of which is opened by itself.
        others: Further corpora.
        options: Passed to `Workspace.open`.
    """
    from naturalproofs.apps.collections import is_collection
    from naturalproofs.io.memory import limited_memory
    from naturalproofs.sources.account import account_lines
    from naturalproofs.workspace import Workspace

    if is_collection(path):
        raise click.UsageError(
            f"{path} is a collection, which 'search', 'suggest' and 'serve' take; give a project or a corpus here"
        )
    chosen = chosen_documents(path, mains)
    # Until the command ends: what it does with the project counts too.
    click.get_current_context().with_resource(limited_memory(path))
    with progress_bar(f"Reading {path}") as progress:
        workspace = Workspace.open([*chosen, *others], progress=progress, **options)
    read = {(corpus.path, one.path) for corpus in workspace.corpora for one in corpus.account if one.document}
    for corpus in workspace.corpora:
        account = [one for one in corpus.account if one.document or (corpus.path, one.path) not in read]
        for line in account_lines(account)[1:]:
            info(f"{corpus.path}: {line}")
    return workspace


def about_project(command: Callable[..., None]) -> Callable[..., None]:
    """A command that is given, in place of its PATH and ``--main``, the workspace opened from them."""

    @wraps(command)
    def opened(path: Path, mains: tuple[str, ...], **options: Any) -> None:
        command(open_workspace(path, mains), **options)

    return path_argument(main_option(opened))


def chosen_documents(path: Path, mains: tuple[str, ...]) -> list[Path]:
    """The main files that a user names inside a folder; the path itself if none is named."""
    if mains and not path.is_dir():
        raise click.UsageError(f"--main names a file inside a folder, and {path} is not a folder")
    return [_main_file(path, main) for main in mains] or [path]


def _main_file(folder: Path, name: str) -> Path:
    """A main file by its name, with or without its suffix."""
    from naturalproofs.errors import SourceNotFound

    for file in (folder / name, folder / f"{name}.tex"):
        if file.exists():
            return file
    raise SourceNotFound(f"{folder / name}: no such file; --main names a file inside {folder}")


def open_collection(path: Path, others: tuple[Path, ...] = (), mains: tuple[str, ...] = ()) -> OpenCollection:
    """Open a collection for a question; it cannot be asked together with others."""
    need_lance("a collection")
    from naturalproofs.apps.collections import as_address
    from naturalproofs.apps.collections.answers import OpenCollection

    if others or mains:
        raise click.UsageError("a collection is asked by itself, without --with and --main")
    return OpenCollection.open(as_address(path))


def need_lance(feature: str) -> None:
    """Name the extra if the tables cannot be read; others of its packages are parts of other extras too."""
    # This tells Lance what to log, and must be there before it is loaded.
    import naturalproofs.apps.collections  # noqa: F401

    try:
        import lance  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtra(feature, "scale") from error


def complete_label(context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The labels that a shell offers for what was typed: those of the project or corpus given before it."""
    from naturalproofs.errors import NaturalProofsError
    from naturalproofs.workspace import Workspace

    # After an option that still lacks its value the arguments are not parsed.
    path = context.params.get("path") or next(iter(context.args), None)
    try:
        statements = Workspace.open([Path(path)]).home.statements if path else ()
    except (NaturalProofsError, OSError):
        return []
    found = ((one.label, one.title) for one in statements if one.label.startswith(typed))
    return [CompletionItem(label, help=printable(title)) for label, title in islice(found, MAX_COMPLETIONS)]


def split_option(default: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option ``--split``."""
    return click.option("--split", default=default, help="train, valid, test, or eval (valid and test together).")


def format_option(*formats: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option ``--format``; the first format is the default."""
    return click.option("--format", "style", type=click.Choice(formats), default=formats[0], help="Output format.")


table_format_option = format_option("text", "json", "csv", "latex", "markdown", "html")

STYLES: dict[str, dict[str, Any]] = {
    "name": {"bold": True},
    "sure": {"fg": "green"},
    "cite": {"fg": "cyan"},
    "mark": {"fg": "yellow", "bold": True},
    "faint": {"dim": True},
}
"""How a text is styled, by its role."""
_COLOUR = r"\x1b\[[0-9;]*m"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CONTROL_BUT_COLOUR = re.compile(rf"({_COLOUR})|{_CONTROL.pattern}")


def printable(text: str, *, styled: bool = False) -> str:
    """Remove control characters (C0 except tab and newline, DEL, C1), so that a title cannot drive the terminal.

    Args:
        text: What is to be printed.
        styled: Whether colour sequences (SGR), as made by `click.style`, are kept.
    """
    return valid_text(_CONTROL_BUT_COLOUR.sub(r"\1", text) if styled else _CONTROL.sub("", text))


def paint(text: str, role: str) -> str:
    """Style a text unless NO_COLOR is set; click removes styles if stdout is not a terminal."""
    return click.style(text, **STYLES[role]) if text and not os.environ.get("NO_COLOR") else text


def echo(text: str = "", *, styled: bool = False, nl: bool = True) -> None:
    """Print to stdout without control characters; a carriage return, as in CRLF, is one of them."""
    click.echo(printable(text, styled=styled), nl=nl)


def answer(style: str, data: Callable[[], object], text: Callable[[], str], *, styled: bool = False) -> None:
    """Print an answer as data for programs, or as text."""
    if style == "json":
        echo_json(data())
    else:
        echo(text(), styled=styled)


def echo_json(value: object) -> None:
    """Print a value as indented JSON; paths become strings."""
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=name_of), indent=2).decode()
    # JSON escapes C0 control characters itself, but neither DEL nor C1.
    click.echo(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def info(text: str) -> None:
    """Print a message to stderr, which keeps stdout clean for programs."""
    click.echo((WIPE if sys.stderr.isatty() else "") + printable(text), err=True)


@contextmanager
def progress_bar(label: str, *, log: bool = False, clock: Callable[[], float] = time.monotonic) -> Iterator[Progress]:
    """Show progress on stderr: one rewritten line on a terminal, nothing in a pipe or a file.

    Args:
        label: What is being done.
        log: Whether plain lines are printed when stderr is not a terminal, at most one every `LINE_INTERVAL` seconds.
        clock: Gives the time in seconds.
    """
    if not sys.stderr.isatty():
        yield _log_lines(label, clock) if log else silent
        return
    try:
        yield _terminal_line(label, clock)
    finally:
        click.echo(WIPE, err=True, nl=False)


def _log_lines(label: str, clock: Callable[[], float]) -> Progress:
    last: float | None = None

    def report(done: float, total: float, message: str = "", /) -> None:
        nonlocal last
        now = clock()
        if last is None or now - last >= LINE_INTERVAL:
            last = now
            info("  ".join(filter(None, (f"{label}:{_percent(done, total)}", message))))

    return report


def _terminal_line(label: str, clock: Callable[[], float]) -> Progress:
    shown = ""
    start = last = 0.0
    began = clock()

    def report(done: float, total: float, message: str = "", /) -> None:
        nonlocal shown, start, last, began
        if done < last:  # The next stage has begun.
            start, began = done, clock()
        last = done
        parts = [label, message]
        if total:
            full = round(BAR_WIDTH * min(1.0, done / total))
            parts[1:1] = [f"[{'#' * full}{'-' * (BAR_WIDTH - full)}]{_percent(done, total)}"]
            if start < done < total:
                seconds = int((clock() - began) * (total - done) / (done - start))
                parts.insert(2, f"{seconds // 60}:{seconds % 60:02} left")
        line = printable("  ".join(filter(None, parts)))[: shutil.get_terminal_size().columns - 1]
        if line != shown:
            shown = line
            click.echo(WIPE + line, err=True, nl=False)

    return report


def _percent(done: float, total: float) -> str:
    return f"{done / total:5.0%}" if total else ""
