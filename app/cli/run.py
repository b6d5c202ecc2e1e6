"""`tumble run`: a Python program that is written for the package mujoco, with Tumble's engine in its place."""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from zipfile import is_zipfile

from tumble import ROOT
from tumble.app.cli.common import FINE, PROBLEMS, STOPPED, Grammar, InputError, parser_for
from tumble.app.cli.output import tell
from tumble.mujoco import stand_in

MAIN = "__main__"
CODES = (
    "exit codes: 0 done, else the program's own: 1 after an exception, 130 after Ctrl+C, what it gives to sys.exit; 2 where\n"
    "there is no such program."
)


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "run",
        "Run a Python program that is written for the package mujoco, unchanged, with Tumble's engine: `import mujoco` gives\n"
        "Tumble's namespace (docs/api.md), in processes that the program starts too, whether the package is installed or not.\n"
        "Everything after the program's name is its own: arguments, output, and the exit code, which is Python's 1 after an\n"
        "exception.",
        "run control.py --steps 100",
        CODES,
        quiet=False,
    )
    grammar.add_argument("-m", dest="module", action="store_true", help="the program is a module, as in python -m")
    grammar.add_argument("program", help="Python file, folder or zip file with a __main__.py; with -m the name of a module")
    grammar.add_argument("arguments", nargs=argparse.REMAINDER, help="the program's own, which it finds in sys.argv")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Run the program; its exit code."""
    module, code = _module(options.program) if options.module else _file(options.program)
    stand_in.install()
    stand_in.install_for_children()
    sys.argv = [str(module.__file__) if options.module else options.program, *options.arguments]
    sys.modules[MAIN] = module  # for pickle and multiprocessing
    try:
        exec(code if isinstance(code, CodeType) else _compiled(code, str(module.__file__)), module.__dict__)
    except SystemExit as ended:
        return _exit_code(ended)
    except BaseException as error:  # noqa: BLE001  # shown as Python would, by the program's own hook if it has set one
        error.__traceback__ = trace = _of_program(error.__traceback__)
        sys.excepthook(type(error), error, trace)
        _tell_where(error, trace, options)
        return STOPPED if isinstance(error, KeyboardInterrupt) else PROBLEMS
    return FINE


def _exit_code(ended: SystemExit) -> int:
    """The code of sys.exit(...), which may be given none, a number or a message."""
    if ended.code is None or isinstance(ended.code, int):
        return int(ended.code or 0)
    sys.stdout.flush()  # with --json both go to the same place
    sys.stderr.write(f"{ended.code}\n")
    return PROBLEMS


def _tell_where(error: BaseException, trace: TracebackType | None, options: argparse.Namespace) -> None:
    """The error, and the line of the program at which it ended, for programs."""
    message = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    where = traceback.extract_tb(trace)
    place = {"file": where[-1].filename, "line": where[-1].lineno} if where else {}
    if isinstance(error, SyntaxError):
        place = {"file": error.filename, "line": error.lineno, "column": error.offset}
    tell(options, error={"message": message, **place})


def _file(name: str) -> tuple[ModuleType, CodeType | bytes]:
    """The main module of a file, and its source; of a folder or an archive, its code. Raises InputError if it is missing."""
    path = Path(name)
    if path.is_dir() or is_zipfile(path):
        spec = PathFinder.find_spec(MAIN, [name])
        if spec is None:
            raise InputError(f"{name}: there is no {MAIN}.py in it")
        _search(name)
        return _of_spec(spec)
    place = os.path.abspath(name)
    try:
        with io.open_code(place) as file:
            source = file.read()
    except FileNotFoundError:
        raise InputError(f"{name}: no such file; tumble run takes a Python program, and with -m the name of a module") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    _search(str(path.resolve().parent))
    module = ModuleType(MAIN)
    module.__file__, module.__loader__, module.__spec__ = place, SourceFileLoader(MAIN, place), None
    return module, source


def _module(name: str) -> tuple[ModuleType, CodeType]:
    """The main module of a module that is found by name, and its code. Raises InputError."""
    _search(os.getcwd())
    stand_in.install()  # the packages in which it lies are imported to find it
    try:
        spec = find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = find_spec(f"{name}.{MAIN}")
    except (ImportError, ValueError) as error:
        raise InputError(f"-m {name}: {error}") from error
    if spec is None or spec.loader is None:
        raise InputError(f"-m {name}: no such module, or a package without a {MAIN}")
    return _of_spec(spec)


def _search(folder: str) -> None:
    """Search modules in a folder first, as Python does, rather than in the command's own or in these sources."""
    if not getattr(sys, "frozen", False) and not sys.flags.safe_path:
        first = sys.path.pop(0)
        if Path(first or os.curdir).resolve() == ROOT and first not in sys.path:
            sys.path.append(first)  # the sources are not installed: behind everything of the program's
    sys.path.insert(0, folder)


def _of_spec(spec: ModuleSpec) -> tuple[ModuleType, CodeType]:
    code = getattr(spec.loader, "get_code", lambda name: None)(spec.name)
    if code is None:
        raise InputError(f"{spec.name}: is not Python code")
    module = ModuleType(MAIN)
    module.__file__, module.__loader__, module.__spec__, module.__package__ = spec.origin, spec.loader, spec, spec.parent
    return module, code


def _compiled(source: bytes, name: str) -> CodeType:
    """The code of a source; raises SyntaxError, and ValueError of one with null bytes."""
    return compile(source, name, "exec", dont_inherit=True)


def _of_program(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames above the program's, which are those of this file."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace
