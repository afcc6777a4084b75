"""Redirects followed to the end."""

from collections.abc import Callable, Mapping

from naturalproofs.records import Diagnostic


def follow(
    redirects: Mapping[str, str], exists: Callable[[str], bool]
) -> tuple[dict[str, str | None], list[Diagnostic]]:
    """Find where every redirect ends.

    Returns:
        For each redirect the page it leads to, or None when it turns in a circle or leads nowhere; and what was wrong.
    """
    ends: dict[str, str | None] = {}
    found: list[Diagnostic] = []
    for title in redirects:
        if title in ends:
            continue
        trail: dict[str, None] = {}
        here = title
        while here in redirects and here not in trail and here not in ends:
            trail[here] = None
            here = redirects[here]
        if here in trail:
            circle = [*list(trail)[list(trail).index(here) :], here]
            found.append(_diagnostic(here, "redirect-cycle", f"redirects in a circle: {' > '.join(circle)}"))
            end = None
        elif here in ends:
            end = ends[here]
        elif exists(here):
            end = here
        else:
            last = next(reversed(trail))
            found.append(_diagnostic(last, "redirect-to-nowhere", f"redirects to a page that does not exist: {here}"))
            end = None
        ends.update(dict.fromkeys(trail, end))
    return ends, found


def _diagnostic(title: str, rule: str, message: str) -> Diagnostic:
    return Diagnostic(title, 1, 1, "warning", rule, message)
