"""Commands about corpora: ``build``, ``stats``, ``split``, ``merge``, ``export``, ``fetch``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from naturalproofs.apps.cli.options import (
    PATH,
    SOURCE,
    answer,
    corpus_argument,
    echo,
    force_option,
    info,
    main_option,
    output_option,
    progress_bar,
    projects_option,
    suite_option,
    table_format_option,
)
from naturalproofs.benchmark.exports import FORMATS
from naturalproofs.io.listing import name_of
from naturalproofs.sources.registry import SOURCES

if TYPE_CHECKING:
    from naturalproofs.corpus.corpus import Corpus
    from naturalproofs.corpus.store import Manifest
    from naturalproofs.data.downloads import Published
    from naturalproofs.io.download import Contents
    from naturalproofs.records import Rules

DIAGNOSTICS_SHOWN = 10

_split_seed_option = click.option(
    "--seed", default=42, help="Random seed for dividing the evaluation theorems into valid and test."
)


def _positive(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 0 < value < float("inf"):
        raise click.BadParameter(f"{value:g} is not a number of theorems; give one, or a fraction between 0 and 1")
    return value


_budget_option = click.option(
    "--budget",
    type=float,
    callback=_positive,
    show_default="2200",
    help="Number of evaluation theorems of a 'layers' split; below 1, a fraction.",
)
_older_option = click.option("--older", type=PATH, help="An older corpus of the same source, for a 'temporal' split.")


@click.command()
@click.argument("source", type=click.Choice(list(SOURCES)), metavar="SOURCE")
@click.argument("path", type=PATH)
@output_option
@click.option("--name", help="Name of the corpus, the prefix of every id.  [default: the name of the output]")
@click.option(
    "--rules",
    type=click.Choice(["fixed", "paper"]),
    default="fixed",
    help="'paper' reproduces the original parser, including its errors.",
)
@click.option("--split", "recipe", help="leaf, layers, test-only or temporal.  [default: depends on the source]")
@_split_seed_option
@_budget_option
@_older_option
@click.option(
    "--environments",
    multiple=True,
    metavar="NAME=KIND",
    help="Kind of a LaTeX environment: theorem, definition, other, proof or ignore; may be repeated.",
)
@main_option
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
def build(
    source: str,
    path: Path,
    output: Path,
    name: str | None,
    rules: Rules,
    recipe: str | None,
    seed: int,
    budget: float | None,
    older: Path | None,
    environments: tuple[str, ...],
    mains: tuple[str, ...],
    quiet: bool,
) -> None:
    """Build a corpus with its reference graph and splits.

    SOURCE is the type of PATH: latex (any LaTeX project: a folder, a main file, an archive as arXiv has it, or - for
    stdin), pretext (a PreTeXt project), markdown (Quarto, bookdown, MyST or pandoc), lean (a blueprint in Lean),
    planetmath (its articles), proofwiki (a MediaWiki export), stacks, trench, stein, or naturalproofs-json (a
    published file). The corpus is a folder of JSON lines with a manifest; an existing corpus at the output path is
    replaced.

    \b
    naturalproofs build latex my-thesis/ -o thesis
    naturalproofs build stacks stacks-project/ -o stacks
    """
    from dataclasses import replace

    from naturalproofs.benchmark.make import Recipe, make_corpus
    from naturalproofs.io.archives import refuse_unreadable
    from naturalproofs.sources.registry import source as find_source

    if not path.exists():
        refuse_unreadable(path)  # Such as an address. The reader says which files it cannot read.
    chosen: Any = find_source(source)
    if environments:
        if source != "latex":
            raise click.UsageError("--environments is only for the source latex")
        chosen = replace(chosen, environments=_pairs(environments))
    if mains:
        if source not in ("latex", "pretext", "markdown"):
            raise click.UsageError("--main is only for the sources latex, pretext and markdown")
        if not path.is_dir():
            raise click.UsageError(f"--main names a file inside a folder, and {path} is not a folder")
        chosen = replace(chosen, mains=mains)
    plan = Recipe(recipe or "", seed, _budget(recipe or chosen.info.split, budget), older)
    with progress_bar(f"Reading {path}") as progress:
        built, manifest = make_corpus(
            chosen, path, output, name=name or name_of(output.name), rules=rules, recipe=plan, progress=progress
        )
    if not quiet:
        _print_built(built, manifest, path, output)


def _print_built(built: Corpus, manifest: Manifest, path: Path, output: Path) -> None:
    """What was read and what was not, diagnostics, counts, and what the citations cite."""
    from naturalproofs.sources.account import RULE, account_lines

    for line in filter(None, (built.summary, *account_lines(built.account))):
        info(f"{path}: {line}")
    figures = sum(one.rule == "missing-figure" for one in built.diagnostics)
    diagnostics = [one for one in built.diagnostics if one.rule not in ("missing-figure", RULE)]
    for diagnostic in diagnostics[:DIAGNOSTICS_SHOWN]:
        info(str(diagnostic))
    if len(diagnostics) > DIAGNOSTICS_SHOWN:
        info(f"… and {len(diagnostics) - DIAGNOSTICS_SHOWN:,} more in {output / 'diagnostics.jsonl'}")
    if figures:
        info(f"{figures:,} figures are not there; the text does not need them")
    echo(f"{output}: {_counts(manifest)}")
    if built.resolution is not None:
        listed = f"; see {output / 'unresolved.jsonl'}" if built.resolution.unresolved else ""
        echo(f"{built.resolution}{listed}")


def _budget(recipe: str, given: float | None) -> float:
    """The budget of a split; one that the recipe would ignore is refused."""
    from naturalproofs.benchmark.make import DEFAULT_BUDGET

    if given is not None and recipe != "layers":
        raise click.UsageError(f"--budget is only for a 'layers' split, and this one is {recipe!r}")
    return DEFAULT_BUDGET if given is None else given


def _pairs(choices: tuple[str, ...]) -> dict[str, Any]:
    """Parse ``name=kind`` options; the source checks the kinds."""
    pairs = [choice.partition("=") for choice in choices]
    if wrong := next((choice for choice, (_, equals, _) in zip(choices, pairs, strict=True) if not equals), None):
        raise click.UsageError(f"--environments {wrong!r}: write NAME=KIND, such as satz=theorem")
    return {name.strip(): kind.strip() for name, _, kind in pairs}


@click.command()
@click.argument("paths", type=SOURCE, nargs=-1, required=True, metavar="PATH...")
@table_format_option
@click.option("--plots", type=PATH, metavar="FOLDER", help="Also write plots (SVG and PNG) to this folder.")
@click.option("--card", type=PATH, metavar="FILE", help="Also write a dataset card (Markdown); one corpus only.")
@force_option
def stats(paths: tuple[Path, ...], style: str, plots: Path | None, card: Path | None) -> None:
    """Print statistics of corpora, with the paper's figures.

    PATH is a LaTeX project, one of its files, or a corpus made by 'build'. Prints counts, lengths, splits and the
    reference graph; several corpora are shown side by side. JSON is one object for one corpus and a list for several.

    \b
    naturalproofs stats stacks
    naturalproofs stats stacks trench stein --format latex
    """
    from naturalproofs.apps.report.plots import draw
    from naturalproofs.apps.report.statistics import all_tables, dataset_card, statistics
    from naturalproofs.apps.report.table import render
    from naturalproofs.benchmark.make import load_with_splits
    from naturalproofs.io.outputs import check_output, write_output

    if card is not None and len(paths) > 1:
        raise click.UsageError("--card needs exactly one corpus")
    check_output(card)
    opened = []
    for path in paths:
        with progress_bar(f"Reading {path}") as progress:
            opened.append(load_with_splits(path, progress))
    loaded = [corpus for corpus, _ in opened]
    measured = [statistics(corpus, splits) for corpus, splits in opened]
    found = measured[0] if len(measured) == 1 else measured
    answer(style, lambda: found, lambda: render(all_tables(measured), style))
    if card is not None:
        write_output(card, dataset_card(loaded[0], measured[0]).encode())
        info(f"card: {card}")
    if plots is not None:
        for corpus in loaded:
            for path in draw(corpus, plots):
                info(f"plot: {path}")


@click.command()
@corpus_argument
@click.option(
    "--recipe",
    type=click.Choice(["leaf", "layers", "test-only", "temporal"]),
    required=True,
    help="leaf: all theorems that no proof cites are for evaluation. layers: a limited number of them, spread over the "
    "layers of the graph. test-only: all are for testing. temporal: what an older corpus lacks is for evaluation.",
)
@_split_seed_option
@_budget_option
@_older_option
@output_option
def split(corpus: Path, recipe: str, seed: int, budget: float | None, older: Path | None, output: Path) -> None:
    """Split a corpus by another recipe.

    PATH is a corpus made by 'build'. Writes a corpus folder with the same statements and new splits, checked for
    leaks.

    \b
    naturalproofs split stacks --recipe layers --budget 500 -o stacks-small-eval
    """
    from naturalproofs.benchmark.make import Recipe, resplit

    splits = resplit(corpus, output, Recipe(recipe, seed, _budget(recipe, budget), older))
    sizes = ", ".join(f"{name} {len(splits.part(name).examples):,}" for name in ("train", "valid", "test"))
    echo(f"{output}: {splits.recipe}: {sizes} examples")


@click.command()
@click.argument("corpora", type=SOURCE, nargs=-1, required=True, metavar="PATH...")
@click.option("--name", help="Name of the merged corpus.  [default: the names of the parts joined by +]")
@click.option("--take", metavar="NAME", help="Extract the corpus of that name from a merged one.")
@output_option
def merge(corpora: tuple[Path, ...], name: str | None, take: str | None, output: Path) -> None:
    """Merge corpora, or extract one from a merged corpus.

    PATH is a corpus made by 'build'. Ids are unchanged, splits are concatenated, and integer ids of published files
    are shifted, as in the paper's merged corpus of ProofWiki and Stacks. An extracted corpus equals the one that was
    merged.

    \b
    naturalproofs merge proofwiki stacks -o both --name P+S
    naturalproofs merge both --take stacks -o stacks-again
    """
    from naturalproofs.benchmark.make import extract_folder, merge_folders

    if take is not None and (len(corpora) != 1 or name):
        raise click.UsageError("--take needs one merged corpus and no --name")
    manifest = (
        extract_folder(corpora[0], output, take) if take is not None else merge_folders(corpora, output, name or "")
    )
    echo(f"{output}: {manifest.name}: {_counts(manifest)}")


def _counts(manifest: Manifest) -> str:
    named = ((number, what if number > 1 else what.removesuffix("s")) for what, number in manifest.counts.items())
    return ", ".join(f"{number:,} {what}" for number, what in named if number)


@click.command()
@click.argument("corpus", type=SOURCE, required=False, metavar="[PATH]")
@click.option("--to", "target", type=click.Choice(list(FORMATS)), required=True, help="Target format.")
@click.option(
    "--extras/--no-extras",
    default=True,
    help="Keep fields that naturalproofs-json lacks under the key 'extra', so that importing it again is lossless.",
)
@suite_option
@projects_option
@output_option
@force_option
def export(
    corpus: Path | None, target: str, extras: bool, suite: str | None, folders: tuple[Path, ...], output: Path
) -> None:
    """Write a corpus in another format.

    PATH is a corpus made by 'build'. The formats are:

    \b
    naturalproofs-json  one file in the paper's schema, readable by code written for the original dataset
    beir                a folder for retrieval benchmarks: passages, queries, relevance judgements
    trec                a folder for trec_eval and similar tools: passages, topics, qrels
    huggingface         a folder of Parquet files for 'datasets', with a dataset card
    graphml             one file with the reference graph

    A query is the title and text of a theorem, without its proof, as methods see them. With --suite, all books of a
    suite are written to one folder, in BEIR's format, with the licence of each. An existing folder or file is
    replaced only if this command wrote it and it has not changed since; a file also with --force.

    \b
    naturalproofs export stacks --to naturalproofs-json -o naturalproofs_stacks.json
    naturalproofs export stacks --to beir -o stacks-beir
    naturalproofs export --suite books --projects texts/ --to beir -o books-beir
    """
    if suite is not None:
        if corpus is not None or target != "beir":
            raise click.UsageError("--suite takes no PATH, and is written with --to beir")
        from naturalproofs.benchmark.suite import export_suite, load_suite

        with progress_bar(f"Exporting {suite}", log=True) as progress:
            summary = export_suite(load_suite(suite), folders, output, progress)
        echo(f"{output}: {summary} ({target})")
        return
    if corpus is None:
        raise click.UsageError("Missing argument 'PATH' (or give --suite).")
    from naturalproofs.benchmark.exports import Request, export
    from naturalproofs.benchmark.make import load_folder

    summary = export(target)(Request(*load_folder(corpus), output, extras))
    echo(f"{output}: {summary} ({target})")


# ``naturalproofs fetch``.


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--list", "listing", is_flag=True, help="List the available files and exit.")
@click.option("--to", "folder", type=PATH, metavar="DIR", help="Output folder.  [default: the current folder]")
@click.option(
    "--mirror",
    "mirrors",
    multiple=True,
    metavar="URL",
    help="Base URL with copies of the files, tried first; may be repeated.",
)
@click.option("--check/--no-check", default=True, help="Verify size and checksums.")
@click.option("--unpack/--no-unpack", default=True, help="Unpack archives.")
def fetch(
    names: tuple[str, ...],
    listing: bool,
    folder: Path | None,
    mirrors: tuple[str, ...],
    check: bool,
    unpack: bool,
) -> None:
    """Download published files and sources.

    NAME is one of the list, or the identifier of a paper on arXiv, whose LaTeX source is unpacked.

    An interrupted download is resumed by running the command again. An existing file is verified and kept. Without a
    network the command prints where to put which file. A proxy is taken from the environment variable https_proxy.

    \b
    naturalproofs fetch --list
    naturalproofs fetch naturalproofs-proofwiki --to data
    naturalproofs fetch arXiv:2101.00001
    naturalproofs fetch stacks --mirror https://mirror.example.org/naturalproofs
    """
    from naturalproofs.data.downloads import catalogue

    if listing:
        for name, file in catalogue().files.items():
            size = f"{file.size:,} bytes" if file.size is not None else "size unknown"
            echo(f"{name}: {file.title} ({file.version}; {size}; {file.licence})")
        for name, members in catalogue().sets.items():
            echo(f"{name}: {', '.join(members)}")
        return
    if not names:
        raise click.UsageError("name a file to fetch; --list shows the available files")
    found = {name: file for asked in names for name, file in catalogue().find(asked).items()}
    for name, published in found.items():
        _one(name, published, folder or Path(), mirrors, check, unpack)


def _one(name: str, published: Published, folder: Path, mirrors: tuple[str, ...], check: bool, unpack: bool) -> None:
    from naturalproofs.errors import DownloadFailed
    from naturalproofs.io.download import Contents, contents, download

    target = folder / published.file
    expected = published.expected if check else Contents()
    if target.is_file():
        there = contents(target)
        if broken := expected.mismatch(there):
            raise DownloadFailed(f"{target}: exists, but is not the published file ({broken}); delete it")
        _print_summary(target, there, published, "already exists")
    else:
        try:
            with progress_bar(f"Fetching {published.file}") as progress:
                came = download(published.addresses(mirrors), target, expected, progress=progress)
        except DownloadFailed as failure:
            _print_manual_steps(name, published, target)
            raise DownloadFailed(f"{published.file}: {failure}") from failure
        except KeyboardInterrupt:
            info("the partial download is kept; run the same command to resume")
            raise
        _print_summary(target, came, published, "fetched")
    ready = _unpacked(published, target, folder) if unpack and published.unpack else target
    if ready != target or not published.unpack:
        echo(f"Next: {published.next.format(path=shlex.quote(str(ready)))}")


def _unpacked(published: Published, archive: Path, folder: Path) -> Path:
    from naturalproofs.io.archives import refuse_printed, unpack

    refuse_printed(archive)
    target = published.ready(folder)
    if target.exists():
        echo(f"{target}: already exists, left unchanged")
    else:
        echo(f"{target}: {unpack(archive, target):,} files")
    return target


def _print_summary(target: Path, found: Contents, published: Published, how: str) -> None:
    known = published.expected
    echo(f"{target}: {how}, {found.size:,} bytes; licence: {published.licence}")
    if broken := known.mismatch(found):
        echo(f"this differs from the file in the catalogue: {broken}")
    if broken or not known.has_hash:
        echo(f"md5 {found.md5}, sha256 {found.sha256}: compare them with the publisher's")


def _print_manual_steps(name: str, published: Published, target: Path) -> None:
    """How to download the file by hand."""
    facts = [f"{published.size:,} bytes" if published.size is not None else ""]
    facts += [f"{kind} {value}" for kind, value in (("md5", published.md5), ("sha256", published.sha256)) if value]
    known = f" ({', '.join(filter(None, facts))})" if any(facts) else ""
    info(f"To download it by hand, get {published.url}")
    info(f"save it as {target.resolve()}{known}")
    info(f"and run: naturalproofs fetch {name} --to {shlex.quote(str(target.parent))}")
