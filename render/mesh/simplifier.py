"""Simplified meshes on demand: requested by digest, made by another process, cached on disk, delivered when ready."""

from __future__ import annotations

import logging
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tumble import ROOT
from tumble.physics.base.files import replacing
from tumble.physics.kernel import cache
from tumble.render.mesh import SIMPLIFY
from tumble.render.mesh.primitives import TriangleMesh
from tumble.render.mesh.simplify import Level, read_levels, write_levels

if TYPE_CHECKING:
    import subprocess

log = logging.getLogger(__name__)

FROM_TRIANGLES = 600  # smaller meshes are not simplified
ROOM = 256 << 20  # of the folder on disk [bytes]
PATIENCE = 120.0  # with one mesh [s]
FAILURES = 3  # of the process, after which meshes are no longer simplified
_SUFFIX = ".levels-4"


class Simplifier:
    """Gives a mesh's simpler versions once they are made; a separate thread waits for the process that makes them.

    Measuring how far levels are off takes seconds, at a low priority: in this process it would delay the view.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """folder: for the cached meshes; None: in the user's cache."""
        self._folder = cache.directory() / "meshes" if folder is None else folder
        self._ready: dict[str, list[Level]] = {}
        self._asked: set[str] = set()
        self._todo: list[tuple[str, TriangleMesh]] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._closed = False

    def ask(self, digest: str, mesh: TriangleMesh) -> None:
        """Request simpler versions of a mesh, once; its arrays must not change."""
        if digest in self._asked or len(mesh.indices) < FROM_TRIANGLES or self._closed:
            return
        self._asked.add(digest)
        with self._changed:
            self._todo.append((digest, mesh))
            self._changed.notify_all()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="simplifier", daemon=True)
            self._thread.start()

    def take(self, digest: str) -> list[Level] | None:
        """A mesh's simpler versions, finest first, delivered once; None: not requested, not ready, or delivered before."""
        return self._ready.pop(digest, None)

    def forget(self, digest: str) -> None:
        """Allow the versions of a mesh to be requested again."""
        self._asked.discard(digest)
        self._ready.pop(digest, None)

    def wait(self, timeout: float) -> bool:
        """Wait until all requests are done or have failed, at most timeout [s]; returns whether they are."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._todo, timeout)

    def close(self) -> None:
        """End the thread and its process."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            if self._process is not None:
                self._process.kill()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    # ---- in the thread

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or bool(self._todo))
                if self._closed:
                    break
                digest, mesh = self._todo[0]
            levels = self._read(digest)
            if levels is None:
                levels = self._make(mesh)
                if levels is not None:
                    self._keep(digest, levels)
            with self._changed:
                self._ready[digest] = levels or []
                self._todo.pop(0)
                idle = not self._todo
                self._changed.notify_all()
            if idle:
                self._end()
        self._end()

    def _make(self, mesh: TriangleMesh) -> list[Level] | None:
        """A mesh's levels from the other process; None if it fails."""
        if self._closed or self._failures >= FAILURES:
            return None
        watch: threading.Timer | None = None
        try:
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            watch = threading.Timer(PATIENCE, process.kill)
            watch.daemon = True
            watch.start()
            write_levels(process.stdin, [Level(mesh, 0.0)])
            process.stdin.flush()
            return read_levels(process.stdout)
        except (OSError, EOFError, ValueError) as error:
            self._failures += 1
            self._end()
            if not self._closed:
                log.info("a mesh of %d triangles is drawn as it is: it cannot be simplified (%r)", len(mesh.indices), error)
            return None
        finally:
            if watch is not None:
                watch.cancel()

    def _started(self) -> subprocess.Popen[bytes]:
        import subprocess  # only models of large meshes need it

        if self._process is None:
            frozen = getattr(sys, "frozen", False)
            line = [sys.executable, *([SIMPLIFY] if frozen else ["-m", "tumble.render.mesh.simplify"])]
            path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
            with self._changed:  # either close() sees the process, or this thread sees that it was closed
                if self._closed:
                    raise EOFError
                self._process = subprocess.Popen(
                    line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
                    env=os.environ | {"PYTHONPATH": path},
                )  # fmt: skip
        return self._process

    def _end(self) -> None:
        """End the process: an idle one costs memory."""
        with self._changed:
            process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()

    # ---- on disk

    def _read(self, digest: str) -> list[Level] | None:
        path = self._folder / (digest + _SUFFIX)
        try:
            with path.open("rb") as file:
                levels = read_levels(file)
            os.utime(path)
        except FileNotFoundError:
            return None
        except (OSError, EOFError, ValueError) as error:
            log.info("%s is made again: %r", path, error)
            return None
        return levels

    def _keep(self, digest: str, found: list[Level]) -> None:
        """Write a file whole or not at all: other processes may be reading and writing it."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with replacing(self._folder / (digest + _SUFFIX), synced=False) as temporary, temporary.open("wb") as file:
                write_levels(file, found)
            _make_room(self._folder)
        except OSError as error:
            log.info("simplified meshes cannot be kept in %s: %s", self._folder, error.strerror or error)


def _make_room(folder: Path) -> None:
    """Delete the least recently used files, if there is more than ROOM."""
    files = [(path, path.stat()) for path in folder.glob(f"*{_SUFFIX}")]
    files.sort(key=lambda item: item[1].st_mtime, reverse=True)
    total = 0
    for path, status in files:
        total += status.st_size
        if total > ROOM:
            with suppress(OSError):  # another process may be deleting it too
                path.unlink()
