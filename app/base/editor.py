"""Opening a file at a line in the user's text editor: which editor, and the argument list that it is started with.

The command is a list of arguments, never a line for a shell: a file name may have any characters.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from PyQt6.QtCore import QProcess, QUrl
from PyQt6.QtGui import QDesktopServices

from tumble.app.base.settings import EDITOR, Settings

log = logging.getLogger(__name__)

FILE, LINE, COLUMN = "{file}", "{line}", "{column}"
_COLON, _PLUS = f"{FILE}:{LINE}:{COLUMN}", f"+{LINE} {FILE}"
# Editors with their own windows, in order of preference, and the arguments by which each opens a line.
WINDOWED = {
    "code": f"-g {_COLON}", "codium": f"-g {_COLON}", "cursor": f"-g {_COLON}", "zed": _COLON, "subl": _COLON,
    "kate": f"-l {LINE} -c {COLUMN} {FILE}", "pycharm": f"--line {LINE} {FILE}", "clion": f"--line {LINE} {FILE}",
    "gvim": _PLUS, "nvim-qt": f"-- {_PLUS}", "emacs": f"+{LINE}:{COLUMN} {FILE}", "emacsclient": f"-n +{LINE}:{COLUMN} {FILE}",
    "geany": f"--line {LINE} {FILE}", "gedit": _PLUS, "xed": _PLUS, "pluma": _PLUS, "mousepad": f"--line={LINE} {FILE}",
    "notepad++": f"-n{LINE} {FILE}",
}  # fmt: skip
IN_TERMINAL = {
    "nvim": _PLUS, "vim": _PLUS, "vi": _PLUS, "nano": f"+{LINE},{COLUMN} {FILE}", "micro": f"{FILE} +{LINE}:{COLUMN}",
    "hx": _COLON, "helix": _COLON,
}  # fmt: skip
_TERMINALS = {"x-terminal-emulator": "-e", "gnome-terminal": "--", "konsole": "-e", "xterm": "-e", "alacritty": "-e"}
SYSTEM = ""  # no command: the system's default program, which cannot open a line
CHOOSE = "choose one in Tools, Text editor"
Which = Callable[[str], str | None]
_PLACE = re.compile(r"^(?P<file>[^\n]+?):(?P<line>[1-9]\d{0,8})(?::(?P<column>[1-9]\d{0,8}))?:")


def known(which: Which = shutil.which, environment: Mapping[str, str] = os.environ) -> list[str]:
    """The commands of editors that are installed, the most likely first: $VISUAL, $EDITOR, then those with windows."""
    wanted = [environment.get(name, "").strip() for name in ("VISUAL", "EDITOR")]
    commands = [command for text in wanted if (command := completed(text, which))]
    commands += [command for name in WINDOWED if (command := completed(name, which))]
    return list(dict.fromkeys(commands))


def completed(text: str, which: Which = shutil.which) -> str:
    """Full command of an editor given without arguments for the line; "" if it is not installed."""
    try:
        words = shlex.split(text)
    except ValueError:
        return ""
    if not words or which(words[0]) is None:
        return ""
    if FILE in text:
        return text
    name = Path(words[0]).name
    if name in IN_TERMINAL:
        terminal = next(((t, flag) for t, flag in _TERMINALS.items() if which(t) is not None), None)
        return "" if terminal is None else f"{terminal[0]} {terminal[1]} {text} {IN_TERMINAL[name]}"
    return f"{text} {WINDOWED.get(name, FILE)}"


def arguments(command: str, path: Path, line: int, column: int = 1) -> list[str]:
    """The program and its arguments. Raises ValueError for a command with an open quotation mark, or an empty one.

    The command is cut into words before the file is put in, so that a file name stays one argument.
    """
    words = shlex.split(command)
    if not words:
        raise ValueError("the command is empty")
    if not any(FILE in word for word in words):
        words.append(FILE)
    values = {FILE: str(path.absolute()), LINE: str(max(1, line)), COLUMN: str(max(1, column))}
    return [words[0], *(re.sub(r"\{(?:file|line|column)\}", lambda found: values[found[0]], word) for word in words[1:])]


def place_in(message: str, folder: Path | None = None) -> tuple[Path, int, int] | None:
    """The file, line and column that a message begins with, as `model.xml:3:5: <geom> ...`; None without such a file.

    folder: of files that are named without theirs.
    """
    match = _PLACE.match(message)
    if match is None:
        return None
    path = Path(match["file"])
    path = path if path.is_absolute() or folder is None else folder / path
    return (path, int(match["line"]), int(match["column"] or 1)) if path.is_file() else None


def chosen(store: Settings) -> str:
    """The user's command, else that of the first installed editor; SYSTEM without any."""
    return store.get(EDITOR).strip() or next(iter(known()), SYSTEM)


def open_at(store: Settings, path: Path, line: int, column: int = 1) -> str:
    """Open a file at a line; returns a message with the outcome."""
    command = chosen(store)
    if command == SYSTEM:
        opened = QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.absolute())))
        return f"Opened {path.name}: go to line {line}" if opened else f"No text editor was found: {CHOOSE}"
    try:
        program, *rest = arguments(command, path, line, column)
    except ValueError as error:
        return f"The command of the text editor is not understood: {error}"
    started, _ = QProcess.startDetached(program, rest)
    log.info("%s %s", program, " ".join(rest))
    return f"Opened {path.name} at line {line}" if started else f"{program} does not start: {CHOOSE}"
