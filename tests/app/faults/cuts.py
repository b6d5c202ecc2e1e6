"""Ends of a process at random moments of writing: what was there before is there afterwards, and nothing half is opened.

    python -m tests.app.faults.cuts --moments 200 --seed 1

A child writes versions of a file, one after the other, and ends itself before a random call that changes files, by SIGKILL or
by SIGTERM. A power cut ends it too, and takes what no disk had: of each file what was not synced, and of the names of a folder
those that were changed since it was synced, from a random one on. So the worst that a file system may do is done: contents that
are lost though the name is there, and names that are lost though the contents are there. Then all is opened, by the program's own
functions.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.app.faults.written import KINDS, Kind, Wrong

ENDS = ("SIGKILL", "SIGTERM", "power cut")
MOST_CALLS = 60  # of the system, before one of which the child ends
VERSIONS = 12  # that it writes at most


class Renamed(Struct):
    """A file that took another's name. inode: its own; before: a link to the file that had the name, None: none had."""

    target: Path
    inode: int
    before: Path | None


class Disk:
    """What of a folder is on the disk, seen from the process that writes: its calls are watched. side: a folder for copies."""

    def __init__(self, folder: Path, side: Path, calls: int, number: int) -> None:
        """calls: before the one of that number the process ends itself by a signal."""
        self._folder, self._side, self._left, self._signal = folder, side, calls, number
        self._log = os.open(side / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._count = 0

    def watch(self) -> None:
        """From now on, in this process."""
        sync, replace, rename = os.fsync, os.replace, os.rename

        def fsync(number: Any) -> None:
            self._step()
            sync(number)
            at = Path(os.readlink(f"/proc/self/fd/{number if isinstance(number, int) else number.fileno()}"))
            if at.is_dir():
                self._note(f"names {at}")
            elif at.is_relative_to(self._folder):
                shutil.copyfile(at, copy := self._new())
                self._note(f"synced {at.stat().st_ino} {copy}")

        def renamed(call: Callable[..., None]) -> Callable[..., None]:
            def move(source: Any, target: Any, **rest: Any) -> None:
                self._step()
                before: Path | str = ""
                if os.path.isfile(target):
                    os.link(target, before := self._new())
                inode = os.stat(source).st_ino
                call(source, target, **rest)
                self._note(f"renamed {inode} {target} {before}")

            return move

        os.fsync, os.replace, os.rename = fsync, renamed(replace), renamed(rename)  # type: ignore[assignment]
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
            if not str(arguments[0]).startswith(str(self._side)):
                self._step()
        elif event in ("os.remove", "os.mkdir", "shutil.rmtree"):
            self._step()

    def _step(self) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), self._signal)

    def _new(self) -> Path:
        self._count += 1
        return self._side / str(self._count)

    def _note(self, line: str) -> None:
        os.write(self._log, line.encode() + b"\n")


def cut(folder: Path, side: Path, rng: random.Random) -> None:
    """Take from a folder what a power cut may take, after the process that wrote has ended."""
    synced: dict[int, Path] = {}
    names: list[Renamed] = []
    for line in (side / "log").read_text().splitlines():
        kind, *rest = line.split(" ")
        if kind == "names":
            names = [one for one in names if one.target.parent != Path(rest[0])]
        elif kind == "synced":
            synced[int(rest[0])] = Path(rest[1])
        else:
            names.append(Renamed(Path(rest[1]), int(rest[0]), Path(rest[2]) if rest[2] else None))
    for one in reversed(names[rng.randint(0, len(names)) :]):
        if not one.target.is_file() or one.target.stat().st_ino != one.inode:
            continue  # a folder, or it has gone since
        one.target.unlink()
        if one.before is not None:
            os.link(one.before, one.target)
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        whole, kept = path.read_bytes(), synced.get(path.stat().st_ino)
        if kept is None or kept.read_bytes() != whole:
            durable = len(kept.read_bytes()) if kept is not None else 0
            with path.open("rb+") as file:
                file.truncate(rng.choice((durable, rng.randint(0, len(whole)), len(whole))))


def _write(kind: Kind, folder: Path, side: Path, calls: int, number: int) -> None:
    """The child: all versions, each noted when it is done."""
    for fatal in (signal.SIGINT, signal.SIGTERM):
        signal.signal(fatal, signal.SIG_DFL)
    Disk(folder, side, calls, number).watch()
    for version in range(2, VERSIONS):
        kind.write(folder, version)
        with open(side / "done", "a") as file:
            file.write("x")


def moment(kind: Kind, end: str, root: Path, rng: random.Random) -> None:
    """One end of a process that writes files of a kind. Raises Wrong if something is lost, or opened half."""
    folder, side = root / "files", root / "side"
    folder.mkdir()
    side.mkdir()
    (side / "done").touch()
    (side / "log").touch()
    kind.write(folder, 1)
    before = {path.stat().st_ino: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    calls = rng.randint(1, MOST_CALLS)
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):  # the parent sees what is on the disk, and nothing else
            _write(kind, folder, side, calls, signal.SIGTERM if end == "SIGTERM" else signal.SIGKILL)
        os._exit(0)
    os.waitpid(child, 0)
    kind.end(folder)
    if end == "power cut":
        for count, (inode, data) in enumerate(before.items()):  # what lay there for long is on the disk
            (side / f"before{count}").write_bytes(data)
            with (side / "log").open("r+") as log:
                text = log.read()
                log.seek(0)
                log.write(f"synced {inode} {side / f'before{count}'}\n{text}")
        cut(folder, side, rng)
    done = 1 + len((side / "done").read_text())
    kind.check(folder, done, done + 1)


def main(arguments: list[str] | None = None) -> int:
    """How often each kind was ended in which way; 1 if something was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.app.faults.cuts", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first moment")
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS), default=list(KINDS))
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = 0
    for number in range(options.first, options.first + options.moments):
        rng = random.Random(f"{options.seed} {number}")
        name, end = rng.choice(options.kinds), rng.choice(ENDS)
        with tempfile.TemporaryDirectory(prefix="cut-", ignore_cleanup_errors=True) as root:
            try:
                moment(KINDS[name], end, Path(root), rng)
            except Wrong as error:
                wrong += 1
                print(f"{number}: {name}, {end}: {error}", flush=True)  # noqa: T201
        counts[f"{name}, {end}"] += 1
    for key, count in sorted(counts.items()):
        print(f"{count:4} {key}")  # noqa: T201
    print(f"{wrong} of {options.moments} moments lost something")  # noqa: T201
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
