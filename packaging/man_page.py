"""Writes the man page tumble(1) from the parsers of the command line itself, so that it says what they say.

Run as: python packaging/man_page.py build/tumble.1
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tumble import __version__  # noqa: E402
from tumble.__main__ import COMMANDS, parser  # noqa: E402

ENVIRONMENT = {
    "TUMBLE_CACHE": "folder for kernels that had to be compiled; else tumble/compiled in the user's cache folder",
    "TUMBLE_MODELS": "folders whose models can be opened by name, separated by colons",
    "TUMBLE_KERNELS": "compile: ignore the compiled kernels that come with the program",
    "IMAGEIO_FFMPEG_EXE": "the ffmpeg that makes videos, instead of the bundled one",
    "LIBGL_ALWAYS_SOFTWARE": "1: Mesa draws on the processor, where the driver of the graphics card is too old",
}
FILES = {
    "~/.config/Tumble/settings.json": "what the window remembers",
    "~/.local/share/Tumble/Tumble": "what can be restored after a crash",
    "~/.cache/tumble": "kernels that had to be compiled",
}


def plain(text: str) -> str:
    """Text that roff shows as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in text.splitlines())


def item(head: str, text: str) -> list[str]:
    """An entry of a list: its name in bold, then what it means."""
    return [".TP", f"\\fB{plain(head)}\\fR", plain(text)]


def head_of(action: argparse.Action) -> str:
    """An argument as it is typed."""
    value = action.metavar or (action.dest if not action.option_strings else action.dest.upper())
    if isinstance(action.choices, (list, tuple)) and action.metavar is None:
        value = "{" + ",".join(str(choice) for choice in action.choices) + "}"
    if not action.option_strings:
        return str(value)
    names = ", ".join(action.option_strings)
    return names if action.nargs == 0 else f"{names} {value}"


def arguments_of(made: argparse.ArgumentParser) -> list[str]:
    """Every argument of a parser, with its help."""
    found = []
    for action in made._actions:
        if action.help is not argparse.SUPPRESS:
            said = made._get_formatter()._expand_help(action) if action.help else ""
            found += item(head_of(action), said)
    return found


def verbatim(text: str) -> list[str]:
    """Lines that are kept as they are."""
    return [".nf", plain(text), ".fi"]


def page() -> str:
    """The man page."""
    top = parser()
    lines = [f'.TH TUMBLE 1 "" "Tumble {__version__}" "User Commands"', ".SH NAME", "tumble \\- simulator of MJCF models"]
    usage = top.format_usage().removeprefix("usage: ").strip()
    lines += [".SH SYNOPSIS", *verbatim(usage), ".br", "\\fBtumble\\fR \\fICOMMAND\\fR \\fIARGUMENTS\\fR"]
    lines += [".SH DESCRIPTION", plain(top.description or ""), ".SH OPTIONS", *arguments_of(top)]
    lines += [".PP", *verbatim(top.epilog or ""), ".SH COMMANDS"]
    for name, what in COMMANDS.items():
        made = import_module(f"tumble.app.cli.{name}").parser()
        lines += [f".SS {name}: {plain(what)}", *verbatim(made.format_usage().removeprefix("usage: ").strip())]
        lines += [".PP", plain(made.description or ""), *arguments_of(made), ".PP", *verbatim(made.epilog or "")]
    for title, entries in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        lines.append(f".SH {title}")
        for name, what in entries.items():
            lines += item(name, what)
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page where the command line says."""
    os.environ["COLUMNS"] = "80"  # how wide argparse makes a usage
    path = Path(sys.argv[1])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
