"""All writing, replacing and deleting of files is in ``io``, so that one package has to be durable and safe.

Libraries (sqlite, numpy, pyarrow, safetensors) write inside folders that ``io.files`` makes and moves into place.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import naturalproofs

PACKAGE = Path(naturalproofs.__file__).parent
ANYWHERE = frozenset(
    """
    chmod copyfile copytree fdopen hardlink_to makedirs mkdir mkfifo mknod removedirs renames rmdir rmtree
    symlink symlink_to unlink write_bytes write_text
    """.split()
)
"""Functions and methods that no code outside ``io`` calls."""
OF_OS = frozenset({"link", "open", "remove", "rename", "replace", "truncate", "utime", "write"})
"""Functions of ``os`` whose names are common elsewhere."""


def writes(source: str) -> Iterator[str]:
    """The calls in a module that write, replace or delete."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        module = getattr(function.value, "id", "") if isinstance(function, ast.Attribute) else ""
        if (
            name in ANYWHERE
            or (module == "os" and name in OF_OS)
            or (module == "shutil" and name not in ("get_terminal_size", "which"))
            or (name in ("open", "ZipFile") and any(map(_writing_mode, [*call.args, *call.keywords])))
            # Path.replace and Path.rename take one argument, str.replace and the renaming of labels two.
            or (name in ("rename", "replace") and module and len(call.args) == 1 and not call.keywords)
        ):
            yield ast.unparse(call)


def _writing_mode(argument: ast.expr | ast.keyword) -> bool:
    value = argument.value if isinstance(argument, ast.keyword) else argument
    mode = value.value if isinstance(value, ast.Constant) else None
    return isinstance(mode, str) and len(mode) <= 3 and bool(set("wax+") & set(mode)) and set(mode) <= set("rwaxbt+")


@pytest.mark.parametrize(
    "call",
    [
        'open(path, "w")',
        'path.open("xb")',
        'path.open(mode="a")',
        'path.open("r+b")',
        "path.write_text(text)",
        "os.replace(a, b)",
        "path.replace(other)",
        "path.rename(other)",
        "os.rename(a, b)",
        "os.open(path, flags)",
        "path.unlink(missing_ok=True)",
        "rmtree(path)",
        "shutil.move(a, b)",
        "path.parent.mkdir()",
    ],
)
def test_writing_is_recognised(call):
    assert list(writes(call))


@pytest.mark.parametrize(
    "call",
    ["path.open()", 'open(path, "rb")', 'text.replace("a", "b")', "replace(record, title=name)", "names.remove(name)"],
)
def test_other_calls_are_not(call):
    assert not list(writes(call))


def test_only_io_writes_files():
    found = [
        f"{file.relative_to(PACKAGE)}: {call}"
        for file in sorted(PACKAGE.rglob("*.py"))
        if file.relative_to(PACKAGE).parts[0] != "io"
        for call in writes(file.read_text("utf-8"))
    ]
    assert not found, "use naturalproofs.io.files instead"
