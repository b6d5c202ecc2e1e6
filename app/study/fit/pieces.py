"""Windows of measured records: pieces that are simulated, each from the state that was measured at its beginning.

Contacts make long motions chaotic: behind the third bounce, an error of the first tells nothing about friction. Pieces that begin
anew while the motion is still known (multiple shooting) keep what each moment says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.signals import Catalogue, SignalError
from tumble.app.study.fit.fit_section import FitSection
from tumble.app.study.fit.records import MeasuredRecord
from tumble.app.study.study_file import StudyError
from tumble.physics.state.enums import mjtJoint, mjtState

if TYPE_CHECKING:
    from tumble.physics import MjModel

Array = NDArray[np.float64]
Rows = NDArray[np.int64]

STATE = int(mjtState.mjSTATE_FULLPHYSICS)
MEASURED = ("qpos", "qvel", "act", "sensordata")
_FEWEST = 3  # rows of a window, the one that it begins with included
_UNIT = 0.02  # of the norm of a measured quaternion


class SignalPlace(Struct, frozen=True):
    """Place of a signal: in a field of the data, at an index."""

    field: str
    index: int


class PieceLayout(Struct, frozen=True):
    """Signals of a fit in the model: outputs, which are compared, and inputs.

    quaternions: numbers of the outputs that are an orientation, in order.
    """

    outputs: dict[str, SignalPlace]
    inputs: dict[str, SignalPlace]
    quaternions: tuple[tuple[int, int, int, int], ...]

    @classmethod
    def of(cls, model: MjModel, fit: FitSection) -> PieceLayout:
        """Raises StudyError for signals that the model lacks, or that are not compared."""
        catalogue = Catalogue(model)
        outputs = {name: _place(catalogue, name, MEASURED, "compared") for name in fit.signals}
        inputs = {name: _place(catalogue, name, ("ctrl",), "inputs") for name in fit.inputs}
        return cls(outputs, inputs, _quaternions(model, list(outputs.values())))

    def columns(self, model: MjModel, field: str) -> tuple[Rows, Rows]:
        """Numbers of the outputs of a field, and their places in it."""
        chosen = [(k, place.index) for k, place in enumerate(self.outputs.values()) if place.field == field]
        return np.array([k for k, _ in chosen], int), np.array([index for _, index in chosen], int)


class Piece(Struct, frozen=True):
    """A window: the number of its record, and its rows from first to last, both included."""

    record: int
    first: int
    last: int


def pieces(records: Sequence[MeasuredRecord], fit: FitSection, numbers: Sequence[int] | None = None) -> list[Piece]:
    """The windows of records; numbers: of the records, if not all from 0. Raises StudyError where there is none."""
    found = []
    for number, record in enumerate(records):
        ends = [*record.gaps().tolist(), len(record.time) - 1]
        first = 0
        for end in ends:
            found += [Piece(number if numbers is None else numbers[number], a, b) for a, b in _cut(record, fit, first, end)]
            first = end + 1
    if not found:
        raise StudyError(f"no record has {_FEWEST} rows without a hole between them: there is nothing to compare")
    return found


def _cut(record: MeasuredRecord, fit: FitSection, first: int, end: int) -> list[tuple[int, int]]:
    time = record.time
    if fit.window == 0:
        return [(first, end)] if end - first + 1 >= _FEWEST else []
    cuts, begin = [], first
    while begin < end:
        last = min(int(np.searchsorted(time, time[begin] + fit.window * (1 + 1e-9), side="right")) - 1, end)
        whole = last < end or time[last] - time[begin] > 0.5 * fit.window
        if last - begin + 1 >= _FEWEST and whole:
            cuts.append((begin, last))
        # A row in two windows, the last of one and the first of the next, would tie their noise together.
        begin = max(int(np.searchsorted(time, time[begin] + fit.every * (1 - 1e-9))), begin + 1) if fit.every else last + 1
    return cuts


def _place(catalogue: Catalogue, name: str, fields: Sequence[str], what: str) -> SignalPlace:
    try:
        signal = catalogue.scalar(name)
    except SignalError as error:
        raise StudyError(f"fit: {error}") from error
    if signal.field not in fields:
        raise StudyError(f"fit: {name}: {what} are numbers of {', '.join(fields)}; of others, the model needs a sensor")
    return SignalPlace(signal.field, signal.start)


def _quaternions(model: MjModel, places: Sequence[SignalPlace]) -> tuple[tuple[int, int, int, int], ...]:
    """Four outputs each that are the orientation of a joint. Raises StudyError where some of four are missing."""
    at = {place.index: k for k, place in enumerate(places) if place.field == "qpos"}
    found = []
    for start in quaternion_places(model):
        present = [at[start + k] for k in range(4) if start + k in at]
        if len(present) == 4:
            found.append((present[0], present[1], present[2], present[3]))
        elif present:
            some = f"of the orientation from qpos[{start}] on, {len(present)} of 4 numbers are compared"
            raise StudyError(f"fit: {some}: give all, w first")
    return tuple(found)


def quaternion_places(model: MjModel) -> list[int]:
    """First places of orientations in qpos."""
    shift = {int(mjtJoint.mjJNT_FREE): 3, int(mjtJoint.mjJNT_BALL): 0}
    kinds = zip(model.jnt_type.tolist(), model.jnt_qposadr.tolist(), strict=True)
    return [address + shift[kind] for kind, address in kinds if kind in shift]


def check_units(records: Sequence[MeasuredRecord], layout: PieceLayout, model: MjModel) -> None:
    """Raise StudyError for positions and velocities that cannot be in the model's units together."""
    names = list(layout.outputs)
    for record in records:
        for four in layout.quaternions:
            norm = np.linalg.norm([record.signals[names[k]] for k in four], axis=0)
            if np.nanmax(np.abs(norm - 1)) > _UNIT:
                far = float(norm[np.nanargmax(np.abs(norm - 1))])
                four_names = f"{names[four[0]]} and the three after it"
                raise StudyError(f"{record.name}: {four_names} are no orientation: their norm is {far:.3g}")
        for position, velocity in _pairs(layout, model):
            _check_pair(record, position, velocity)


def _pairs(layout: PieceLayout, model: MjModel) -> list[tuple[str, str]]:
    """Signals of qpos with those of qvel that are their rates."""
    rates: dict[int, int] = {}
    for kind, q, v in zip(model.jnt_type.tolist(), model.jnt_qposadr.tolist(), model.jnt_dofadr.tolist(), strict=True):
        if kind != mjtJoint.mjJNT_BALL:
            count = 3 if kind == mjtJoint.mjJNT_FREE else 1
            rates |= {v + k: q + k for k in range(count)}
    at = {place.index: name for name, place in layout.outputs.items() if place.field == "qpos"}
    return [
        (at[rates[place.index]], name) for name, place in layout.outputs.items()
        if place.field == "qvel" and rates.get(place.index, -1) in at
    ]  # fmt: skip


def _check_pair(record: MeasuredRecord, position: str, velocity: str) -> None:
    """Raise StudyError if a velocity differs from the rate of the position by a factor of 5 throughout."""
    rate = np.gradient(record.signals[position], record.time)
    measured = record.signals[velocity]
    valid = np.isfinite(rate) & np.isfinite(measured)
    slow, fast = np.sqrt(np.mean(rate[valid] ** 2)), np.sqrt(np.mean(measured[valid] ** 2))
    if slow > 0 and fast > 0 and np.corrcoef(rate[valid], measured[valid])[0, 1] > 0.5 and not 0.2 < fast / slow < 5:
        raise StudyError(
            f"{record.name}: {velocity} is {fast / slow:.3g} times as fast as {position} changes: are they in other units? "
            "Give a scale, as {column = ..., scale = 0.0174533} of degrees"
        )


def start_state(model: MjModel, key: int) -> Array:
    """The full state (n,) that windows begin in as far as nothing is measured: of a keyframe, -1 for none."""
    data = physics.MjData(model)
    if key >= 0:
        physics.mj_resetDataKeyframe(model, data, key)
    state = np.empty(physics.mj_stateSize(model, STATE))
    physics.mj_getState(model, data, state, STATE)
    return state


def measured_states(model: MjModel, layout: PieceLayout, base: Array, values: Array, time: Array, rows: Rows) -> Array:
    """The full states (len(rows), n) of rows of a record, from its outputs (rows of the record, outputs).

    Velocities that are not measured are the rates of the positions that are. Values that are missing at a row are interpolated.
    """
    result = np.tile(base, (len(rows), 1))
    filled = np.stack([_filled(column, time) for column in values.T], axis=1)
    offset = {"qpos": 1, "qvel": 1 + model.nq, "act": 1 + model.nq + model.nv}
    for field, begin in offset.items():
        numbers, places = layout.columns(model, field)
        result[:, begin + places] = filled[np.ix_(rows, numbers)]
    for start in quaternion_places(model):
        four = slice(1 + start, 1 + start + 4)
        result[:, four] /= np.linalg.norm(result[:, four], axis=1, keepdims=True)
    _add_rates(model, layout, result, filled, time, rows, base)
    return result


def _filled(column: Array, time: Array) -> Array:
    valid = np.isfinite(column)
    if valid.all() or not valid.any():
        return np.where(valid, column, 0.0)
    return np.interp(time, time[valid], column[valid])


def _add_rates(model: MjModel, layout: PieceLayout, states: Array, filled: Array, time: Array, rows: Rows, base: Array) -> None:
    """Write the velocities of dofs whose positions are measured and whose velocities are not."""
    numbers, places = layout.columns(model, "qpos")
    if not places.size:
        return
    measured = set(layout.columns(model, "qvel")[1].tolist())
    known = set(places.tolist())
    wanted = [dof for dof, address in _position_of_dof(model) if dof not in measured and address in known]
    if not wanted:
        return
    rate = np.zeros(model.nv)
    for k, row in enumerate(rows.tolist()):
        before, after = max(row - 1, 0), min(row + 1, len(time) - 1)
        ends = []
        for end in (before, after):
            qpos = np.array(base[1 : 1 + model.nq])
            qpos[places] = filled[end, numbers]
            ends.append(qpos)
        physics.mj_differentiatePos(model, rate, time[after] - time[before], ends[0], ends[1])
        states[k, 1 + model.nq + np.array(wanted)] = rate[wanted]


def _position_of_dof(model: MjModel) -> list[tuple[int, int]]:
    """Each dof with an address in qpos that moves with it: of a rotation, its quaternion's first."""
    pairs = []
    for kind, q, v in zip(model.jnt_type.tolist(), model.jnt_qposadr.tolist(), model.jnt_dofadr.tolist(), strict=True):
        if kind == mjtJoint.mjJNT_FREE:
            pairs += [(v + k, q + k) for k in range(3)] + [(v + 3 + k, q + 3) for k in range(3)]
        elif kind == mjtJoint.mjJNT_BALL:
            pairs += [(v + k, q) for k in range(3)]
        else:
            pairs.append((v, q))
    return pairs
