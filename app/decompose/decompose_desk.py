"""Decomposition in the window: the dialog, the process that cuts, the parts in the view, and the change of the model's file."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import QCoreApplication, QObject, QProcess, pyqtSignal
from PyQt6.QtWidgets import QDoubleSpinBox, QLabel, QProgressBar, QPushButton, QSpinBox, QWidget

from tumble.app.base import files
from tumble.app.base.background import Background, end_process, program_process
from tumble.app.decompose import parts as cutting
from tumble.app.decompose.parts import COARSEST, FINEST, MOST_PARTS, USUAL, ConvexPart, DecomposeError, Fineness, obj
from tumble.app.decompose.patch import CutPatch, cut, mesh_of, triangles_of
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.patch import Patch
from tumble.app.session.loader import without_text
from tumble.app.session.session import Session
from tumble.app.widgets.form import FormDialog
from tumble.app.widgets.patch_writing import PatchView, lines_of, protected
from tumble.physics.compiler.assets.mesh.asset import recipe
from tumble.physics.compiler.assets.mesh.process import placed, turned
from tumble.physics.compiler.assets.mesh.raw import MeshProblem
from tumble.physics.compiler.assets.mesh.read import read_triangles
from tumble.physics.mjcf.document import FileProblem
from tumble.render.mesh.primitives import flat_mesh
from tumble.render.scene.scene import Pieces

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.compiler.pose import Quat
    from tumble.physics.mjcf.spec import Element

log = logging.getLogger(__name__)


class DecomposeDialog(FormDialog):
    """cut: cut it, with a Fineness; stop: cancel; write: show the patch."""

    cut = pyqtSignal(object)
    stop = pyqtSignal()
    write = pyqtSignal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Decompose a mesh", "Cut", parent)
        self.head, self.said = QLabel(), QLabel()
        for label in (self.head, self.said):
            label.setWordWrap(True)
        self.concavity = QDoubleSpinBox()
        self.concavity.setAccessibleName("Concavity")
        self.concavity.setRange(FINEST, COARSEST)
        self.concavity.setSingleStep(0.01)
        self.concavity.setValue(USUAL)
        self.concavity.setToolTip("How far a part may be from convex, relative to the size of the mesh: smaller gives more parts")
        self.most = QSpinBox()
        self.most.setAccessibleName("Most parts")
        self.most.setRange(0, MOST_PARTS)
        self.most.setSpecialValueText("no limit")
        self.most.setToolTip("Largest number of parts; each takes time when bodies come near")
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.save = QPushButton("Write to file…")
        self.save.clicked.connect(self.write)
        self.save.setEnabled(False)
        self.go.clicked.connect(self._toggle)
        self.away.setText("Close")
        self._running = False
        self.form.addRow("Concavity", self.concavity)
        self.form.addRow("Parts", self.most)
        self.column.insertWidget(0, self.head)
        self.column.insertWidget(2, self.bar)
        self.column.insertWidget(3, self.said, 1)
        self.buttons.addWidget(self.save)
        self.setMinimumWidth(380)

    def begin(self, head: str) -> None:
        """Begin with another mesh; head: its description."""
        self.head.setText(head)
        self.show_running(False)
        self.show_result("", writable=False)
        self.appear()

    def show_running(self, running: bool) -> None:
        """Show if the mesh is being cut."""
        self._running = running
        self.bar.setVisible(running)
        self.go.setText("Stop" if running else "Cut")
        if running:
            self.show_result("Cutting: this takes seconds to minutes. The simulation continues.", writable=False)

    def show_result(self, text: str, *, writable: bool) -> None:
        """Show the result; writable: whether there are parts to write."""
        self.said.setText(text)
        self.save.setEnabled(writable)
        self.save.setDefault(writable)

    def _toggle(self) -> None:
        if self._running:
            self.stop.emit()
        else:
            self.cut.emit(Fineness(self.concavity.value(), self.most.value()))




class DecomposeJob(QObject):
    """One mesh at a time. ended: (the parts, largest first; an error message or "")."""

    ended = pyqtSignal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._folder: TemporaryDirectory[str] | None = None

    def start(self, mesh: ConvexPart, fineness: Fineness) -> None:
        """Cut a mesh; a running cut is cancelled."""
        self.stop()
        self._folder = TemporaryDirectory(prefix="tumble-decompose-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        (folder / "mesh.obj").write_bytes(obj(mesh))
        most = ["--parts", str(fineness.most)] if fineness.most else []
        process = self._process = program_process(
            self, "decompose", str(folder / "mesh.obj"), "-o", str(folder / "parts"), "--concavity", repr(fineness.concavity),
            *most, failed=self._on_failed,
        )  # fmt: skip
        process.setStandardOutputFile(QProcess.nullDevice())
        process.finished.connect(self._on_finished)
        process.start()

    def stop(self) -> None:
        """End the process immediately, without a signal."""
        process, self._process = self._process, None
        if process is not None:
            end_process(process)
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _on_failed(self, why: str) -> None:
        self.stop()
        self.ended.emit([], f"the program could not be started: {why}")

    def _on_finished(self, code: int) -> None:
        if self._process is None or self._folder is None:
            return
        errors = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").strip()
        parts: list[ConvexPart] = []
        if code == 0:
            errors = ""
            try:
                parts = read_parts(Path(self._folder.name) / "parts")
            except (MeshProblem, FileProblem) as error:
                errors = str(error)
        self.stop()
        self.ended.emit(parts, errors.splitlines()[-1] if errors else "" if parts else "there was no result")


def read_parts(folder: Path) -> list[ConvexPart]:
    """The parts in a folder, in the order of their numbers."""
    names = sorted(folder.glob("*.obj"), key=lambda path: int(path.stem.rpartition("_")[2]))
    return [ConvexPart(vertices, np.asarray(faces, np.int32)) for vertices, faces in map(read_triangles, names)]


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
        self._summary = ""  # of the parts
        self._cut: CutPatch | None = None
        self._background = Background("decompose", self)  # compiling the model would block the window for a second
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
        if reason := without_text(path):
            self._session.status.emit(f"Decompose: {reason}")
            return
        self._background.run(
            lambda: _read(path, geom),
            lambda read: self._begin(path, geom, *read),
            lambda why: self._session.status.emit(f"Decompose: {why}"),
            (DecomposeError, PatchError),
        )

    def _begin(self, path: Path, geom: int, element: Element, mesh: ConvexPart) -> None:
        if path != self._session.path:
            return  # another model was opened in the meantime
        self._geom, self._element, self._mesh, self._parts = geom, element, mesh, []
        hull = "It collides as its convex hull: hollow parts are filled."
        self._dialog().begin(f"Mesh <b>{element.get('name')}</b>, {len(mesh.faces)} triangles. {hull}")

    def _dialog(self) -> DecomposeDialog:
        if self.dialog is None:
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
        self._parts, mesh = parts, self._mesh
        if problem or mesh is None:
            self._say_result(f"Not cut: {problem}", writable=False)
            return
        self._background.run(
            lambda: cutting.summary(parts, mesh.vertices, mesh.faces),
            lambda text: self._show_parts(parts, text),
            lambda why: self._say_result(f"Not cut: {why}", writable=False),
        )

    def _show_parts(self, parts: list[ConvexPart], summary: str) -> None:
        if parts is self._parts and self._element is not None:  # else it was left, or is cut again
            self._summary = summary
            self._say_result(summary, writable=True)
            self.shown.emit(pieces(self._session.loaded_model, self._geom, self._element, parts))

    def _say_result(self, text: str, *, writable: bool) -> None:
        self._dialog().show_running(False)
        self._dialog().show_result(text, writable=writable)

    def _leave(self) -> None:
        """The dialog is closed, or another model runs: remove its drawing from the view."""
        self.job.stop()
        self._geom, self._mesh, self._element, self._parts = -1, None, None, []
        self.shown.emit(None)
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.hide()

    # ---- writing

    def _offer(self) -> None:
        """Show the patch, once its result is known to load."""
        path, parts, geom = self._session.path, self._parts, self._geom
        if path is None:
            return
        self._say_result("Checking that the changed model loads.", writable=False)
        self._background.run(
            lambda: _cut(path, geom, parts),
            lambda made: self._show_cut(path, parts, *made),
            lambda why: self._say_result(f"Not written: {why}", writable=True),
            (DecomposeError, PatchError),
        )

    def _show_cut(self, path: Path, parts: list[ConvexPart], made: CutPatch, patch: Patch, lines: list[str]) -> None:
        if parts is not self._parts:
            return  # it was left in the meantime
        self._cut = made
        self._say_result(self._summary, writable=True)
        if self.view is None:
            self.view = PatchView(self._dialog())
            self.view.copy.hide()
            self.view.wanted.connect(self._save)
        folder = next(iter(made.files)).parent
        message = f"{len(made.files)} files in {folder}, and these lines in the model's file. The result was loaded and checked."
        self.view.show_patch(patch, lines, protected=protected(path), said=message)

    def _save(self, patch: Patch) -> None:
        assert self._cut is not None
        assert self.view is not None
        parts, view = self._cut.files, self.view
        self._session.writing = True
        view.wait("Saving\N{HORIZONTAL ELLIPSIS}")
        self._background.run(
            lambda: _write(parts, patch), lambda nothing: self._on_saved(patch, len(parts)), self._on_not_saved,
            (files.FileError, PatchError, OSError),
        )  # fmt: skip

    def _on_not_saved(self, why: str) -> None:
        assert self.view is not None
        self._session.writing = False
        self._session.files_written.emit([])
        self.view.refuse(why)

    def _on_saved(self, patch: Patch, count: int) -> None:
        assert self.view is not None
        self._session.writing = False
        self.view.accept()
        names = ", ".join(file.path.name for file in patch.files)
        log.info("wrote %d convex parts, and %s", count, names)
        self._session.status.emit(f"Saved {names} with {count} convex parts")
        self._leave()
        self._session.files_written.emit([(file.path, file.before, file.after) for file in patch.files])
        self._session.read_again({str(file.path): "" for file in patch.files})  # keeps the state, as when an editor saves


def _read(path: Path, geom: int) -> tuple[Element, ConvexPart]:
    """The <mesh> of a geom, and its triangles. Raises DecomposeError, PatchError."""
    document, _, mesh = mesh_of(path, geom)
    return mesh, ConvexPart(*triangles_of(document, mesh))


def _cut(path: Path, geom: int, parts: list[ConvexPart]) -> tuple[CutPatch, Patch, list[str]]:
    """Files to write, and the diff of the model's file. Raises DecomposeError, PatchError."""
    result = cut(path, geom, parts)
    patch = Patch(result.patches, [], result.left)
    return result, patch, lines_of(patch)


def _write(made: dict[Path, bytes], patch: Patch) -> None:
    """The files of the parts, then the model's own. Raises FileError, PatchError, OSError."""
    for file, data in made.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(file, data)
    patch.save()


def pieces(model: MjModel, geom: int, mesh: Element, parts: Sequence[ConvexPart]) -> Pieces:
    """The parts of the <mesh> of a geom of a compiled model, to be drawn instead of it."""
    asked, index = recipe(mesh, hull=False), int(model.geom_dataid[geom])
    w, x, y, z = (float(v) for v in model.mesh_quat[index])
    frame: Quat = (w, x, y, z)
    mirrored = float(np.prod(asked.scale)) < 0
    meshes = []
    for part in parts:
        points = turned(placed(part.vertices, asked) - model.mesh_pos[index], frame)
        meshes.append(flat_mesh(points[part.faces[:, ::-1] if mirrored else part.faces]))
    return Pieces(geom, tuple(meshes))
