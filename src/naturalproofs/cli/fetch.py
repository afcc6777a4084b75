"""``naturalproofs fetch``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from naturalproofs.cli.options import PATH, progress_bar, say

if TYPE_CHECKING:
    from naturalproofs.data.downloads import Published
    from naturalproofs.io.download import Contents
    from naturalproofs.io.web import Connection
    from naturalproofs.progress import Progress


@click.command(name="fetch")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--list", "listing", is_flag=True, help="Show what there is, and fetch nothing.")
@click.option(
    "--to",
    "folder",
    type=PATH,
    default=Path(),
    metavar="DIR",
    help="Where to put the files.  [default: the current folder]",
)
@click.option(
    "--mirror",
    "mirrors",
    multiple=True,
    metavar="URL",
    help="A folder with the files, tried first; may be repeated.",
)
@click.option("--proxy", default="", metavar="URL", help="A proxy.  [default: https_proxy and its kin, if set]")
@click.option("--timeout", default=30.0, show_default=True, help="Seconds of silence after which a connection is dead.")
@click.option(
    "--retries", type=click.IntRange(0), default=4, show_default=True, help="New attempts when nothing more comes."
)
@click.option("--check/--no-check", default=True, show_default=True, help="Refuse what is not the published file.")
@click.option("--unpack/--no-unpack", default=True, show_default=True, help="Unpack archives.")
def command(
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
    """Download published files and sources, checked and resumable.

    A download that was cut goes on where it stopped when the command is given again. A file that is already there is
    checked and kept. Without a network the command says which file to put where.

    \b
    naturalproofs fetch --list
    naturalproofs fetch naturalproofs-proofwiki --to data
    naturalproofs fetch stacks --mirror https://mirror.example.org/naturalproofs
    """
    from naturalproofs.data.downloads import catalogue
    from naturalproofs.io.web import Connection

    if listing:
        for name, published in catalogue().files.items():
            click.echo(_entry(name, published))
        for name, members in catalogue().sets.items():
            click.echo(f"{name}: {', '.join(members)}")
        return
    if not names:
        raise click.UsageError("say what to fetch; --list shows what there is")
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
    from naturalproofs.io.download import Promise, contents, download

    target = folder / published.file
    promise = published.promise if check else Promise()
    if target.is_file():
        there = contents(target)
        if broken := promise.broken_by(there):
            raise DownloadFailed(f"{target}: is there, but is not the published file ({broken}); remove it")
        _tell(target, there, published, "was already there")
    else:
        try:
            with progress_bar(f"Fetching {published.file}") as bar:
                came = download(
                    published.addresses(mirrors), target, promise, connection=connection, progress=_known(bar)
                )
        except DownloadFailed as failure:
            _say_by_hand(name, published, target)
            raise DownloadFailed(f"{published.file}: {failure}") from failure
        except KeyboardInterrupt:
            say("what has come is kept; the same command goes on from there")
            raise
        _tell(target, came, published, "fetched")
    ready = _unpacked(published, target, folder) if unpack and published.unpack else target
    if ready != target or not published.unpack:
        click.echo(f"Next: {published.next.format(path=shlex.quote(str(ready)))}")


def _unpacked(published: Published, archive: Path, folder: Path) -> Path:
    from naturalproofs.io.archives import unpack

    target = published.ready(folder)
    if target.exists():
        click.echo(f"{target}: is there already and was left as it is")
    else:
        click.echo(f"{target}: {unpack(archive, target):,} files")
    return target


def _known(bar: Progress) -> Progress:
    """A bar shows how much is left, so it stays still while nobody knows."""

    def advance(done: float, total: float, _message: str = "") -> None:
        if total:
            bar(done, total)

    return advance


def _entry(name: str, published: Published) -> str:
    size = f"{published.size:,} bytes" if published.size is not None else "size not known"
    return f"{name}: {published.title} ({published.version}; {size}; {published.licence})"


def _tell(target: Path, found: Contents, published: Published, how: str) -> None:
    known = published.promise
    click.echo(f"{target}: {how}, {found.size:,} bytes; licence: {published.licence}")
    if broken := known.broken_by(found):
        click.echo(f"this is not the file that the catalogue knows: {broken}")
    if broken or not known.has_hash:
        click.echo(f"md5 {found.md5}, sha256 {found.sha256}: compare them with what the publisher says")


def _say_by_hand(name: str, published: Published, target: Path) -> None:
    """What a person can do who has another way to the file."""
    facts = [f"{published.size:,} bytes" if published.size is not None else ""]
    facts += [f"{kind} {value}" for kind, value in (("md5", published.md5), ("sha256", published.sha256)) if value]
    known = f" ({', '.join(filter(None, facts))})" if any(facts) else ""
    say(f"To do it by hand, download {published.url}")
    say(f"to {target.resolve()}{known}")
    say(f"and go on with: naturalproofs fetch {name} --to {shlex.quote(str(target.parent))}")
