"""The doctor panel: what is wrong with the model, its start and its run, and what would change it."""

from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from tumble.app.base.editor import open_at
from tumble.app.describe.contacts import Names
from tumble.app.describe.subject import Subject, element_subject
from tumble.app.doctor import report
from tumble.app.doctor.finding import Finding, FindingKey
from tumble.app.doctor.silence_patch import make as silence_patch
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.panels.doctor import finding_view as view
from tumble.app.panels.doctor.examiner import Examiner
from tumble.app.panels.doctor.finding_list import FindingList, sentence
from tumble.app.panels.doctor.finding_view import FindingState, FindingView
from tumble.app.panels.doctor.trials import Trials
from tumble.app.session.loader import without_text
from tumble.app.session.marking import mark
from tumble.app.session.requests import AskDoctor, Request, Show, TryFork, WriteChanges
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.patch_writing import PatchSubject, PatchWriting
from tumble.app.widgets.slider_row import ElidedLabel

NARROW = 640  # pixels below which a finding is shown below the list rather than next to it
EXAMINE = "Examine"


class DoctorPanel(Panel):
    """A list of findings, and the chosen one in full. A click marks its contact or body in the view."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session = session = bench.session
        self._edits, self._examiner, self._trials = session.part(Edits), session.part(Examiner), session.part(Trials)
        self._marked: FindingKey | None = None  # the finding that the view shows
        self._forked: set[FindingKey] = set()
        self._asked: AskDoctor | None = None  # to be answered when the examination is over
        self._answer = ""  # to what was asked, where nothing is found of it
        self.state = ElidedLabel("")
        self.state.setProperty("dim", True)
        self.go = QPushButton(EXAMINE)
        self.go.setToolTip("Run a copy of the model for a second from its initial state, and list what is found")
        self.go.clicked.connect(self._toggle)
        self.list, self.view = FindingList(), FindingView()
        self.list.chosen.connect(self._choose)
        self.list.opened.connect(self._open)
        self.view.pressed.connect(lambda name: self._acts[name]())
        self.view.followed.connect(self._follow)
        self._acts = {
            view.TRY: self._try, view.APPLY: self._apply, view.WRITE: self._write, view.OPEN: self._open,
            view.SILENCE: self._silence,
        }  # fmt: skip
        self.writing = PatchWriting(session, self, "silence patch")
        self.writing.told.connect(self._say)
        self._lay_out()
        self._examiner.changed.connect(self._show)
        self._examiner.answered.connect(self._answer_asked)
        self._trials.changed.connect(self._show_chosen)
        session.history.changed.connect(self._follow_history)
        session.model_loaded.connect(self._forget)
        session.absence_changed.connect(lambda why: self._show())
        toggle = dock.toggleViewAction()
        if toggle is not None:  # of the dock, in front of its tabs or behind
            toggle.toggled.connect(self._examiner.set_open)

    def _lay_out(self) -> None:
        left = QWidget()
        line = QHBoxLayout()
        line.addWidget(self.state, 1)
        line.addWidget(self.go)
        column = QVBoxLayout(left)
        column.setContentsMargins(8, 6, 4, 6)
        column.setSpacing(5)
        column.addLayout(line)
        column.addWidget(self.list, 1)
        self.view.setContentsMargins(8, 8, 8, 6)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.view)
        self.splitter.setSizes([400, 530])
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        self.set_content(self.splitter)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The finding next to the list where there is room."""
        super().resizeEvent(event)
        wanted = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if self.splitter.orientation() != wanted:
            self.splitter.setOrientation(wanted)
            self.splitter.setStretchFactor(0, int(wanted == Qt.Orientation.Horizontal))  # a low dock takes from the finding

    def catch_up(self) -> None:
        """Show findings from before the panel was visible, and have the running simulation looked at."""
        self._examiner.set_open(not self.dock.isHidden())
        self._show()

    def answer(self, request: Request) -> None:
        """Examine the model, or what was asked about, and choose what is found."""
        super().answer(request)
        if not isinstance(request, AskDoctor) or self._session.model is None:
            return
        self._asked, self._answer = request, ""
        examiner = self._examiner
        if request.pair is not None and not self._choose_asked():
            examiner.look_into()
        elif request.pair is None and not examiner.whole and examiner.share is None:
            examiner.start()
        self._show()

    def _choose_asked(self) -> bool:
        """Choose what was asked about, if it was found; returns whether it was."""
        asked, findings = self._asked, self._examiner.findings
        if asked is None:
            return False
        pair = asked.pair
        if pair is not None:
            about = [finding for finding in findings if frozenset(pair) in finding.pairs]
        else:
            about = [finding for finding in findings if finding.change is not None] or findings
        if not about:
            return False
        self._asked = None
        self.list.choose(about[0].key)
        self._choose()
        return True

    def _answer_asked(self) -> None:
        """The examination that was asked for is over."""
        if not self._choose_asked() and self._asked is not None and self._asked.pair is not None:
            names = Names(self._session.loaded_model).sides
            first, second = (names[side] for side in self._asked.pair)
            self._asked, self._answer = None, f"Nothing found about {first} and {second}"
        self._show()

    def _toggle(self) -> None:
        if self._examiner.share is None:
            self._examiner.start()
        else:
            self._examiner.stop()

    def _forget(self) -> None:
        """Another model: its forks and questions are others."""
        self._marked, self._asked, self._answer = None, None, ""
        self._forked.clear()

    # ---- what is shown

    def _show(self) -> None:
        examiner, model = self._examiner, self._session.model
        self.go.setEnabled(model is not None)
        self.go.setText("Stop" if examiner.share is not None else EXAMINE)
        self.state.set_text(self._words())
        self.list.show_findings(model, examiner.findings, examiner.applied)
        if self._asked is not None and self._asked.pair is None and examiner.whole and examiner.share is None:
            self._choose_asked()
        self._show_chosen()

    def _words(self) -> str:
        examiner = self._examiner
        if self._session.model is None:
            return self._session.absence
        if examiner.share is not None:
            return f"Examining: {100 * examiner.share:.0f} %"
        if examiner.problem:
            return f"Not examined: {examiner.problem}"
        if not examiner.whole and not examiner.findings:
            return self._answer or ("Not examined yet" if examiner.unasked else "A large model is run on request")
        found = report.summary(examiner.findings).capitalize()
        applied = f", {len(examiner.applied)} applied" if examiner.applied else ""
        return f"{found}{applied}{f'. {self._answer}' if self._answer else ''}"

    def _say(self, text: str) -> None:
        self.state.set_text(text or self._words())

    def _show_chosen(self) -> None:
        finding = self.list.current
        self.view.show_finding(finding, FindingState() if finding is None else self._state_of(finding), self._placeholder())

    def _state_of(self, finding: Finding) -> FindingState:
        trials, key = self._trials, finding.key
        return FindingState(
            sentence(self._session.loaded_model, finding),
            finding in self._examiner.applied,
            self._examiner.step_of(finding) is not None,
            trials.proof_of(finding),
            trials.share if trials.at_work == key else None,
            trials.problem if key in self._forked and trials.at_work is None else "",
            key in self._forked,
        )

    def _placeholder(self) -> str:
        if self._session.model is None:
            return ""
        return "Nothing is wrong, as far as the rules see." if self._examiner.whole and self._examiner.share is None else ""

    def _follow_history(self) -> None:
        """The timeline may cover the moment of the finding by now, or no longer."""
        finding = self.list.current
        if finding is not None and finding.time is not None and not self.dock.isHidden():
            self._show_chosen()

    # ---- user input

    def _choose(self) -> None:
        """Show the finding, and mark its contact or body in the view."""
        self._show_chosen()
        finding, model = self.list.current, self._session.model
        if finding is None or model is None or finding.key == self._marked:
            return
        self._marked = finding.key
        if finding.pair is not None:
            mark(self._session, Subject(pair=finding.pair))
        elif finding.element is not None:
            mark(self._session, element_subject(model, *finding.element))

    def _follow(self, target: str) -> None:
        finding = self.list.current
        if target == view.PLOT:
            self._session.ask(Show("forks"))
        elif finding is not None and (step := self._examiner.step_of(finding)) is not None:
            self._session.history.go(step)

    def _try(self) -> None:
        """Prove the change, and fork the running simulation with it."""
        finding = self.list.current
        if finding is None or finding.change is None:
            return
        self._forked.add(finding.key)
        self._trials.prove(finding)
        change = finding.change
        self._session.ask(TryFork(f"{change.path} {change.after}", change.changes))
        self.dock.bring()  # its numbers stay in sight; the ghost is in the view
        self._show_chosen()

    def _apply(self) -> None:
        """Change the numbers, as one step of undo."""
        finding = self.list.current
        if finding is None or finding.change is None:
            return
        values = {EditPlace(change.field, change.index): change.value for change in finding.change.changes}
        self._edits.set_all(values, f"Change {finding.change.path}")
        self._examiner.note_applied(finding)

    def _write(self) -> None:
        """Show the patch of all changes of the model, this one too."""
        finding = self.list.current
        if finding is not None and finding not in self._examiner.applied:
            self._apply()
        self._session.ask(WriteChanges())

    def _open(self) -> None:
        finding = self.list.current
        if finding is not None and finding.place is not None:
            place = finding.place
            self._session.status.emit(open_at(self._session.store, place.path, place.line, place.column))

    def _silence(self) -> None:
        """Silence the rule in the file, by a patch; without a file, until another model is loaded."""
        finding, path = self.list.current, self._session.path
        if finding is None:
            return
        rule = finding.rule
        if path is None or without_text(path):
            self._examiner.silence(rule)
            self._session.status.emit(f"{rule} is silenced until another model is opened: this one has no file to say so")
            return
        silence = PatchSubject(f"{rule} silenced", lambda: self._examiner.silence(rule), lambda: self._examiner.silence(rule))
        self.writing.propose(lambda path: silence_patch(path, rule), silence)
