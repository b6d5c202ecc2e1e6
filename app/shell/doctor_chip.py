"""The number of the doctor's findings, in the status bar."""

from __future__ import annotations

from collections import Counter

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QPushButton

from tumble.app.look import theme
from tumble.app.panels.doctor.examiner import Examiner
from tumble.app.session.requests import Show
from tumble.app.session.session import Session

LISTED = 6  # findings in the tool tip
LONGEST = 110  # letters of a line of it


class DoctorChip(QPushButton):
    """Counts errors and warnings; advice is not counted. A click opens the doctor."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._examiner = session.part(Examiner)
        self.setFlat(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Findings of the doctor")
        self.clicked.connect(lambda: session.ask(Show("doctor")))
        self._examiner.changed.connect(self.follow)
        self.hide()

    def follow(self) -> None:
        """Update the number."""
        findings = [finding for finding in self._examiner.findings if finding.severity.value in ("error", "warning")]
        counts = Counter(finding.severity.value for finding in findings)
        text = ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for word in ("error", "warning") if (n := counts[word]))
        if text == self.text() and self.isVisibleTo(self.parentWidget()) == bool(text):
            return
        self.setText(text)
        self.setStyleSheet(f"color: {theme.colours()['bad' if counts['error'] else 'warn']}")
        lines = [f"{text[:LONGEST]}…" if len(text) > LONGEST else text for text in (f.text for f in findings[:LISTED])]
        more = [f"… and {len(findings) - LISTED} more"] if len(findings) > LISTED else []
        self.setToolTip("\n".join([*lines, *more, "Click: the doctor"]))
        self.setVisible(bool(text))
