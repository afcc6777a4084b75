"""``naturalproofs fetch``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, echo, info, progress_bar

if TYPE_CHECKING:
    from naturalproofs.data.downloads import Published
    from naturalproofs.io.download import Contents
    from naturalproofs.io.http import Connection


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--list", "listing", is_flag=True, help="List the available files and exit.")
@click.option(
    "--to",
    "folder",
    type=PATH,
    default=Path(),
    metavar="DIR",
    help="Output folder.  [default: the current folder]",
)
@click.option(
    "--mirror",
    "mirrors",
    multiple=True,
    metavar="URL",
    help="Base URL with copies of the files, tried first; may be repeated.",
)
@click.option(
    "--proxy", default="", metavar="URL", help="Proxy.  [default: the environment variable https_proxy, if set]"
)
@click.option("--timeout", default=30.0, show_default=True, help="Network timeout in seconds.")
@click.option(
    "--retries",
    type=click.IntRange(0),
    default=4,
    show_default=True,
    help="Retries after a failed or stalled connection.",
)
@click.option("--check/--no-check", default=True, show_default=True, help="Verify size and checksums.")
@click.option("--unpack/--no-unpack", default=True, show_default=True, help="Unpack archives.")
def fetch(
    names: tuple[str, ...],
    listing: bool,
    folder: Path,
    mirrors: tuple[str, ...],
    proxy: str,
    timeout: float,
    retries: int,
    check: bool,
    unpack: bool,
) -> None:
    """Download published files and sources.

    NAME is one of the list, or the identifier of a paper on arXiv, whose LaTeX source is unpacked.

    An interrupted download is resumed by running the command again. An existing file is verified and kept. Without a
    network the command prints where to put which file.

    \b
    naturalproofs fetch --list
    naturalproofs fetch naturalproofs-proofwiki --to data
    naturalproofs fetch arXiv:2101.00001
    naturalproofs fetch stacks --mirror https://mirror.example.org/naturalproofs
    """
    from naturalproofs.data.downloads import catalogue
    from naturalproofs.io.http import Connection

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
    connection = Connection(proxy=proxy, timeout=timeout, retries=retries)
    for name, published in found.items():
        _one(name, published, folder, mirrors, connection, check, unpack)


def _one(
    name: str,
    published: Published,
    folder: Path,
    mirrors: tuple[str, ...],
    connection: Connection,
    check: bool,
    unpack: bool,
) -> None:
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
                came = download(
                    published.addresses(mirrors), target, expected, connection=connection, progress=progress
                )
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
