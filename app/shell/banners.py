"""Banners over the view, with buttons: a model that fails to load, a failing controller, an instability."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QLabel, QWidget

from tumble.app.base import editor
from tumble.app.base.settings import EDITOR, Settings
from tumble.app.editing.edits import Edits
from tumble.app.panels.breakpoints.breakpoints import BLOWUP, Breakpoints
from tumble.app.panels.control.controllers import PATIENCE, Controllers
from tumble.app.rescue.error_dialog import ErrorDesk
from tumble.app.session.events import EventKind
from tumble.app.session.requests import AskDoctor, Show
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.form import ChoiceBox, FormDialog

if TYPE_CHECKING:
    from tumble.app.widgets.problem_banner import ProblemBanner, Remedy

LOAD_FAILED = "This model does not load"
BLEW_UP = "The state blew up and was reset"
STUCK = "The controller does not return"
WHAT_STUCK = (
    f"It has not returned for {PATIENCE:g} s, and the simulation is blocked: stop it in the Control panel, or by "
    "Simulation, Stop the controller."
)
_LINE = re.compile(r"line (\d+): ")


class BannerDesk(QObject):
    """Of one window. wanted: title, message and remedies, to be shown; over: the banner is no longer needed;
    said: a status message. A banner about the controller goes once the controller runs, one about a blow-up with an edit: if the
    edit was no cure, the next blow-up shows it again."""

    wanted = pyqtSignal(str, str, object)
    over = pyqtSignal()
    said = pyqtSignal(str)

    def __init__(self, parent: QObject, session: Session, viewport: Viewport, errors: ErrorDesk) -> None:
        super().__init__(parent)
        self._session, self._viewport, self._errors = session, viewport, errors
        self._hushed = False  # the user has closed the banner of a blow-up of this model
        self._of_controller = ""  # title of the last banner about the controller
        self._edit_pending = False  # whether the last snapshot may be from before an edit
        session.part(Edits).settled.connect(self._on_edited)
        session.advanced.connect(self._on_advanced)
        session.history.blew_up.connect(self._on_blown)
        session.model_loaded.connect(self._listen_again)
        session.load_failed.connect(self._on_load_failed)
        controllers = session.part(Controllers)
        controllers.failed.connect(self._on_controller)
        controllers.stuck_changed.connect(self._on_stuck)
        controllers.changed.connect(self._follow_controller)

    @cached_property
    def banner(self) -> ProblemBanner:
        """The one widget; created with the first message."""
        from tumble.app.widgets.problem_banner import ProblemBanner

        banner = ProblemBanner(self._viewport)
        banner.done.connect(self.over)
        banner.closed.connect(self.dismiss)
        return banner

    def show(self, title: str, message: str, remedies: Sequence[Remedy] = ()) -> None:
        """Show an error, replacing the present banner; each of several errors of files opens its line."""
        places = {k: spot for k, line in enumerate(message.splitlines()) if (spot := self._place_in(line)) is not None}
        links = {k: partial(self._edit, *place) for k, place in places.items()} if len(places) > 1 else {}
        self.banner.tell(title, message, remedies, links)
        self._viewport.head = float(self.banner.height()) + 8

    def hide(self) -> None:
        """Hide the banner."""
        if "banner" in self.__dict__:
            self.banner.hide()
        self._viewport.head = 0.0

    def dismiss(self) -> None:
        """The user closes it: this model's next blow-ups are not shown."""
        self._hushed |= self.banner.title.text() == BLEW_UP
        self.over.emit()

    def _end(self, title: str) -> None:
        """Close the banner if it still has this title, and not another one by now."""
        if title and "banner" in self.__dict__ and self.banner.isVisible() and self.banner.title.text() == title:
            self.over.emit()

    def _listen_again(self) -> None:
        self._hushed = False

    # ---- a model that does not load

    def _on_load_failed(self, message: str) -> None:
        error = self._session.loads.failure
        if error is not None and error.choices:
            self.over.emit()  # nothing is wrong: the library asks which model
            self.said.emit(message)
            return
        title = LOAD_FAILED if error is None or error.count == 1 else f"{LOAD_FAILED}: {error.count} errors"
        self.wanted.emit(title, message, self._after_load(message))

    def _after_load(self, message: str) -> list[Remedy]:
        """Buttons for a model that fails to load: open its file at the line, reload."""
        from tumble.app.widgets.problem_banner import Remedy

        asked = self._session.asked
        place = self._place_in(message)
        remedies = [] if place is None else [self._open_at(*place)]
        if asked is not None:
            remedies.append(Remedy("Try again", "Read the file again", partial(self._session.open, asked)))
        return remedies

    def _place_in(self, message: str) -> tuple[Path, int, int] | None:
        """The place in a file that a message begins with; files without a folder are looked for next to the requested model."""
        asked = self._session.asked
        return editor.place_in(message, asked.parent if asked is not None else None)

    def _open_at(self, path: Path, line: int, column: int = 1) -> Remedy:
        from tumble.app.widgets.problem_banner import Remedy

        tip = f"Open {path.name} in your text editor (Tools, Text editor)"
        return Remedy(f"Open at line {line}", tip, partial(self._edit, path, line, column), closes=False)

    def _edit(self, path: Path, line: int, column: int) -> None:
        self.said.emit(editor.open_at(self._session.store, path, line, column))

    # ---- a controller that fails, or does not return

    def _follow_controller(self) -> None:
        controllers = self._session.part(Controllers)
        if controllers.running and not controllers.stuck:
            self._end(self._of_controller)

    def _on_stuck(self, stuck: bool) -> None:
        if not stuck:
            self._end(STUCK)
            return
        self._session.ask(Show("control"))
        self._of_controller = STUCK
        self.wanted.emit(STUCK, WHAT_STUCK, [])

    def _on_controller(self, text: str, trace: str) -> None:
        from tumble.app.widgets.problem_banner import Remedy

        controllers = self._session.part(Controllers)
        source = controllers.source
        if source is None:
            return
        line = _LINE.match(text)
        lines = source.text.splitlines()
        number = int(line[1]) if line is not None else 0
        code = f"\n{lines[number - 1].strip()}" if 0 < number <= len(lines) else ""
        title = self._of_controller = f"The controller {source.path.name} failed and is off"
        about = partial(self._show, title, text, trace)
        show = Remedy("Show", "The Control panel, and the error with its traceback", about, closes=False)
        again = Remedy("Reload", "Run the file as it is now", controllers.run_again)
        opened = [self._open_at(source.path, number)] if number else []
        self.wanted.emit(title, text + code, [show, *opened, again])

    def _show(self, title: str, text: str, trace: str) -> None:
        self._session.ask(Show("control"))
        self._errors.show(title, text, trace)
        if self._errors.dialog is not None and trace:
            self._errors.dialog.show_details(True)

    # ---- a state that blows up

    def _on_edited(self) -> None:
        self._edit_pending = True
        self._end(BLEW_UP)

    def _on_advanced(self) -> None:
        self._edit_pending = self._edit_pending and not self._session.is_obeyed

    def _on_blown(self) -> None:
        from tumble.app.widgets.problem_banner import Remedy

        session = self._session
        points = session.part(Breakpoints)
        if self._hushed or self._edit_pending or points.points[BLOWUP].on:
            return  # the breakpoint stops before it, and its panel shows the cause
        why = next((event.text for event in reversed(session.history.events) if event.kind is EventKind.WARNING), "")
        remedies = [
            Remedy("Explain", "Go back to before it, run to the step that caused it, and show the cause", points.explain),
            Remedy("Go back", "Pause at the last good state before it", self._go_back),
            Remedy("Doctor", "What is wrong with the model, and what would change it", partial(session.ask, AskDoctor())),
        ]
        self.wanted.emit(BLEW_UP, why, remedies)

    def _go_back(self) -> None:
        history = self._session.history
        if history.blown is not None:
            history.go(history.blown)
        else:
            self.said.emit("The last good state is no longer kept")


AUTOMATIC = "(the first that is installed)"
HELP = "{file}, {line} and {column} stand for the place.\nFor a known editor its name is enough."


class EditorDialog(FormDialog):
    """Asks for the command, and stores it."""

    def __init__(self, store: Settings, parent: QWidget) -> None:
        super().__init__("Text editor", "Save", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._store = store
        self.command = ChoiceBox([AUTOMATIC, *editor.known()], "The command that opens a file at a line", width=360)
        self.command.setAccessibleName("Command of the text editor")
        self.command.setCurrentText(store.get(EDITOR) or AUTOMATIC)
        self.form.addRow("Command", self.command)
        words = QLabel(HELP)
        words.setProperty("dim", True)
        self.form.addRow("", words)
        self.wanted.connect(self._save)

    def _save(self) -> None:
        """Remember the command if it can be started."""
        text = self.command.currentText().strip()
        if text in ("", AUTOMATIC):
            self._store.put(EDITOR, "")
            self.accept()
            return
        try:
            program = editor.arguments(text, Path("model.xml"), 1)[0]
        except ValueError as error:
            self.refuse(f"This command is not understood: {error}")
            return
        if shutil.which(program) is None:
            self.refuse(f"There is no program {shlex.quote(program)} on this computer")
            return
        self._store.put(EDITOR, editor.completed(text) or text)
        self.accept()
