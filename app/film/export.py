"""Videos of the past, at exact frame times: `tumble render` runs on a replay, in a separate process.

The process has memory, OpenGL and processor time of its own, and gives way to the window. Its input lies in a
separate folder: the replay with the wanted view, and the camera path.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from enum import Enum, auto
from math import isnan, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from msgspec import Struct, field
from msgspec.structs import asdict, replace
from PyQt6.QtCore import QObject, QProcess, Qt, QTimer, pyqtSignal

from tumble.app.base import files
from tumble.app.base.background import Background, program_process
from tumble.app.film.camera_path import CameraKey
from tumble.app.film.offline import OnionSkins
from tumble.app.replay.replay_file import SUFFIX, Replay, load, save
from tumble.app.replay.replay_view import camera_to, options_to
from tumble.app.replay.state import ReplayError
from tumble.physics.base.system import give_way, processor_time
from tumble.render.camera import Camera
from tumble.render.options import RenderOptions

log = logging.getLogger(__name__)

NOTHING = "The export was stopped before its first frame: there is no video"
UNANSWERED = "The export did not answer and was ended: there is no video"
CLOSING = 20_000  # time to save the finished part when the window closes [ms]
STOPPING = 5_000  # time for the command after a cancel, before it is ended by force if it does nothing [ms]
MOST_STOPPING = 20.0  # time for it if it works: others may leave it little of the processor [s]
_KEPT = 130  # the command's exit code when stopped with the finished part saved


class ExportPhase(Enum):
    """The state of an export."""

    IDLE = auto()
    PREPARING = auto()
    RUNNING = auto()
    STOPPING = auto()


class Order(Struct, frozen=True):
    """An order for a video. fps, speed: as on the command line; fixed: a camera of the model by name or number; path: keys on the
    timeline; orbit [deg/s of the video]; overlay: the time is written into the picture; start,
    seconds: of the replay, to export a part [s]; skins: past poses in the pictures."""

    output: Path
    width: int
    height: int
    fps: str = "60"
    speed: float = 1.0
    overlay: bool = False
    camera: Camera = field(default_factory=Camera)
    fixed: str = ""
    orbit: float = 0.0
    start: float = 0.0
    seconds: float | None = None
    path: Sequence[CameraKey] = ()
    options: RenderOptions = field(default_factory=RenderOptions)
    skins: OnionSkins = field(default_factory=OnionSkins)


class Footage(Struct, frozen=True):
    """The source of a video. begin: where on the timeline the replay begins; skip: time before the wanted part [s]."""

    replay: Replay
    begin: float = 0.0
    skip: float = 0.0


Source = Callable[[Callable[[Footage | str], None]], None]  # calls a function with the footage or an error


def arguments(order: Order, skip: float, folder: Path) -> list[str]:
    """The command line of an order whose files are in a folder (`write_parts`); skip: of its replay [s]."""
    line = ["render", str(folder / f"replay{SUFFIX}"), "-o", str(order.output), "--size", f"{order.width}x{order.height}"]
    line += ["--fps", order.fps, "--speed", repr(order.speed), "--json-progress", "--stop-with-input"]
    if order.start + skip:
        line += ["--start", repr(order.start + skip)]
    if order.seconds is not None:
        line += ["--seconds", repr(order.seconds)]
    if order.overlay:
        line.append("--overlay")
    skins = order.skins
    if skins.ghosts:
        line += ["--ghosts", str(skins.ghosts), "--ghost-interval", repr(skins.interval)]
    for body, point in skins.trails:
        line.append(f"--trail={body}:{','.join(map(repr, point))}")
    if skins.trails:
        line += ["--trail-seconds", repr(skins.seconds)]
    if order.fixed:
        line += ["--camera", order.fixed]
    elif order.path:
        line += ["--path", str(folder / "path.json")]
    elif order.orbit:
        line += ["--orbit", repr(order.orbit)]
    return line


def write_parts(order: Order, footage: Footage, folder: Path) -> None:
    """Write the command's input files. Raises FileError, ReplayError."""
    view = {"camera": camera_to(order.camera), "options": options_to(order.options)}
    save(replace(footage.replay, view=view), folder / f"replay{SUFFIX}")
    if order.path:
        first = footage.begin + footage.skip + order.start  # from where the command counts
        keys = [asdict(replace(key, time=key.time - first)) for key in order.path]
        files.write_whole(folder / "path.json", json.dumps({"keys": keys}).encode())


class Export(QObject):
    """One export at a time. what: the running stage, done of total; left: wall time [s]; message: how the last one ended."""

    changed = pyqtSignal()
    ended = pyqtSignal(bool, str)  # whether the video is complete; message

    _answered = pyqtSignal(object, object)  # the order; Footage or an error message; from any thread

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.phase = ExportPhase.IDLE
        self.what, self.done, self.total, self.left = "", 0.0, 0.0, 0.0
        self._order: Order | None = None
        self._folder: TemporaryDirectory[str] | None = None
        self._process: QProcess | None = None
        self._said: list[str] = []  # lines that are no progress
        self._rest = ""  # of a line that is not whole yet
        self._background = Background("export", self)
        # The answer may come immediately. PyQt's stubs do not know the second argument.
        self._answered.connect(self._write, Qt.ConnectionType.QueuedConnection)  # type: ignore[call-arg]

    def start(self, order: Order, source: Source | Path) -> None:
        """Begin, with footage, or a replay file. Raises FileError if the video cannot be written, before anything is done."""
        if self.phase is not ExportPhase.IDLE:
            raise files.FileError("another export is running")
        files.require_writable(order.output)
        self._order, self._said, self._rest = order, [], ""
        self.what, self.done, self.total, self.left = "Preparing", 0.0, 0.0, 0.0
        self._become(ExportPhase.PREPARING)
        if isinstance(source, Path):
            self._background.run(
                lambda: Footage(load(source)),
                lambda footage: self._write(order, footage),
                lambda why: self._fail(order, why),
                (ReplayError,),
            )
        else:
            source(lambda got: self._answered.emit(order, got))

    def cancel(self) -> None:
        """Stop; the frames that are done become a video."""
        if self.phase is ExportPhase.PREPARING:
            self._end(False, NOTHING)
        elif self.phase is ExportPhase.RUNNING and self._process is not None:
            self._become(ExportPhase.STOPPING)
            self._process.closeWriteChannel()
            self._end_if_idle(self._process, nan, monotonic() + MOST_STOPPING)

    def _end_if_idle(self, process: QProcess, before: float, until: float) -> None:
        """End a process that has not worked since it was looked at, else look again later.

        before: its processor time then [s]; nan: it was not looked at yet. until: when it is ended even if it works [s].
        """
        if process is not self._process:
            return  # it has ended
        worked = processor_time(process.processId())
        if isnan(before) or (worked > before and monotonic() < until):
            QTimer.singleShot(STOPPING, lambda: self._end_if_idle(process, worked, until))
        else:
            process.kill()

    def close(self) -> bool:
        """Save the finished part, and end; returns True if all threads have ended."""
        self.cancel()
        if self._process is not None and not self._process.waitForFinished(CLOSING):
            self._process.kill()
            self._process.waitForFinished()
        return self._background.close(CLOSING / 1000)

    # ---- in the order in which it happens

    def _write(self, order: Order, got: Footage | str) -> None:
        if order is not self._order:
            return  # cancelled in the meantime
        if isinstance(got, str):
            self._fail(order, got)
            return
        try:
            folder = self._folder = TemporaryDirectory(prefix="tumble-export-", ignore_cleanup_errors=True)
        except OSError as error:
            self._fail(order, f"there is no space for the files of the export: {files.reason(error)}")
            return
        self._background.run(
            lambda: write_parts(order, got, Path(folder.name)),
            lambda nothing: self._launch(order, got.skip),
            lambda why: self._fail(order, why),
            (files.FileError, ReplayError),
        )

    def _launch(self, order: Order, skip: float) -> None:
        if order is not self._order or self._folder is None:
            return  # cancelled in the meantime
        line = arguments(order, skip, Path(self._folder.name))
        process = self._process = program_process(
            self, *line, failed=lambda why: self._fail(order, f"the export does not start: {why}")
        )
        process.setStandardOutputFile(QProcess.nullDevice())
        process.readyReadStandardError.connect(self._read)
        process.started.connect(lambda: give_way(process.processId()))  # and what it starts
        process.finished.connect(self._on_finished)
        self._become(ExportPhase.RUNNING)
        process.start()

    def _read(self) -> None:
        if self._process is None:
            return
        text = self._rest + bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        *lines, self._rest = text.split("\n")
        for line in lines:
            self._take(line)
        self.changed.emit()

    def _take(self, line: str) -> None:
        """A line of progress, or one for the user."""
        try:
            progress = json.loads(line)
            self.what, self.done, self.total, self.left = progress["what"], progress["done"], progress["total"], progress["left"]
        except (ValueError, TypeError, KeyError):
            if line.strip():
                self._said.append(line.strip())

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read()
        self._take(self._rest)
        order, stopped = self._order, self.phase is ExportPhase.STOPPING
        assert order is not None
        crashed = status == QProcess.ExitStatus.CrashExit
        about = next((line for line in self._said if line.startswith(str(order.output))), "")
        last = self._said[-1] if self._said else ""
        if code in (0, 1) and not crashed:
            for line in self._said:
                log.log(logging.WARNING if line.startswith("warning: ") else logging.INFO, "%s", line.removeprefix("warning: "))
            self._end(True, f"Saved {about or order.output}")
        elif stopped and code == _KEPT and about:
            self._end(False, f"Stopped; the finished part is kept: {about}")
        elif stopped:
            self._end(False, f"Stopped: {last}" if last and not crashed else NOTHING if not self.done else UNANSWERED)
        else:
            self._fail(order, f"the export stopped unexpectedly: {last or 'no message'}" if crashed else last or f"code {code}")

    def _fail(self, order: Order, message: str) -> None:
        if order is not self._order:
            return
        log.error("%s", message)
        self._end(False, message)

    def _end(self, well: bool, message: str) -> None:
        if self._process is not None:
            self._process.deleteLater()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._order = None
        self._become(ExportPhase.IDLE)
        self.ended.emit(well, message)

    def _become(self, phase: ExportPhase) -> None:
        self.phase = phase
        self.changed.emit()
