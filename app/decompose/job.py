"""Cutting a mesh, in a separate process: it takes seconds to minutes, and can be stopped."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PyQt6.QtCore import QObject, QProcess, pyqtSignal

from tumble import ROOT
from tumble.app.base import program
from tumble.app.decompose.parts import ConvexPart, Fineness, obj
from tumble.physics.compiler.assets.mesh.raw import MeshProblem
from tumble.physics.compiler.assets.mesh.read import read_triangles
from tumble.physics.mjcf.document import FileProblem

_KILLED_IN = 3000  # time in which a process must have ended [ms]


class DecomposeJob(QObject):
    """One mesh at a time. ended: (the parts, largest first; an error message or "")."""

    ended = pyqtSignal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._folder: TemporaryDirectory[str] | None = None

    @property
    def running(self) -> bool:
        """True while a mesh is being cut."""
        return self._process is not None

    def start(self, mesh: ConvexPart, fineness: Fineness) -> None:
        """Cut a mesh; a running cut is cancelled."""
        self.stop()
        self._folder = TemporaryDirectory(prefix="tumble-decompose-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        (folder / "mesh.obj").write_bytes(obj(mesh))
        line = program.command(
            "decompose", str(folder / "mesh.obj"), "-o", str(folder / "parts"), "--concavity", repr(fineness.concavity),
            *(["--parts", str(fineness.most)] if fineness.most else []),
        )  # fmt: skip
        process = self._process = QProcess(self)
        process.setWorkingDirectory(str(ROOT))
        process.setStandardOutputFile(QProcess.nullDevice())
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        process.start(line[0], line[1:])

    def stop(self) -> None:
        """End the process immediately, without a signal."""
        process, self._process = self._process, None
        if process is not None:
            process.finished.disconnect()
            process.errorOccurred.disconnect()
            process.kill()
            process.waitForFinished(_KILLED_IN)
            process.deleteLater()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            why = self._process.errorString()
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
    files = sorted(folder.glob("*.obj"), key=lambda path: int(path.stem.rpartition("_")[2]))
    triangles = [read_triangles(path) for path in files]
    return [ConvexPart(vertices, np.asarray(faces, np.int32)) for vertices, faces in triangles]
