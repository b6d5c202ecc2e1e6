"""The main window: wiring only."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PyQt6.QtWidgets import QLabel, QMainWindow, QMessageBox, QPushButton

from app import __version__
from app.base import settings
from app.base.background import close_all
from app.base.log_relay import LogRelay
from app.base.settings import Settings
from app.describe.names import body_name
from app.describe.warnings import noted
from app.editing.edits import Edits
from app.editing.parameters import kind_named
from app.film.camera_keys import CameraGuide, CameraKeys
from app.gallery.desk import LibraryDesk
from app.library import archive as archives
from app.look import actions, theme
from app.panels.breakpoints.model import Breakpoints
from app.panels.control.controllers import PATIENCE, Controllers
from app.panels.control.generators import Generators
from app.panels.table import LEFT, RIGHT, Panels, Parts
from app.panels.timeline.bookmarks import mark_here
from app.rescue.safety import Safety
from app.session.hot_reload import HotReload
from app.session.loader import CompiledModel, Progress
from app.session.panel_kernels import preparing
from app.session.replay_saving import Replays
from app.session.session import Session
from app.shell import drops, file_choice, menus, state_paste, view_state
from app.shell.reopening import Reopening
from app.shell.toolbar import TimeBar
from app.shell.tour.welcome import Welcome
from app.simulation.thread import Worker
from app.viewport.widget import Viewport
from app.widgets.dock_tidying import TabBarTidier

if TYPE_CHECKING:
    from app.film.filming import Filming
    from app.panels.control.trust_dialog import TrustDialog
    from app.panels.inspector.panel import InspectorPanel
    from app.panels.timeline.panel import TimelinePanel

log = logging.getLogger(__name__)

# Grows when docks change so much that a remembered layout no longer fits.
LAYOUT_VERSION = 5
STATUS_TIME = 6000  # [ms]
CLOSING = 10.0  # time for each piece of work that is still going on when the window closes [s]


class MainWindow(QMainWindow):
    """A session, its view, its docks, and the actions between them."""

    def __init__(self, store: Settings, relay: LogRelay, worker: Worker | None = None) -> None:
        """worker: runs the simulation; None: a thread does."""
        super().__init__()
        self._store = store
        self.session = Session(self, worker)
        samples = store.get(settings.SAMPLES)
        self.viewport = Viewport(self.session, samples if samples >= 0 else None)
        self.viewport.show_time = store.get(settings.SHOW_TIME)
        self.setCentralWidget(self.viewport)
        self.setWindowIcon(theme.app_icon())
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.generators, self.controllers = Generators(self.session), Controllers(self.session, store)
        self.replays = Replays(self.session.history, self)
        self.safety = Safety(self, self.session, self.viewport, self.view_state, relay, store)
        self.reopening = Reopening(self.session, self.viewport, store)
        self.edits, self.hot_reload = Edits(self.session), HotReload(self.session)
        self.breakpoints = Breakpoints(self.session, store)
        self.camera_keys = CameraKeys(self)
        view = self.viewport
        self.camera_guide = CameraGuide(self.session, self.camera_keys, lambda: view.camera, view.set_camera)
        self.session.history.set_memory(store.get(settings.HISTORY_MEMORY))
        self.panels = Panels(Parts(
            self.session, view, store, relay, self.edits, self.generators, self.controllers, self.breakpoints,
            self.camera_keys, self.camera_guide,
        ))  # fmt: skip
        self.docks = self.panels.docks
        self.library = LibraryDesk(self.session, store, self)
        self.library.wanted.connect(self.open_path)
        TabBarTidier(self, self.docks)
        self.actions_by_name = self._make_actions()
        self._wire_panels()
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
        self.welcome = Welcome(self, store)
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
            "screenshot": lambda: self.filming.ask_screenshot(),
            "record": lambda: self.filming.toggle_recording(),
            "export": lambda: self.filming.ask_export(),
            "copy_state": self.copy_state,
            "paste_state": self.paste_state,
            "quit": self.close,
            "undo": self.edits.stack.undo,
            "redo": self.edits.stack.redo,
            "restore": self.edits.restore,
            "write": lambda: self.panels.parameters.bar.ask(),
            "pause": session.toggle_paused,
            "step": session.step,
            "back": session.back,
            "reset": session.reset,
            "faster": session.faster,
            "slower": session.slower,
            "bookmark": partial(mark_here, session),
            "explain": self.breakpoints.explain,
            "fork": lambda: self.panels.forks.fork_now(),
            "clear_ctrl": self.generators.clear_controls,
            "align": view.align,
            "free_camera": self._escape,
            "next_camera": partial(view.cycle_camera, 1),
            "previous_camera": partial(view.cycle_camera, -1),
            "select_parent": session.select_parent,
            "reset_layout": self.reset_layout,
            "report": self.safety.ask_report,
            "tour": lambda: self.welcome.take_tour(),
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
        session.load_cancelled.connect(lambda name: self._show_progress(f"Loading {name} was cancelled", None))
        session.kernels_progress.connect(self._on_progress)
        session.load_failed.connect(partial(self.show_error, "This model does not load"))
        session.failed.connect(partial(self.show_error, "The simulation was stopped"))
        session.status.connect(self._say)
        self.replays.saved.connect(lambda path, seconds: self._say(f"Saved {path}: {seconds:.2f} s"))
        self.replays.failed.connect(partial(self.show_error, "The replay is not saved"))
        self.safety.said.connect(self._say)
        self.safety.wanted.connect(self.open_path)
        self.controllers.changed.connect(self._show_trust)
        self.controllers.stuck_changed.connect(self._show_stuck)
        session.selection_changed.connect(self._show_selection)
        self.viewport.camera_changed.connect(self._show_summary)
        self.breakpoints.hit.connect(lambda hit: self.panels.dock("breakpoints").bring())
        self.edits.changed.connect(self.viewport.note_edit)
        self.edits.show_in(self.actions_by_name["undo"], self.actions_by_name["redo"])

    def _wire_panels(self) -> None:
        """What panels tell each other, from when they are there."""
        panels, session = self.panels, self.session
        for name in ("contacts", "contact_events"):  # while open, behind another tab too, contacts can be chosen
            panels.dock(name).opened.connect(partial(session.contact_choice.show_in, name))
        panels.when_made("contacts", lambda panel: panel.tune.connect(self._show_parameters))
        panels.when_made("contact_events", lambda panel: panel.report.connect(lambda: self.safety.ask_report()))
        panels.when_made("islands", lambda panel: panel.offer(self.actions_by_name["island"]))
        panels.when_made("inspector", self._wire_inspector)
        panels.when_made("timeline", self._wire_timeline)
        for action, name in (("left_panels", "joints"), ("right_panels", "control")):
            toggle = panels.dock(name).toggleViewAction()
            if toggle is not None:  # unlike visibilityChanged it does not tell of a tab that is in front
                toggle.toggled.connect(self.actions_by_name[action].setChecked)

    def _wire_inspector(self, panel: InspectorPanel) -> None:
        panel.plot.connect(self._plot)
        panel.stop.connect(self._propose_stop)

    def _wire_timeline(self, panel: TimelinePanel) -> None:
        keys = self.camera_keys
        keys.changed.connect(lambda: panel.set_camera_keys(keys.marks()))
        panel.set_camera_keys(keys.marks())

    def _make_status(self) -> None:
        self._summary = QLabel()
        self._log_button = QPushButton("Log")
        self._log_button.setFlat(True)
        self._log_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        log_dock = self.panels.dock("log")
        self._log_button.clicked.connect(lambda: log_dock.setVisible(not log_dock.isVisible()))
        bar = self.statusBar()
        assert bar is not None
        bar.addPermanentWidget(self._summary)
        bar.addPermanentWidget(self._log_button)
        bar.setSizeGripEnabled(False)

    def _lay_out(self) -> None:
        self.resize(1440, 900)
        self.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        self.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        self.panels.lay_out(self)

    def _restore(self) -> None:
        self.restoreGeometry(self._store.get(settings.GEOMETRY))
        layout = self._store.get(settings.LAYOUT)
        if layout:
            self.restoreState(layout, LAYOUT_VERSION)

    # ---- made when they are first asked for: few sessions need them, and importing them takes long

    @cached_property
    def filming(self) -> Filming:
        """Videos and pictures of the view."""
        from app.film.filming import Filming

        made = Filming(self.session, self.viewport, self._store, self.camera_keys, self.camera_guide, self)
        made.said.connect(self._say)
        made.failed.connect(self.show_error)
        made.offer(self.actions_by_name["record"], self.statusBar())
        return made

    @cached_property
    def trust(self) -> TrustDialog:
        """Whether a controller may run."""
        from app.panels.control.trust_dialog import TrustDialog

        return TrustDialog(self.controllers, self)

    def _show_trust(self) -> None:
        if self.controllers.asked is not None or "trust" in self.__dict__:
            self.trust.follow()

    # ---- files

    def open_path(self, path: Path, compiled: CompiledModel | None = None) -> None:
        """Open a model or a replay; compiled: where it is already."""
        self.viewport.error = ""
        self.session.open(path, compiled)

    def ask_open(self) -> None:
        """Let the user choose a file."""
        chosen = file_choice.model_to_open(self, self._store.get(settings.FOLDER))
        if chosen is not None:
            self.open_path(chosen)

    def view_state(self) -> dict[str, Any]:
        """What a replay file says of the view: plain JSON."""
        return view_state.describe(self.viewport, self.docks, self.camera_keys)

    def ask_replay(self) -> None:
        """Let the user choose where what has happened is saved."""
        path = self.session.path
        if path is None:
            self._say("Nothing has happened yet: open a model")
            return
        chosen = file_choice.replay_to_save(self, self._store.get(settings.FOLDER), path)
        if chosen is not None:
            self.replays.save(chosen, self.view_state())

    def ask_controller(self) -> None:
        """Let the user choose a controller file; it runs once it is trusted."""
        chosen = file_choice.controller_to_run(self, self._store.get(settings.FOLDER))
        if chosen is not None:
            self.controllers.open(chosen)

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

    def _on_progress(self, progress: Progress) -> None:
        over = progress.done == 1.0 and not self.session.loading  # those of a load are there once the model is
        self._show_progress("" if over else preparing(progress), None if over else progress.done)

    def _show_progress(self, text: str, share: float | None) -> None:
        self.viewport.progress = None if share is None else (text, share)
        self.viewport.update()
        if text:
            self._say(text)

    def _on_loaded(self) -> None:
        self.viewport.progress = None
        self.viewport.error = ""
        path = self.session.origin
        if path is not None and not self.safety.owns(path):
            menus.fill_recent(self._recent, self._store.add_recent(path), self.open_path)
            self._store.put(settings.FOLDER, str(archives.on_disk(path).parent))
            done = f"Opened {path}" if self.session.kept is None else f"Reloaded {archives.short(path)}{self.edits.carried}"
            self._say(done + noted(self.session.loaded_model))
        view_state.take_up(self.session, self.viewport, self.docks, self.camera_keys)
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
            what = f"It has not returned for {PATIENCE:g} s, and time stands still: stop it in the control panel or by the menu."
            self.show_error("The controller does not return", what)
            self.panels.dock("control").show()
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
        self.panels.parameters.look_at(kind_named("geom"), geom)
        self.panels.dock("parameters").bring()

    def _plot(self, name: str) -> None:
        self.panels.dock("signals").bring()
        self.panels.signals.add(name)

    def _propose_stop(self, text: str) -> None:
        self.panels.dock("breakpoints").bring()
        self.panels.breakpoints.propose(text)

    def _show_selection(self, body: int) -> None:
        if body > 0:
            self._say(f"Selected {body_name(self.session.loaded_model, body)}: Ctrl+drag turns it, Ctrl+right drag pulls it")

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
        """Cancel a load, else close what lies over the view, else free the camera."""
        help_action = self.actions_by_name["help"]
        if self.session.loading:
            self.session.cancel_load()
        elif self.viewport.show_help:
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
        path = self.welcome.left_for_tour or self.session.origin
        self.reopening.end(path if path is not None and not self.safety.owns(path) else None)
        self._store.sync()
        self.cleanup()
        super().closeEvent(event)

    def cleanup(self) -> bool:
        """End the threads and release the OpenGL objects; again is harmless. Whether all threads have ended."""
        self.controllers.close()
        closing: list[Callable[[], bool]] = [self.library.close, self.replays.close, self.safety.close, self.session.close]
        if "filming" in self.__dict__:
            closing.insert(2, self.filming.close)
        if self.panels.dock("forks").is_made:
            closing.insert(-1, self.panels.forks.forks.close)
        closing.append(partial(close_all, CLOSING))
        ended = [close() for close in closing]  # each of them, whatever became of those before
        if not all(ended):
            log.warning("a thread did not end in time")
        self.viewport.cleanup()
        return all(ended)
