from itertools import pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.wiki.categories import ROOT, CategoryGraph

PARENTS = {
    "Rings": ("Algebra",),
    "Ideals": ("Rings", "Modules"),
    "Modules": ("Ideals", "Algebra"),
    "Primes": ("Number Theory", "Rings", "Ideals"),
    "Algebra": (ROOT,),
    "Number Theory": (ROOT, "Elsewhere"),
    "Elsewhere": ("Content",),
    ROOT: ("Proofs",),
    "Proofs": ("Content",),
}


def test_circles_and_short_cuts():
    graph = CategoryGraph(PARENTS)
    assert graph.toplevel(["Primes"]) == ("Algebra", "Number Theory")
    assert graph.recursive(["Ideals"]) == ("Algebra", "Ideals", "Modules", "Rings")
    assert graph.recursive(["Elsewhere", "Unheard of", ROOT]) == ()


def test_top_level_itself_and_below():
    graph = CategoryGraph(PARENTS)
    assert graph.toplevel(["Algebra"]) == graph.recursive(["Algebra"]) == ("Algebra",)


names = st.sampled_from("abcdef")


@given(st.dictionaries(names, st.lists(st.one_of(names, st.just(ROOT)), max_size=3)), names)
def test_recursive_categories_lie_on_ways_to_the_top(parents, start):
    """Against networkx: a category counts when it is reachable upwards and reaches a top-level one."""
    graph = CategoryGraph(parents)
    up = nx.DiGraph()
    up.add_nodes_from([start, *parents])
    up.add_edges_from((child, parent) for child, above in parents.items() for parent in above if parent != ROOT)
    top = {child for child, above in parents.items() if ROOT in above}
    reachable = nx.descendants(up, start) | {start}
    expected = {node for node in reachable if top & (nx.descendants(up, node) | {node})}
    assert set(graph.recursive([start])) == expected
    assert set(graph.toplevel([start])) == expected & top
    assert all(a < b for a, b in pairwise(graph.recursive([start])))
