"""Loading a model beside the running one: read, compile, prepare the kernels, take the first look."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import physics
from app.snapshot import Exchange
from physics.errors import PhysicsError
from physics.mjcf.document import FileProblem, digest, read_bytes

log = logging.getLogger(__name__)

MODEL_SUFFIXES = (".xml", ".mjcf")


class LoadError(Exception):
    """A model that does not load; the message says where and why."""


class LoadCancelled(Exception):
    """Another model was asked for, or the window closes."""


class Unchanged(Exception):
    """The files are those that were read before."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to run: compiled, its kernels prepared, its first snapshot published."""

    path: Path | None
    model: Any
    data: Any
    exchange: Exchange


def file_digest(path: str) -> str:
    """The digest of a file as `MjModel.files` has it; "" where it cannot be read."""
    try:
        return digest(read_bytes(path))
    except FileProblem:
        return ""


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


def read_model(path: Path, files: dict[str, str] | None = None) -> Any:
    """The compiled model of a file; raises LoadError with `file:line:column: <element> ...`.

    files: gets the files that were looked for, as `MjModel.files`, even where the model does not load.
    """
    if files is not None:
        files[str(path)] = ""  # if nothing else is found out
    check_path(path)
    try:
        return physics.MjModel.from_xml_path(str(path), files=files)
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
    at the end either success(loaded) or failure(message); none of them after a cancel. success(None): the files are as
    known. path: of the file; files: at the end, those that were looked for, with digests as `MjModel.files` has them.
    """

    def __init__(
        self,
        path: Path | None,
        progress: Callable[[int, int, str], None],
        success: Callable[[Loaded | None], None],
        failure: Callable[[str], None],
        model: Any = None,
        known: Mapping[str, str] | None = None,
    ) -> None:
        """path: of the file; model: where it is compiled already; known: files to be loaded only where one has changed."""
        self.files: dict[str, str] = {}
        self.path, self._model, self._known = path, model, known
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
        except Unchanged:
            if not self._cancelled.is_set():
                self._success(None)
        except LoadError as error:
            if not self._cancelled.is_set():
                self._failure(str(error))
        except PhysicsError as error:  # the model asks for what there is not
            if not self._cancelled.is_set():
                self._failure(f"{self.path}: {error}")
        except Exception as error:  # a fault of ours; the thread must not die in silence
            log.exception("preparing %s failed", self.path)
            if not self._cancelled.is_set():
                self._failure(f"{self.path}: internal error while preparing: {type(error).__name__}: {error}")
        else:
            if not self._cancelled.is_set():
                self._success(loaded)

    def _load(self) -> Loaded:
        model = self._model
        if self._known is not None and all(file_digest(path) == known for path, known in self._known.items()):
            raise Unchanged
        if model is None:
            assert self.path is not None
            physics.prepare_loading(self._report)
            model = read_model(self.path, self.files)
        self.files |= getattr(model, "files", {})
        self._check()
        physics.prepare(model, self._report)
        data = physics.MjData(model)
        self._check()
        physics.mj_forward(model, data)
        exchange = Exchange(data)
        exchange.writing.fill(data)
        exchange.publish()
        return Loaded(self.path, model, data, exchange)

    def _report(self, done: int, total: int, name: str) -> None:
        self._check()
        self._progress(done, total, name)

    def _check(self) -> None:
        if self._cancelled.is_set():
            raise LoadCancelled
