"""Forces along a motion in words: the rows of dofs, and what a free body needs that nothing gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.describe.names import body_name
from tumble.app.describe.numbers import duration, metric, moment, short
from tumble.app.panels.inverse.motion_work import InverseReport
from tumble.physics import mjtJoint
from tumble.physics.observe.motion.inverse_motion import PARTS

NEGLIGIBLE = 1e-4  # of the largest force of any part on any dof: less is rounding, and the tolerance of the solver
_FREE, _SLIDE = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_SLIDE)
HARD = "the model's contacts are hard and have no inverse: here they push as soft ones would"


class DofNeed(Struct, frozen=True):
    """Need of a motion on a dof. peak, rms [N or N m]; when [s]: of the peak; power: largest given [W]; by: who gives it."""

    dof: int
    name: str
    unit: str
    peak: float
    when: float
    rms: float
    power: float
    by: str
    lacking: bool


def floor_of(report: InverseReport) -> float:
    """Force that counts as none [N or N m]."""
    return NEGLIGIBLE * float(abs(report.forces.force).max(initial=0.0))


def needs_of(report: InverseReport) -> list[DofNeed]:
    """All dofs, those with the largest peak of their unit first."""
    needed, motion, model = report.forces.needed, report.forces.motion, report.model
    least = floor_of(report)
    peaks = np.argmax(abs(needed), axis=0) if len(needed) else np.zeros(0, int)
    rows = []
    for i, k in enumerate(peaks.tolist()):
        peak, driven = float(needed[k, i]), bool(report.forces.driven[i])
        there = abs(peak) > least
        by = "not needed" if not there else "actuators" if driven else "nowhere" if _is_root(report, i) else "no actuator"
        power = float((needed[:, i] * motion.qvel[:, i]).max())
        rms = float(np.sqrt(np.mean(needed[:, i] ** 2)))
        unit = unit_of(report, i)
        rows.append(DofNeed(i, report.names[i], unit, peak, float(motion.time[k]), rms, power, by, there and not driven))
    assert len(rows) == int(model.nv)
    return sorted(rows, key=lambda row: (not row.lacking, -abs(row.peak)))


def _is_root(report: InverseReport, dof: int) -> bool:
    return int(report.model.jnt_type[report.model.dof_jntid[dof]]) == _FREE


def unit_of(report: InverseReport, dof: int) -> str:
    """Unit of the force on a dof."""
    model = report.model
    j = int(model.dof_jntid[dof])
    kind = int(model.jnt_type[j])
    angular = dof - int(model.jnt_dofadr[j]) >= 3 if kind == _FREE else kind != _SLIDE
    return "N m" if angular else "N"


def residuals(report: InverseReport) -> Iterator[tuple[str, float, float]]:
    """Free bodies that no actuator moves, and the root mean square of the force [N] and torque [N m] that they lack."""
    model, needed = report.model, report.forces.needed
    for j in np.flatnonzero(np.asarray(model.jnt_type) == _FREE).tolist():
        dofs = int(model.jnt_dofadr[j]) + np.arange(6)
        lacking = np.where(report.forces.driven[dofs], 0.0, needed[:, dofs])
        force, torque = (float(np.sqrt((part**2).sum(axis=1).mean())) for part in (lacking[:, :3], lacking[:, 3:]))
        if max(force, torque) > floor_of(report):
            yield body_name(model, int(model.jnt_bodyid[j])), force, torque


def summary(report: InverseReport) -> str:
    """The motion and what it lacks, in a line."""
    motion = report.forces.motion
    if not len(report.names):
        return "Nothing in this model can move"
    first, last = float(motion.time[0]), float(motion.time[-1])
    words = f"{duration(last - first)} from {moment(first)}, {len(motion.time)} moments"
    if report.window:
        words += f", smoothed over {metric(report.window, 's')}"
    lacks = sorted(residuals(report), key=lambda row: -row[1])
    for name, force, torque in lacks[:2]:
        words += f"; {name} needs a hand from nowhere: {metric(force, 'N')}, {metric(torque, 'N m')} (root mean square)"
    if len(lacks) > 2:
        words += f"; so do {len(lacks) - 2} more free bodies"
    if motion.given is not None:
        words += f"; simulated forces differ by {difference_text(report)}"
    return words + (f"; {HARD}" if report.hard else "")


def difference_text(report: InverseReport) -> str:
    """Root mean square of needed minus given forces, as a share of that of the given ones or the largest part."""
    given = report.forces.motion.given
    assert given is not None
    error = float(np.sqrt(np.mean((report.forces.needed - given) ** 2)))
    scale = float(np.sqrt(np.mean(given**2))) or float(abs(report.forces.force).max(initial=0.0))
    return f"{short(100 * error / scale if scale else 0.0, least=1e-9, figures=2)} %"



def csv_rows(report: InverseReport, dofs: Sequence[int]) -> Iterator[Sequence[str]]:
    """Headings, then a row a moment: time, and of each dof the velocity, acceleration, needed force and its parts."""
    motion, force = report.forces.motion, report.forces.force
    heads = ["time s"]
    columns: list[NDArray[np.float64]] = [motion.time]
    for i in dofs:
        unit = unit_of(report, i)
        name = report.names[i]
        heads += [f"{name} qvel", f"{name} qacc"]
        columns += [motion.qvel[:, i], motion.qacc[:, i]]
        for k, part in enumerate(PARTS):
            heads.append(f"{name} {part.value} {unit}")
            columns.append(force[:, k, i])
        if motion.given is not None:
            heads.append(f"{name} simulated {unit}")
            columns.append(motion.given[:, i])
    yield heads
    for row in zip(*columns, strict=True):
        yield [repr(float(value)) for value in row]
