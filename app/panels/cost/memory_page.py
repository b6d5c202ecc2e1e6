"""The page on memory: what the program keeps, and for what."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import monotonic

from PyQt6.QtWidgets import QWidget

from tumble.app.panels.cost.stage_page import CostTable
from tumble.app.profile import Profiler
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.layout import make_label, vbox
from tumble.physics.base.system import memory_used

INTERVAL = 1.0  # wall time between two readings [s]
LEAST = 0.05  # of less than this, one more decimal is shown [MB]
MB = 2.0**20


def rows_of(parts: Sequence[tuple[str, float]], process: float) -> list[tuple[tuple[str, str, str], float]]:
    """Rows of parts [bytes], with everything else that the process uses [bytes], nan: not known; each with its share."""
    total = sum(size for _, size in parts)
    rest = max(0.0, process - total) if math.isfinite(process) else 0.0
    rows = [*parts, *([("Everything else", rest)] if rest else [])]
    whole = max(total + rest, 1.0)
    texts = [(name, f"{size / MB:.{1 if size > LEAST * MB else 3}f}", f"{100 * size / whole:.1f}") for name, size in rows]
    return [(text, size / whole) for text, (_, size) in zip(texts, rows, strict=True)]


class MemoryPage(QWidget):
    """Rows of memory, read now and then while it is in front."""

    def __init__(self, session: Session, viewport: Viewport, profiler: Profiler) -> None:
        super().__init__()
        self._session, self._viewport, self._profiler = session, viewport, profiler
        self._read_at = -math.inf  # by monotonic [s]
        self.summary = make_label("", wrap=True)
        tips = "What it is for", "In the computer's memory, or on the graphics card", "Of all that is used"
        self.table = CostTable("Memory", ("kept", "MB", "%"), tips)
        vbox(self.summary, (self.table, 1), margins=(8, 6, 8, 4), spacing=4, inside=self)

    def show_memory(self, data_bytes: int) -> None:
        """Read again, if the last time is long enough ago; data_bytes: of the simulation's data, 0: not known yet."""
        if data_bytes == 0 or monotonic() - self._read_at < INTERVAL:
            return
        self._read_at = monotonic()
        session, model = self._session, self._session.model
        meshes, textures = self._viewport.card_bytes
        parts = [
            ("Model", 0 if model is None else model.nbytes),
            ("Data of the simulation", data_bytes),
            ("Timeline", session.history.nbytes),
            ("Measurements of this panel", self._profiler.costs.nbytes),
            ("Meshes for drawing", meshes),
            ("Textures for drawing", textures),
        ]
        process = memory_used()
        self.table.show_rows(rows_of(parts, process))
        known, unknown = f"The process uses {process / MB:.0f} MB", "This system does not say what a process uses"
        self.summary.setText(known if math.isfinite(process) else unknown)
