"""Context of every panel: all that it may show and act on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PyQt6.QtGui import QAction

from tumble.app.base.log_relay import LogRelay
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport


@dataclass(frozen=True, slots=True)
class Workbench:
    """Of one window. session: with the models, `session.part(Edits)`, and the settings; actions: of the window, by name."""

    session: Session
    viewport: Viewport
    relay: LogRelay
    actions: Mapping[str, QAction]
