"""Files of controllers, Python programs of the user: read, trusted by their contents, and called under a guard."""

from __future__ import annotations

import ctypes
import linecache
import threading
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble.app.base.settings import TRUSTED, Settings
from tumble.physics.mjcf.document import FileProblem, digest, read_bytes

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Control = Callable[["MjModel", "MjData"], object]

MOST_TRUSTED = 500

_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)
_NOTHING = ctypes.py_object()  # cancels the pending exception


class Interrupted(BaseException):
    """Raised inside code of the user that does not return; no Exception, so that `except Exception` lets it through."""


class CallGuard:
    """Calls functions; `since` and `interrupt` are for other threads.

    An interruption is raised between two bytecodes. A call into compiled code that does not return, such as time.sleep, is
    interrupted when it does.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread = 0  # in which a call is under way; 0: none is
        self._since = 0.0

    @property
    def busy(self) -> float:
        """Duration of the current call [s]; 0 without one."""
        return monotonic() - self._since if self._thread else 0.0

    def call(self, function: Callable[[], object]) -> None:
        """Call a function; raises its exceptions, and Interrupted: call `leave` again after that."""
        self._since = monotonic()
        self._thread = threading.get_ident()
        try:
            function()
        finally:
            self.leave()

    def leave(self) -> None:
        """End of the interruptible call; an interruption that arrives too late is cancelled or swallowed."""
        while True:
            try:
                with self._lock:
                    if self._thread:
                        _raise_in(self._thread, _NOTHING)
                    self._thread = 0
                return
            except Interrupted:
                continue

    def interrupt(self) -> None:
        """Raise Interrupted in the call that is under way, if one is."""
        with self._lock:
            if self._thread:
                _raise_in(self._thread, Interrupted)


SUFFIX = ".py"
MOST_BYTES = 1_000_000
STOPPED = "stopped"


class ControllerError(Exception):
    """A controller file that cannot be run; the message names it and the reason."""


class ControllerSource(Struct, frozen=True):
    """A controller file as it was read: this text is shown, trusted and run, whatever happens on disk."""

    path: Path
    text: str
    digest: str


def read(path: Path) -> ControllerSource:
    """Read a controller file. Raises ControllerError."""
    try:
        data = read_bytes(str(path))
    except FileProblem as problem:
        raise ControllerError(f"{path} {problem}") from None
    if len(data) > MOST_BYTES:
        raise ControllerError(f"{path} has {len(data)} bytes; a controller has at most {MOST_BYTES}")
    try:
        # Not as Python reads files: a coding line could make it run another text than the one that is shown.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ControllerError(f"{path} is not UTF-8 text: byte {error.start}") from None
    return ControllerSource(path, text, digest(data))


def load(source: ControllerSource) -> Control:
    """Run a file, and return its control(model, data). Raises ControllerError, and whatever the file raises."""
    name = str(source.path)
    # The lines that a traceback shows are those that run, not those that the file has by then.
    linecache.cache[name] = (len(source.text), None, source.text.splitlines(keepends=True), name)
    module = types.ModuleType("controller")
    module.__file__ = name
    exec(compile(source.text, name, "exec"), module.__dict__)  # the user has agreed to this very text
    control = getattr(module, "control", None)
    if not callable(control):
        raise ControllerError(f"{source.path.name} has no function control(model, data)")
    return control


def error_words(error: BaseException, file: str) -> tuple[str, str]:
    """An exception in one line, and its traceback from where it enters the file."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != file:
        trace = trace.tb_next
    line = traceback.format_exception_only(type(error), error)[-1].strip()
    if isinstance(error, ControllerError):
        return str(error), ""
    if isinstance(error, ModuleNotFoundError) and error.name == "mujoco":
        line += ": the engine that runs here is `from tumble import physics as mujoco`"
    where = [entry for entry in traceback.extract_tb(trace) if entry.filename == file] if trace is not None else []
    place = f"line {where[-1].lineno}: " if where else ""
    return place + line, "".join(traceback.format_exception(type(error), error, trace)).rstrip()


class Trust:
    """Contents are trusted by digest and remembered; a path only while the window is open, for a file that is worked on."""

    def __init__(self, store: Settings) -> None:
        self._store = store
        self._paths: set[Path] = set()

    def __contains__(self, source: ControllerSource) -> bool:
        return source.path in self._paths or source.digest in self._store.get(TRUSTED)

    def add(self, source: ControllerSource, *, whole_path: bool = False) -> None:
        """Trust these contents from now on; whole_path: and all that the file will have while the window is open."""
        if whole_path:
            self._paths.add(source.path)
        others = [known for known in self._store.get(TRUSTED) if known != source.digest]
        self._store.put(TRUSTED, [source.digest, *others][:MOST_TRUSTED])
