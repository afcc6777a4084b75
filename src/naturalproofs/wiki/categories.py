"""The category graph: which topics a page belongs to, however the graph is knotted."""

from collections.abc import Iterable, Mapping

ROOT = "Proofs by Topic"
"""The categories directly below this one are the top level."""


class CategoryGraph:
    """Categories and the categories they are in."""

    def __init__(self, parents: Mapping[str, Iterable[str]], root: str = ROOT) -> None:
        """Flood the graph downwards from the top level once, so that every question is a look-up away.

        Args:
            parents: For each category, those it is in, as its page lists them.
            root: The category whose direct members are the top level.
        """
        self.parents = {name: tuple(dict.fromkeys(above)) for name, above in parents.items()}
        self.root = root
        self._top = frozenset(name for name, above in self.parents.items() if root in above)
        self._reaching = self._flood()
        self._cache: dict[str, frozenset[str]] = {}

    def toplevel(self, categories: Iterable[str]) -> tuple[str, ...]:
        """Give the top-level categories that can be reached upwards, sorted."""
        return tuple(sorted(self._on_the_way(categories) & self._top))

    def recursive(self, categories: Iterable[str]) -> tuple[str, ...]:
        """Give all categories on the ways up to the top level, both ends included, sorted."""
        return tuple(sorted(self._on_the_way(categories)))

    def _flood(self) -> frozenset[str]:
        children: dict[str, list[str]] = {}
        for name, above in self.parents.items():
            for parent in above:
                children.setdefault(parent, []).append(name)
        seen = set(self._top)
        queue = list(self._top)
        while queue:
            for child in children.get(queue.pop(), ()):
                if child not in seen and child != self.root:
                    seen.add(child)
                    queue.append(child)
        return frozenset(seen)

    def _on_the_way(self, categories: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(self._above(name) for name in dict.fromkeys(categories)))

    def _above(self, name: str) -> frozenset[str]:
        known = self._cache.get(name)
        if known is not None:
            return known
        seen = {name} & self._reaching
        queue = list(seen)
        while queue:
            for parent in self.parents.get(queue.pop(), ()):
                if parent in self._reaching and parent not in seen:
                    seen.add(parent)
                    queue.append(parent)
        self._cache[name] = frozenset(seen)
        return self._cache[name]
