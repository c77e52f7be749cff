"""The declarations that roots reach ("Type descriptions"), in an order that depends on the roots alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def reachable(roots: Iterable[str], references: Callable[[str], Iterable[str]]) -> list[str]:
    """The local ids reached from `roots`, each before what only it leads to. Linear, without recursion.

    `references` gives the ids that one declaration's members name: Named terms, their arguments, and
    the parts of Functions and Tasks.
    """
    found: dict[str, None] = dict.fromkeys(roots)
    work = list(found)
    for name in work:  # grows while it is read
        for reference in references(name):
            if reference not in found:
                found[reference] = None
                work.append(reference)
    return list(found)
