"""Write the locks: every package that an install of the locked extras brings, with the hashes of all its wheels.

``python benchmarks/lock_dependencies.py`` asks the index that pip is set up with. The versions are those of
``constraints.txt``, the packages those that the installed ones require, on any platform.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from tomllib import loads
from urllib.request import Request, urlopen

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
BUILD = ("hatchling", "editables")
"""The build back end, and what it needs for an editable install."""
LOCKS = {"base": (), "apps": ("agents", "editor", "hybrid", "parquet", "plots", "web")}
"""The files and the extras in them."""
PLATFORMS = [
    {"sys_platform": system, "platform_system": name, "os_name": "posix", "platform_machine": machine,
     "python_version": version, "python_full_version": f"{version}.0", "implementation_name": "cpython",
     "platform_python_implementation": "CPython"}
    for system, name in (("linux", "Linux"), ("darwin", "Darwin"))
    for machine in ("x86_64", "arm64")
    for version in ("3.11", "3.12", "3.13")
]  # fmt: skip
"""Where the package runs."""
_WHEEL = re.compile(r"-(?:py2\.py3|py3|cp3\d+|cp311|cp312|cp313)-(?:none|abi3|cp311|cp312|cp313)-(?!win)[^-]+\.whl$")


def pins() -> dict[str, str]:
    """The version of each package in the constraints."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    found = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version.strip() for name, version in found}


def packages(extras: tuple[str, ...]) -> list[str]:
    """The packages of an install with these extras, on any platform, and those of the build."""
    project = loads((ROOT / "pyproject.toml").read_text())["project"]
    seen: set[tuple[str, str]] = set()

    def add(line: str, extra: str = "") -> None:
        requirement = Requirement(line)
        name = canonicalize_name(requirement.name)
        wanted = requirement.marker is None or any(
            requirement.marker.evaluate({**platform, "extra": extra}) for platform in PLATFORMS
        )
        for option in ("", *sorted(requirement.extras)) if wanted else ():
            if (name, option) in seen:
                continue
            seen.add((name, option))
            for further in _required(name, option, project):
                add(further, option)

    for line in [*project["dependencies"], *BUILD, *(f"naturalproofs[{extra}]" for extra in extras)]:
        add(line)
    return sorted({name for name, _ in seen} - {"naturalproofs"})


def _required(name: str, extra: str, project: dict) -> list[str]:
    if name == "naturalproofs":
        return project["optional-dependencies"].get(extra, []) if extra else project["dependencies"]
    try:
        return requires(name) or []
    except PackageNotFoundError:  # Of another platform: it requires nothing that is not listed already.
        return []


def locked(name: str) -> dict[str, tuple[str, list[str]]]:
    """The version and the hashes of each package in a lock."""
    entries = (ROOT / "locks" / f"{name}.txt").read_text().replace("\\\n", " ").splitlines()
    found = {}
    for one in entries:
        if one and not one.startswith("#"):
            requirement, *hashes = one.split()
            package, version = requirement.split("==")
            found[package] = (version, [value.removeprefix("--hash=sha256:") for value in hashes])
    return found


def hashes(name: str, version: str) -> Iterator[str]:
    """The hashes of the wheels of a version."""
    request = Request(f"{_index()}/{name}/", headers={"Accept": "application/vnd.pypi.simple.v1+json, text/html"})
    with urlopen(request) as answer:
        data, kind = answer.read().decode(), answer.headers.get_content_type()
    if kind.endswith("json"):
        files = [(one["filename"], one["hashes"].get("sha256", "")) for one in json.loads(data)["files"]]
    else:
        files = re.findall(r"([^/\"#>]+\.whl)#sha256=([0-9a-f]{64})", data)
    written = "[-_.]".join(map(re.escape, name.split("-")))
    start = re.compile(rf"{written}-{re.escape(version)}(?:-\d\w*)?-", re.IGNORECASE)
    return (value for file, value in sorted(set(files)) if value and start.match(file) and _WHEEL.search(file))


def _index() -> str:
    """The address of pip's index: its settings, or its own."""
    asked = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    found = os.environ.get("PIP_INDEX_URL")
    found = found or subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if not found:
        from pip._internal.models.index import PyPI

        found = PyPI.simple_url
    return found.rstrip("/")


def main() -> None:
    """Write all locks."""
    known: dict[str, list[str]] = {}
    versions = pins()
    for lock, extras in LOCKS.items():
        lines = [f"# Written by benchmarks/lock_dependencies.py: {', '.join(extras) or 'no extras'}, and the build."]
        for name in packages(extras):
            if name not in known:
                known[name] = list(hashes(name, versions[name]))
            if not known[name]:
                raise SystemExit(f"{name}=={versions[name]}: the index has no wheel")
            lines.append(
                " \\\n".join([f"{name}=={versions[name]}", *(f"    --hash=sha256:{one}" for one in known[name])])
            )
        (ROOT / "locks").mkdir(exist_ok=True)
        (ROOT / "locks" / f"{lock}.txt").write_text("\n".join(lines) + "\n")
        print(f"locks/{lock}.txt: {len(lines) - 1} packages")


if __name__ == "__main__":
    main()
