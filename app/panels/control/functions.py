"""Signed distance functions of a model, in a Python file next to it: `knot.sdf.py` for `knot.xml`. It runs once it is trusted.

It is looked for when a model names a function that is not known. It registers functions by physics.set_sdf, and these stay until
the program ends: models that are open may use them.
"""

from __future__ import annotations

import threading
import types
from pathlib import Path

from tumble.app.panels.control.guard import CallGuard, Interrupted
from tumble.app.panels.control.script import ControllerError, ControllerSource, told

SUFFIX = ".sdf.py"
LIMIT = 60.0  # time that such a file may take, for it may compile; then it is ended [s]
_AGAIN = 0.2  # time between interruptions of one that swallows them [s]


def wanted_by(message: str, model: Path | None) -> Path | None:
    """The file that may have the function that a model lacked, from the message of the failed load; None if missing."""
    from tumble.physics.compiler.plugins import UNKNOWN  # imports the grammar of MJCF; a load has failed, so it is loaded already

    if model is None or UNKNOWN not in message:
        return None
    path = model.with_name(model.stem + SUFFIX)
    return path if path.is_file() else None


def has_functions(path: Path) -> bool:
    """True for a Python file of functions, by its name; False for a controller."""
    return path.name.endswith(SUFFIX)


def run(source: ControllerSource, limit: float = LIMIT) -> None:
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
        raise ControllerError(f"{source.path.name}: {told(error, str(source.path))[0]}") from error
    finally:
        over.set()
