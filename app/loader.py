"""Loading a model beside the running one: read, compile, prepare the kernels, take the first look."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import physics
from app.snapshot import Exchange
from physics.errors import PhysicsError

log = logging.getLogger(__name__)

MODEL_SUFFIXES = (".xml", ".mjcf")


class LoadError(Exception):
    """A model that does not load; the message says where and why."""


class LoadCancelled(Exception):
    """Another model was asked for, or the window closes."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to run: compiled, its kernels prepared, its first snapshot published."""

    path: Path | None
    model: Any
    data: Any
    exchange: Exchange


def check_path(path: Path) -> None:
    """Raise LoadError for what cannot be a model: a folder, a missing file, a file of another kind."""
    if path.is_dir():
        raise LoadError(f"{path}: this is a folder; drop a model file (*.xml){_models_in(path)}")
    if not path.exists():
        raise LoadError(f"{path}: no such file")
    if path.suffix.lower() not in MODEL_SUFFIXES:
        kind = f"a {path.suffix} file" if path.suffix else "a file without suffix"
        raise LoadError(f"{path}: {kind} is no MJCF model; MJCF models are XML files (*.xml)")


def _models_in(folder: Path) -> str:
    try:
        names = sorted(p.name for p in folder.iterdir() if p.suffix.lower() in MODEL_SUFFIXES)
    except OSError:
        return ""
    return f", such as {names[0]} in it" if names else ""


def read_model(path: Path) -> Any:
    """The compiled model of a file; raises LoadError with `file:line:column: <element> ...`."""
    check_path(path)
    try:
        return physics.MjModel.from_xml_path(str(path))
    except (PhysicsError, OSError, UnicodeError) as error:
        raise LoadError(str(error)) from error
    except (MemoryError, RecursionError) as error:
        raise LoadError(f"{path}: too large to load ({type(error).__name__})") from error
    except Exception as error:  # a fault of ours; the message must reach the window all the same
        log.exception("loading %s failed", path)
        raise LoadError(f"{path}: internal error while loading: {type(error).__name__}: {error}") from error


class Loader:
    """One load in a thread of its own; a new load supersedes it through `cancel`.

    The callbacks are called in the loader's thread: progress(done, total, name) while kernels are compiled, and
    at the end either success(loaded) or failure(message); none of them after a cancel.
    """

    def __init__(
        self,
        path: Path | None,
        progress: Callable[[int, int, str], None],
        success: Callable[[Loaded], None],
        failure: Callable[[str], None],
        model: Any = None,
    ) -> None:
        """path: of the file; model: where it is compiled already."""
        self._path, self._model = path, model
        self._progress, self._success, self._failure = progress, success, failure
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loader", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def cancel(self) -> None:
        """Let the load come to nothing; returns at once."""
        self._cancelled.set()

    def join(self, timeout: float) -> bool:
        """Wait for the thread [s]; whether it has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            loaded = self._load()
        except LoadCancelled:
            return
        except LoadError as error:
            if not self._cancelled.is_set():
                self._failure(str(error))
        except PhysicsError as error:  # the model asks for what there is not
            if not self._cancelled.is_set():
                self._failure(f"{self._path}: {error}")
        except Exception as error:  # a fault of ours; the thread must not die in silence
            log.exception("preparing %s failed", self._path)
            if not self._cancelled.is_set():
                self._failure(f"{self._path}: internal error while preparing: {type(error).__name__}: {error}")
        else:
            if not self._cancelled.is_set():
                self._success(loaded)

    def _load(self) -> Loaded:
        model = self._model
        if model is None:
            assert self._path is not None
            physics.prepare_loading(self._report)
            model = read_model(self._path)
        self._check()
        physics.prepare(model, self._report)
        data = physics.MjData(model)
        self._check()
        physics.mj_forward(model, data)
        exchange = Exchange(data)
        exchange.writing.fill(data)
        exchange.publish()
        return Loaded(self._path, model, data, exchange)

    def _report(self, done: int, total: int, name: str) -> None:
        self._check()
        self._progress(done, total, name)

    def _check(self) -> None:
        if self._cancelled.is_set():
            raise LoadCancelled
