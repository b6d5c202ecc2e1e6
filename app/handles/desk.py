"""The tools that place and measure in one view, and the actions that switch them."""

from __future__ import annotations

from PyQt6.QtGui import QAction

from tumble.app.base import settings
from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.names import body_name
from tumble.app.handles.gizmo_tool import GizmoTool, carrier
from tumble.app.handles.measure_tool import MeasureTool
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport


class PosingDesk:
    """Made when one of its tools is first wanted."""

    def __init__(self, session: Session, viewport: Viewport, actions: dict[str, QAction]) -> None:
        self._session, self._viewport, self._actions = session, viewport, actions
        self.gizmo, self.measure = GizmoTool(viewport, session), MeasureTool(viewport, session)
        self.measure.leave = self._leave_measure
        session.selection_changed.connect(self._tell)
        viewport.tools.add(self.measure)
        viewport.tools.add(self.gizmo)

    def set_gizmo(self, on: bool) -> None:
        """Show the handles of the selected body, or hide them; stored."""
        self.gizmo.active = on
        self._session.store.put(settings.GIZMO, on)
        self._viewport.tools.refresh()
        if on and self._session.selection <= 0:
            self._session.status.emit("Select a free or mocap body (double click): handles move and turn it")

    def _tell(self, body: int) -> None:
        """Show why the selected body has no handles."""
        if self.gizmo.active and body > 0 and carrier(self._session.loaded_model, body) == 0:
            name = body_name(self._session.loaded_model, body)
            how = with_keys("paused, Ctrl + right drag bends them")
            self._session.status.emit(f"{name} is attached by joints and has no handles: {how}")

    def set_local(self, on: bool) -> None:
        """Align handles with the body's axes, or the world's."""
        self.gizmo.local = on
        self._viewport.update()

    def set_snap(self, on: bool) -> None:
        """Make handles snap; Ctrl then moves them freely."""
        self.gizmo.snap = on

    def set_measure(self, on: bool, *, bodies: bool) -> None:
        """Measure between points or between bodies, or end."""
        self._actions["measure_bodies" if not bodies else "measure"].setChecked(False)
        self.measure.set_mode(on, bodies)
        self._viewport.tools.refresh()

    def _leave_measure(self) -> None:
        for name in ("measure", "measure_bodies"):
            self._actions[name].setChecked(False)
        self.measure.set_mode(active=False, bodies=False)
        self._viewport.tools.refresh()

    def ask_steps(self) -> None:
        """Let the user set the steps in which handles snap."""
        from tumble.app.handles.gizmo_tool import SnapDialog

        SnapDialog(self._session.store, self._viewport).appear()
