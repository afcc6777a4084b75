"""The settings of a project: ``naturalproofs.toml``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

from naturalproofs.errors import BadSchema
from naturalproofs.io.decoding import decode_toml
from naturalproofs.sources.reading.kinds import ROLES, Role
from naturalproofs.sources.reading.text_files import read_text

KeyStyle: TypeAlias = Literal["one", "list", "range", "bracket"]
"""Where a reference command keeps its keys: ``{a}``, ``{a,b}``, ``{a}{b}`` or ``[a]``."""


class Heading(NamedTuple):
    """A heading command: its level (0 chapter, 1 section …) and which of its arguments is the title."""

    level: int
    argument: int = 0


FILE = "naturalproofs.toml"
ABOUT = ("title", "authors", "licence", "url", "citation", "revision")
_STYLES: tuple[KeyStyle, ...] = get_args(KeyStyle)


@dataclass(frozen=True)
class Settings:
    """The settings of a project; all of them may be left out."""

    main: tuple[str, ...] = ()
    """The main file inside the project's folder, or several of them."""
    environments: Mapping[str, Role] = field(default_factory=dict)
    """What environments hold: theorem, definition, other, proof, or ignore."""
    proof_commands: Mapping[str, str] = field(default_factory=dict)
    """Commands that open a proof, and the command that closes it."""
    references: Mapping[str, KeyStyle] = field(default_factory=dict)
    """Further commands that cite labels: ``{a}`` is one, ``{a,b}`` list, ``{a}{b}`` range, ``[a]`` bracket."""
    labels: tuple[str, ...] = ()
    """Further commands that give a label."""
    headings: Mapping[str, Heading] = field(default_factory=dict)
    """Further heading commands: their level (0 chapter, 1 section …) and which argument is the title, from 1."""
    about: Mapping[str, str] = field(default_factory=dict)
    """Title, authors, licence, url, citation and revision, for cards and manifests."""
    no_headings: frozenset[str] = frozenset()
    """Commands that look like headings and are none: written as ``part = false`` among the headings."""


def read_settings(folder: Path) -> Settings:
    """The settings of the project in this folder; the default ones when it has no such file."""
    path = folder / FILE
    if not path.is_file():
        return Settings()
    if not path.resolve().is_relative_to(folder.resolve()):
        raise BadSchema(f"{path}: leads outside of the project's folder; put the file itself there")
    try:
        data = decode_toml(read_text(path))
    except ValueError as error:
        raise BadSchema(f"{path}: not valid TOML ({error})") from error
    known = tuple(name for name in Settings.__dataclass_fields__ if name != "no_headings")
    headings = {_command(key): value for key, value in _table(path, "headings", data).items()}
    if unknown := sorted(set(data).difference(known)):
        raise BadSchema(f"{path}: unknown key {unknown[0]!r}; there are: {', '.join(known)}")
    return Settings(
        main=_strings(path, "main", data.get("main", ())),
        environments=check_roles(_table(path, "environments", data), f"{path}: environments"),
        proof_commands={
            _command(k): _command(_string(path, k, v)) for k, v in _table(path, "proof_commands", data).items()
        },
        references={_command(k): _style(path, k, v) for k, v in _table(path, "references", data).items()},
        labels=tuple(map(_command, _strings(path, "labels", data.get("labels", ())))),
        about=_about(path, _table(path, "about", data)),
        headings={key: _heading(path, key, value) for key, value in headings.items() if value is not False},
        no_headings=frozenset(key for key, value in headings.items() if value is False),
    )


def check_roles(environments: Mapping[str, Any], where: str) -> dict[str, Role]:
    """Environments and what they hold, or an error that says what they may hold."""
    for name, role in environments.items():
        if role not in ROLES:
            raise BadSchema(f"{where}: {name} = {role!r}; an environment holds one of: {', '.join(ROLES)}")
    return {name: cast(Role, role) for name, role in environments.items()}


def _about(path: Path, table: Mapping[str, Any]) -> dict[str, str]:
    if unknown := sorted(set(table).difference(ABOUT)):
        raise BadSchema(f"{path}: about: unknown key {unknown[0]!r}; there are: {', '.join(ABOUT)}")
    return {key: _string(path, key, value) for key, value in table.items()}


def _table(path: Path, key: str, data: Mapping[str, Any]) -> dict[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise BadSchema(f"{path}: {key} must be a table, such as [{key}]")
    return value


def _string(path: Path, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadSchema(f"{path}: {key} must be a text in quotes")
    return value


def _strings(path: Path, key: str, value: object) -> tuple[str, ...]:
    """One text, or a list of them."""
    if isinstance(value, (list, tuple)):
        return tuple(_string(path, key, one) for one in value)
    return tuple(filter(None, [_string(path, key, value)]))


def _command(name: str) -> str:
    """A command's name, with or without its backslash."""
    return name.removeprefix("\\")


def _style(path: Path, key: str, value: object) -> KeyStyle:
    if value not in _STYLES:
        raise BadSchema(
            f"{path}: references: {key} = {value!r}; a command keeps its keys in one of: {', '.join(_STYLES)}"
        )
    return value


def _heading(path: Path, key: str, value: object) -> Heading:
    given = value if isinstance(value, dict) else {"level": value}
    level, argument = given.get("level"), given.get("argument", 1)
    if (
        not isinstance(level, int)
        or not isinstance(argument, int)
        or argument < 1
        or set(given) - {"level", "argument"}
    ):
        raise BadSchema(f"{path}: headings: {key} must be a level, a table with level and argument, or false")
    return Heading(level, argument - 1)
