"""Running loads, seen from the window's thread: only the latest counts, earlier ones are cancelled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.session.loader import FirstLook, LoadCancelled, Loaded, Loader, LoadError, LoadRequest
from tumble.app.simulation.correspondence import Correspondence, PastState
from tumble.physics.compiler.progress import AssetProgress

if TYPE_CHECKING:
    from tumble.physics import KernelProgress

class Loading(QObject):
    """Starts loads, and reports progress and outcome of the last one.

    still: the FirstLook at a model whose kernels or hulls take their time; progress: how far that is, a Progress;
    loaded: (Loaded, or None where the files are as known; the files looked for, by digest); failed: (message; the path;
    the files).
    """

    still = pyqtSignal(object)
    progress = pyqtSignal(object)
    loaded = pyqtSignal(object, object)
    failed = pyqtSignal(str, object, object)

    # From the loader's thread; Qt queues them into this object's.
    _still = pyqtSignal(object, object)
    _progress = pyqtSignal(object, object)

    def __init__(self, state: Callable[[Correspondence], PastState], parent: QObject | None = None) -> None:
        """state: called with the state that a reloaded model continues from, at the last moment, in the window's thread."""
        super().__init__(parent)
        self.failure: LoadError | None = None  # why a load failed last
        self._state = state
        self._loader: Loader | None = None
        self._background = Background("loader", self)
        self._still.connect(self._on_still)
        self._progress.connect(self._on_progress)

    @property
    def busy(self) -> bool:
        """True while a model is loading."""
        return self._loader is not None

    @property
    def of_another(self) -> bool:
        """True while another model is loading, not the current one reloading."""
        return self._loader is not None and self._loader.request.known is None

    def start(self, request: LoadRequest) -> None:
        """Load a file, cancelling a running load."""
        self.abandon()
        loader = Loader(
            request, lambda look: self._still.emit(loader, look), lambda progress: self._progress.emit(loader, progress)
        )
        self._loader = loader
        self._run(loader, loader.run, partial(self._on_success, loader))

    def _run(self, loader: Loader, work: Callable[[], Loaded | None], then: Callable[[Loaded | None], None]) -> None:
        self._background.run(work, then, partial(self._on_failure, loader), (LoadError, LoadCancelled))

    def abandon(self) -> None:
        """Cancel the running load."""
        if self._loader is not None:
            self._loader.cancel()
            self._loader = None

    def join(self, timeout: float) -> bool:
        """Wait for all threads [s]; returns True if they have ended. One in the midst of a kernel ends after it."""
        return self._background.wait(timeout)

    def _on_still(self, loader: Loader, look: FirstLook) -> None:
        if loader is self._loader:
            self.still.emit(look)

    def _on_progress(self, loader: Loader, progress: KernelProgress) -> None:
        if loader is self._loader:
            self.progress.emit(progress)

    def _on_success(self, loader: Loader, loaded: Loaded | None) -> None:
        if loader is not self._loader:
            return
        if loaded is None or loaded.kept is None:
            self._tell(loader, loaded)
            return
        # The state is taken now, not when the load began, so that the picture does not jump back.
        state = self._state(loaded.kept)
        self._run(loader, partial(loaded.begin_with, state), partial(self._tell, loader))

    def _tell(self, loader: Loader, loaded: Loaded | None) -> None:
        if loader is self._loader:
            self._loader = None
            self.loaded.emit(loaded, loader.files)

    def _on_failure(self, loader: Loader, message: str) -> None:
        if loader is self._loader:
            self._loader = None
            self.failure = loader.failure
            self.failed.emit(message, loader.path, loader.files)


def preparing(progress: KernelProgress | AssetProgress) -> str:
    """Progress of a load in words, while files are read or kernels compiled."""
    if isinstance(progress, AssetProgress):
        return f"{progress} (Esc: cancel)"
    left = round(progress.left)
    wait = f"about {left} s left" if left > 1 else "a moment"
    return f"Preparing the simulation, once on this computer: {wait}"
