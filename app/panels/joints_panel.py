"""The joints panel: a slider per hinge or slide joint, live while running, editable while paused."""

from __future__ import annotations

import math

from tumble.app.describe.names import TURN, JointInfo, joints, nearest, split, turns_text
from tumble.app.simulation.commands import SetState
from tumble.app.widgets.base_panels import INTERVAL, SliderPanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import make_label
from tumble.app.widgets.slider_row import SliderRow


class JointsPanel(SliderPanel):
    """Positions of the hinge and slide joints: shown while running, set by slider while paused."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        self._hint = make_label(ink="dim", wrap=True)
        self._hint.setContentsMargins(12, 6, 10, 2)
        super().__init__(dock, "joint", self._hint)
        self._session = session = bench.session
        self._in_turn = session.frame_budget.new_turn(INTERVAL)
        self._made: list[tuple[JointInfo, float]] = []  # signals of the rows
        self.rows: list[SliderRow] = []
        session.model_loaded.connect(self._build)
        session.absence_changed.connect(lambda why: self._build())
        session.paused_changed.connect(self._set_paused)
        session.advanced.connect(self._advance)
        dock.in_sight.connect(lambda visible: self._show())
        self._build()

    def _build(self) -> None:
        session = self._session
        model = session.model
        infos = joints(model) if model is not None else []
        firsts = [float(session.loaded_model.qpos0[info.qpos_adr]) for info in infos]
        listed = list(zip(infos, firsts, strict=True))
        if not listed or listed != self._made:  # of a model that was reloaded the rows stay
            self._made, self.rows = listed, [self._row(info, first) for info, first in listed]
            self.set_sliders(self.rows, session.absence or "This model has no hinge or slide joints.")
        self._set_paused(session.paused)
        self._show()

    def _row(self, info: JointInfo, first: float) -> SliderRow:
        row = SliderRow(info.name, info.unit, info.low, info.high, limited=info.limited, first=first)
        row.changed.connect(lambda value: self._pose(info, value))
        return row

    def _pose(self, info: JointInfo, value: float) -> None:
        """Set a joint; of one that turns on and on the angle is taken in the turn that is nearest to where it is."""
        snapshot = self._session.snapshot
        if info.wraps and snapshot is not None:
            value = nearest(value, float(snapshot.qpos[info.qpos_adr]))
        self._session.send(SetState("qpos", info.qpos_adr, (value,)))

    def _set_paused(self, paused: bool) -> None:
        self._hint.setText("Drag to pose the model" if paused else "Pause (Space) to pose the model")
        self._hint.setVisible(bool(self.rows))
        for row in self.rows:
            row.set_editable(paused)

    def _advance(self) -> None:
        if self.dock.isVisible():
            self._in_turn.take(self._show)

    def _show(self) -> None:
        snapshot = self._session.snapshot
        if snapshot is None or not self.dock.isVisible():
            return
        for (info, _), row in zip(self._made, self.rows, strict=True):
            value, turns = float(snapshot.qpos[info.qpos_adr]), 0
            if info.wraps and math.isfinite(value):
                value, turns = split(value)
            text = f"{info.name}  {turns_text(turns)}".rstrip()
            if row.label.text() != text:
                row.label.set_text(text, f"{text}: qpos is {TURN * turns + value:.6g} rad" if turns else "")
            row.show_value(value)
