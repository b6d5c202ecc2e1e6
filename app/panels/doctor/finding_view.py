"""A finding in full: cause, effect, numbers, its change, what a trial of it gave, and buttons."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct
from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from tumble.app.describe.numbers import moment
from tumble.app.doctor.evidence import evidence_words
from tumble.app.doctor.finding import Finding, ModelChange
from tumble.app.look import theme
from tumble.app.panels.doctor.finding_list import INKS
from tumble.app.widgets.scroll_area import SteadyScrollArea

if TYPE_CHECKING:
    from tumble.app.doctor.proof import Proof

TRY, APPLY, WRITE, OPEN, SILENCE = "Try it", "Apply", "Write to file…", "Open at line", "Silence…"
PLOT = "plot"  # target of a link, next to "moment"
MOMENT = "moment"
_TIPS = {
    TRY: "Run both from the state in which it was found, and fork the simulation with the change",
    APPLY: "Change these numbers of the running model; can be undone",
    WRITE: "Show what would change in the MJCF file, and save it there; applies the change first",
    OPEN: "Open the file in your text editor (or double-click the finding)",
    SILENCE: "Do not show findings of this rule for this model any more",
}
BY_HAND = "Numbers of the running model do not express it: change the file"
NO_CHANGE = "This finding proposes no change"


class FindingState(Struct, frozen=True):
    """State of a finding. cause: as a sentence; applied: and not in the file; reachable: whether its moment is on the timeline.

    proof: of its change; share: how much of a proof is done, None without one at work; problem: why there is no proof; forked:
    whether a fork was asked for.
    """

    cause: str = ""
    applied: bool = False
    reachable: bool = False
    proof: Proof | None = None
    share: float | None = None
    problem: str = ""
    forked: bool = False


class FindingView(QWidget):
    """pressed: a button, by its text; followed: a link, by its target."""

    pressed = pyqtSignal(str)
    followed = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.words, self.trial = self._label(), self._label()
        area = SteadyScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.words)
        area.setMinimumHeight(40)
        self.buttons: Mapping[str, QPushButton] = {text: self._button(text) for text in _TIPS}
        line = QHBoxLayout()
        line.setSpacing(5)
        for button in self.buttons.values():
            line.addWidget(button)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addLayout(line)  # at the top: neither a long finding nor a new tab below moves a button away from the mouse
        column.addWidget(self.trial)  # in sight, however long the words are
        column.addWidget(area, 1)

    def _label(self) -> QLabel:
        label = QLabel()
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        label.setContentsMargins(2, 0, 6, 0)
        label.linkActivated.connect(self.followed)
        return label

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(_TIPS[text])
        button.setStyleSheet("padding: 4px 8px")
        button.clicked.connect(lambda: self.pressed.emit(text))
        return button

    def show_finding(self, finding: Finding | None, state: FindingState, nothing: str) -> None:
        """Show a finding; nothing: in place of none."""
        text = f"<p style='color:{theme.colours()['dim']}'>{escape(nothing)}</p>" if finding is None else _words(finding, state)
        if text != self.words.text():
            self.words.setText(text)
        trial = "" if finding is None else _trial(state)
        if trial != self.trial.text():
            self.trial.setText(trial)
        self.trial.setVisible(bool(trial))
        change = None if finding is None else finding.change
        numbers = change is not None and bool(change.changes)
        why = "" if numbers else NO_CHANGE if change is None else BY_HAND
        self._enable(TRY, numbers and state.share is None and not state.applied, why)
        self._enable(APPLY, numbers and not state.applied, why)
        self._enable(WRITE, numbers, why)
        place = None if finding is None else finding.place
        self._enable(OPEN, place is not None, "Its line in the file is not known")
        self.buttons[OPEN].setText(OPEN if place is None else f"{OPEN} {place.line}")
        self._enable(SILENCE, finding is not None, "")
        for button in self.buttons.values():
            button.setVisible(finding is not None)

    def _enable(self, name: str, on: bool, why: str) -> None:
        self.buttons[name].setEnabled(on)
        self.buttons[name].setToolTip(_TIPS[name] if on or not why else why)


def _words(finding: Finding, state: FindingState) -> str:
    """All of a finding, in HTML."""
    inks = theme.colours()
    colour = inks[INKS[finding.severity]]
    head = f"<span style='color:{colour}'><b>{finding.severity.value}</b></span> <span style='color:{inks['dim']}'>{finding.rule}"
    where = "" if finding.place is None else f", {escape(finding.place.path.name)}:{finding.place.line}"
    cause = f"<b>{escape(state.cause)}</b>{'' if finding.cause[-1:] in '.:' else '.'} {escape(finding.effect)}"
    done = f" <span style='color:{inks['good']}'>applied, not in the file yet</span>" if state.applied else ""
    parts = [f"{head}{where}</span>{_when(finding, state)}{done}", cause]
    parts += [_change(finding.change)] if finding.change is not None else []
    numbers = " · ".join(word.replace(" ", "\N{NO-BREAK SPACE}") for word in evidence_words(finding.evidence))
    parts += [f"<span style='color:{inks['dim']}'>{escape(numbers)}</span>"] if numbers else []
    return "".join(f"<p style='margin-top:0; margin-bottom:5px'>{part}</p>" for part in parts)


def _when(finding: Finding, state: FindingState) -> str:
    if finding.time is None:
        return ""
    text = f"at {moment(finding.time)}"
    return f" {_link(MOMENT, text)}" if state.reachable else f" <span style='color:{theme.colours()['dim']}'>{text}</span>"


def _link(target: str, text: str) -> str:
    return f"<a href='{target}' style='color:{theme.colours()['accent']}'>{text}</a>"


def _change(change: ModelChange) -> str:
    numbers = f"{change.path}: {change.before} → {change.after}"
    predicted = f" (predicted: {change.predicted})" if change.predicted else ""
    return f"<span style='font-family:{theme.mono(9).family()}'>{escape(numbers)}</span>{escape(predicted)}"


def _trial(state: FindingState) -> str:
    """Result of a trial, or its progress, in HTML."""
    inks = theme.colours()
    fork = f" {_link(PLOT, 'Plot of the fork')}" if state.forked else ""
    if state.share is not None:
        return f"Trying: {100 * state.share:.0f} %"
    if state.problem:
        return f"<span style='color:{inks['bad']}'>Not tried: {escape(state.problem)}.</span>{fork}"
    if state.proof is None:
        return f"A fork has the change: its ghost is in the view.{fork}" if state.forked else ""
    holds = state.proof.holds and not state.proof.problem
    verdict = "The prediction holds." if holds else "The prediction does not hold."
    ink = inks["good" if holds else "bad"]
    text = state.proof.text
    return f"{escape(text[:1].upper() + text[1:])}. <span style='color:{ink}'>{verdict}</span>{fork}"
