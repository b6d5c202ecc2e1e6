"""The main window: wiring only."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PyQt6.QtWidgets import QLabel, QMainWindow, QPushButton

from tumble.app.base import settings
from tumble.app.base.background import close_all
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import Settings
from tumble.app.preferences.looks import Looks
from tumble.app.shell import curtain
from tumble.app.shell.window import ShellWindow

if TYPE_CHECKING:
    from tumble.app.session.loader import Progress
    from tumble.app.shell.curtain import Opening
    from tumble.app.simulation.thread import Worker
    from tumble.app.viewport.widget import Viewport

log = logging.getLogger(__name__)

RECOMPILED = "Compiled again with the changes: the inertia matrix is laid out otherwise; the state goes on, the history begins"
LOAD, KERNELS = "load", "kernels"  # works whose progress the view shows
CLOSING = 10.0  # time for each piece of work that is still going on when the window closes [s]


class MainWindow(ShellWindow):
    """A session, its view, its docks, and the actions between them."""

    def __init__(self, store: Settings, relay: LogRelay, worker: Worker | None = None, opening: Opening | None = None) -> None:
        """worker: runs the simulation; None: a thread does. opening: text in the window before a model is loaded;
        None: the caller shows it. Raises NoOpenGL where that cannot be drawn."""
        super().__init__()
        self.looks = Looks(store, self)
        self.setWindowTitle("Tumble")
        screen = self.screen()
        self.resize(QSize(1440, 900) if screen is None else QSize(1440, 900).boundedTo(screen.availableSize()))
        self.restoreGeometry(store.get(settings.GEOMETRY))
        if opening is not None:
            curtain.raise_on(self, opening)
        self._fill(store, relay, worker)
        curtain.Unveiling(self, self.viewport, self._furnish) if opening is not None else self._furnish()

    def _fill(self, store: Settings, relay: LogRelay, worker: Worker | None) -> None:
        """Create the contents of the window. They are imported only now, for that takes most of a start."""
        from tumble.app.editing.edits import Edits
        from tumble.app.editing.shapes.structure import StructureFollower
        from tumble.app.film.camera_keys import CameraGuide
        from tumble.app.panels.table import LEFT, RIGHT, Panels
        from tumble.app.preferences.keyboard import KeyGuard
        from tumble.app.preferences.keys import KeyMap
        from tumble.app.rescue.safety import Safety
        from tumble.app.session.session import Session
        from tumble.app.shell import menus, window_actions
        from tumble.app.shell.banners import BannerDesk
        from tumble.app.shell.controlling import ControllerDesk
        from tumble.app.shell.file_choice import LibraryDesk
        from tumble.app.shell.layouts.layout_desk import LayoutDesk
        from tumble.app.shell.reopening import Reopening
        from tumble.app.shell.state_paste import Clipboard
        from tumble.app.shell.toolbar import TimeBar
        from tumble.app.shell.tour.welcome import Welcome
        from tumble.app.shell.unsaved import Leaving
        from tumble.app.shell.view_flags import ViewKeeper
        from tumble.app.viewport.tiles.heads import HeadPart
        from tumble.app.viewport.view_menus import CameraMenu, ModeMenu, ViewsMenu
        from tumble.app.widgets.dock import TabBarTidier, Workbench

        self.session = Session(self, worker, store)
        self.leaving = Leaving(self.session, self)
        self.viewport = self._make_view()
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.edits = self.session.part(Edits)
        self.session.part(StructureFollower)
        self.session.part(CameraGuide).lead(self.viewport)
        self.session.history.set_memory(store.get(settings.HISTORY_MEMORY))
        self.views_kept = ViewKeeper(self.viewport, store)
        self.clipboard = Clipboard(self.session, self.viewport)
        self.actions_by_name = window_actions.make(self)
        self.bench = Workbench(self.session, self.viewport, relay, self.actions_by_name)
        self.panels = Panels(self.bench)
        self.docks = self.panels.docks
        self.safety = Safety(self, self.session, self.viewport, self.view_state, relay)
        self.reopening = Reopening(self.session, self.viewport)
        self.library, self.controlling = LibraryDesk(self.session, self), ControllerDesk(self.session, self)
        self.banners = BannerDesk(self, self.session, self.viewport, self.safety.desk)
        TabBarTidier(self, self.docks)
        self.layouts = LayoutDesk(self, self.viewport, self.panels, store)
        self.layouts.offer(self.actions_by_name)
        self.looks.offer(self.actions_by_name)
        self.cameras = CameraMenu(self.session, self.viewport, self.actions_by_name, self)
        self.views = ViewsMenu(self.actions_by_name, self)
        heads = {HeadPart.CAMERA: self.cameras, HeadPart.MODE: ModeMenu(self.viewport, self), HeadPart.ARRANGE: self.views}
        self.viewport.heads.offer(heads)
        self.toolbar = TimeBar(self.session, self.actions_by_name, self.cameras)
        self.addToolBar(self.toolbar)
        bar = self.menuBar()
        assert bar is not None
        self._recent = menus.fill(
            bar, self.actions_by_name, self.panels.groups(), self.open_path, self.cameras, self.views, self.layouts.fill
        )
        toggles = {f"panel_{dock.objectName()}": toggle for dock in self.docks if (toggle := dock.toggleViewAction()) is not None}
        self.keys = KeyMap(self.actions_by_name | toggles, store, self.session)
        menus.fill_recent(self._recent, store.get(settings.RECENT), self.open_path)
        self._make_status()
        self._connect_session()
        self._connect_desks()
        self._connect_sides()
        self.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        self.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        self.layouts.begin()
        self.welcome = Welcome(self, store)
        self.actions_by_name["tour"].triggered.connect(self.welcome.take_tour)
        if store.get(settings.REMOTE):
            self.remote.set_on(True)
        KeyGuard(self, self.viewport)
        self._show_title()
        self.actions_by_name["gizmo"].setChecked(store.get(settings.GIZMO))
        self.viewport.setFocus()

    def _furnish(self) -> None:
        """Make the parts that can wait for the first pictures: the visible panels, and the mnemonics of menus."""
        from tumble.app.preferences import mnemonics

        self.layouts.furnish()
        bar = self.menuBar()
        assert bar is not None
        mnemonics.assign(bar)

    # ---- wiring

    def _make_view(self) -> Viewport:
        from tumble.app.viewport.widget import Viewport

        store = self.session.store
        samples = store.get(settings.SAMPLES)
        view = Viewport(self.session, samples if samples >= 0 else None)
        view.setAccessibleName("View of the model")
        view.show_time = store.get(settings.SHOW_TIME)
        view.camera_changed.connect(self._show_summary)
        view.broken.connect(partial(self.show_error, "This model cannot be drawn"))
        view.lost.connect(self.end_without_graphics)
        self.setCentralWidget(view)
        view.show()  # now: in a window that is seen already, Qt would do it with the next event, and docks would take its room
        return view

    def _connect_session(self) -> None:
        session = self.session
        session.model_loaded.connect(self._on_loaded)
        session.load_started.connect(lambda name: self._show_progress(LOAD, f"Loading {name}", 0.0))
        session.load_progress.connect(partial(self._on_progress, LOAD))
        session.load_cancelled.connect(lambda name: self._show_progress(LOAD, f"Loading {name} was cancelled", None))
        session.load_ended.connect(lambda files: self._show_progress(LOAD, "", None))
        session.kernels_progress.connect(partial(self._on_progress, KERNELS))
        session.failed.connect(partial(self.show_error, "The simulation was stopped"))
        session.status.connect(self.say)
        session.selection_changed.connect(self._show_selection)
        self.edits.changed.connect(self.viewport.note_edit)
        for change in (self.edits.settled, self.edits.cleared):
            change.connect(self._show_unsaved)
        self.edits.show_in(self.actions_by_name["undo"], self.actions_by_name["redo"])

    def _connect_desks(self) -> None:
        self.safety.said.connect(self.say)
        self.safety.wanted.connect(self.open_path)
        self.library.wanted.connect(self.open_path)
        self.banners.wanted.connect(self.show_error)
        self.banners.over.connect(self.hide_error)
        self.banners.said.connect(self.say)
        self.controlling.failed.connect(self.show_error)

    def _connect_sides(self) -> None:
        """The switch of a side is on while the first of its docks is open; Escape leaves any dock."""
        from tumble.app.panels.table import LEFT, RIGHT
        from tumble.app.preferences import keyboard

        for dock in self.docks:
            dock.left.connect(partial(keyboard.leave, self, self.viewport))
        for name, side in (("left_panels", LEFT), ("right_panels", RIGHT)):
            toggle = self.panels.of_side(side)[0].toggleViewAction()
            if toggle is not None:  # unlike visibilityChanged it is not emitted for a tab that is in front
                toggle.toggled.connect(self.actions_by_name[name].setChecked)

    def _make_status(self) -> None:
        from tumble.app.shell.doctor_chip import DoctorChip
        from tumble.app.shell.unsaved import UnsavedBadge

        self._summary = QLabel()
        self._log_button = QPushButton("Log")
        self._log_button.setFlat(True)
        self._log_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        log_dock = self.panels.dock("log")
        self._log_button.clicked.connect(lambda: log_dock.setVisible(not log_dock.isVisible()))
        bar = self.statusBar()
        assert bar is not None
        self.unsaved = UnsavedBadge(self.session, self.edits)
        self.doctor = DoctorChip(self.session)
        bar.addPermanentWidget(self.doctor)
        bar.addPermanentWidget(self.unsaved)
        bar.addPermanentWidget(self._summary)
        bar.addPermanentWidget(self._log_button)
        bar.setSizeGripEnabled(False)

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Show that files may be dropped."""
        from tumble.app.shell import file_choice
        from tumble.app.widgets.layout import accept_copy

        if event is not None and file_choice.local_files(event.mimeData()):
            accept_copy(event)
            self._show_dropping(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent | None) -> None:
        """The files were taken elsewhere."""
        self._show_dropping(False)

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Open dropped files."""
        from tumble.app.shell import file_choice
        from tumble.app.widgets.layout import accept_copy

        self._show_dropping(False)
        if event is None:
            return
        chosen = file_choice.choose(file_choice.local_files(event.mimeData()))
        accept_copy(event)
        if chosen.model is not None:
            self.open_path(chosen.model)
        if chosen.controller is not None:
            self.controlling.open(chosen.controller)
        if chosen.remark:
            log.info("%s", chosen.remark)
            self.say(chosen.remark)

    def _show_dropping(self, dropping: bool) -> None:
        self.viewport.dropping = dropping
        self.viewport.update()

    # ---- session signals

    def _on_progress(self, work: str, progress: Progress) -> None:
        from tumble.app.session.loading import preparing

        over = progress.done == 1.0 and work == KERNELS  # those of a load are there once the model is
        self._show_progress(work, "" if over else preparing(progress), None if over else progress.done)

    def _show_progress(self, work: str, text: str, share: float | None) -> None:
        """Show the progress of a task; a share of None ends it, and shows another running one."""
        before, bar = self._at_work.pop(work, None), self.statusBar()
        if before is not None and not text and bar is not None and bar.currentMessage() == before[0]:
            bar.clearMessage()
        if share is not None:
            self._at_work[work] = text, share
        self.viewport.progress = next(reversed(self._at_work.values()), None)
        self.viewport.update()
        if text:
            self.say(text)

    def _on_loaded(self) -> None:
        from tumble.app.describe.warnings import noted
        from tumble.app.library import archive as archives
        from tumble.app.shell import menus, view_flags

        self.hide_error()
        path = self.session.origin
        if path is not None and not self.safety.owns(path) and not self.shows_script:
            menus.fill_recent(self._recent, self.session.store.add_recent(path), self.open_path)
            self.session.store.put(settings.FOLDER, str(archives.on_disk(path).parent))
            done = f"Opened {path}" if self.session.kept is None else f"Reloaded {archives.short(path)}{self.edits.carried}"
            done = RECOMPILED if self.session.recompiled else done
            self.say(done + noted(self.session.loaded_model))
        view_flags.take_up(self.session, self.viewport, self.panels)
        self._show_title()
        self._show_summary()

    def _show_title(self) -> None:
        path = self.session.origin
        self.setWindowTitle(f"{self.safety.title(path)}[*] — Tumble" if path else "Tumble")

    def _show_unsaved(self) -> None:
        self.setWindowModified(self.edits.unsaved > 0)
        self.unsaved.follow()

    def _show_summary(self) -> None:
        model = self.session.model
        if model is None:
            return
        camera = self.viewport.camera_name()
        from tumble.app.describe.names import counts

        self._summary.setText("   ·   ".join([*counts(model, "body", "v", "u"), camera]))

    def _show_selection(self, body: int) -> None:
        from tumble.app.describe.names import selected_words

        if body > 0:
            self.say(f"Selected {selected_words(self.session.loaded_model, body)}")

    # ---- the window

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Remember the layout, end the threads, release the OpenGL objects; with unsaved changes, ask before."""
        if event is not None and not self._may_close():
            event.ignore()
            return
        self.session.store.put(settings.GEOMETRY, self.saveGeometry().data())
        if not self.shows_script:  # whose window has its own looks, and no file
            self.layouts.remember()
            self.views_kept.keep()
            path = self.welcome.left_for_tour or self.session.origin
            self.reopening.end(path if path is not None and not self.safety.owns(path) else None)
        self.session.store.sync()
        self.cleanup()
        super().closeEvent(event)

    def _may_close(self) -> bool:
        """True if nothing is lost or the user agreed; else ask, and close again with the answer."""
        if self._ended or not self.has_unsaved:
            return True
        self.leaving.then(self.close_at_once, "closing the window")
        return False

    def cleanup(self) -> bool:
        """End the threads and release the OpenGL objects; again is harmless. Returns True if all threads have ended."""
        self._ended = True
        closing: list[Callable[[], bool]] = [] if self.script is None else [self.script.close]
        closing += [self.library.close, self.safety.close, self.session.close]
        if "remote" in self.__dict__:
            closing.insert(0, self.remote.close)
        if "filming" in self.__dict__:
            closing.insert(-2, self.filming.close)
        closing.append(partial(close_all, CLOSING))
        ended = [close() for close in closing]  # each of them, whatever became of those before
        if not all(ended):
            log.warning("a thread did not end in time")
        self.viewport.cleanup()
        return all(ended)
