"""Which command runs, and how its errors become messages and exit codes."""

from __future__ import annotations

import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from app.base.files import FileError
from app.cli.common import BAD_INPUT, ENVIRONMENT, STOPPED, InputError, name_models
from app.film.camera_path import PathError
from app.film.offline import FilmError
from app.film.video import VideoError
from app.library import unpack
from app.replay.state import ReplayError
from app.session.loader import LoadError
from physics.errors import PhysicsError


class CommandModule(Protocol):
    """The module of a command."""

    def parser(self) -> ArgumentParser:
        """Its grammar."""

    def run(self, options: Namespace) -> int:
        """Carry it out; the exit code."""


def run(name: str, argv: Sequence[str]) -> int:
    """Run a command with its arguments; the exit code. Every error is one line on the standard error."""
    command: CommandModule = import_module(f"app.cli.{name}")
    options = command.parser().parse_args(argv)
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    for room in ("physics.run", "physics.dispatch"):
        logging.getLogger(room).setLevel(logging.ERROR)  # commands tell the engine's warnings with names
    try:
        name_models(options)
        code = command.run(options)
        sys.stdout.flush()
        return code
    except (LoadError, InputError, PathError, ReplayError, PhysicsError) as error:
        return _told(error, BAD_INPUT)
    except (VideoError, FilmError, FileError) as error:
        return _told(error, ENVIRONMENT)
    except BrokenPipeError:
        # The reader of the output has closed it, as `head` does. Python would complain again when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ENVIRONMENT
    except OSError as error:
        return _told(error, ENVIRONMENT)
    except KeyboardInterrupt:
        return _told("stopped", STOPPED)


def _told(error: Exception | str, code: int) -> int:
    sys.stderr.write(f"{unpack.in_words(str(error))}\n")
    return code
