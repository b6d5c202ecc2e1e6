"""Choice of labels and frames: one kind of each, by menu or by keys that cycle through them."""

from __future__ import annotations

from functools import partial

from PyQt6.QtGui import QAction

from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport
from tumble.render.options import FrameMode, LabelMode, after


class KindChoice:
    """The choice among the kinds of one enumeration; field: of the view's options."""

    def __init__(
        self, session: Session, view: Viewport, made: dict[str, QAction], kinds: type[LabelMode] | type[FrameMode], field: str
    ) -> None:
        self._session, self._view, self._field = session, view, field
        self._actions = {kind: made[f"{field}_{kind.name.lower()}"] for kind in kinds}
        for kind, action in self._actions.items():
            action.triggered.connect(partial(self.choose, kind))
        made[f"{field}s"].triggered.connect(self.next)
        view.options_changed.connect(self._show)
        self._show()

    def next(self) -> None:
        """The next kind; after the last none."""
        kind = after(getattr(self._view.options, self._field))
        self.choose(kind)
        self._session.status.emit(f"{self._field.capitalize()}s: {kind.name.lower().replace('_', ' ')}")

    def choose(self, kind: LabelMode | FrameMode, checked: bool = True) -> None:
        """Show one kind."""
        setattr(self._view.options, self._field, kind)
        self._view.options_changed.emit()
        self._view.update()

    def _show(self) -> None:
        """Mark the kind of the active view."""
        shown = getattr(self._view.options, self._field)
        for kind, action in self._actions.items():
            action.setChecked(kind is shown)


def connect(session: Session, view: Viewport, made: dict[str, QAction]) -> None:
    """Connect the actions of labels and frames."""
    KindChoice(session, view, made, LabelMode, "label")
    KindChoice(session, view, made, FrameMode, "frame")
