"""Loads at work, seen from the window's thread: one at a time counts, those before it come to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PyQt6.QtCore import QObject, pyqtSignal

from app.session.loader import CompiledModel, FirstLook, Loaded, Loader
from physics import KernelProgress


class Loading(QObject):
    """Starts loads, and tells of the last one how far it is and how it ended.

    still: the FirstLook at a model whose kernels have to be compiled; progress: how far that is, a KernelProgress;
    loaded: (Loaded, or None where the files are as known; the files looked for, by digest); failed: (what is wrong; the path;
    the files).
    """

    still = pyqtSignal(object)
    progress = pyqtSignal(object)
    loaded = pyqtSignal(object, object)
    failed = pyqtSignal(str, object, object)

    # From the loader's thread; Qt queues them into this object's.
    _still = pyqtSignal(object, object)
    _progress = pyqtSignal(object, object)
    _success = pyqtSignal(object, object)
    _failure = pyqtSignal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.only_looks = False  # whether what failed last opens without its looks
        self._loader: Loader | None = None
        self._retired: list[Loader] = []
        self._still.connect(self._on_still)
        self._progress.connect(self._on_progress)
        self._success.connect(self._on_success)
        self._failure.connect(self._on_failure)

    @property
    def busy(self) -> bool:
        """Whether a model is being loaded."""
        return self._loader is not None

    def start(
        self,
        path: Path,
        compiled: CompiledModel | None = None,
        known: Mapping[str, str] | None = None,
        without_looks: bool = False,
    ) -> None:
        """Load a file, in place of what is being loaded; compiled: where it is already; known, without_looks: as for a Loader."""
        self.abandon()
        loader = Loader(
            path,
            lambda look: self._still.emit(loader, look),
            lambda progress: self._progress.emit(loader, progress),
            lambda loaded: self._success.emit(loader, loaded),
            lambda message: self._failure.emit(loader, message),
            compiled,
            known,
            without_looks,
        )
        self._loader = loader
        loader.start()

    def abandon(self) -> None:
        """Let the load at work come to nothing."""
        self._retired = [old for old in self._retired if not old.join(0)]
        if self._loader is not None:
            self._loader.cancel()
            self._retire()

    def join(self, timeout: float) -> bool:
        """Wait for all threads [s]; whether they have ended. One in the midst of a kernel ends after it."""
        self._retired = [old for old in self._retired if not old.join(timeout)]
        return not self._retired

    def _retire(self) -> None:
        assert self._loader is not None
        self._retired.append(self._loader)
        self._loader = None

    def _on_still(self, loader: Loader, look: FirstLook) -> None:
        if loader is self._loader:
            self.still.emit(look)

    def _on_progress(self, loader: Loader, progress: KernelProgress) -> None:
        if loader is self._loader:
            self.progress.emit(progress)

    def _on_success(self, loader: Loader, loaded: Loaded | None) -> None:
        if loader is self._loader:
            self._retire()
            self.loaded.emit(loaded, loader.files)

    def _on_failure(self, loader: Loader, message: str) -> None:
        if loader is self._loader:
            self._retire()
            self.only_looks = loader.only_looks
            self.failed.emit(message, loader.path, loader.files)
