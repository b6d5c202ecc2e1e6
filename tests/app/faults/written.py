"""Files that the program writes, in versions that can be told apart, and how each kind is opened again."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import zipfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tests.app.cli.test_render import SLIDE
from tests.app.faults.writers import noise
from tests.app.film.filming import recorded
from tests.app.film.test_video import HEIGHT, WIDTH, decoded, number_in, numbered
from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.editing.whole_model import WholeModel
from tumble.app.film.video import Encoder
from tumble.app.library import unpack
from tumble.app.replay.replay_file import Replay, load, save
from tumble.app.replay.state import ReplayError
from tumble.app.rescue.recovery import take_over
from tumble.physics.kernel import cache as kernels


class Wrong(Exception):
    """Something was lost, or a part of it was opened."""


class Kind:
    """write: version `n` into a folder; check: raise Wrong unless a version from `low` to `high` is there, whole."""

    def write(self, folder: Path, n: int) -> None:
        raise NotImplementedError

    def check(self, folder: Path, low: int, high: int) -> None:
        raise NotImplementedError

    def end(self, folder: Path) -> None:
        """The process has ended, and those that it had started end too."""


def _require(found: int, low: int, high: int) -> None:
    if not low <= found <= high:
        raise Wrong(f"version {found}, and {low} was written")


class Model(Kind):
    """A model with an asset, each larger than a page."""

    def _text(self, n: int) -> bytes:
        return f"<mujoco><!-- {n} {'x' * 50_000} --></mujoco>".encode()

    def write(self, folder: Path, n: int) -> None:
        WholeModel(self._text(n), {folder / "meshes" / f"{n}.obj": self._text(n)}, []).save(folder / "model.xml")

    def check(self, folder: Path, low: int, high: int) -> None:
        text = (folder / "model.xml").read_bytes()
        found = next((n for n in range(high + 1) if text == self._text(n)), -1)
        _require(found, low, high)
        if (folder / "meshes" / f"{found}.obj").read_bytes() != text:
            raise Wrong(f"the asset of version {found} is not whole")


class Setting(Kind):
    """The settings, in which one counts."""

    def write(self, folder: Path, n: int) -> None:
        store = Settings(folder / "settings.json")
        store.put(settings.HISTORY_MEMORY, 16 + n)
        store.put(settings.MODELS, ["x" * 100] * 100)
        store.sync()

    def check(self, folder: Path, low: int, high: int) -> None:
        store = Settings(folder / "settings.json")
        if report := store.report():
            raise Wrong(report)
        _require(store.get(settings.HISTORY_MEMORY) - 16, low, high)


@cache
def _replay() -> Replay:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "slide.xml")
        path.write_text(SLIDE.format(timestep=0.004, integrator="Euler"))
        return recorded(path, 2)


def _version_of(replay: Replay) -> int:
    return int(replay.view["version"])


class ReplayKind(Kind):
    """A replay that is saved again."""

    def write(self, folder: Path, n: int) -> None:
        save(replace(_replay(), view={"version": n}), folder / "run.tumble")

    def check(self, folder: Path, low: int, high: int) -> None:
        try:
            _require(_version_of(load(folder / "run.tumble")), low, high)
        except ReplayError as error:
            raise Wrong(str(error)) from error


class RecoveryKind(Kind):
    """The last state, whose model has another large file in each version."""

    def write(self, folder: Path, n: int) -> None:
        large = noise(2**18 + n).tobytes()
        made = replace(_replay(), bundle=replace(_replay().bundle, files={"noise.bin": large}), view={"version": n})
        save(made, folder / "slide.1-0123abcd.tumble", shelved=True)

    def check(self, folder: Path, low: int, high: int) -> None:
        left, damaged = take_over(folder)
        if damaged or len(left) != 1:
            raise Wrong(f"{len(left)} states to be offered; {damaged}")
        _require(_version_of(load(left[0].path)), low, high)
        left[0].release()


class Video(Kind):
    """A video that replaces the one before; each frame has the number of its version."""

    def write(self, folder: Path, n: int) -> None:
        encoder = Encoder(folder / "out.mp4", WIDTH, HEIGHT, 30)
        (folder / "ffmpeg").write_text(str(encoder.pid))
        for _ in range(20):
            encoder.write(numbered(n))
        encoder.finish()

    def end(self, folder: Path) -> None:
        with suppress(OSError, ValueError):
            os.killpg(int((folder / "ffmpeg").read_text()), signal.SIGKILL)
            time.sleep(0.05)

    def check(self, folder: Path, low: int, high: int) -> None:
        try:
            frames = [number_in(picture) for _, picture in decoded(folder / "out.mp4")]
        except subprocess.CalledProcessError as error:
            raise Wrong(f"the video cannot be decoded: {error.stderr[-200:]!r}") from error
        if len(frames) != 20 or len(set(frames)) != 1:
            raise Wrong(f"a video of {len(frames)} frames: {sorted(set(frames))}")
        _require(frames[0], low, high)


class Kernels(Kind):
    """The cache of kernels, which has all versions: each is whole, or counts as missing."""

    def _code(self, n: int) -> bytes:
        return noise(20_000 + n).tobytes()

    def write(self, folder: Path, n: int) -> None:
        self._in(folder, lambda: kernels.write("module:kernel", f"{n:04x}", self._code(n)))

    def check(self, folder: Path, low: int, high: int) -> None:
        kernels._memory.clear()
        for n in range(1, high + 1):
            code = self._in(folder, lambda n=n: kernels.read("module:kernel", f"{n:04x}"))  # type: ignore[misc]
            if code not in (None, self._code(n)):
                raise Wrong(f"kernel {n} is another")

    def _in(self, folder: Path, act: Any) -> Any:
        os.environ["TUMBLE_CACHE"] = str(folder)
        try:
            return act()
        finally:
            del os.environ["TUMBLE_CACHE"]


class Archives(Kind):
    """Archives, of which each version is unpacked when it is opened."""

    def _text(self, n: int) -> bytes:
        return f"<mujoco><!-- {n} {'y' * 30_000} --></mujoco>".encode()

    def write(self, folder: Path, n: int) -> None:
        path = folder.parent / f"{n}.zip"
        if not path.exists():
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("model.xml", self._text(n))
        self._open(folder, path)

    def check(self, folder: Path, low: int, high: int) -> None:
        for n in range(1, low + 1):
            if self._open(folder, folder.parent / f"{n}.zip").read_bytes() != self._text(n):
                raise Wrong(f"archive {n} is not unpacked whole")

    def _open(self, folder: Path, path: Path) -> Path:
        kept = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = str(folder)
        try:
            return unpack.file_of(path)
        finally:
            os.environ.pop("XDG_CACHE_HOME") if kept is None else os.environ.update(XDG_CACHE_HOME=kept)


KINDS: dict[str, Kind] = {
    "model": Model(), "settings": Setting(), "replay": ReplayKind(), "recovery": RecoveryKind(), "video": Video(),
    "kernels": Kernels(), "archives": Archives(),
}  # fmt: skip
