"""Motions of the history and through keyframes, and the forces that they need: computed on copies, in the background."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PyQt6.QtCore import pyqtSignal

from tumble.app.describe.names import dof_names
from tumble.app.session.history import Cut
from tumble.app.session.playback import Check, PastWork, Playback
from tumble.app.simulation.commands import copy_state
from tumble.physics import ContactModel, mjtIntegrator
from tumble.physics.observe.motion.inverse_motion import PARTS, DofMotion, KeyPath, MotionForces, forces_of, sample, smooth
from tumble.physics.query.balance.equation import forces_by_origin
from tumble.physics.query.balance.terms import Origin

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Floats = NDArray[np.float64]
MOST_STEPS = 20000  # of a recorded motion: the last ones of the time that is asked for
MOST_MOMENTS = 2000  # at which forces are computed
MOST_NUMBERS = 2e7  # of forces that are kept: 160 MB
_RK4 = int(mjtIntegrator.mjINT_RK4)


class InverseReport(Struct, frozen=True, eq=False):
    """Forces along a motion, for display. names (nv,): of the dofs; keys (k,): times of the poses of a path [s].

    window: over which positions were smoothed, 0: not at all; seconds: that computing it took; hard: whether the contacts of the
    model are, which have no inverse.
    """

    model: MjModel
    forces: MotionForces
    names: tuple[str, ...]
    keys: tuple[float, ...]
    window: float
    hard: bool
    seconds: float


class MotionWork(PastWork):
    """Computes the forces of one motion at a time. progress: share of the moments done; done: a report, or why there is none."""

    progress = pyqtSignal(float)

    def start_recorded(self, seconds: float, window: float) -> None:
        """The motion of the last seconds before the present position; window [s]: over which positions are smoothed, 0: not."""
        now, began = self._session.history.now, perf_counter()

        def work(model: MjModel, cut: Cut, check: Check) -> InverseReport:
            playback = Playback(model, cut, check)
            motion = recorded(playback, now - cut.begin, seconds)
            return self._report(playback.model, thinned(playback.model, motion, window), check, began, window=window)

        self.work_on(seconds, work)

    def start_path(self, path: KeyPath) -> None:
        """The motion along a path, of the model as it is now."""
        number, began = self.begin(), perf_counter()

        def work(model: MjModel, check: Check) -> InverseReport:
            span = float(path.times[-1] - path.times[0])
            step = max(float(model.opt.timestep), span / most_moments(model))
            return self._report(model, sample(model, path, step), check, began, keys=tuple(path.times.tolist()))

        def copied(copies: tuple[MjModel, MjData] | str) -> None:  # in the simulation thread
            if isinstance(copies, str):
                self.fail(copies, number)
            else:
                self.run(lambda check: work(copies[0], check), number)

        self._session.send(copy_state(copied))

    def _report(
        self, model: MjModel, motion: DofMotion, check: Check, began: float, *, keys: tuple[float, ...] = (), window: float = 0.0
    ) -> InverseReport:
        count, percent = len(motion.time), -1

        def on_moment(k: int) -> None:
            nonlocal percent
            check()
            if 100 * k // count > percent:
                percent = 100 * k // count
                self.progress.emit(k / count)

        forces = forces_of(model, motion, on_moment)
        hard = int(model.tumble.contact_model) == int(ContactModel.LCP)
        names = tuple(dof_names(model, range(int(model.nv))))
        return InverseReport(model, forces, names, keys, window, hard, perf_counter() - began)


def most_moments(model: MjModel) -> int:
    """Moments at which forces of a model are computed, at most."""
    return max(2, min(MOST_MOMENTS, int(MOST_NUMBERS / (len(PARTS) * max(int(model.nv), 1)))))


def recorded(playback: Playback, last: int, seconds: float) -> DofMotion:
    """Play the last seconds before a position again, and keep every step, from the last reset or change of the model on."""
    m, d, tape = playback.model, playback.data, playback.tape
    timestep = float(m.opt.timestep)
    playback.go_to(playback.undisturbed(last, min(MOST_STEPS, round(seconds / timestep))))
    rows: list[tuple[Any, ...]] = []
    while tape.now < last:
        mocap = np.hstack([d.mocap_pos, d.mocap_quat]).ravel()
        before = float(d.time), np.array(d.qpos), np.array(d.qvel), mocap, np.array(d.eq_active)
        applied = np.array(d.qfrc_applied)
        pushed = bool(np.any(d.xfrc_applied))
        playback.step()
        given = np.array(d.qfrc_actuator) + applied
        if pushed:
            given += forces_by_origin(m, d).sum(Origin.PUSH)
        rows.append((*before, given))
    time, qpos, qvel, mocap, equalities, given = (np.array(column) for column in zip(*rows, strict=True))
    after = np.vstack([qvel[1:], np.array(d.qvel)])
    runge_kutta = int(m.opt.integrator) == _RK4 and len(time) > 2
    qacc = np.gradient(qvel, timestep, axis=0) if runge_kutta else (after - qvel) / timestep
    return DofMotion(time, qpos, qvel, qacc, mocap, given, equalities, discrete=True)


def thinned(model: MjModel, motion: DofMotion, window: float) -> DofMotion:
    """The motion smoothed over a window [s], 0: as it was, at no more moments than are computed."""
    if window > 0:
        fitted = smooth(model, motion.time, motion.qpos, motion.mocap, window)
        motion = replace(fitted, given=motion.given, equalities=motion.equalities)
    some = slice(None, None, -(-len(motion.time) // most_moments(model)))
    arrays = {name: value[some] for name in motion.__struct_fields__ if isinstance(value := getattr(motion, name), np.ndarray)}
    return replace(motion, **arrays)
