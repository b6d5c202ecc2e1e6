"""Samples of every step: chosen numbers of model or data, or what the solver did.

Arrays of fields that grow move when they do; a number is therefore found again in each step, through its field's slot.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from tumble.physics.errors import ModelError
from tumble.physics.kernel import kernel
from tumble.physics.observe.tap import Tap, tapping
from tumble.physics.parallel.atomic import address_of
from tumble.physics.state.constants import mjNISLAND, mjNSOLVER
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtSolver
from tumble.physics.state.layout import DATA_LAYOUT, MODEL_LAYOUT, Layout
from tumble.physics.state.memory import f4_at, f8_at, i4_at, i8_at, u1_at
from tumble.physics.state.overlay import slots
from tumble.physics.state.own import ContactModel
from tumble.physics.step.tap import HEAD, next_row

NUMBER = HEAD  # the word that says how many signals or timers there are; then what each is
# Each signal: 1 in the data, 0 in the model; slot; how to read it; which number of the field; its row, and the slot
# that holds how many rows there are (-1: as many as ever).
ENTRY = 6
F8, F4, I8, I4, U1, SCALAR_F8, SCALAR_I8 = range(7)
_ARRAY = {"f8": F8, "f4": F4, "i8": I8, "i4": I4, "u1": U1}
TIME, RESETS, FIRST = 0, 1, 2  # columns of the ring
SOFT, PGS = int(ContactModel.SOFT), int(mjtSolver.mjSOL_PGS)

# What SolverTap samples before the timers; limit: the iterations where they were as many as the solver may make, else nan.
SOLVER_COLUMNS = ("iterations", "limit", "residual", "nefc", "ncon", "nv_awake")


@kernel
def new_sample(d, table):
    """A new row that begins with the time and the resets so far."""
    row = next_row(table)
    row[TIME] = d.time
    row[RESETS] = d.resets
    return row


@kernel
def read_signal(words, table, at):
    """The present value of a signal whose entry in the table starts at `at`; words: the slots of its block."""
    slot, kind, offset, row, limit = table[at + 1], table[at + 2], table[at + 3], table[at + 4], table[at + 5]
    if limit >= 0 and row >= words[limit]:
        return np.nan
    address = words[slot]
    if kind == F8:
        return f8_at(address, offset + 1)[offset]
    if kind == F4:
        return np.float64(f4_at(address, offset + 1)[offset])
    if kind == I8:
        return np.float64(i8_at(address, offset + 1)[offset])
    if kind == I4:
        return np.float64(i4_at(address, offset + 1)[offset])
    if kind == U1:
        return np.float64(u1_at(address, offset + 1)[offset])
    if kind == SCALAR_I8:
        return np.float64(address)
    return f8_at(address_of(words), slot + 1)[slot]


@tapping
def sample_signals(m, d, table):
    """Writes the time, the resets so far, and the signals."""
    row = new_sample(d, table)
    number = i8_at(table, NUMBER + 1)[NUMBER]
    words = i8_at(table, NUMBER + 1 + ENTRY * number)
    model, data = slots(m), slots(d)
    for k in range(number):
        entry = NUMBER + 1 + ENTRY * k
        if words[entry] == 1:
            row[FIRST + k] = read_signal(data, words, entry)
        else:
            row[FIRST + k] = read_signal(model, words, entry)


@kernel
def end_of_solve(m, d):
    """Iterations of the island with most in the last solve, and the largest of the islands' last residuals.

    The residual is nan where no iteration was needed, and for the soft PGS the last improvement, by which it stops.
    """
    most, residual = 0, np.nan
    dual = m.tumble_contact_model == SOFT and m.opt_solver == PGS
    if d.nefc > 0:
        for i in range(max(1, min(mjNISLAND, d.nisland))):
            count = int(d.solver_niter[i])
            if count > 0:
                at = i * mjNSOLVER + min(count, mjNSOLVER) - 1
                last = d.solverstat_improvement[at] if dual else d.solverstat_gradient[at]
                residual = last if most == 0 else max(residual, last)
                most = max(most, count)
    return most, residual


@kernel
def iteration_limit(m):
    """The most iterations of the solver in a step, or sweeps where contacts are hard."""
    return m.opt_iterations if m.tumble_contact_model == SOFT else m.tumble_lcp_sweeps


@tapping
def sample_solver(m, d, table):
    """Writes the time, the resets so far, what SOLVER_COLUMNS name, and the timers as they stand."""
    row = new_sample(d, table)
    number = i8_at(table, NUMBER + 1)[NUMBER]
    words = i8_at(table, NUMBER + 1 + number)
    iterations, residual = end_of_solve(m, d)
    limit = iteration_limit(m)
    row[FIRST] = iterations
    row[FIRST + 1] = iterations if d.nefc > 0 and iterations >= limit else np.nan
    row[FIRST + 2] = residual
    row[FIRST + 3], row[FIRST + 4], row[FIRST + 5] = d.nefc, d.ncon, d.nv_awake
    for k in range(number):
        row[FIRST + 6 + k] = d.timer_duration[words[NUMBER + 1 + k]]


class Samples(Struct, frozen=True):
    """The samples of a tap. count: samples so far; lost: how many of those requested the ring had no room for.

    time (n,) [s] and resets (n,): the time after each step, and how often the data had been reset, which tells
    runs apart; values (n, columns), nan where the field had no such row.
    """

    count: int
    lost: int
    time: np.ndarray
    resets: np.ndarray
    values: np.ndarray


class Sampler(Tap):
    """A tap that writes a row of numbers after every step."""

    def since(self, count: int) -> Samples:
        """Copies of the samples after the first `count`, as far as the ring still holds them."""
        rows, now = self.rows(count), self.count
        return Samples(now, now - count - len(rows), rows[:, TIME], rows[:, RESETS].astype(np.int64), rows[:, FIRST:])


class SignalTap(Sampler):
    """Signals: each a field of the data or model and which of its numbers, counted through the whole array."""

    def __init__(self, data: Data, signals: Sequence[tuple[str, int]], rows: int = 1 << 16) -> None:
        """rows: steps that the ring keeps. Raises ModelError for a field or number that there is not."""
        words = [word for name, offset in signals for word in _entry(data, name, offset)]
        super().__init__(data, sample_signals, [len(signals), *words], rows, FIRST + len(signals))


class SolverTap(Sampler):
    """The solver's work in every step: the values of SOLVER_COLUMNS, then the seconds of each timer so far."""

    def __init__(self, data: Data, timers: Sequence[int] = (), rows: int = 1 << 16) -> None:
        """timers: of mjtTimer; rows: steps that the ring keeps."""
        width = FIRST + len(SOLVER_COLUMNS) + len(timers)
        super().__init__(data, sample_solver, [len(timers), *map(int, timers)], rows, width)


def _entry(data: Data, name: str, offset: int) -> tuple[int, ...]:
    struct: Layout = DATA_LAYOUT if name in DATA_LAYOUT.fields else MODEL_LAYOUT
    f = struct.fields.get(name)
    if f is None:
        raise ModelError(f"no field {name!r} in model or data")
    slot, own = struct.slot[name], int(struct is DATA_LAYOUT)
    if f.shape == ():
        if offset != 0:
            raise ModelError(f"{name} is one number; there is no number {offset} of it")
        return own, slot, SCALAR_F8 if f.dtype == "f8" else SCALAR_I8, 0, 0, -1
    array = (data if own else data.model)._arrays[name]
    size = int(np.prod(array.shape[1:], dtype=np.int64))  # numbers in a row
    grows = bool(f.used) or (isinstance(f.shape[0], str) and f.shape[0].startswith("max"))
    if offset < 0 or size == 0 or (offset >= array.size and not grows):
        raise ModelError(f"{name} has {array.size} numbers; there is no number {offset} of it")
    limit = struct.slot[f.used] if f.used else slot + 1 if grows else -1
    return own, slot, _ARRAY[f.dtype], offset, offset // size, limit
