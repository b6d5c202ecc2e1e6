"""Pictures and videos of the view in the window: recording, export, camera path, screenshots."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QStatusBar, QWidget

from tumble import physics
from tumble.app.base.background import Background
from tumble.app.base.files import FileError, require_writable
from tumble.app.base.keys_in_text import with_keys
from tumble.app.film.camera_keys import CameraGuide, CameraKeys, Motion
from tumble.app.film.capture_dialogs import PictureForm, RecordBadge, RecordDialog, ScreenshotDialog
from tumble.app.film.export import Export, Footage, Order, Source
from tumble.app.film.export_dialog import FILE, LAST, PATH, VIEW, ExportDialog, Wish
from tumble.app.film.offline import OnionSkins, save_depth, save_objects, save_png
from tumble.app.film.recording import Recording, RecordingPhase
from tumble.app.film.video import VideoError
from tumble.app.look import theme
from tumble.app.replay.replay_file import Replay
from tumble.app.session.history import Cut
from tumble.app.session.session import Session
from tumble.app.session.trails import PastGhosts, Trails
from tumble.app.viewport.photo import Photo, PhotoError, array_of
from tumble.app.viewport.widget import Viewport
from tumble.render.camera import CameraKind

if TYPE_CHECKING:
    from tumble.physics import MjModel

CLOSING = 10.0  # time for a picture to be written when the window closes [s]


class Filming(QObject):
    """said: status message; failed: title and error message.

    Few sessions film, and the encoder and its dialogs take long to import: the window creates this on first use.
    """

    said = pyqtSignal(str)
    failed = pyqtSignal(str, str)

    def __init__(self, session: Session, view: Viewport, parent: QWidget) -> None:
        """parent: of its dialogs."""
        super().__init__(parent)
        self._session, self._view = session, view
        self._keys, self._guide = session.part(CameraKeys), session.part(CameraGuide)
        store = session.store
        self.recording, self.export = Recording(session), Export(self)
        self.badge = RecordBadge(self.recording)
        self.record_dialog = RecordDialog(store, parent)
        self.screenshot_dialog = ScreenshotDialog(store, parent)
        self.export_dialog = ExportDialog(self.export, store, parent)
        self._action: QAction | None = None
        self._background = Background("picture", self)
        view.onlooker = self.recording
        self.record_dialog.wanted.connect(self._record)
        self.screenshot_dialog.wanted.connect(self._photograph)
        self.export_dialog.ordered.connect(self._start_export)
        self.recording.changed.connect(self._show_recording)
        self.recording.saved.connect(self.said)
        self.recording.failed.connect(lambda message: self.failed.emit("The recording stopped", message))
        self.export.ended.connect(self._on_exported)

    def offer(self, record: QAction, bar: QStatusBar | None) -> None:
        """The action that begins and ends a recording, and where its state is shown."""
        self._action = record
        if bar is not None:
            bar.insertPermanentWidget(0, self.badge)
        self._show_recording()

    # ---- recording

    def toggle_recording(self) -> None:
        """Ask how to record, or end the recording."""
        if self.recording.phase is RecordingPhase.RUNNING:
            self.recording.stop()
        elif self.recording.phase is RecordingPhase.FINISHING:
            self.said.emit(f"{self.recording.path.name} is being finished: {self.recording.waiting} frames left")
            self.recording.stop()  # it may be stuck
        else:
            self.record_dialog.propose(self._stem(), *self._size())

    def _record(self) -> None:
        dialog = self.record_dialog
        try:
            self.recording.start(dialog.file.path, *self._size(), dialog.rate, panels=dialog.panels.isChecked())
        except VideoError as error:
            dialog.refuse(str(error))
            return
        dialog.remember()
        dialog.accept()
        self._view.update()  # the first frame, also where time stands
        self.said.emit(f"Recording {self.recording.path}")

    def _show_recording(self) -> None:
        if self._action is not None:
            running = self.recording.phase is RecordingPhase.RUNNING
            self._action.setIcon(theme.icon("stop", "bad") if running else theme.icon("record"))
            self._action.setText("Stop recordin&g" if running else "Record &video…")
            self._action.setToolTip(with_keys(f"{'Stop recording' if running else 'Record what the view shows'}  (Ctrl+R)"))

    # ---- pictures

    def ask_screenshot(self) -> None:
        """Ask which picture to save."""
        several = len(self._view.tiles.shown()) > 1
        self.screenshot_dialog.propose(self._stem(), *self._size(), active=self._size(whole=False) if several else None)

    def _photograph(self) -> None:
        dialog = self.screenshot_dialog
        photo, path = dialog.photo(), dialog.file.path
        if photo is None:
            return
        if dialog.misfit():
            dialog.refuse(dialog.misfit())
            return
        try:
            require_writable(path)
            save = self._saving(dialog.picture_form, photo, path)
        except (FileError, PhotoError) as error:
            dialog.refuse(str(error))
            return
        dialog.remember()
        dialog.accept()
        self._background.run(
            save,
            lambda nothing: self.said.emit(f"Saved {path}"),
            lambda why: self.failed.emit("The picture was not saved", why),
            (FileError,),
        )

    def _saving(self, form: PictureForm, photo: Photo, path: Path) -> Callable[[], None]:
        """Function that writes the current picture to a file, from any thread. Raises PhotoError."""
        if not form.measured:
            image = self._view.photograph(photo)
            return lambda: save_png(array_of(image), path, transparent=photo.transparent)
        seen = self._view.looking.measure(photo.width, photo.height)
        return partial(save_objects if form is PictureForm.OBJECTS else save_depth, seen, path)

    # ---- export

    def ask_export(self) -> None:
        """Ask which video of the past to export."""
        model = self._session.model
        cameras = [] if model is None else [_camera_name(model, k) for k in range(model.ncam)]
        turns = self._view.camera.kind != CameraKind.FIXED
        keys = len(self._keys.keys)
        size, seconds = self._size(whole=False), self._session.history.seconds
        self.export_dialog.propose(self._stem(), size, seconds, cameras, keys, turns, self._view.options.mode)

    def _start_export(self, wish: Wish) -> None:
        fixed = "" if wish.camera in (VIEW, PATH) else _camera_name(self._session.loaded_model, wish.camera) or str(wish.camera)
        guide, orbit = self._guide, wish.orbit
        if not orbit and wish.camera == VIEW and guide.motion is Motion.ORBIT:
            orbit = guide.speed
        width, height = wish.size
        order = Order(
            wish.output, width, height, wish.fps, wish.speed, overlay=wish.overlay, camera=self._view.camera, fixed=fixed,
            orbit=orbit, path=self._keys.keys if wish.camera == PATH else (), options=replace(self._view.options, mode=wish.mode),
            skins=self.skins(),
        )  # fmt: skip
        self.export.start(order, wish.file if wish.source == FILE else self.cut(wish.seconds if wish.source == LAST else None))

    def skins(self) -> OnionSkins:
        """Ghosts and trails of the view, for its videos."""
        ghosts, trails = self._session.part(PastGhosts), self._session.part(Trails)
        number = ghosts.number if ghosts.on else 0
        return OnionSkins(number, ghosts.interval, trails.places(), max(trails.seconds, 1e-3))

    def cut(self, seconds: float | None) -> Source:
        """The last seconds on the timeline [s], None: all of it."""
        history, timestep = self._session.history, self._session.history.timestep

        def hand_over(answer: Callable[[Footage | str], None]) -> None:
            def on_cut(cut: Cut | str) -> None:
                if isinstance(cut, str):
                    answer(cut)
                    return
                skip = 0.0 if seconds is None else max(0.0, cut.seconds - seconds)
                answer(Footage(Replay(cut.bundle, cut.timeline), cut.begin * timestep, skip))

            history.cut(on_cut, seconds)

        return hand_over

    def _on_exported(self, well: bool, message: str) -> None:
        self.export_dialog.say(message, bad=not well and not message.startswith("Stopped"))
        self.said.emit(message)

    # ---- names and sizes

    def _stem(self) -> str:
        return self._session.path.stem if self._session.path else "tumble"

    def _size(self, *, whole: bool = True) -> tuple[int, int]:
        """Size of all views, or of the active one, in pixels."""
        ratio = self._view.devicePixelRatioF()
        width, height = (self._view.width(), self._view.height()) if whole else self._view.picture_size
        return round(width * ratio), round(height * ratio)

    def close(self) -> bool:
        """End running work, keep finished parts; returns whether all threads have ended."""
        return all([self.recording.close(), self.export.close(), self._background.close(CLOSING)])


def _camera_name(model: MjModel, k: int) -> str:
    return physics.mj_id2name(model, physics.mjtObj.mjOBJ_CAMERA, k) or ""
