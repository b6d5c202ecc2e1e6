"""Python files of the user: controllers, of which `control(model, data)` runs before every step, and files of functions.

A file of functions has signed distance functions of a model, next to it: `knot.sdf.py` for `knot.xml`. It is looked for when a
model names a function that is not known. It registers functions by physics.set_sdf, and these stay until the program ends: models
that are open may use them. No file runs before it is trusted; a new controller is trusted, for its text is the program's own.
"""

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

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from tumble import physics
from tumble.physics.mjcf.document import FileProblem, digest, read_bytes

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


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
            self._failed(self, *error_words(error, str(self.source.path)))


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


FUNCTIONS_SUFFIX = ".sdf.py"
LIMIT = 60.0  # time that such a file may take, for it may compile; then it is ended [s]
_AGAIN = 0.2  # time between interruptions of one that swallows them [s]


def functions_wanted_by(message: str, model: Path | None) -> Path | None:
    """The file that may have the function that a model lacked, from the message of the failed load; None if missing."""
    from tumble.physics.compiler.plugins import UNKNOWN  # imports the grammar of MJCF; a load has failed, so it is loaded already

    if model is None or UNKNOWN not in message:
        return None
    path = model.with_name(model.stem + FUNCTIONS_SUFFIX)
    return path if path.is_file() else None


def has_functions(path: Path) -> bool:
    """True for a Python file of functions, by its name; False for a controller."""
    return path.name.endswith(FUNCTIONS_SUFFIX)


def run_functions(source: ControllerSource, limit: float = LIMIT) -> None:
    """Run such a file. Raises ControllerError: its exception with the line, or that it did not finish within `limit` [s]."""
    module = types.ModuleType("functions")
    module.__file__ = str(source.path)
    guard, over = CallGuard(), threading.Event()

    def end_it() -> None:
        wait = limit
        while not over.wait(wait):
            guard.interrupt()
            wait = _AGAIN

    threading.Thread(target=end_it, name="limit of a file of functions", daemon=True).start()
    try:
        guard.call(lambda: exec(compile(source.text, str(source.path), "exec"), module.__dict__))  # agreed to: this very text
    except Interrupted:
        raise ControllerError(f"{source.path.name}: was stopped: it did not finish within {limit:g} s") from None
    except BaseException as error:  # SystemExit too: it ends itself, not the program
        raise ControllerError(f"{source.path.name}: {error_words(error, str(source.path))[0]}") from error
    finally:
        over.set()


MOST_NAMED = 60  # actuators that the comment lists
SWING = 0.1  # part of half the range by which the first actuator swings; of 1 without a range

_HEAD = '''"""Controller for {model}: Tumble calls control(model, data) before every step.

Save this file, and Tumble asks whether the new version may run. docs/controllers.md says what a controller may do.
"""

import numpy as np
from tumble import physics as mujoco  # the engine that runs; the installed package mujoco is another one
'''

_WITH_ACTUATORS = """
# Actuators of the model: index, name, range of its control.
{actuators}

HOLD = np.array({hold})


def control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    # To read: data.time [s], data.qpos, data.qvel, data.sensordata, data.joint("name").qpos, data.sensor("name").data ...
    data.ctrl[:] = HOLD
    data.ctrl[0] += {swing:.6g} * np.sin(2 * np.pi * data.time)
"""

_WITHOUT_ACTUATORS = """

# This model has no actuators. Forces on joints and bodies move it all the same; they stay until they are changed.


def control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    # To read: data.time [s], data.qpos, data.qvel, data.sensordata, data.joint("name").qpos, data.sensor("name").data ...
    data.qfrc_applied[:] = 0.0  # (nv,) [N] along slides, [N m] about hinges
    data.xfrc_applied[:] = 0.0  # (nbody, 6) force [N] and torque [N m] on each body, in the world's axes
"""


def new_controller(model: MjModel, ctrl: ArrayLike, name: str) -> str:
    """The file's text. ctrl: (nu,) controls to hold; name: of the model's file.

    Names of a model stand in comments as Python literals in ASCII, so that none can end its line and become code.
    """
    head = _HEAD.format(model=_literal(name))
    if model.nu == 0:
        return head + _WITHOUT_ACTUATORS
    lines = [f"#   {i}  {_literal(model.actuator(i).name)}  {_range(model, i)}" for i in range(min(model.nu, MOST_NAMED))]
    if model.nu > MOST_NAMED:
        lines.append(f"#   and {model.nu - MOST_NAMED} more")
    half = np.ptp(model.actuator_ctrlrange[0]) / 2 if model.actuator_ctrllimited[0] else 1.0
    hold = np.array2string(np.asarray(ctrl, float), separator=", ", max_line_width=100, precision=6, threshold=model.nu + 1)
    return head + _WITH_ACTUATORS.format(actuators="\n".join(lines), hold=hold, swing=SWING * half)


def _literal(name: str) -> str:
    """A name in quotation marks, without any character that ends a line, a comment or a docstring."""
    return "'" + ascii(name)[1:-1].replace('"', r"\x22") + "'"


def _range(model: MjModel, i: int) -> str:
    if not model.actuator_ctrllimited[i]:
        return "no range"
    low, high = (float(x) for x in model.actuator_ctrlrange[i])
    return f"{low:g} to {high:g}"
