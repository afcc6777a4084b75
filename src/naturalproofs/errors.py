"""Errors, named after the situation a user is in.

Each message is one line that says what is wrong, where, and what to do; the command line prints it and exits with 1.
"""

import re

_LONE = re.compile("[\ud800-\udfff]")


def valid_text(message: str) -> str:
    r"""A message that may name a path; a byte of it that is not UTF-8 is written as ``\xe9``, as in all names."""
    return _LONE.sub(lambda lone: f"\\x{ord(lone[0]) & 0xFF:02x}", message)


class NaturalProofsError(Exception):
    """A problem that the user can fix: a path, an option, the contents of a file."""

    def __str__(self) -> str:
        """The message as valid text, whatever path it names."""
        return valid_text(super().__str__())


class SourceNotFound(NaturalProofsError):
    """The path given as a source does not contain what that source reads."""


class TooLarge(NaturalProofsError):
    """A project takes more memory than it may."""


class NoStatements(SourceNotFound):
    """A source was read, and nothing in it was recognised as a statement."""


class NotACorpus(NaturalProofsError):
    """A path was used as a corpus but is not a complete corpus folder."""


class NotAModel(NaturalProofsError):
    """A path was used as a trained model but is not a complete model folder."""


class BadModel(NotAModel):
    """A file of a model is damaged or was tampered with: its parts contradict each other."""


class BadSettings(NaturalProofsError):
    """Settings of a method or a measure are malformed, out of range, or contradict each other."""


class PlacesUnknown(NaturalProofsError):
    """A method needs the places of statements, and the protocol does not show them."""


class NotSupported(NaturalProofsError):
    """A method cannot do what is asked of it: generate, be saved, be cached, keep to a time limit."""


class LibraryNotLoadable(NaturalProofsError):
    """A native library is installed but cannot be loaded."""


class NotARun(NaturalProofsError):
    """A path was used as a run or as stored results, but is not complete."""


class NotComparable(NaturalProofsError):
    """Two runs are of different tasks, or lack a measure."""


class EmptySplit(NaturalProofsError):
    """A split has no examples to train or evaluate on."""


class NotACollection(NaturalProofsError):
    """A path was used as a collection but is none, or is one of another format."""


class CollectionDamaged(NaturalProofsError):
    """A table of a collection cannot be read or written."""


class ClusterNotReachable(NaturalProofsError):
    """No cluster answers at the address given."""


class NotAnIndex(NaturalProofsError):
    """A path was used as a stored index, but is not complete or is of another version."""


class OutputInTheWay(NaturalProofsError):
    """The output path exists and is not something this command may replace."""


class BadSchema(NaturalProofsError):
    """A file does not follow its schema, or contradicts itself."""


class LeakFound(NaturalProofsError):
    """A split lets training see an evaluation theorem."""


class UnknownName(NaturalProofsError):
    """A name (statement, source, format) is not known; the message says which ones are."""


class NotGiven(NaturalProofsError):
    """Something that the work needs was not given: a corpus, a statement, an older version."""


class SameName(NaturalProofsError):
    """Two things that are used together have one name."""


class NoExercise(NaturalProofsError):
    """A proof gives no exercise of the wanted form."""


class RulesUnsupported(NaturalProofsError):
    """A source was to be read by rules that are not known for it."""


class RepeatedAnswer(NaturalProofsError):
    """An answer that puts things into an order names one of them twice."""


class BadLabel(NaturalProofsError):
    """A label cannot have this name, or cannot be renamed."""


class TagsExhausted(NaturalProofsError):
    """Every tag of four characters has been given."""


class DownloadFailed(NaturalProofsError):
    """A file could not be downloaded, or the downloaded data is not that file."""


class UnsafeArchive(NaturalProofsError):
    """An archive is damaged, or would write outside its folder."""


_INSTALLERS: dict[tuple[str, ...], str] = {
    ("pipx", "venvs"): "pipx install --force",
    ("uv", "tools"): "uv tool install",
}
"""What installs into environments that lie in such folders; all else is for pip."""


def install_line(extra: str) -> str:
    """The command that adds an extra to this installation: by what installed it, from where it was installed."""
    import json
    import shlex
    import sys
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path
    from urllib.parse import unquote, urlsplit

    try:
        origin = json.loads(distribution("naturalproofs").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        origin = {}
    url = origin.get("url", "")
    package = f"naturalproofs[{extra}]"
    if "vcs_info" in origin:
        package += f" @ {origin['vcs_info']['vcs']}+{url}"
    elif url.startswith("file:") and Path(place := unquote(urlsplit(url).path)).exists():
        package = f"{place}[{extra}]"
    installer = _INSTALLERS.get(Path(sys.prefix).parts[-3:-1], "pip install")
    editable = " -e" if origin.get("dir_info", {}).get("editable") else ""
    return f"{installer}{editable} {shlex.quote(package)}"


class MissingExtra(NaturalProofsError):
    """A requested feature needs an optional dependency."""

    def __init__(self, feature: str, extra: str) -> None:
        """Name the extra that provides the feature, and how it is installed here."""
        super().__init__(f"{feature} needs the extra '{extra}': {install_line(extra)}")


class NoSpace(NaturalProofsError):
    """Temporary files or the cache cannot be written."""
