"""Where a soak lives: a home, settings and temporary files of its own, and a screen of its own where there is none."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

HOME, TEMPORARY, MODELS, OUTPUT, CACHE = "home", "tmp", "models", "out", "cache"
JOURNAL, STACKS, REPORT, CONTROLLER = "journal.jsonl", "stacks.txt", "report.txt", "controller.py"


class Place(Struct, frozen=True):
    """The folder of one soak."""

    root: Path

    def make(self) -> Place:
        for name in (HOME, TEMPORARY, MODELS, OUTPUT):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        for name in (JOURNAL, STACKS):
            (self.root / name).write_text("")
        return self

    def __getitem__(self, name: str) -> Path:
        return self.root / name

    def environment(self) -> dict[str, str]:
        """Of the window's process: nothing that it reads or writes is the user's, but for the cache of compiled kernels."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        home = self.root / HOME
        own = {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "TMPDIR": str(self.root / TEMPORARY),
            "TUMBLE_CACHE": os.environ.get("TUMBLE_CACHE") or str(self.root / CACHE),
            "PYTHONUNBUFFERED": "1",
            # A software rasterizer with threads keeps the memory of as many pictures as were ever under way at once: tens of MB
            # that depend on the machine's load, and that nobody gets back.
            "LP_NUM_THREADS": "0",
        }
        return kept | own


@contextmanager
def screen() -> Iterator[str]:
    """The name of the screen that there is, else of a virtual one that lasts as long as this."""
    if os.environ.get("DISPLAY"):
        yield os.environ["DISPLAY"]
        return
    read, write = os.pipe()
    line = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    # In a session of its own: Ctrl+C is for the window, which needs the screen until it has closed.
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(line, pass_fds=[write], stdout=quiet, stderr=quiet, start_new_session=True)
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        if not number:
            raise OSError("Xvfb does not start")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
