"""Arrows of forces on bodies in the view: a force has one head, a torque two."""

from __future__ import annotations

import numpy as np
from PyQt6.QtCore import QObject

from tumble.app.look import theme
from tumble.app.panels.balance.words import ink_of
from tumble.app.session.session import Session
from tumble.physics.query.balance.terms import Wrench
from tumble.render.camera import View
from tumble.render.drawlist import DrawList
from tumble.render.scene.canvas import Decor, Mark

LONGEST = 0.25  # of the longest arrow, as a share of the model's extent
THICK = 0.006  # radius of shafts, as a share of the extent
DECAY = 0.97  # of the scale with every reading: short arrows do not jump when a large force has passed
SECOND_HEAD = 0.82  # along a torque's arrow
LEAST = 0.01  # of the longest: shorter ones are left out


class ForceArrows(QObject):
    """Draws wrenches with every picture while it has some."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._wrenches: tuple[Wrench, ...] = ()
        self._scale = [0.0, 0.0]  # of forces [N] and torques [N m]: the longest arrow
        session.model_loaded.connect(self.clear)

    @property
    def count(self) -> int:
        """Number of wrenches drawn."""
        return len(self._wrenches)

    def show(self, wrenches: tuple[Wrench, ...]) -> None:
        """Draw these in place of those before; none: no longer."""
        if not wrenches:
            self.clear()
            return
        for k, name in enumerate(("force", "moment")):
            largest = max(float(np.linalg.norm(getattr(wrench, name))) for wrench in wrenches)
            self._scale[k] = max(largest, DECAY * self._scale[k])
        self._wrenches = wrenches
        self._session.extras.draw(self._draw)
        self._session.forces_changed.emit()

    def clear(self) -> None:
        """Draw none."""
        if self._session.extras.erase(self._draw):
            self._session.forces_changed.emit()
        self._wrenches, self._scale = (), [0.0, 0.0]

    def _draw(self, view: View, height: int) -> DrawList:
        extent = float(self._session.loaded_model.stat.extent)
        decor = Decor(0.5 * THICK * extent)
        for wrench in self._wrenches:
            colour = theme.colour(ink_of(wrench.origin))
            mark = Mark((colour.redF(), colour.greenF(), colour.blueF(), 1.0))
            for k, vector in enumerate((wrench.force, wrench.moment)):
                if self._scale[k] <= 0:
                    continue
                arrow = vector / self._scale[k]
                if np.linalg.norm(arrow) < LEAST:
                    continue
                for share in (1.0, SECOND_HEAD)[: 1 + k]:
                    decor.arrow(wrench.point, share * LONGEST * extent * arrow, THICK * extent, mark, through=True)
        return decor.to_list()
