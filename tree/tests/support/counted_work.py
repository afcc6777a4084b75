"""Work that is counted instead of timed: calls of functions, and characters that regular expressions pass over."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class Work:
    """A counter."""

    def __init__(self) -> None:
        self.done = 0


class CountingPattern:
    """A compiled pattern that counts the characters between where a search starts and where it ends."""

    def __init__(self, pattern: re.Pattern[Any], work: Work) -> None:
        self._pattern, self._work = pattern, work

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    def search(self, text: Any, start: int = 0, *end: int) -> Any:
        found = self._pattern.search(text, start, *end)
        self._work.done += (found.end() if found else (end[0] if end else len(text))) - start + 1
        return found

    def _anchored(self, found: Any, start: int) -> Any:
        self._work.done += found.end() - start + 1 if found else 1
        return found

    def match(self, text: Any, start: int = 0, *end: int) -> Any:
        return self._anchored(self._pattern.match(text, start, *end), start)

    def fullmatch(self, text: Any, start: int = 0, *end: int) -> Any:
        return self._anchored(self._pattern.fullmatch(text, start, *end), start)

    def finditer(self, text: Any, start: int = 0, *end: int) -> Iterator[Any]:
        at = start
        for found in self._pattern.finditer(text, start, *end):
            self._work.done += found.end() - at + 1
            at = found.end()
            yield found
        self._work.done += (end[0] if end else len(text)) - at + 1

    def findall(self, text: Any, *bounds: int) -> Any:
        self._work.done += len(text)
        return self._pattern.findall(text, *bounds)

    def sub(self, new: Any, text: Any, *most: int) -> Any:
        self._work.done += len(text)
        return self._pattern.sub(new, text, *most)

    def split(self, text: Any, maxsplit: int = 0) -> Any:
        self._work.done += len(text)
        return self._pattern.split(text, maxsplit)


@contextmanager
def counting_patterns(package: str) -> Iterator[Work]:
    """Count what the patterns of all imported modules of a package pass over."""
    work, replaced = Work(), []
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(package)]
    for module in modules:
        for name, value in list(vars(module).items()):
            if isinstance(value, re.Pattern):
                replaced.append((module, name, value))
                setattr(module, name, CountingPattern(value, work))
    try:
        yield work
    finally:
        _put_back(replaced)


def _put_back(replaced: list[tuple[ModuleType, str, re.Pattern[Any]]]) -> None:
    for module, name, value in replaced:
        setattr(module, name, value)


def counted(work: Work, action: Callable[[], object]) -> int:
    """The work of an action."""
    before = work.done

    def count(_frame: object, event: str, _argument: object) -> None:
        if event in ("call", "c_call"):
            work.done += 1

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return work.done - before
