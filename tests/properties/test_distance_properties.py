"""The distance of two names is that of the table which defines it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.bounds import not_hopeless

from flow_lsp.text.distance import distance, nearest_name

NAMES = st.text("abcA_-ü", max_size=12) | st.text("ab", min_size=60, max_size=70)


def by_the_table(one: str, other: str) -> int:
    table = [[row + column for column in range(len(other) + 1)] for row in range(len(one) + 1)]
    for row in range(1, len(one) + 1):
        for column in range(1, len(other) + 1):
            least = min(
                table[row - 1][column] + 1,
                table[row][column - 1] + 1,
                table[row - 1][column - 1] + (one[row - 1] != other[column - 1]),
            )
            if row > 1 and column > 1 and one[row - 1] == other[column - 2] and one[row - 2] == other[column - 1]:
                least = min(least, table[row - 2][column - 2] + 1)
            table[row][column] = least
    return table[-1][-1]


@given(NAMES, NAMES)
def test_the_distance_is_that_of_the_table(one: str, other: str) -> None:
    assert distance(one, other) == by_the_table(one, other)


@given(NAMES, st.data())
def test_a_few_changes_are_counted(name: str, data: st.DataObject) -> None:
    other = name
    for _ in range(2):
        place = data.draw(st.integers(0, len(other)))
        cut = data.draw(st.integers(0, 1))
        other = other[:place] + data.draw(st.text("ab", max_size=1)) + other[place + cut :]
    assert distance(name, other) == by_the_table(name, other) <= 2


@given(NAMES, st.lists(NAMES, max_size=6))
def test_the_nearest_name_is_the_first_of_those_with_the_fewest_changes(name: str, known: list[str]) -> None:
    near = {}
    for candidate in known:
        changes = by_the_table(name.casefold(), candidate.casefold())
        if changes <= 2 and changes * 2 < max(len(candidate), 2):
            near.setdefault(changes, candidate)
    assert nearest_name(name, known) == (near[min(near)] if near and len(name) <= 64 else None)


def test_names_that_are_all_alike_are_compared_at_once() -> None:
    known = [f"tool_of_a_long_name_number_{number}" for number in range(2_000)]
    with not_hopeless():
        for number in range(100):
            meant = nearest_name(f"fool_of_a_long_name_numbre_{number}", known)
            assert meant == f"tool_of_a_long_name_number_{number}"
