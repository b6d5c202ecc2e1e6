"""Controls of contacts in the view: a slider for the length of force arrows, and a menu of flags."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSlider, QToolButton, QWidget

from tumble import physics
from tumble.app.describe.contacts import SlipCase
from tumble.app.describe.names import name_of
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.mixing import Look, mix
from tumble.app.panels.contacts.state import ContactState
from tumble.app.viewport.contacts.view import STEPS, ArrowLength
from tumble.physics import ContactMode

if TYPE_CHECKING:
    from tumble.physics import MjModel

SWITCHES = ("contact_point", "contact_force", "contact_split", "friction_cone", "contact_patch", "contact_past")
SLIDER = 96  # width [px]
TIP = "Length of the force arrows in the view: {} of the default. Dragging the end of the arrow in the legend changes it too"


class ShownBar(QWidget):
    """Next to the tabs of the contacts panel."""

    def __init__(self, length: ArrowLength, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self._length = length
        self.caption = QLabel("Arrows")
        self.caption.setProperty("dim", True)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Length of the force arrows")
        self.slider.setObjectName("arrow_length")
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 8)
        self.slider.setFixedWidth(SLIDER)
        self.slider.valueChanged.connect(length.set_step)
        self.menu = QMenu(self)
        self.menu.addActions([actions[name] for name in SWITCHES])
        self.shown = QToolButton()
        self.shown.setText("In the view \N{BLACK DOWN-POINTING SMALL TRIANGLE}")
        self.shown.setToolTip("What the view shows of contacts")
        self.shown.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.shown.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.shown.setMenu(self.menu)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 2)
        line.setSpacing(6)
        for widget in (self.caption, self.slider, self.shown):
            line.addWidget(widget)
        length.changed.connect(lambda value: self._show())
        self._show()

    def fit(self, room: int) -> None:
        """Hide controls without room next to the tabs [px]."""
        self.slider.setVisible(room >= 380)
        self.caption.setVisible(room >= 440)

    def _show(self) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._length.step)
        self.slider.setToolTip(TIP.format(self._length.words))


PLACES = {"override": "the override", "pair": "the contact pair"}  # sources of friction other than geoms


def slip_case(model: MjModel, look: Look, state: ContactState, k: int, soft: float) -> SlipCase:
    """Forces that decide if contact k slips; soft: its speed of creep for each newton of friction [m/(s N)]."""
    slide = float(state.friction[k, 0]), float(state.friction[k, 1])
    gravity = np.asarray(look(EditPlace("opt.gravity")))
    return SlipCase(
        ContactMode(int(state.mode[k])), float(state.normal[k]), float(state.tangential[k]), slide,
        _whose(model, look, int(state.geom[k, 0]), int(state.geom[k, 1])), float(state.used[k]), float(state.creep[k]),
        _tilt(np.asarray(state.frame[k, 0]), gravity), int(state.dim[k]), look(EditPlace("opt.impratio"))[0],
        look(EditPlace("opt.noslip_iterations"))[0] > 0, soft,
    )  # fmt: skip


def _tilt(normal: np.ndarray, gravity: np.ndarray) -> float:
    """The angle of a surface against level [rad]; 0 without gravity."""
    down = float(np.linalg.norm(gravity))
    return 0.0 if down == 0 else math.acos(min(1.0, abs(float(normal @ gravity)) / down))


def _whose(model: MjModel, look: Look, first: int, second: int) -> str:
    """The geom that the friction comes from, by name; or another source."""
    if first < 0 or second < 0:
        return "this contact"
    decided = mix(model, look, first, second).decided
    if decided in PLACES:
        return PLACES[decided]
    rank = [(look(EditPlace("geom_priority", g))[0], look(EditPlace("geom_friction", g))[0]) for g in (first, second)]
    return name_of(model, physics.mjtObj.mjOBJ_GEOM, first if rank[0] > rank[1] else second)
