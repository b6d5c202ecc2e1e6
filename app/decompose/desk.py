"""What the window has of decomposition: from a mesh geom to its parts, shown in the view, and into the model's file."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PyQt6.QtCore import QCoreApplication, QObject, pyqtSignal
from PyQt6.QtWidgets import QWidget

from app import files
from app.decompose import parts as cutting
from app.decompose.job import DecomposeJob
from app.decompose.parts import ConvexPart, DecomposeError, Fineness
from app.decompose.patch import CutPatch, cut, mesh_of, triangles_of
from app.decompose.preview import pieces
from app.docks.patch_view import PatchView
from app.docks.write_bar import protected
from app.patch import Patch, PatchError
from app.session import Session
from physics.mjcf.spec import Element

if TYPE_CHECKING:
    from app.decompose.dialog import DecomposeDialog

log = logging.getLogger(__name__)


class DecomposeDesk(QObject):
    """shown: draw these Pieces, or none."""

    shown = pyqtSignal(object)

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.dialog: DecomposeDialog | None = None
        self.view: PatchView | None = None
        self.job = DecomposeJob(self)
        self.job.ended.connect(self._on_ended)
        self._geom = -1
        self._mesh: ConvexPart | None = None
        self._element: Element | None = None
        self._parts: list[ConvexPart] = []
        self._cut: CutPatch | None = None
        session.model_loaded.connect(self._leave)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.job.stop)

    def ask(self, geom: int) -> None:
        """Offer to cut the mesh of this geom."""
        path = self._session.path
        if path is None or not cutting.available():
            self._session.status.emit("this model has no file" if path is None else f"Decompose: {cutting.INSTALL}")
            return
        try:
            document, _, mesh = mesh_of(path, geom)
            vertices, faces = triangles_of(document, mesh)
        except (DecomposeError, PatchError) as error:
            self._session.status.emit(f"Decompose: {error}")
            return
        self._geom, self._element, self._mesh, self._parts = geom, mesh, ConvexPart(vertices, faces), []
        dialog = self._dialog()
        hull = "It collides as its convex hull: what is hollow in it is filled."
        dialog.appear(f"Mesh <b>{mesh.get('name')}</b>, {len(faces)} triangles. {hull}")

    def _dialog(self) -> DecomposeDialog:
        if self.dialog is None:
            from app.decompose.dialog import DecomposeDialog

            self.dialog = DecomposeDialog(self._window)
            self.dialog.cut.connect(self._start)
            self.dialog.stop.connect(self._stop)
            self.dialog.write.connect(self._offer)
            self.dialog.finished.connect(lambda result: self._leave())
        return self.dialog

    # ---- cutting

    def _start(self, fineness: Fineness) -> None:
        assert self._mesh is not None
        self._dialog().show_running(True)
        self.job.start(self._mesh, fineness)

    def _stop(self) -> None:
        self.job.stop()
        self._dialog().show_running(False)
        self._dialog().show_result("Stopped.", writable=bool(self._parts))

    def _on_ended(self, parts: list[ConvexPart], problem: str) -> None:
        self._parts = parts
        dialog = self._dialog()
        dialog.show_running(False)
        if problem or self._mesh is None or self._element is None:
            dialog.show_result(f"Not cut: {problem}", writable=False)
            return
        dialog.show_result(cutting.summary(parts, self._mesh.vertices, self._mesh.faces), writable=True)
        self.shown.emit(pieces(self._session.model, self._geom, self._element, parts))

    def _leave(self) -> None:
        """The dialog is closed, or another model runs: nothing of it stays in the view."""
        self.job.stop()
        self._geom, self._mesh, self._element, self._parts = -1, None, None, []
        self.shown.emit(None)
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.hide()

    # ---- writing

    def _offer(self) -> None:
        """Show what would be written."""
        path = self._session.path
        if path is None:
            return
        try:
            self._cut = cut(path, self._geom, self._parts)
        except (DecomposeError, PatchError) as error:
            self._dialog().show_result(f"Not written: {error}", writable=True)
            return
        if self.view is None:
            self.view = PatchView(self._dialog())
            self.view.copy.hide()
            self.view.wanted.connect(self._save)
        count = len(self._cut.files)
        folder = next(iter(self._cut.files)).parent
        said = f"{count} files in {folder}, and these lines in the model's file. The result was loaded and checked."
        self.view.show_patch(Patch(self._cut.patches, [], self._cut.left), protected=protected(path), said=said)

    def _save(self, patch: Patch) -> None:
        assert self._cut is not None
        assert self.view is not None
        try:
            for file, data in self._cut.files.items():
                file.parent.mkdir(parents=True, exist_ok=True)
                files.write_whole(file, data)
            patch.save()
        except (files.FileError, PatchError, OSError) as error:
            self.view.refuse(str(error))
            return
        self.view.accept()
        names = ", ".join(file.path.name for file in patch.files)
        log.info("wrote %d convex parts, and %s", len(self._cut.files), names)
        self._session.status.emit(f"Saved {names} with {len(self._cut.files)} convex parts")
        self._leave()
        self._session.files_written.emit([(file.path, file.before, file.after) for file in patch.files])
        self._session.read_again({str(file.path): "" for file in patch.files})  # keeps the state, as when an editor saves

