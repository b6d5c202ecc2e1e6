"""The poles panel: why a state is unstable, how each mode moves the model, and a regulator in one click."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import QSignalBlocker, QStandardPaths, Qt, QTimer
from PyQt6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from tumble.app.base import files
from tumble.app.describe.names import actuators
from tumble.app.describe.numbers import metric, short
from tumble.app.panels.poles.analysis import (
    PolesReport,
    analyse,
    carriers,
    matrix_arrays,
    nearest,
    pole_text,
    state_names,
    summary,
    too_large,
)
from tumble.app.panels.poles.mode_ghost import ModeGhost
from tumble.app.panels.poles.mode_list import ModeList
from tumble.app.panels.poles.pole_plane import PlaneKind, PolePlane
from tumble.app.panels.poles.regulator_text import regulator_text
from tumble.app.session.requests import RunController, StopController
from tumble.app.widgets.base_panels import AnalysisPanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, make_splitter, vbox
from tumble.app.widgets.live_field import CalmCombo, LiveSpinBox
from tumble.app.widgets.slider_row import TICKS, CalmSlider, ElidedLabel
from tumble.app.widgets.tables import CsvButton
from tumble.physics.errors import PhysicsError
from tumble.physics.observe.linear.linearization import Regulator, RegulatorWeights, regulate

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

SWING_INTERVAL, SWING_HZ = 33, 0.5  # of the swinging ghost: time between two poses [ms], swings a second
NPZ = ".npz"
_WEIGHTS = (
    ("Position", "Cost of a deviation of each position"),
    ("Velocity", "Cost of each velocity"),
    ("Control", "Cost of each control: larger makes the regulator gentler"),
)


class PolesPanel(AnalysisPanel[PolesReport]):
    """Linearizes copies of the present state in the background while it can be seen."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        session = bench.session
        super().__init__(dock, session, too_large, "poles")
        self.report: PolesReport | None = None
        self.chosen = -1
        self.ghost = ModeGhost(session)
        self.plane = CalmCombo("Plane", "What the axes of the plane are", ((plane.value, plane) for plane in PlaneKind))
        self.summary = ElidedLabel("")
        self.csv = CsvButton(session, "transition", self._rows, counted="rows")
        self.csv.setToolTip("A and B, with the names of rows and columns")
        self.npz = make_button("Save NumPy…", "A, B, the poles and their modes, for numpy.load", self._save)
        self.poles = PolePlane()
        self.list = ModeList()
        self.swing = make_check("Swing", "Swing a ghost of the model along the chosen mode")
        self.phase = CalmSlider()
        self.phase.setAccessibleName("Phase of the mode")
        self.phase.setToolTip("Deflects a ghost of the model along the chosen mode: a turn is one swing")
        self.weights = [self._weight(name, tip) for name, tip in _WEIGHTS]
        tip = "Keep this position by a linear quadratic regulator: writes a controller and runs it"
        self.keep = make_button("Run LQR", tip, self._regulate)
        self.stop = make_button("Stop", "Run the controller no more", lambda: session.ask(StopController()))
        for low in (self.plane, self.csv, self.npz, self.keep, self.stop, *self.weights):
            low.setStyleSheet("min-height: 16px; padding: 1px 8px")
        self.told = ElidedLabel("")
        self.told.setProperty("dim", True)
        self.empty = make_label(wrap=True, name="Why there are no poles")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setObjectName("empty")
        self.set_content(holder(self._lay_out()), low=True)
        self._swinging = QTimer(self)
        self._swinging.setInterval(SWING_INTERVAL)
        self._swinging.timeout.connect(self._swing_on)
        self.plane.currentIndexChanged.connect(lambda i: self._show_poles())
        self.poles.picked.connect(self.choose)
        self.list.chosen.connect(self.choose)
        self.swing.toggled.connect(self._toggle_swing)
        self.phase.valueChanged.connect(lambda tick: self._pose())
        self.show_none("")

    def _lay_out(self) -> QVBoxLayout:
        head = hbox(self.plane, (self.summary, 1), self.csv, self.npz, margins=(0, 0, 0, 0), spacing=8)
        regulator: list[QWidget] = [make_label("LQR costs:", ink="dim")]
        for (name, _), field in zip(_WEIGHTS, self.weights, strict=True):
            regulator += [make_label(name, ink="dim"), field]
        swing = hbox(self.swing, (self.phase, 1), margins=(0, 0, 0, 0), spacing=8)
        regulators = hbox(*regulator, self.keep, self.stop, None, margins=(0, 0, 0, 0), spacing=6)
        side = holder(vbox((self.list, 1), swing, regulators, margins=(0, 0, 0, 0), spacing=4))
        self.body = make_splitter(Qt.Orientation.Horizontal, (self.poles.plot, 2, 320), (side, 3, 560))
        return vbox(head, (self.body, 1), (self.empty, 1), self.told, margins=(8, 4, 8, 4), spacing=4)

    def _weight(self, name: str, tip: str) -> LiveSpinBox:
        field = LiveSpinBox()
        field.setDecimals(4)
        field.setRange(1e-4, 1e6)
        field.setValue(getattr(RegulatorWeights(), name.lower()))
        field.setAccessibleName(f"LQR cost: {name}")
        field.setToolTip(tip)
        field.setMaximumWidth(90)
        return field

    # ---- analyses

    def analysis(self, model: MjModel, data: MjData, wanted: Callable[[], None]) -> PolesReport:
        """The poles of a copy."""
        return analyse(model, data)

    def show_analysis(self, report: PolesReport) -> None:
        """Show the poles, the chosen one or the nearest to that of before."""
        before = self.report.modes[self.chosen].pole if self.report is not None and self.chosen >= 0 else None
        self.report, self.chosen = report, nearest(report, before)
        self._show_there(there=True)
        self.summary.set_text(summary(report))
        self.list.show_report(report, self.chosen)
        self._show_poles()
        self._pose()

    def show_none(self, why: str) -> None:
        """Show why there are no poles."""
        self.report, self.chosen = None, -1
        self.ghost.clear()
        self.empty.setText(why)
        self.summary.set_text("")
        self._show_there(there=False)

    def _show_there(self, *, there: bool) -> None:
        self.body.setVisible(there)
        self.empty.setVisible(not there)
        self.npz.setEnabled(there)
        self.csv.allow(there)
        self.keep.setEnabled(there and self.session.model is not None and self.session.model.nu > 0)

    def _show_poles(self) -> None:
        if self.report is not None:
            self.poles.show_modes(self.report.modes, self.plane.currentData())
            self.poles.choose(self.report.modes, self.chosen)

    # ---- the chosen mode

    def choose(self, mode: int) -> None:
        """Go to a mode."""
        if self.report is None or not 0 <= mode < len(self.report.modes):
            return
        self.chosen = mode
        with QSignalBlocker(self.list):
            self.list.setCurrentItem(self.list.topLevelItem(mode))
        self.poles.choose(self.report.modes, mode)
        self._pose()

    def _pose(self) -> None:
        """Pose the ghost, once the user has moved the slider, and until it is back at 0."""
        report = self.report
        if report is None or self.chosen < 0 or not self.live:
            return
        mode = report.modes[self.chosen]
        words = f"{pole_text(mode)}: carried by {', '.join(carriers(report, mode)) or 'activations'}"
        if not self.phase.value() and not self.swing.isChecked():
            self.ghost.clear()
        elif not self.ghost.show(report, mode, 2 * math.pi * self.phase.value() / TICKS - math.pi / 2):
            words += "; it is one of velocities or activations alone, which moves nothing by itself"
        self.told.set_text(words)

    def _toggle_swing(self, on: bool) -> None:
        if on:
            self._swinging.start()
        else:
            self._swinging.stop()
            self.phase.setValue(0)
        self._pose()

    def _swing_on(self) -> None:
        ticks = round(TICKS * SWING_HZ * SWING_INTERVAL / 1000)
        self.phase.setValue((self.phase.value() + ticks) % TICKS)

    def put_away(self) -> None:
        """The ghost goes, too."""
        self.swing.setChecked(False)
        self.phase.setValue(0)
        self.ghost.clear()

    # ---- the regulator

    def _regulate(self) -> None:
        """Compute the regulator in the background, and run it."""
        report = self.report
        if report is None:
            return
        weights = RegulatorWeights(*(field.value() for field in self.weights))
        self.keep.setEnabled(False)
        self.background.run(
            lambda: regulate(report.model, report.data, weights),
            lambda regulator: self._run_regulator(report, regulator, weights),
            self._on_no_regulator,
            (PhysicsError, np.linalg.LinAlgError),
        )

    def _run_regulator(self, report: PolesReport, regulator: Regulator, weights: RegulatorWeights) -> None:
        self.keep.setEnabled(True)
        session = self.session
        if session.model is None or session.model.nq != report.model.nq or session.model.nu != report.model.nu:
            return
        name = "model" if session.path is None else session.path.name
        text = regulator_text(report.model, name, float(report.data.time), regulator, weights)
        path = session.store.folder / "controllers" / f"{Path(name).stem}_lqr.py"
        session.ask(RunController(path, text))
        words = f"LQR runs: the slowest mode changes {short(regulator.growth, figures=6)}-fold in a step"
        if regulator.left > 1e-6:
            words += f"; the position is none of rest: controls leave {metric(regulator.left, 'rad/s or m/s')} a step"
        session.status.emit(words)

    def _on_no_regulator(self, why: str) -> None:
        self.keep.setEnabled(True)
        self.session.status.emit(why[:1].upper() + why[1:])

    # ---- export

    def _controls(self) -> list[str]:
        return [] if self.report is None else [info.name for info in actuators(self.report.model)]

    def _rows(self) -> Iterator[Sequence[str]]:
        """Lines of the CSV: the names of columns, then a line of A and B for each number of the state."""
        report = self.report
        if report is None:
            return
        states = state_names(report)
        yield ["", *states, *(f"control {name}" for name in self._controls())]
        for name, a, b in zip(states, report.linear.A, report.linear.B, strict=True):
            yield [name, *map(repr, a.tolist()), *map(repr, b.tolist())]

    def _save(self) -> None:
        report, model = self.report, self.session.path
        if report is None:
            return
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        offered = folder / f"{'transition' if model is None else model.stem}{NPZ}"
        name, _ = QFileDialog.getSaveFileName(self, "Save A and B", str(offered), f"NumPy (*{NPZ})")
        if name:
            path, arrays = Path(name).with_suffix(NPZ), matrix_arrays(report, self._controls())
            self.background.run(
                lambda: _write(path, arrays),
                lambda done: self.session.status.emit(f"Saved A and B to {path}"),
                lambda why: self.session.status.emit(f"A and B were not saved: {why}"),
                (files.FileError,),
            )


def _write(path: Path, arrays: dict[str, object]) -> None:
    with files.replacing(path) as target, target.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
