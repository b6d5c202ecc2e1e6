"""Sparsity patterns of the inertia matrix and related matrices.

M: inertia, lower triangle with the diagonal last, one element for the diagonal of a simple dof.
D: derivatives of forces by velocity, both triangles. B: dofs that move each body or that each body moves.

Bodies and dofs are numbered subtree by subtree: what hangs on a dof or a body has the numbers that follow.
A row of D is therefore the chain of dofs above, then a range.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tumble.physics.compiler.draft import Draft
from tumble.physics.state.model import Model

_MOST = 5_000_000  # elements of M: the matrices of a tree that has more do not fit in memory


class Pattern(Struct):
    """The columns of every row of a sparse matrix: elements a row, where each row begins, and the columns."""

    number: np.ndarray
    address: np.ndarray
    columns: np.ndarray

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.columns.size

    @property
    def rows(self) -> np.ndarray:
        """The row of every element."""
        return np.repeat(np.arange(len(self.number)), self.number)

    @property
    def places(self) -> np.ndarray:
        """The place of every element in its row."""
        return np.arange(self.size) - np.repeat(self.address, self.number)


class Patterns(Struct):
    """The patterns of a model; chains: for every dof, those above it and then itself."""

    chains: Pattern
    simple: np.ndarray
    M: Pattern
    D: Pattern
    B: Pattern

    @property
    def nM(self) -> int:
        """Elements of the inertia matrix in the older layout, which lists the whole chain of every dof."""
        return self.chains.size


def find_patterns(draft: Draft, parents: np.ndarray, simple: np.ndarray) -> Patterns:
    """The patterns of a model; parents: dof_parentid, simple: dof_simplenum.

    Raises MjcfError for a tree so large that its matrices would not fit in memory.
    """
    nv = len(parents)
    depth = np.ones(nv, np.int64)
    for i, parent in enumerate(parents):
        depth[i] += depth[parent] if parent >= 0 else 0
    chains = _empty(draft, depth)
    for i, parent in enumerate(parents):
        end = chains.address[i] + depth[i] - 1
        if parent >= 0:
            above = chains.address[parent]
            chains.columns[end - depth[parent] : end] = chains.columns[above : above + depth[parent]]
        chains.columns[end] = i
    kept = (simple == 0)[chains.rows] | (chains.columns == chains.rows)
    number = np.where(simple > 0, 1, depth)
    lower = Pattern(number, np.cumsum(number) - number, chains.columns[kept])

    begin, end = _subtrees(draft)
    owner = np.repeat(np.arange(len(draft.bodies)), [sum(j.ndof for j in body.joints) for body in draft.bodies])
    square = _chain_and_range(draft, chains, np.arange(nv), np.arange(nv) + 1, end[owner])
    bodies = _chain_and_range(draft, chains, _above(draft), begin, end)
    return Patterns(chains, simple > 0, lower, square, bodies)


def _empty(draft: Draft, number: np.ndarray) -> Pattern:
    """A pattern with this many elements in each row, whose columns are still to be written."""
    total = int(number.sum())
    if total > _MOST:
        raise draft.root.error(f"has a matrix of {total} elements for its dofs; {_MOST} are the most: make trees less deep")
    return Pattern(number, np.cumsum(number) - number, np.zeros(total, np.int32))


def _subtrees(draft: Draft) -> tuple[np.ndarray, np.ndarray]:
    """The first dof of every body's subtree, and the one after the last."""
    last = np.arange(len(draft.bodies))  # the last body below each
    for body in reversed(draft.bodies):
        if body.parent:
            last[body.parent.id] = max(last[body.parent.id], last[body.id])
    number = np.cumsum([0] + [sum(j.ndof for j in body.joints) for body in draft.bodies])
    return number[:-1], number[last + 1]


def _above(draft: Draft) -> np.ndarray:
    """The last dof above every body, its own not counted; -1: none."""
    above = np.full(len(draft.bodies), -1)
    for body in draft.bodies:
        if body.parent:
            own = body.parent.joints
            above[body.id] = own[-1].dofadr + own[-1].ndof - 1 if own else above[body.parent.id]
    return above


def _chain_and_range(draft: Draft, chains: Pattern, above: np.ndarray, begin: np.ndarray, end: np.ndarray) -> Pattern:
    """Rows that hold the chain of a dof (-1: nothing), then the dofs from begin to end."""
    length = np.append(chains.number, 0)[above]
    pattern = _empty(draft, length + end - begin)
    for row, at in enumerate(pattern.address):
        n = length[row]
        if n:
            start = chains.address[above[row]]
            pattern.columns[at : at + n] = chains.columns[start : start + n]
        pattern.columns[at + n : at + pattern.number[row]] = np.arange(begin[row], end[row])
    return pattern


def fill_patterns(patterns: Patterns, m: Model) -> None:
    """Write the patterns of a model, and where elements of one are in another."""
    chains, lower, square = patterns.chains, patterns.M, patterns.D
    for name, pattern in (("M", lower), ("D", square), ("B", patterns.B)):
        for what, values in (("rownnz", pattern.number), ("rowadr", pattern.address), ("colind", pattern.columns)):
            getattr(m, f"{name}_{what}")[...] = values
    m.dof_Madr = chains.address
    m.D_diag = chains.number - 1
    before = chains.number - 1  # where a dof stands in the chain of any dof below it
    m.mapM2M = chains.address[lower.rows] + lower.number[lower.rows] - 1 - lower.places  # qM lists chains upwards
    high, low = np.maximum(square.rows, square.columns), np.minimum(square.rows, square.columns)
    place = np.where(patterns.simple[high], 0, before[low])
    m.mapM2D = np.where(patterns.simple[high] & (high != low), -1, lower.address[high] + place)
    m.mapD2M = square.address[lower.rows] + before[lower.columns]
