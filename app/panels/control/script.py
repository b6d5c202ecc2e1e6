"""A controller file: reading it, and running its `control(model, data)` before every step."""

from __future__ import annotations

import linecache
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble import physics
from tumble.app.panels.control.guard import CallGuard, Interrupted
from tumble.physics.mjcf.document import FileProblem, digest, read_bytes

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

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


class Script:
    """An InputDriver that runs a controller. It switches itself off for good when that raises, returns wrongly or is interrupted.

    failed: called in the simulation thread with a one-line message, and the traceback in the file.
    """

    def __init__(self, source: ControllerSource, failed: Callable[[Script, str, str], None]) -> None:
        self.source = source
        self.guard = CallGuard()
        self._failed = failed
        self._control: Callable[[MjModel, MjData], object] | None = None

    def begin(self, model: MjModel, data: MjData) -> None:
        """Run the file, which defines control(model, data)."""
        self._run(self._load)

    def write_inputs(self, model: MjModel, data: MjData) -> None:
        """Call the controller for the next step."""
        control = self._control
        if control is not None:
            self._run(lambda: control(model, data))

    def end(self) -> None:
        """The callbacks that the file installed go with it: they are of the whole process, and other models would call them."""
        physics.mj_resetCallbacks()
        physics.reset_mjCOLLISIONFUNC()

    def _load(self) -> None:
        name = str(self.source.path)
        # The lines that a traceback shows are those that run, not those that the file has by then.
        linecache.cache[name] = (len(self.source.text), None, self.source.text.splitlines(keepends=True), name)
        module = types.ModuleType("controller")
        module.__file__ = name
        exec(compile(self.source.text, name, "exec"), module.__dict__)  # the user has agreed to this very text
        control = getattr(module, "control", None)
        if not callable(control):
            raise ControllerError(f"{self.source.path.name} has no function control(model, data)")
        self._control = control

    def _run(self, function: Callable[[], object]) -> None:
        try:
            self.guard.call(function)
        except Interrupted:
            self.guard.leave()
            self._control = None
            self._failed(self, STOPPED, "")
        except BaseException as error:  # noqa: BLE001 - SystemExit too: a controller ends itself, not the program
            self._control = None
            self._failed(self, *told(error, str(self.source.path)))


def told(error: BaseException, file: str) -> tuple[str, str]:
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
