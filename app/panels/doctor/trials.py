"""Proofs of changes, in the background: the run of an examination without a change and with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.doctor.finding import Finding, FindingKey
from tumble.app.panels.doctor.examiner import CLOSING, REPORT, Examiner, Stopped
from tumble.app.session.session import Session
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.app.doctor.proof import Proof


class Trials(QObject):
    """Of one session. share: how much of the proof at work is done, None: none is; changed: a proof, or the share, is new."""

    changed = pyqtSignal()
    _went = pyqtSignal(float, int)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.share: float | None = None
        self.at_work: FindingKey | None = None
        self.problem = ""
        self._proofs: dict[FindingKey, tuple[str, Proof]] = {}  # with the finding's text
        self._examiner = session.part(Examiner)
        self._background = Background("proof", self)
        self._run = 0
        self._went.connect(self._on_progress)
        session.model_loaded.connect(self._forget)

    def proof_of(self, finding: Finding) -> Proof | None:
        """The proof of a finding's change; None where it was not tried, or the finding has other numbers now."""
        text, proof = self._proofs.get(finding.key, ("", None))
        return proof if text == finding.text else None

    def prove(self, finding: Finding) -> None:
        """Run without and with the change of a finding that predicts a measure."""
        state, change = self._examiner.state_of(finding), finding.change
        if state is None or change is None or change.prediction is None:
            return
        self._run += 1
        run, key, text = self._run, finding.key, finding.text
        self.share, self.at_work, self.problem = 0.0, key, ""
        self.changed.emit()

        def going(done: int, steps: int) -> None:
            if run != self._run:
                raise Stopped
            if done % REPORT == 0:
                self._background.check()
                self._went.emit(done / max(steps, 1), run)

        def work() -> Proof:
            from tumble.app.doctor.case import SECONDS
            from tumble.app.doctor.proof import prove

            return prove(state.model, state.start, change, SECONDS, going)

        self._background.run(
            work, lambda proof: self._end(key, text, proof, run), lambda why: self._fail(why, run), (PhysicsError, Stopped)
        )

    def close(self) -> bool:
        """The session ends; returns True if the thread has ended."""
        self._run += 1
        return self._background.close(CLOSING)

    def _forget(self) -> None:
        self._run += 1
        self._proofs.clear()
        self.share, self.at_work, self.problem = None, None, ""
        self.changed.emit()

    def _on_progress(self, share: float, run: int) -> None:
        if run == self._run and self.share is not None:
            self.share = share
            self.changed.emit()

    def _end(self, key: FindingKey, text: str, proof: Proof, run: int) -> None:
        if run == self._run:
            self._proofs[key] = text, proof
            self.share, self.at_work = None, None
            self.changed.emit()

    def _fail(self, why: str, run: int) -> None:
        if run == self._run:
            self.share, self.at_work, self.problem = None, None, why
            self.changed.emit()
