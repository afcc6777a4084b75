"""The import graph: no cycles, and light commands import nothing heavy."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import grimp
import pytest

from naturalproofs.sources import latex


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """All imports, deferred ones inside functions included; imports for type checking alone are left out."""
    return grimp.build_graph("naturalproofs", exclude_type_checking_imports=True, cache_dir=None)


def cycles(graph: grimp.ImportGraph) -> Iterator[list[str]]:
    """Strongly connected components of more than one module, by Tarjan's algorithm without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    for root in sorted(graph.modules):
        if root in index:
            continue
        work = [(root, iter(sorted(graph.find_modules_directly_imported_by(root))))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            module, imported = work[-1]
            for other in imported:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph.find_modules_directly_imported_by(other)))))
                    break
                if other in on_stack:
                    low[module] = min(low[module], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[module])
                if low[module] == index[module]:
                    component = []
                    while not component or component[-1] != module:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    if len(component) > 1:
                        yield sorted(component)


def test_cycles_are_found() -> None:
    graph = grimp.ImportGraph()
    for name in "abcd":
        graph.add_module(name)
    for importer, imported in ("ab", "bc", "ca", "cd"):
        graph.add_import(importer=importer, imported=imported)
    assert list(cycles(graph)) == [["a", "b", "c"]]


def test_there_are_no_import_cycles(graph: grimp.ImportGraph) -> None:
    assert list(cycles(graph)) == []


def test_the_public_names_are_shown_before_they_are_imported() -> None:
    code = "import naturalproofs; print(*dir(naturalproofs)); print(naturalproofs.Workspace.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Workspace", "__version__", "evaluate", "load_corpus", "Workspace"]


def test_the_stub_of_the_latex_reader_declares_what_it_exports() -> None:
    stub = ast.parse(Path(latex.__file__).with_suffix(".pyi").read_text("utf-8"))
    declared = {
        alias.name: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert sorted(declared) == latex.__all__
    for name, module in declared.items():
        assert getattr(latex, name) is getattr(import_module(module), name)


HEAVY = ("numpy", "scipy", "sklearn", "lightgbm", "torch", "fastapi", "jinja2", "pygls", "mcp", "matplotlib")
BASE = {
    "stats": ["stats", "PRIMER"],
    "check": ["check", "PRIMER", "--all"],
    "graph": ["graph", "PRIMER", "--format", "dot"],
    "path": ["path", "PRIMER", "thm:lagrange"],
    "impact": ["impact", "PRIMER", "thm:lagrange"],
    "show": ["show", "PRIMER", "thm:lagrange"],
    "search": ["search", "PRIMER", "cyclic group"],
    "doctor": ["doctor", "PRIMER", "--index"],
}


def run_without_extras(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a process in which the packages of the extras cannot be imported."""
    script = (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {HEAVY!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from naturalproofs.apps.cli.main import run\n"
        "from naturalproofs.data import primer_folder\n"
        "sys.argv = ['naturalproofs', *(str(primer_folder()) if one == 'PRIMER' else one for one in sys.argv[1:])]\n"
        "run()\n"
    )
    return subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", BASE.values(), ids=BASE)
def test_the_base_install_runs(arguments: list[str]) -> None:
    done = run_without_extras(arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["suggest", "PRIMER", "A group of prime order is cyclic."], "hybrid"),
        (["serve", "PRIMER", "--port", "0"], "web"),
        (["lsp"], "editor"),
        (["mcp", "PRIMER"], "agents"),
        (["evaluate", "bm25", "PRIMER"], "rank"),
    ],
    ids=["suggest", "serve", "lsp", "mcp", "evaluate"],
)
def test_other_commands_name_their_extra(arguments: list[str], extra: str) -> None:
    done = run_without_extras(arguments)
    assert done.returncode == 1, done.stdout
    assert f"needs the extra '{extra}': " in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
