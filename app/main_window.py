"""The main window: wiring only."""

from __future__ import annotations

import logging
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PyQt6.QtWidgets import QDockWidget, QFileDialog, QLabel, QMainWindow, QMessageBox, QPushButton

from app import __version__, actions, drops, menus, settings, state_paste, theme, view_state
from app.controllers.host import PATIENCE, Controllers
from app.controllers.script import SUFFIX as CONTROLLER_SUFFIX
from app.docks.breakpoints import BreakpointsDock
from app.docks.contact_events import ContactEventsDock
from app.docks.contacts import ContactsDock
from app.docks.control import ControlDock
from app.docks.filming import Filming
from app.docks.forks import ForksDock
from app.docks.inspector import InspectorDock
from app.docks.islands import IslandsDock
from app.docks.joints import JointsDock
from app.docks.log import LogDock, LogRelay
from app.docks.options import OptionsDock
from app.docks.parameters import ParametersDock
from app.docks.signals import SignalsDock
from app.docks.solver import SolverDock
from app.docks.tidy import TabBarTidier, keep_in_sight
from app.docks.timeline import TimelineDock
from app.docks.trust_dialog import TrustDialog
from app.edits import Edits
from app.generators import Generators
from app.hot_reload import HotReload
from app.library import archive as archives
from app.library.desk import LibraryDesk
from app.loader import SUFFIXES, Compiled
from app.model_info import body_name
from app.parameters import kind_named
from app.replay.archive import SUFFIX
from app.replays import Replays
from app.safety import Safety
from app.session import Session
from app.settings import Settings
from app.toolbar import TimeBar
from app.viewport.widget import Viewport

log = logging.getLogger(__name__)

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
# Grows when docks change so much that a remembered layout no longer fits.
LAYOUT_VERSION = 5
STATUS_TIME = 6000  # [ms]


class MainWindow(QMainWindow):
    """A session, its view, its docks, and the actions between them."""

    def __init__(self, store: Settings, relay: LogRelay) -> None:
        super().__init__()
        self._store = store
        self.session = Session(self)
        samples = store.get(settings.SAMPLES)
        self.viewport = Viewport(self.session, samples if samples >= 0 else None)
        self.viewport.show_time = store.get(settings.SHOW_TIME)
        self.setCentralWidget(self.viewport)
        self.setWindowIcon(theme.app_icon())
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.generators, self.controllers = Generators(self.session), Controllers(self.session, store)
        self.replays = Replays(self.session.past, self)
        self.trust = TrustDialog(self.controllers, self)
        self.safety = Safety(self, self.session, self.viewport, self.view_state, relay, store)
        self.joints, self.log = JointsDock(self.session), LogDock(relay)
        self.control = ControlDock(self.session, self.generators, self.controllers)
        self.edits, self.hot_reload = Edits(self.session), HotReload(self.session)
        self.parameters = ParametersDock(self.session, self.edits)
        self.options = OptionsDock(self.session, self.edits)
        self.signals, self.breakpoints = SignalsDock(self.session, store), BreakpointsDock(self.session, store)
        self.contacts, self.islands = ContactsDock(self.session), IslandsDock(self.session, self.edits)
        self.solver, self.events = SolverDock(self.session), ContactEventsDock(self.session)
        self.forks, self.inspector = ForksDock(self.session, self.edits), InspectorDock(self.session, self.edits)
        self.timeline = TimelineDock(self.session, self.viewport, store)
        self.filming = Filming(self.session, self.viewport, store, self)
        self.library = LibraryDesk(self.session, store, self)
        self.library.wanted.connect(self.open_path)
        self.docks: list[QDockWidget] = [
            self.inspector, self.joints, self.control, self.parameters, self.options, self.breakpoints, self.contacts,
            self.events, self.islands, self.solver, self.forks, self.signals, self.timeline, self.filming.camera_path, self.log,
        ]  # fmt: skip
        for dock in self.docks:
            keep_in_sight(dock)
        TabBarTidier(self, self.docks)
        self.actions_by_name = self._make_actions()
        self.islands.offer(self.actions_by_name["island"])
        self.toolbar = TimeBar(self.session, self.actions_by_name)
        self.addToolBar(self.toolbar)
        bar = self.menuBar()
        assert bar is not None
        self._recent = menus.fill(bar, self.actions_by_name, self.docks, self.open_path)
        menus.fill_recent(self._recent, store.get(settings.RECENT), self.open_path)
        self._make_status()
        self._connect_session()
        self._lay_out()
        self._restore()
        self._show_title()
        self.viewport.setFocus()

    # ---- wiring

    def _make_actions(self) -> dict[str, QAction]:
        specs = (
            *(*actions.FILE, *actions.EDIT, *actions.SIMULATION, *actions.CAMERA, *actions.WINDOW, *actions.HELP),
            *(*actions.VISUALIZATION, *actions.RENDERING, *actions.GROUPS, actions.FRAMES, actions.LABELS),
        )
        made = actions.make(list(specs), self, self.viewport)
        session, view = self.session, self.viewport
        slots = {
            "open": self.ask_open,
            "library": self.library.show,
            "reload": session.reload,
            "open_controller": self.ask_controller,
            "stop_controller": self.controllers.stop,
            "save_replay": self.ask_replay,
            "screenshot": self.filming.ask_screenshot,
            "record": self.filming.toggle_recording,
            "export": self.filming.ask_export,
            "copy_state": self.copy_state,
            "paste_state": self.paste_state,
            "quit": self.close,
            "undo": self.edits.stack.undo,
            "redo": self.edits.stack.redo,
            "restore": self.edits.restore,
            "write": self.parameters.bar.ask,
            "pause": session.toggle_paused,
            "step": session.step,
            "back": session.back,
            "reset": session.reset,
            "faster": session.faster,
            "slower": session.slower,
            "bookmark": self.timeline.mark,
            "explain": self.breakpoints.breakpoints.explain,
            "fork": self.forks.fork_now,
            "clear_ctrl": self.control.clear_all,
            "align": view.align,
            "free_camera": self._escape,
            "next_camera": partial(view.cycle_camera, 1),
            "previous_camera": partial(view.cycle_camera, -1),
            "select_parent": session.select_parent,
            "reset_layout": self.reset_layout,
            "report": self.safety.reporter.ask,
            "about": self.show_about,
            "labels": lambda: self._say(f"Labels: {view.cycle_labels()}"),
            "frames": lambda: self._say(f"Frames: {view.cycle_frames()}"),
        }
        for name, slot in slots.items():
            made[name].triggered.connect(lambda checked=False, slot=slot: slot())
        made["fullscreen"].triggered.connect(self._set_fullscreen)
        made["left_panels"].triggered.connect(partial(self._show_side, LEFT))
        made["right_panels"].triggered.connect(partial(self._show_side, RIGHT))
        made["help"].triggered.connect(partial(self._set_overlay, "show_help"))
        made["info"].triggered.connect(partial(self._set_overlay, "show_info"))
        made["reload_on_save"].toggled.connect(self._set_reload_on_save)
        made["reload_on_save"].setChecked(self._store.get(settings.RELOAD_ON_SAVE))
        stored = self._store.get(settings.FLAGS)
        for spec in (*actions.VISUALIZATION, *actions.RENDERING, *actions.GROUPS):
            if spec.name in stored:
                view.set_option(spec.name, not view.option(spec.name))
            made[spec.name].setChecked(view.option(spec.name))
            made[spec.name].triggered.connect(partial(self._set_option, spec.name))
        return made

    def _connect_session(self) -> None:
        session = self.session
        session.model_loaded.connect(self._on_loaded)
        session.load_started.connect(self._on_load_started)
        session.load_progress.connect(self._on_progress)
        session.kernels_progress.connect(self._on_progress)
        session.load_failed.connect(partial(self.show_error, "This model does not load"))
        session.failed.connect(partial(self.show_error, "The simulation was stopped"))
        session.status.connect(self._say)
        self.filming.said.connect(self._say)
        self.filming.failed.connect(self.show_error)
        self.replays.saved.connect(lambda path, seconds: self._say(f"Saved {path}: {seconds:.2f} s"))
        self.replays.failed.connect(partial(self.show_error, "The replay is not saved"))
        self.safety.said.connect(self._say)
        self.safety.wanted.connect(self.open_path)
        self.events.report.connect(self.safety.reporter.ask)
        self.controllers.stuck_changed.connect(self._show_stuck)
        session.selection_changed.connect(self._show_selection)
        self.viewport.camera_changed.connect(self._show_summary)
        keys = self.filming.camera_path.keys
        keys.changed.connect(lambda: self.timeline.set_camera_keys(keys.marks()))
        self.contacts.tune.connect(self._show_parameters)
        self.inspector.plot.connect(self._plot)
        self.inspector.stop.connect(self._propose_stop)
        self.edits.changed.connect(self.viewport.note_edit)
        self.edits.show_in(self.actions_by_name["undo"], self.actions_by_name["redo"])

    def _make_status(self) -> None:
        self._summary = QLabel()
        self._log_button = QPushButton("Log")
        self._log_button.setFlat(True)
        self._log_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._log_button.clicked.connect(lambda: self.log.setVisible(not self.log.isVisible()))
        bar = self.statusBar()
        assert bar is not None
        bar.addPermanentWidget(self._summary)
        bar.addPermanentWidget(self._log_button)
        bar.setSizeGripEnabled(False)
        self.filming.offer(self.actions_by_name["record"], bar)

    def _lay_out(self) -> None:
        self.resize(1440, 900)
        self.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        self.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        sides: dict[Qt.DockWidgetArea, list[QDockWidget]] = {
            LEFT: [self.joints, self.inspector, self.islands],
            RIGHT: [self.control, self.parameters, self.options, self.breakpoints, self.filming.camera_path],
            BOTTOM: [self.contacts, self.events, self.solver, self.forks, self.signals, self.timeline, self.log],
        }
        for area, docks in sides.items():
            for dock in docks:
                if dock.isFloating():
                    dock.setFloating(False)
                self.addDockWidget(area, dock)
                dock.setVisible(dock in (self.joints, self.inspector, self.control, self.parameters, self.options))
            for before, after in pairwise(docks):
                self.tabifyDockWidget(before, after)
        self.joints.raise_()
        self.control.raise_()
        self.resizeDocks([self.joints, self.control], [290, 310], Qt.Orientation.Horizontal)
        self.resizeDocks([self.log], [150], Qt.Orientation.Vertical)
        for name, dock in (("left_panels", self.joints), ("right_panels", self.control)):
            toggle = dock.toggleViewAction()
            if toggle is not None:  # unlike visibilityChanged it does not tell of a tab that is in front
                toggle.toggled.connect(self.actions_by_name[name].setChecked)

    def _restore(self) -> None:
        self.restoreGeometry(self._store.get(settings.GEOMETRY))
        layout = self._store.get(settings.LAYOUT)
        if layout:
            self.restoreState(layout, LAYOUT_VERSION)

    # ---- files

    def open_path(self, path: Path, compiled: Compiled | None = None) -> None:
        """Open a model or a replay; compiled: where it is already."""
        self.viewport.error = ""
        self.session.open(path, compiled)

    def ask_open(self) -> None:
        """Let the user choose a file."""
        patterns = " ".join(f"*{suffix}" for suffix in SUFFIXES)
        folder = self._store.get(settings.FOLDER) or str(Path.home())
        name, _ = QFileDialog.getOpenFileName(
            self, "Open a model", folder, f"MJCF models, archives and replays ({patterns});;All files (*)"
        )
        if name:
            self.open_path(Path(name))

    def view_state(self) -> dict[str, Any]:
        """What a replay file says of the view: plain JSON."""
        return view_state.describe(self.viewport, self.docks, self.filming.camera_path.keys)

    def ask_replay(self) -> None:
        """Let the user choose where what has happened is saved."""
        path = self.session.path
        if path is None:
            self._say("Nothing has happened yet: open a model")
            return
        folder = Path(self._store.get(settings.FOLDER) or str(Path.home()))
        wanted = folder / f"{path.stem}-{datetime.now():%Y%m%d-%H%M%S}{SUFFIX}"
        name, _ = QFileDialog.getSaveFileName(self, "Save what has happened", str(wanted), f"Replays (*{SUFFIX})")
        if name:
            self.replays.save(Path(name), self.view_state())

    def ask_controller(self) -> None:
        """Let the user choose a controller file; it runs once it is trusted."""
        folder = self._store.get(settings.FOLDER) or str(Path.home())
        name, _ = QFileDialog.getOpenFileName(self, "Run a controller", folder, f"Python files (*{CONTROLLER_SUFFIX})")
        if name:
            self.controllers.open(Path(name))

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Say that files may be dropped."""
        if event is not None and drops.local_files(event.mimeData()):
            event.acceptProposedAction()
            self._show_dropping(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent | None) -> None:
        """The files were taken elsewhere."""
        self._show_dropping(False)

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Open what was dropped."""
        self._show_dropping(False)
        if event is None:
            return
        chosen = drops.choose(drops.local_files(event.mimeData()))
        event.acceptProposedAction()
        if chosen.model is not None:
            self.open_path(chosen.model)
        if chosen.controller is not None:
            self.controllers.open(chosen.controller)
        if chosen.remark:
            log.info("%s", chosen.remark)
            self._say(chosen.remark)

    def _show_dropping(self, dropping: bool) -> None:
        self.viewport.dropping = dropping
        self.viewport.update()

    def copy_state(self) -> None:
        """Put the state on the clipboard as a <key> element."""
        clipboard = QGuiApplication.clipboard()
        text = self.session.state_text()
        if text and clipboard is not None:
            clipboard.setText(text)
            self._say("Copied the state as a <key> element")

    def paste_state(self) -> None:
        """Take the state of the <key> element on the clipboard."""
        clipboard = QGuiApplication.clipboard()
        try:
            self._say(state_paste.paste(self.session, clipboard.mimeData() if clipboard is not None else None))
        except state_paste.PasteError as error:
            self._say(f"Nothing pasted: {error}")

    # ---- what the session says

    def _on_load_started(self, name: str) -> None:
        self._show_progress(f"Loading {name}", 0.0)

    def _on_progress(self, done: int, total: int, name: str) -> None:
        if done == total and not self.session.loading:  # those of a load are there once the model is
            self.viewport.progress = None
            self.viewport.update()
            return
        self._show_progress(f"Preparing kernels {done}/{total}: {name}", done / max(total, 1))

    def _show_progress(self, text: str, share: float) -> None:
        self.viewport.progress = (text, share)
        self.viewport.update()
        self._say(text)

    def _on_loaded(self) -> None:
        self.viewport.progress = None
        self.viewport.error = ""
        path = self.session.origin
        if path is not None and not self.safety.owns(path):
            menus.fill_recent(self._recent, self._store.add_recent(path), self.open_path)
            self._store.put(settings.FOLDER, str(archives.on_disk(path).parent))
            self._say(f"Opened {path}" if self.session.kept is None else f"Reloaded {archives.short(path)}{self.edits.carried}")
        view_state.take_up(self.session, self.viewport, self.docks, self.filming.camera_path.keys)
        self._show_title()
        self._show_summary()

    def show_error(self, title: str, message: str) -> None:
        """Show what went wrong over the view; it stays until it is closed or a model loads."""
        self.viewport.progress = None
        self.viewport.error_title, self.viewport.error = title, message
        self.viewport.update()
        self._say(message.splitlines()[0] if message else "")

    def _show_stuck(self, stuck: bool) -> None:
        if stuck:
            what = f"It has not returned for {PATIENCE:g} s, and time stands: stop it in the control panel or by the menu."
            self.show_error("The controller does not return", what)
            self.control.show()
        else:
            self.viewport.error = ""
            self.viewport.update()

    def _show_title(self) -> None:
        path = self.session.origin
        self.setWindowTitle(f"{self.safety.title(path)} — Tumble" if path else "Tumble")

    def _show_summary(self) -> None:
        model = self.session.model
        if model is None:
            return
        camera = self.viewport.camera_name()
        counts = [(model.nbody - 1, "body", "bodies"), (model.nv, "dof", "dofs"), (model.nu, "actuator", "actuators")]
        parts = [f"{count} {one if count == 1 else many}" for count, one, many in counts]
        self._summary.setText("   ·   ".join([*parts, camera]))

    def _show_parameters(self, geom: int) -> None:
        self.parameters.look_at(kind_named("geom"), geom)
        _open(self.parameters)

    def _plot(self, name: str) -> None:
        _open(self.signals)
        self.signals.add(name)

    def _propose_stop(self, text: str) -> None:
        _open(self.breakpoints)
        self.breakpoints.propose(text)

    def _show_selection(self, body: int) -> None:
        if body > 0:
            self._say(f"Selected {body_name(self.session.model, body)}: Ctrl+drag turns it, Ctrl+right drag pulls it")

    def _say(self, text: str) -> None:
        bar = self.statusBar()
        if bar is not None:
            bar.showMessage(text, STATUS_TIME)

    # ---- the window

    def _set_option(self, name: str, on: bool) -> None:
        self.viewport.set_option(name, on)
        flags = {*self._store.get(settings.FLAGS)} ^ {name}
        self._store.put(settings.FLAGS, sorted(flags))

    def _set_reload_on_save(self, on: bool) -> None:
        self.hot_reload.set_on(on)
        self._store.put(settings.RELOAD_ON_SAVE, on)

    def _set_overlay(self, name: str, on: bool) -> None:
        setattr(self.viewport, name, on)
        self.viewport.update()

    def _escape(self) -> None:
        """Close what lies over the view, else free the camera."""
        help_action = self.actions_by_name["help"]
        if self.viewport.show_help:
            help_action.trigger()
        elif self.viewport.error:
            self.viewport.error = ""
            self.viewport.update()
        else:
            self.viewport.free_camera()

    def _show_side(self, area: Qt.DockWidgetArea, on: bool) -> None:
        for dock in self.docks:
            if self.dockWidgetArea(dock) == area and not dock.isFloating():
                dock.setVisible(on)

    def _set_fullscreen(self, on: bool) -> None:
        if on:
            self.showFullScreen()
        else:
            self.showNormal()

    def reset_layout(self) -> None:
        """Bring the docks back to where they were at first."""
        self._lay_out()

    def show_about(self) -> None:
        """Say what this is."""
        text = f"<b>Tumble {__version__}</b><p>Interactive simulation of MJCF models.</p><p>GPL-3.0-or-later</p>"
        QMessageBox.about(self, "About Tumble", text)

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Remember the layout, end the threads, release the OpenGL objects."""
        self._store.put(settings.GEOMETRY, self.saveGeometry().data())
        self._store.put(settings.LAYOUT, self.saveState(LAYOUT_VERSION).data())
        self._store.sync()
        self.cleanup()
        super().closeEvent(event)

    def cleanup(self) -> None:
        """End the threads and release the OpenGL objects; again is harmless."""
        self.controllers.close()
        parts = (self.library, self.replays, self.filming, self.safety, self.forks.forks, self.session)
        ended = [part.close() for part in parts]  # each of them, whatever became of those before
        if not all(ended):
            log.warning("a thread did not end in time")
        self.viewport.cleanup()


def _open(dock: QDockWidget) -> None:
    """Show a dock, in front of its tabs."""
    dock.show()
    dock.raise_()
