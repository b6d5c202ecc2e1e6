"""Record of a solve: every iterate of every island, on request.

    start_recording(d)
    mj_step(m, d)
    record = read_record(m, d)
    for trace in record:                      # one for each island
        plot(trace.iteration, trace.cost)     # trace.force[k] are the forces of iterate k
        trace.noslip                          # the iterates of the no-slip pass, which follow: a trace too, or None
    arrows = record.contact_forces(3)         # of all contacts, in their frames, at the third iterate

A record is a copy: it does not change while the simulation continues. See docs/decisions/recording.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.query.force import contact_forces
from tumble.physics.solver.record import record as stage
from tumble.physics.state import iterates
from tumble.physics.state.arguments import checked
from tumble.physics.state.components import mj_stateSize
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtState
from tumble.physics.state.iterates import COUNT, HEAD, LIMIT
from tumble.physics.state.model import Model

Numbers = NDArray[np.float64]
Integers = NDArray[np.int32]

EVERYTHING = (1 << mjtState.mjNSTATE) - 1  # of mjtState: all components
SOLVERS = {iterates.CG: "CG", iterates.NEWTON: "Newton", iterates.PGS: "PGS", iterates.NOSLIP: "no-slip", iterates.LCP: "LCP"}


@checked
def start_recording(d: Data, limit: int = 8 * LIMIT) -> None:
    """Have every solve of these data recorded from now on, in at most `limit` bytes; read_record reads the last one."""
    d.start_record(stage.address, limit // 8, mj_stateSize(d.model, EVERYTHING) + d.model.ntree)


@checked
def stop_recording(d: Data) -> None:
    """Record no more, and give the memory back."""
    d.stop_record()


@checked
def is_recording(d: Data) -> bool:
    """True if solves of these data are recorded."""
    return bool(d.record_stage)


class Trace(Struct, frozen=True):
    """The iterates of one island, n of them: the start, then one for each iteration of the solver.

    island: its index in the data; -1 if no islands are made.
    solver: "Newton", "CG", "PGS", "no-slip" or "LCP".
    rows, dofs: which rows of the data's efc_..., and which dofs, the columns of force, state and qacc are.
    missed: iterates that were not kept for lack of room: they came before the last one, which is always there.
    scale: what the solver multiplies the numbers called scaled with: about one over the sum of the inertias of the dofs.
    noslip: those of the no-slip pass, which starts where the solver ended; None without such a pass.
    """

    island: int
    rows: Integers
    dofs: Integers
    missed: int
    scale: float
    numbers: Numbers
    noslip: Trace | None = None

    @property
    def steps(self) -> int:
        """Number of iterates, including those of the no-slip pass."""
        return len(self) + (len(self.noslip) if self.noslip else 0)

    def at(self, k: int) -> tuple[Trace, int]:
        """The trace and index of iterate k, counting on through the no-slip pass; after the last, the last."""
        if self.noslip is None or k < len(self):
            return self, min(k, len(self) - 1)
        return self.noslip, min(k - len(self), len(self.noslip) - 1)

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def solver(self) -> str:
        """The name of the solver."""
        return SOLVERS[int(self.numbers[0, iterates.KIND])]

    @property
    def iteration(self) -> Integers:
        """Number of each iterate (n,): 0 is the start; they follow each other unless some are missed."""
        return self.numbers[:, iterates.ITERATION].astype(np.int32)

    @property
    def cost(self) -> Numbers:
        """Primal cost (n,) of the soft constraint at each iterate's acceleration, for any solver."""
        return self.numbers[:, iterates.COST]

    @property
    def dual(self) -> Numbers:
        """Dual cost (n,) of each iterate's forces; -dual bounds the lowest cost from below. Not a number for the LCP."""
        return self.numbers[:, iterates.DUAL]

    @property
    def gap(self) -> Numbers:
        """Duality gap (n,): cost + dual, zero in the solution and above elsewhere."""
        return self.cost + self.dual

    @property
    def gradient(self) -> Numbers:
        """Scaled norm (n,) of the primal cost's gradient: the residual of optimality, the same for every solver."""
        return self.numbers[:, iterates.GRADIENT]

    @property
    def residual(self) -> Numbers:
        """The solver's own measure (n,), as d.solver.gradient has it: of the LCP, the natural map [m/s or rad/s]."""
        return self.numbers[:, iterates.RESIDUAL]

    @property
    def improvement(self) -> Numbers:
        """Improvement by each iteration (n,), as in d.solver.improvement."""
        return self.numbers[:, iterates.IMPROVEMENT]

    @property
    def alpha(self) -> Numbers:
        """Step length (n,) along the search direction; 0 for solvers without one."""
        return self.numbers[:, iterates.ALPHA]

    @property
    def slope(self) -> Numbers:
        """Slope (n,) that the line search left, as d.solver.lineslope has it."""
        return self.numbers[:, iterates.SLOPE]

    @property
    def evaluations(self) -> Integers:
        """Number of slope evaluations in each line search (n,)."""
        return self.numbers[:, iterates.EVALUATIONS].astype(np.int32)

    @property
    def force(self) -> Numbers:
        """Forces of the rows (n, rows) [N or N m]."""
        return self.numbers[:, HEAD : HEAD + len(self.rows)]

    @property
    def state(self) -> Integers:
        """States of the rows (n, rows), mjtConstraintState."""
        return self.numbers[:, HEAD + len(self.rows) : HEAD + 2 * len(self.rows)].astype(np.int32)

    @property
    def qacc(self) -> Numbers:
        """Accelerations of the dofs (n, dofs); of solvers that move forces, qacc_smooth + M^-1 J' force."""
        return self.numbers[:, HEAD + 2 * len(self.rows) :]


class Record:
    """One recorded solve: a sequence of traces, one for each island.

    complete: whether all iterations were kept.
    """

    def __init__(self, m: Model, d: Data) -> None:
        self.nefc, self.complete = int(d.nefc), not d.record_lost
        self._contacts: dict[str, Any] = {
            "address": d.contact_efc_address.copy(), "dim": d.contact_dim.copy(), "friction": d.contact_friction.copy(),
            "kind": d.efc_type.copy(),
        }  # fmt: skip
        self._traces: tuple[Trace, ...] = ()
        if not d.record_stage or d.record_rows != d.nefc or d.nefc == 0 or d.record_used == 0:
            return
        rows, dofs = np.arange(d.nefc, dtype=np.int32), np.arange(m.nv, dtype=np.int32)
        width, used = int(d.record_width), int(d.record_used)
        slots = d.record_numbers[: d.maxR // width * width].reshape(-1, width)
        kept = slots[:used].copy()
        if d.record_parts:
            split_rows, split_dofs = d.map_iefc2efc.copy(), d.map_idof2dof.copy()
            self._traces = tuple(
                _trace(kept, k, HEAD * k + 2 * r + i, split_rows[r : r + n], split_dofs[i : i + nv])
                for k, (r, n, i, nv) in enumerate(
                    zip(d.island_iefcadr, d.island_nefc, d.island_idofadr, d.island_nv, strict=True)
                )
            )
        else:
            self._traces = (_trace(kept, 0 if d.nisland == 1 else -1, 0, rows, dofs),)

    def __len__(self) -> int:
        return len(self._traces)

    def __getitem__(self, island: int) -> Trace:
        return self._traces[island]

    def __iter__(self) -> Iterator[Trace]:
        return iter(self._traces)

    @property
    def iterates(self) -> int:
        """Number of iterates, including the no-slip pass: that of the island with the most."""
        return max((trace.steps for trace in self), default=0)

    def force(self, k: int) -> Numbers:
        """Forces (nefc,) of all rows at iterate k; an island that has ended keeps its last."""
        out = np.zeros(self.nefc)
        for trace in self:
            part, place = trace.at(k)
            out[trace.rows] = part.force[place]
        return out

    def state(self, k: int) -> Integers:
        """States (nefc,) of all rows at iterate k, as `force`."""
        out = np.zeros(self.nefc, np.int32)
        for trace in self:
            part, place = trace.at(k)
            out[trace.rows] = part.state[place]
        return out

    def contact_forces(self, k: int) -> Numbers:
        """Force and torque (ncon, 6) of every contact at iterate k, in its frame, as mj_contactForce."""
        return contact_forces(self.force(k), **self._contacts)

    @property
    def cost(self) -> Numbers:
        """Primal cost of all islands together at each iterate of the solver."""
        return self._sum("cost")

    @property
    def dual(self) -> Numbers:
        """Dual cost of all islands together at each iterate of the solver."""
        return self._sum("dual")

    @property
    def gradient(self) -> Numbers:
        """Largest of the islands' gradients at each iterate of the solver."""
        return np.max(self._all("gradient"), axis=0, initial=0.0)

    def _sum(self, name: str) -> Numbers:
        return np.sum(self._all(name), axis=0)

    def _all(self, name: str) -> Numbers:
        """A quantity of all islands (islands, iterates); one that has ended keeps its last."""
        out = np.zeros((len(self), max((len(trace) for trace in self), default=0)))
        for k, trace in enumerate(self):
            values = getattr(trace, name)
            out[k, : len(values)], out[k, len(values) :] = values, values[-1]
        return out


def _trace(slots: Numbers, island: int, at: int, rows: Integers, dofs: Integers) -> Trace:
    count = int(slots[0, at + COUNT])
    numbers = slots[: min(count, len(slots)), at : at + HEAD + 2 * len(rows) + len(dofs)]
    scale = float(slots[0, at + iterates.SCALE])
    solved = numbers[numbers[:, iterates.KIND] != iterates.NOSLIP]
    slip = numbers[len(solved) :]
    if len(slip) == 0:
        return Trace(island, rows, dofs, count - len(solved), scale, solved)
    slips = int(slip[-1, iterates.ITERATION]) + 1
    after = Trace(island, rows, dofs, slips - len(slip), scale, slip)
    return Trace(island, rows, dofs, count - slips - len(solved), scale, solved, after)


@checked
def read_record(m: Model, d: Data) -> Record:
    """A copy of the record of the last solve; without traces where recording is off or there was no constraint."""
    return Record(m, d)
