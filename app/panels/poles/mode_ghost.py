"""A ghost in the view that is posed along a mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import QObject

from tumble import physics
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.physics.observe.linear.linearization import Mode
from tumble.render.frame import Ghost

if TYPE_CHECKING:
    from tumble.app.panels.poles.analysis import PolesReport

TURN, SHIFT = 0.5, 0.15  # largest deflection: of an angle [rad], of a length as a share of the model's extent
STILL = 1e-9  # share of a mode in positions below which it does not move the model


def deflection(report: PolesReport, mode: Mode) -> np.ndarray:
    """Positions along the dofs (nv,), complex: the real part after a turn of phase is the deflection [rad or m].

    Zeros: the mode does not move the model.
    """
    shape = mode.shape[: report.linear.nv]
    if abs(shape).max(initial=0.0) <= STILL * abs(mode.shape).max(initial=0.0):
        return np.zeros(len(shape), complex)
    kind = np.asarray(report.model.jnt_type)[np.asarray(report.model.dof_jntid)]
    slides = kind == int(physics.mjtJoint.mjJNT_SLIDE)
    free = np.flatnonzero(np.asarray(report.model.jnt_type) == int(physics.mjtJoint.mjJNT_FREE))
    for first in np.asarray(report.model.jnt_dofadr)[free]:
        slides[first : first + 3] = True
    unit = np.where(slides, SHIFT * float(report.model.stat.extent), TURN)
    largest = shape[np.argmax(abs(shape) / unit)]
    return np.asarray(shape / largest * unit[np.argmax(abs(shape) / unit)])


class ModeGhost(QObject):
    """Shows the model deflected along a mode, from the state that was linearized."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._report: PolesReport | None = None
        self._data: physics.MjData | None = None
        session.model_loaded.connect(self.clear)

    def show(self, report: PolesReport, mode: Mode, phase: float) -> bool:
        """Pose it; phase [rad]. Returns False if the mode does not move the model."""
        shape = deflection(report, mode)
        if not shape.any():
            self.clear()
            return False
        if self._report is not report or self._data is None:
            self._report, self._data = report, physics.MjData(report.model)
        model, data = report.model, self._data
        qpos = np.array(report.data.qpos)
        physics.mj_integratePos(model, qpos, np.real(shape * np.exp(1j * phase)), 1.0)
        data.qpos = qpos
        data.mocap_pos, data.mocap_quat = report.data.mocap_pos, report.data.mocap_quat
        physics.mj_kinematics(model, data)
        if model.nflexvert:
            physics.mj_comPos(model, data)
            physics.mj_flex(model, data)
        ink = theme.colour("accent")
        rgb = (ink.redF(), ink.greenF(), ink.blueF())
        self._session.extras.posed = (Ghost(data.geom_xpos.copy(), data.geom_xmat.copy(), rgb, data.flexvert_xpos.copy()),)
        self._session.forces_changed.emit()
        return True

    def clear(self) -> None:
        """Show none."""
        self._report = self._data = None
        if self._session.extras.posed:
            self._session.extras.posed = ()
            self._session.forces_changed.emit()
