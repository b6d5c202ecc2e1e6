"""Branches of the tape: recordings that were left for another future, each complete, to return to.

Every course of events has a number; its way lists the courses it is made of, and from which position on. What courses have in
common they share in memory. When memory is full, the branch that was left longest ago is dropped first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter

from msgspec import Struct, field

from tumble.app.replay.state import TapeKey
from tumble.app.replay.timeline import Array, Edit, NumberChanges

MOST_BRANCHES = 24  # that are kept
EVENT_BYTES = 300  # memory of a change of inputs in Python, in addition to its numbers

Way = tuple[tuple[int, int], ...]  # (number of a course, the position from which on it holds), the first from 0


def parting(one: Way, other: Way) -> int:
    """The position up to which two ways are the same."""
    common = 0
    while common < min(len(one), len(other)) and one[common] == other[common]:
        common += 1
    return min(way[common][1] for way in (one, other) if len(way) > common)


class BranchInfo(Struct, frozen=True):
    """A branch, for display. number: of its course; fork: the position up to which it equals the tape; end: its last."""

    number: int
    fork: int
    end: int


class Branch(Struct):
    """A record that was left at position `at`; numbers: values of the changed model fields there, by name."""

    way: Way
    at: int
    end: int
    keys: list[TapeKey]
    inputs: list[NumberChanges]
    edits: list[Edit]
    digests: dict[int, int]
    numbers: dict[str, Array] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """Number of its course."""
        return self.way[-1][0]

    def sizes(self) -> Iterator[tuple[int, int]]:
        """Identity and memory [bytes] of each of its parts."""
        yield from ((id(key), key.state.nbytes) for key in self.keys)
        yield from ((id(change), change_bytes(change)) for change in self.inputs)
        yield from ((id(values), int(values.nbytes)) for values in self.numbers.values())

    def trim(self, first: int) -> None:
        """Discard records before a position, except those needed where it was left."""
        position = min(first, self.at)
        drop = max(0, bisect_right(self.keys, position, key=attrgetter("step")) - 1)
        step = self.keys[drop].step
        del self.keys[:drop]
        del self.inputs[: bisect_right(self.inputs, step, key=attrgetter("step"))]
        del self.edits[: bisect_right(self.edits, step, key=attrgetter("step"))]


class Branches:
    """The branches that were left, the one left longest ago first. nbytes: memory beyond that of the tape."""

    def __init__(self) -> None:
        self.way: Way = ((0, 0),)  # that of the tape
        self.nbytes = 0
        self.infos: tuple[BranchInfo, ...] = ()
        self._left: dict[int, Branch] = {}
        self._next = 1  # number of the next course

    def __len__(self) -> int:
        return len(self._left)

    def part(self, left: Branch) -> None:
        """The tape leaves its record where it is, for another future."""
        self._left[left.number] = left
        self.way = (*(step for step in self.way if step[1] <= left.at), (self._next, left.at))
        self._next += 1
        while len(self._left) > MOST_BRANCHES:
            self._left.pop(next(iter(self._left)))

    def swap(self, number: int, left: Branch) -> Branch | None:
        """The branch of this number, in exchange for the tape's own record; None: it does not exist (any more)."""
        branch = self._left.pop(number, None)
        if branch is not None:
            self._left[left.number] = left
            self.way = branch.way
        return branch

    def drop(self, number: int | None = None) -> None:
        """Drop a branch; None: the one that was left longest ago."""
        number = next(iter(self._left), None) if number is None else number
        if number is not None:
            self._left.pop(number, None)

    def trim(self, first: int) -> None:
        """Discard the same records as the tape."""
        for branch in self._left.values():
            branch.trim(first)

    def measure(self, own: Branch) -> None:
        """Update `nbytes` and `infos`; own: the record of the tape."""
        known = {part for part, _ in own.sizes()} if self._left else set()
        others = {part: size for branch in self._left.values() for part, size in branch.sizes() if part not in known}
        self.nbytes = sum(others.values())
        self.infos = tuple(BranchInfo(b.number, parting(self.way, b.way), b.end) for b in self._left.values())


def change_bytes(change: NumberChanges) -> int:
    """Memory of a change of inputs [bytes]."""
    return int(change.index.nbytes + change.value.nbytes) + EVENT_BYTES


def numbers_before(held: dict[str, Array], edits: list[Edit]) -> dict[str, Array]:
    """The numbers of a model's fields before changes were made that they contain already."""
    for edit in reversed(edits):
        held[edit.name][edit.index] = edit.old
    return held
