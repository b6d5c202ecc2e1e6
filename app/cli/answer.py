"""Output of commands: lines for people, or with --json one object for programs."""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TextIO

import numpy as np


def say(text: str, options: argparse.Namespace) -> None:
    """Print a line of summary to the standard error, unless quiet or for a program."""
    if not options.quiet and not options.json:
        sys.stderr.write(f"{text}\n")


def show(text: str, options: argparse.Namespace) -> None:
    """A line of the result, on the standard output, unless a program reads."""
    if not options.json:
        sys.stdout.write(f"{text}\n")


def tell(options: argparse.Namespace, **facts: object) -> None:
    """Parts of the result for programs, by name."""
    options.facts.update(facts)


def warn(lines: list[str], options: argparse.Namespace) -> None:
    """Print the engine's warnings, one line each."""
    tell(options, warnings=lines)
    if not options.json:
        for line in lines:
            sys.stderr.write(f"warning: {line}\n")


def fault(message: str) -> dict[str, object]:
    """An error for programs: message, its place in a file, and each line of a message of several lines."""
    from tumble.app.base.editor import place_in  # which imports Qt: only errors wait for it

    place = place_in(message)
    where = {} if place is None else {"file": place[0], "line": place[1], "column": place[2]}
    several = [line for line in message.splitlines() if place_in(line) is not None]
    return {"message": message, **where, **({"errors": [fault(line) for line in several]} if len(several) > 1 else {})}


def escape(*, for_program: bool) -> None:
    """Write characters that the encoding of the standard output lacks as \\uXXXX, valid in JSON too; programs get UTF-8.

    ASCII has no arrow, and no more has cp1252, to which Windows encodes what goes to a file. A file's name may be no text at all.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8" if for_program else None, errors="backslashreplace")


def keep_apart() -> TextIO:
    """Reserve the standard output for the JSON object: other prints from now on go to the standard error."""
    sys.stdout.flush()
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return stream


def write(command: str, code: int, facts: Mapping[str, object], stream: TextIO) -> None:
    """The JSON object of a command: its name, its exit code and its results."""
    answer = {"command": command, "exit_code": code, **facts}
    stream.write(f"{json.dumps(plain(answer), allow_nan=False, ensure_ascii=False)}\n")
    stream.flush()


def plain(value: object) -> object:
    """A value for JSON: numbers that are not finite become null, arrays lists, paths and words texts."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.name
    return str(value) if isinstance(value, Path) else value
