"""Which elements of the inertia matrix and its relatives can differ from zero.

M: inertia, lower triangle with the diagonal last, one element for the diagonal of a simple dof.
D: derivatives of forces by velocity, both triangles. B: dofs that move each body or that each body moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.compiler.draft import Draft
from physics.state.model import Model


@dataclass(slots=True)
class Pattern:
    """The columns of every row of a sparse matrix."""

    rows: list[list[int]]

    @property
    def size(self) -> int:
        """Number of elements."""
        return sum(map(len, self.rows))

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Elements a row, address of each row's first, and the columns."""
        number = np.array([len(row) for row in self.rows], np.int32)
        columns = np.array([column for row in self.rows for column in row], np.int32)
        return number, (np.cumsum(number) - number).astype(np.int32), columns


@dataclass(slots=True)
class Patterns:
    """The patterns of a model; chains: for every dof, itself and the dofs above it, upwards."""

    chains: list[list[int]]
    M: Pattern
    D: Pattern
    B: Pattern

    @property
    def nM(self) -> int:
        """Elements of the inertia matrix in the older layout, which lists the whole chain of every dof."""
        return sum(map(len, self.chains))


def find_patterns(draft: Draft, parents: np.ndarray, simple: np.ndarray) -> Patterns:
    """The patterns of a model; parents: dof_parentid, simple: dof_simplenum."""
    nv = len(parents)
    chains: list[list[int]] = []
    for i in range(nv):
        chains.append([i, *chains[parents[i]]] if parents[i] >= 0 else [i])
    lower = [[i] if simple[i] else chain[::-1] for i, chain in enumerate(chains)]
    full: list[set[int]] = [set(chain) for chain in chains]
    for i, chain in enumerate(chains):
        for j in chain:
            full[j].add(i)
    return Patterns(chains, Pattern(lower), Pattern([sorted(row) for row in full]), _body_pattern(draft, chains))


def _body_pattern(draft: Draft, chains: list[list[int]]) -> Pattern:
    above: list[list[int]] = []
    below: list[set[int]] = [set() for _ in draft.bodies]
    for body in draft.bodies:
        own = [i for joint in body.joints for i in range(joint.dofadr, joint.dofadr + joint.ndof)]
        inherited = above[body.parent.id] if body.parent else []
        above.append(chains[own[-1]] if own else inherited)
        below[body.id].update(own)
    for body in reversed(draft.bodies):
        if body.parent:
            below[body.parent.id] |= below[body.id]
    return Pattern([sorted(below[i] | set(above[i])) for i in range(len(draft.bodies))])


def fill_patterns(patterns: Patterns, m: Model) -> None:
    """Write the patterns of a model, and where elements of one are in another."""
    m.M_rownnz, m.M_rowadr, m.M_colind = patterns.M.arrays()
    m.D_rownnz, m.D_rowadr, m.D_colind = patterns.D.arrays()
    m.B_rownnz, m.B_rowadr, m.B_colind = patterns.B.arrays()
    lengths = [len(chain) for chain in patterns.chains]
    m.dof_Madr = np.cumsum(lengths) - lengths
    m.D_diag = [row.index(i) for i, row in enumerate(patterns.D.rows)]
    place_M = {(i, j): at for at, (i, j) in enumerate(_elements(patterns.M))}
    place_D = {(i, j): at for at, (i, j) in enumerate(_elements(patterns.D))}
    m.mapM2M = [m.dof_Madr[i] + patterns.chains[i].index(j) for i, j in place_M]
    m.mapM2D = [place_M.get((max(i, j), min(i, j)), -1) for i, j in place_D]
    m.mapD2M = [place_D[key] for key in place_M]


def _elements(pattern: Pattern) -> list[tuple[int, int]]:
    return [(i, j) for i, row in enumerate(pattern.rows) for j in row]


