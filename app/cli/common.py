"""Shared by the commands: exit codes, reading models and times, warnings in words, and Ctrl+C that keeps finished work."""

from __future__ import annotations

import argparse
import math
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from tumble import physics
from tumble.app.cli.output import Progress
from tumble.app.describe.names import keyframes
from tumble.app.describe.warnings import counted
from tumble.app.library import unpack
from tumble.app.library.folders import all_models
from tumble.app.library.lookup import meaning
from tumble.app.session.loader import CompiledModel, LoadError, check_path, prepare_all, read_compiled, take_first_look
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

FINE, PROBLEMS, BAD_INPUT, ENVIRONMENT, STOPPED = 0, 1, 2, 3, 130
EXIT_CODES = (
    "exit codes: 0 done, 1 done but problems were found (the state blew up, models differ), 2 the command line, the model or\n"
    "another input is wrong, 3 the system failed (no such folder, disk full, no OpenGL, ffmpeg ended), 130 stopped by\n"
    "Ctrl+C: finished work is kept."
)
MOST_SECONDS = 1e7  # four months


class InputError(Exception):
    """An invalid argument; the message lists what is valid."""


class Grammar(argparse.ArgumentParser):
    """The grammar of a command line. for_program: output is for a program, and errors raise InputError.

    Options may stand anywhere among the other arguments, except after those that belong to another program (REMAINDER).
    """

    for_program = False

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """The options and arguments of a command line, in any order. Raises as `error`."""
        passes_on = any(action.nargs == argparse.REMAINDER for action in self._actions)
        return self.parse_args(argv) if passes_on else self.parse_intermixed_args(argv)

    def error(self, message: str) -> NoReturn:
        if self.for_program:
            raise InputError(message)
        super().error(message)


def parser_for(name: str, about: str, example: str, codes: str = EXIT_CODES, *, quiet: bool = True) -> Grammar:
    """A command's parser, to which it adds its arguments. quiet: there is a progress or a summary to leave out."""
    grammar = Grammar(
        prog=f"tumble {name}",
        description=about,
        epilog=f"example: tumble {example}\n\n{codes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    grammar.set_defaults(naming_models=[], quiet=False, json_progress=False)
    grammar.add_argument("--json", action="store_true", help="the result for programs: one JSON object, nothing else on stdout")
    if quiet:
        grammar.add_argument("--quiet", action="store_true", help="no progress and no summary, only errors")
        grammar.add_argument("--json-progress", action="store_true", help="progress for programs: one JSON object per line")
    return grammar


def add_model(parser: argparse.ArgumentParser, more: str = "", name: str = "model", *, several: bool = False) -> None:
    """A positional argument that names a model, which `name_models` turns into its file; more: other accepted inputs.

    several: it names one or more, and gives a list; a folder stands for the models in it.
    """
    kinds = f"model file (*.xml, *.urdf, *.tumble-model), archive (*.zip, *.mjz) or name (humanoid){more}"
    parser.add_argument(name, type=Path, help=kinds, nargs="+" if several else None)
    parser.set_defaults(naming_models=[*parser.get_default("naming_models"), name])


def name_models(options: argparse.Namespace) -> None:
    """Resolve short names and archives to files. Raises LoadError."""
    for name in options.naming_models:
        named = getattr(options, name)
        files = [file for one in named for file in _files_of(one)] if isinstance(named, list) else unpack.file_of(meaning(named))
        setattr(options, name, files)


def _files_of(name: Path) -> list[Path]:
    """The model that a name means, or all in a folder. Raises LoadError."""
    path = meaning(name)
    return all_models(path) if path.is_dir() else [unpack.file_of(path)]


def add_start(parser: argparse.ArgumentParser) -> None:
    """Initial state and controls of a simulation."""
    parser.add_argument("--key", metavar="NAME", help="keyframe to start from, by name or number")
    parser.add_argument("--ctrl", metavar="NAME=VALUE", action="append", default=[], help="hold a control; repeatable")


def size(text: str) -> tuple[int, int]:
    """Width and height in pixels, for argparse."""
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    if match is None or not (int(match[1]) and int(match[2])):
        raise argparse.ArgumentTypeError(f"{text} is not a size; write it as 1280x720")
    return int(match[1]), int(match[2])


def positive(text: str) -> float:
    """A number above zero, for argparse."""
    value = _number(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def seconds(text: str) -> float:
    """A time [s], for argparse."""
    value = _number(text)
    if not 0 <= value <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text} is not a time between 0 and {MOST_SECONDS:g} s")
    return value


def count(text: str) -> int:
    """A whole number from 1 on, for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of 1 or more")
    return int(text)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text} is not a number")
    return value


def progress_of(what: str, options: argparse.Namespace) -> Progress:
    """Progress in the form that the command line requests."""
    quiet = options.quiet or (options.json and not options.json_progress)
    return Progress(what, quiet=quiet, machine=options.json_progress)


def compile_progress(progress: Progress) -> Callable[[physics.KernelProgress], None]:
    """A callback that shows the progress of compiling on a bar of the command line, in percent."""
    return lambda now: progress.update(round(100 * now.done), 100)


def load(path: Path, options: argparse.Namespace) -> MjModel:
    """The compiled model of a file, its kernels ready. Raises LoadError."""
    return load_compiled(path, options).model


def load_compiled(path: Path, options: argparse.Namespace) -> CompiledModel:
    """The compiled model of a file and its sources, with compiled kernels. Raises LoadError."""
    check_path(path)
    try:
        with progress_of("Compiling kernels", options) as progress:
            if not physics.loads_at_once():
                prepare_all(take_first_look(path).model, compile_progress(progress))
            compiled = read_compiled(path)
            physics.prepare(compiled.model, compile_progress(progress))
    except PhysicsError as error:  # the model lacks the element
        raise LoadError(f"{path}: {error}") from error
    return compiled


def begin(model: MjModel, options: argparse.Namespace) -> MjData:
    """Data at the keyframe and with the controls that `add_start` offers. Raises InputError."""
    data = physics.MjData(model)
    if options.key is not None:
        physics.mj_resetDataKeyframe(model, data, index_of(options.key, keyframes(model), "keyframe"))
    for text in options.ctrl:
        name, equals, value = text.rpartition("=")
        if not equals:
            raise InputError(f"--ctrl {text}: expected NAME=VALUE, as in --ctrl hip=0.5")
        names = [physics.mj_id2name(model, physics.mjtObj.mjOBJ_ACTUATOR, i) or "" for i in range(model.nu)]
        try:
            data.ctrl[index_of(name, names, "actuator")] = float(value)
        except ValueError:
            raise InputError(f"--ctrl {text}: {value!r} is not a number") from None
    return data


def index_of(text: str, names: list[str], what: str) -> int:
    """The index of an element by name, else by number. Raises InputError that lists the names."""
    if text in names:
        return names.index(text)
    if text.isdecimal() and int(text) < len(names):
        return int(text)
    known = [name for name in names if name]
    listed = f"there are: {', '.join(known[:20])}{', ...' if len(known) > 20 else ''}" if known else f"it has {len(names)}"
    raise InputError(f"the model has no {what} {text!r}; {listed}")


def warnings_of(model: MjModel, data: MjData, time: float) -> list[str]:
    """The engine's warnings so far, one line per kind with its count. time: about when the latest occurred [s]."""
    return [text for _, _, text in counted(model, data, time)]


def stop_with_input() -> None:
    """Treat the end of the standard input as SIGTERM, which on Windows no other process can send."""

    def follow() -> None:
        os.read(sys.stdin.fileno(), 1)
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=follow, name="input", daemon=True).start()


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Make Ctrl+C, and a closing terminal, request a stop; a second one forces it. Yields whether one is requested."""
    wanted = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        if wanted.is_set():
            raise KeyboardInterrupt
        wanted.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield wanted.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """Lines of a table: the first column to the left, numbers to the right."""
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
    return ["  ".join(c.ljust(w) if k == 0 else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths, strict=True))).rstrip()
            for row in [head, *rows]]  # fmt: skip
