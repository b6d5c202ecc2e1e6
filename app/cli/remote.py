"""`tumble remote`: controls a window that is open."""

from __future__ import annotations

import argparse
import base64
import os
import sys
from pathlib import Path
from typing import Any

from tumble.app.base import files
from tumble.app.cli.common import FINE, Grammar, InputError, parser_for, size
from tumble.app.cli.output import show, tell
from tumble.app.remote import RemoteError, connect
from tumble.app.remote.protocol import Message

REFUSED = 1
_CODES = (
    "exit codes: 0 done, 1 the window refuses, 2 the command line is wrong, 3 no window can be reached, or a file not written"
)
_FORMS = {
    "status": "the open model, and whether the simulation runs",
    "open MODEL": "open a model or a replay",
    "run": "run the simulation",
    "pause": "pause the simulation",
    "step [COUNT]": "pause, and step",
    "reset [KEY]": "back to the initial state, or to a keyframe",
    "set NAME=VALUE ...": "set state, controls or parameters by signal name; separate numbers by commas",
    "read NAME ...": "read values of one moment by signal name",
    "signals [WORDS]": "list signal names",
    "picture FILE": "a picture of the view, as PNG",
    "quit": "close the window",
}


def parser() -> Grammar:
    """The command's grammar."""
    forms = "\n".join(f"  {form:<20} {what}" for form, what in _FORMS.items())
    grammar = parser_for(
        "remote",
        "Control the window that was opened last by `tumble --remote`, or with remote control allowed in its preferences.\n\n"
        + forms,
        'remote set "opt.timestep=0.001" "ctrl[elbow]=0.3"',
        _CODES,
        quiet=False,
    )
    grammar.add_argument("what", choices=[form.split()[0] for form in _FORMS], metavar="COMMAND", help="a command listed above")
    grammar.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="arguments of the command, as listed above")
    grammar.add_argument(
        "--window", type=Path, metavar="FILE", help="the file of another window, as tumble --remote-file FILE wrote it"
    )
    grammar.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="time to wait for an answer (default 60)")
    grammar.add_argument("--discard", action="store_true", help="open, quit: even if there are unsaved changes")
    grammar.add_argument("--rate", type=float, metavar="X", help="run: simulated seconds per second")
    grammar.add_argument("--size", type=size, metavar="WIDTHxHEIGHT", help="picture: pixels (default: as the view)")
    grammar.add_argument("--transparent", action="store_true", help="picture: without a background")
    grammar.add_argument("--overlay", action="store_true", help="picture: with the view's overlay")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Execute one command; returns the exit code."""
    asked = _asked(options)
    try:
        window = connect(options.window, options.timeout)
    except RemoteError as error:
        raise OSError(str(error)) from error
    with window:
        try:
            answer = window.ask(options.what, **asked)
        except RemoteError as error:
            tell(options, error={"message": str(error)})
            if not options.json:
                sys.stderr.write(f"{error}\n")
            return REFUSED
    answer = {name: value for name, value in answer.items() if name not in ("ok", "id")}
    if options.what == "picture":
        path = Path(options.arguments[0])
        files.write_whole(path, base64.b64decode(answer.pop("png")))
        answer["file"] = path
    tell(options, **answer)
    shown: dict[str, Any] = answer.get("values", answer)
    lines = answer["names"] if options.what == "signals" else [f"{name} = {value}" for name, value in shown.items()]
    for line in lines:
        show(line, options)
    return FINE


def _asked(options: argparse.Namespace) -> Message:
    """The arguments of the command in the protocol. Raises InputError."""
    arguments, what = options.arguments, options.what
    least, most = {"open": (1, 1), "step": (0, 1), "reset": (0, 1), "set": (1, 1000), "read": (1, 1000), "signals": (0, 100),
                   "picture": (1, 1)}.get(what, (0, 0))  # fmt: skip
    if not least <= len(arguments) <= most:
        form = next(form for form in _FORMS if form.split()[0] == what)
        raise InputError(f"expected tumble remote {form}; got {len(arguments)} arguments")
    match what:
        case "open":
            known = Path(arguments[0])
            return {"path": str(known.absolute()) if os.path.exists(known) else arguments[0], "discard": options.discard}
        case "run":
            return {} if options.rate is None else {"rate": options.rate}
        case "step" if arguments:
            if not arguments[0].isdecimal():
                raise InputError(f"step: {arguments[0]} is not a number of steps")
            return {"count": int(arguments[0])}
        case "reset" if arguments:
            return {"key": int(arguments[0]) if arguments[0].isdecimal() else arguments[0]}
        case "set":
            return {"values": dict(map(_assignment, arguments))}
        case "read":
            return {"names": arguments}
        case "signals":
            return {"search": " ".join(arguments)}
        case "picture":
            width, height = options.size or (0, 0)
            return {"width": width, "height": height, "transparent": options.transparent, "overlay": options.overlay}
        case "quit":
            return {"discard": options.discard}
    return {}


def _assignment(text: str) -> tuple[str, list[float]]:
    name, equals, values = text.rpartition("=")
    try:
        if not equals:
            raise ValueError
        return name, [float(word) for word in values.replace(",", " ").split()]
    except ValueError:
        raise InputError(
            f"{text}: expected NAME=NUMBER, or several numbers with commas, as geom_friction[floor]=1,0.1,0.1"
        ) from None

