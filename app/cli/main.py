"""Dispatch of commands; errors become messages and exit codes."""

from __future__ import annotations

import io
import logging
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TextIO, cast

from tumble.app.base.files import FileError
from tumble.app.base.log_relay import ENGINE, unlogged
from tumble.app.cli import output
from tumble.app.cli.common import BAD_INPUT, ENVIRONMENT, STOPPED, Grammar, InputError, name_models
from tumble.app.film.camera_path import PathError
from tumble.app.film.offline import FilmError
from tumble.app.film.video import VideoError
from tumble.app.library import unpack
from tumble.app.replay.state import ReplayError
from tumble.app.session.loader import LoadError
from tumble.physics.errors import PhysicsError

JSON = "--json"
RUN = "run"  # carries out a program of the user's, whose log and output are its own


class ClosedOutput(io.TextIOBase):
    """Replaces a standard output that was closed before the program began: writing fails as on a pipe without a reader."""

    def write(self, text: str) -> int:
        """Refuse."""
        raise BrokenPipeError("the standard output is closed")


def run(name: str, argv: Sequence[str]) -> int:
    """Run a command with its arguments; the exit code.

    Every error is one line on the standard error, or a part of the JSON object requested by a program.
    """
    command = import_module(f"tumble.app.cli.{name}")
    grammar: Grammar = command.parser()
    grammar.for_program = JSON in argv
    facts: dict[str, Any] = {}
    options = Namespace(json=grammar.for_program)
    if sys.stdout is None:
        sys.stdout = cast(TextIO, ClosedOutput())
    stream = sys.stdout
    try:
        options = grammar.read(argv)
        options.facts = facts
        if name != RUN:
            output.escape(for_program=options.json)
        elif options.json:
            stream = output.keep_apart()
        code = _carry_out(name, command.run, options)
    except (LoadError, InputError, PathError, ReplayError, PhysicsError) as error:
        code = _report(error, BAD_INPUT, options, facts)
    except BrokenPipeError:
        return _without_reader()
    except (VideoError, FilmError, FileError, OSError) as error:
        code = _report(error, ENVIRONMENT, options, facts)
    except MemoryError as error:
        code = _report(f"there is not enough memory{f': {error}' if str(error) else ''}", ENVIRONMENT, options, facts)
    except KeyboardInterrupt:
        code = _report("stopped", STOPPED, options, facts)
    if options.json:
        try:
            output.write(name, code, facts, stream)
        except BrokenPipeError:
            return _without_reader()
    return code


def _carry_out(name: str, run: Callable[[Namespace], int], options: Namespace) -> int:
    if name == RUN:
        return run(options)
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    with unlogged(*ENGINE):
        name_models(options)
        code = run(options)
    sys.stdout.flush()
    return code


def _without_reader() -> int:
    """The reader of the output has closed it, as `head` does. Python would complain again when it flushes at the end."""
    if not isinstance(sys.stdout, ClosedOutput):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return ENVIRONMENT


def _report(error: Exception | str, code: int, options: Namespace, facts: dict[str, Any]) -> int:
    message = unpack.in_words(str(error))
    if options.json:
        facts["error"] = output.fault(message)
    else:
        sys.stderr.write(f"{message}\n")
    return code
