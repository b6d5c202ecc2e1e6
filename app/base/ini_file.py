"""A settings file that several windows write: read when it begins and when another program has written it, replaced whole."""

from __future__ import annotations

import logging
import os
import shutil
import threading
import weakref
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

from PyQt6.QtCore import QLockFile

from tumble.app.base import ini
from tumble.app.base.files import FileError, reason, write_whole

log = logging.getLogger(__name__)

MOST_BYTES = 2 * 2**20  # what the window remembers takes a hundredth; a larger file is none of its
ASIDE = ".damaged"  # behind the name of what was no settings file, or not all of it
SET_ASIDE = "set_aside"  # section of values that were of the wrong kind
_WAIT = 1000  # for others who write the file now [ms]

_open: weakref.WeakValueDictionary[Path, IniFile] = weakref.WeakValueDictionary()
_opening = threading.Lock()


def ini_file(path: Path) -> IniFile:
    """The file of a path: one in a process, so that everyone reads what anyone has put and not yet saved."""
    with _opening:
        found = _open.get(path)
        if found is None:
            found = _open[path] = IniFile(path)
        return found


class IniFile:
    """Values by `section/name`. Any thread may ask."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._values: dict[str, str] = {}  # as written in the file
        self._changed: dict[str, str] = {}  # what was put since, and is not saved
        self._signature: tuple[int, ...] = ()  # of the file that was read
        self._spoiled = False  # whether a part of the file was not understood, or all of it
        self._read()

    def get(self, key: str) -> ini.Value:
        """The value of a key, None if there is none. Raises ValueError for what is none."""
        with self._lock:
            written = self._changed.get(key, self._values.get(key))
        return None if written is None else ini.read(written)

    def put(self, key: str, value: object) -> bool:
        """Take a value, which `save` writes; whether it is another than before."""
        written = ini.write(value)
        with self._lock:
            if self._changed.get(key, self._values.get(key)) == written:
                return False
            self._changed[key] = written
        return True

    def set_aside(self, key: str, wrong: object = None, rest: object = None) -> str:
        """Keep what was wrong with a value under another key, which is returned, so that nothing is lost.

        wrong: a part of the value, None: all of it, as it is written; rest: what the key has from now on, None: no value.
        """
        with self._lock:
            known = self._values | self._changed
            names = (f"{SET_ASIDE}/{key}{suffix}" for suffix in chain([""], (f".{n}" for n in count(2))))
            aside = next(name for name in names if name not in known)
            self._changed[aside] = known.get(key, "") if wrong is None else ini.write(wrong)
            self._changed[key] = ini.write([] if rest is None else rest)
            return aside

    def save(self) -> None:
        """Write what was put into the file as it is now: others may have written it since. Raises FileError: all is kept then."""
        with self._lock:
            if not self._changed:
                self._read()
                return
            with suppress(OSError):  # which the writing then tells
                self.path.parent.mkdir(parents=True, exist_ok=True)
            held = QLockFile(f"{self.path}.lock")
            locked = held.tryLock(_WAIT)  # where it cannot be had, the file is still replaced whole
            try:
                self._read()
                self._set_aside()
                values = self._values | self._changed
                write_whole(self.path, ini.joined(values).encode("utf-8", "surrogateescape"))
                self._values, self._changed = values, {}
                self._signature = self._signed()
            finally:
                if locked:
                    held.unlock()

    def _read(self) -> None:
        """Take over the file, if it is another than was read before; what cannot be read counts as empty."""
        signature = self._signed()
        if signature == self._signature:
            return
        self._signature, self._values, self._spoiled = signature, {}, False
        try:
            data = b""
            if signature and self.path.is_file():
                with self.path.open("rb") as file:
                    data = file.read(MOST_BYTES + 1)
        except OSError as error:
            log.warning("%s: the settings cannot be read: %s", self.path, error.strerror)
            self._spoiled = True
            return
        large = len(data) > MOST_BYTES
        self._values, strays = ({}, 1) if large else ini.split(data.decode("utf-8", "surrogateescape"))
        if strays:
            self._spoiled = True
            several = f"{strays} lines are no settings" if strays > 1 else "one line is no setting"
            told = f"more than {MOST_BYTES >> 20} MB are no settings" if large else several
            log.warning("%s: %s; the file is kept as %s when settings are next saved", self.path, told, self.path.name + ASIDE)

    def _set_aside(self) -> None:
        """Keep a damaged file under another name: what is written now has only what was understood. Raises FileError."""
        if not self._spoiled:
            return
        aside, file = self.path.with_name(self.path.name + ASIDE), os.path.realpath(self.path)
        try:
            aside.unlink(missing_ok=True)
            try:
                os.link(file, aside)  # at once, whatever its size; the name then gets another file
            except OSError:  # a file system without links
                shutil.copyfile(file, aside)
        except OSError as error:
            raise FileError(f"{aside}: cannot be written: {reason(error)}") from error
        self._spoiled = False

    def _signed(self) -> tuple[int, ...]:
        """What tells one state of the file from another, () if there is none."""
        try:
            told = self.path.stat()
        except OSError:
            return ()
        return told.st_mtime_ns, told.st_size, told.st_ino
