"""Live recording of the view: when pictures are taken, the thread that encodes them, how far it is, and how it ends.

The view shows every picture that it has painted (`look`); one is read out where a frame of the video needs it, and goes to a
thread that encodes. A picture of a running simulation counts as of the moment at which its state was taken, not of that at
which it came to be painted, so that motion in the video has the steps that it has in the simulation.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path
from queue import Full, Queue
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.describe.numbers import moment
from tumble.app.film.video import Encoder, VideoError, fitted
from tumble.app.session.session import Session
from tumble.physics.base.system import give_way

log = logging.getLogger(__name__)

Picture = NDArray[np.uint8]
INTERVAL = 200  # between two looks at how it goes [ms]
QUIET = 0.5  # after so long without a picture the last one is shown on [s]: states come to be painted much sooner
STUCK = 3.0  # after so long in which it has taken none of the frames that wait, the encoder counts as stuck [s]
CLOSING = 2.0  # time for the encoder when the window closes, before it is ended by force [s]
AFTER = 3.0  # ... and then, to save the finished part: a window closes within 5 s
# Pictures that wait for the encoder: a quarter of a second of hiccup at 60 a second, and fewer where they are large.
WAITING = 16
MOST_BYTES = 128 * 2**20  # of pictures that wait; two wait in any case


class LiveRecorder:
    """A video whose frames are the pictures nearest to their times.

    The first picture is frame 0. Later ones are taken when the time of the next frame is nearer to them than to the picture
    after, judged by the time since the one before; so each is within half a frame of its time. Where none came for a frame,
    the one before is shown on: the video runs as fast as time did, even if the window did not. A picture of another size is
    scaled into the video's in the encoder's thread.

    dropped: frames whose picture found the queue full; repeated: frames that show the picture before, for either reason;
    on_error: called once, in the encoder's thread, where the video breaks off.
    """

    def __init__(self, path: Path, width: int, height: int, fps: float, channels: int = 4,
                 on_error: Callable[[str], None] = lambda message: None) -> None:  # fmt: skip
        """Parameters as for an Encoder; raises VideoError."""
        self.dropped = 0
        self.repeated = 0
        self._size = (width, height)
        self._encoder = Encoder(path, width, height, fps, channels)
        give_way(self._encoder.pid, group=True)  # a late encoder costs frames, which are counted; a slow window spoils all
        self._on_error = on_error
        self._error: VideoError | None = None
        self._first: float | None = None
        self._offered = 0.0  # when a picture was offered last [s]
        self._since = 0.0  # from the one before to it, in frames
        self._number = -1  # of the last frame taken
        self._lost = -1  # of the last frame dropped
        room = MOST_BYTES // max(1, width * height * channels)
        # Frame and picture; no picture: the one before is shown up to that frame. None: the end.
        self._queue: Queue[tuple[int, Picture | None] | None] = Queue(max(2, min(WAITING, room)))
        self._thread = threading.Thread(target=self._run, name="video", daemon=True)
        self._thread.start()

    @property
    def fps(self) -> float:
        """Frames a second."""
        return float(self._encoder.fps)

    @property
    def count(self) -> int:
        """Number of frames written."""
        return self._encoder.count

    @property
    def taken(self) -> int:
        """Frames up to the last picture taken, written or waiting."""
        return self._number + 1

    @property
    def broken(self) -> bool:
        """True if the video has failed."""
        return self._error is not None

    def offer(self, time: float, read: Callable[[], Picture]) -> bool:
        """The picture of a time [s] could be read now. It is, where a frame needs it and the encoder has room.

        read: the picture (height, width, channels), top row first, which is no longer changed. Returns immediately; False: a
        frame had to be dropped, as the encoder is behind or has failed.
        """
        if self._first is None:
            self._first = self._offered = time
        position = (time - self._first) * self.fps
        if time != self._offered:  # else the same picture again, which had no room
            self._since, self._offered = max(0.0, time - self._offered) * self.fps, time
        if self._number >= 0 and position < self._number + 1 - 0.5 * min(1.0, self._since):
            return True
        number = max(self._number + 1, round(position))
        if self.broken:
            return False
        if self._queue.full():
            self.dropped += number != self._lost
            self._lost = number
            return False
        try:
            self._queue.put_nowait((number, read()))
        except Full:  # only this thread puts, and there was room
            raise AssertionError("the queue of a recorder is filled by another thread") from None
        self.dropped -= number == self._lost  # a later picture came in time for it
        self._number = number
        return True

    def hold(self, time: float) -> None:
        """No more pictures come for times before this [s]: the last one is shown until then. Returns immediately.

        To be called now and then while nothing is painted, else all that time has to be written when a picture comes again.
        """
        number = self._number_before(time)
        if self._number >= 0 and number > self._number and not self._queue.full() and not self.broken:
            self._queue.put_nowait((number, None))
            self._number = number

    def finish(self, time: float | None = None) -> Path:
        """End the video with the frames so far; returns its path. Waits for the encoder. Raises VideoError.

        time: until when the last picture is shown on [s].
        """
        if time is not None and self._number >= 0:
            self._number = max(self._number, self._number_before(time))
            self._queue.put((self._number, None))
        self._queue.put(None)
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._encoder.finish()

    def _number_before(self, time: float) -> int:
        """The last frame that begins, to half a frame, before a time."""
        return -1 if self._first is None else round((time - self._first) * self.fps) - 1

    def break_off(self) -> None:
        """End ffmpeg by force if it no longer responds; `finish` then raises, with the part that could be saved."""
        self._encoder.kill()

    def _run(self) -> None:
        before: Picture | None = None
        while (item := self._queue.get()) is not None:
            if self._error is not None:
                continue  # an offer must not find a queue that is never emptied
            number, picture = item
            try:
                if before is not None:
                    self._repeat(before, number + (picture is None))
                if picture is not None:
                    before = fitted(picture, *self._size)
                    self._encoder.write(before)
            except VideoError as error:
                self._error = error
                self._on_error(str(error))

    def _repeat(self, picture: Picture, number: int) -> None:
        """Show a picture up to before a frame."""
        while self._encoder.count < number:
            self._encoder.write(picture)
            self.repeated += 1


class RecordingPhase(Enum):
    """The state of a recording."""

    IDLE = auto()
    RUNNING = auto()
    FINISHING = auto()


class Recording(QObject):
    """One video at a time. It continues when another model is loaded or the view is resized: the video keeps its size.

    panels: whether the view's overlay is in the video.
    """

    changed = pyqtSignal()  # phase or numbers
    saved = pyqtSignal(str)  # it is whole: a remark
    failed = pyqtSignal(str)  # it failed: reason, and path of the finished part

    _broke = pyqtSignal()  # from the encoder's thread

    def __init__(self, session: Session, clock: Callable[[], float] = perf_counter) -> None:
        super().__init__(session)
        self.phase = RecordingPhase.IDLE
        self.panels = True
        self.path = Path()
        self._session, self._clock = session, clock
        self._recorder: LiveRecorder | None = None
        self._seen = -1.0  # when the state was taken that was painted last [s]
        self._written, self._since = 0, 0.0  # frames written, and since when they are so many, or none waits [s]
        self._warned = False  # that the encoder is stuck
        self._background = Background("recording", self)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self._tick)
        self._broke.connect(self.stop)

    def start(self, path: Path, width: int, height: int, fps: float, *, panels: bool) -> None:
        """Record from now on, into width x height pixels. Raises VideoError that gives the reason."""
        if self.phase is not RecordingPhase.IDLE:
            raise VideoError(f"{self.path.name} is still being recorded")
        self._recorder = LiveRecorder(path, width, height, fps, on_error=lambda message: self._broke.emit())
        self.path, self.panels = path, panels
        self._written, self._since, self._warned = 0, self._clock(), False
        self._become(RecordingPhase.RUNNING)
        self._timer.start()
        log.info("recording %s: %d x %d at %g frames per second", path, width, height, fps)

    @property
    def active(self) -> bool:
        """True while recording."""
        return self.phase is RecordingPhase.RUNNING

    def look(self, read: Callable[[], Picture]) -> None:
        """The view has been painted; read: its pixels, which takes time and is done only where a frame needs them."""
        moment = self._moment()
        if self._recorder is not None and self.phase is RecordingPhase.RUNNING and moment is not None:
            self._recorder.offer(moment, read)

    def stop(self) -> None:
        """End the video; waiting frames are encoded in the background. A second call ends an encoder that is stuck by force."""
        recorder = self._recorder
        if recorder is not None and self.phase is RecordingPhase.FINISHING and self.stuck:
            recorder.break_off()
        if recorder is None or self.phase is not RecordingPhase.RUNNING:
            return
        now = self._clock()
        self._become(RecordingPhase.FINISHING)
        self._background.run(lambda: _finished(recorder, now), self._on_saved, self._on_failed, (VideoError,))

    # ---- how it goes

    @property
    def seconds(self) -> float:
        """Length of the video so far [s]."""
        return 0.0 if self._recorder is None else self._recorder.taken / self._recorder.fps

    @property
    def frames(self) -> int:
        """Number of frames so far, written or waiting."""
        return 0 if self._recorder is None else self._recorder.taken

    @property
    def waiting(self) -> int:
        """Frames that the encoder has before it."""
        return 0 if self._recorder is None else max(0, self._recorder.taken - self._recorder.count)

    @property
    def stuck(self) -> float:
        """Time for which the encoder has accepted none of the waiting frames [s]; 0: it works."""
        silent = self._clock() - self._since
        return silent if self.waiting and silent > STUCK else 0.0

    @property
    def dropped(self) -> int:
        """Frames that show the picture before, because the encoder was behind."""
        return 0 if self._recorder is None else self._recorder.dropped

    @property
    def repeated(self) -> int:
        """Frames that repeat the previous picture: because the view was not painted in time, or did not change."""
        return 0 if self._recorder is None else self._recorder.repeated

    def summary(self) -> str:
        """The numbers in words."""
        parts = [moment(self.seconds, 1), f"{self.frames} frames", f"{self.dropped} dropped" if self.dropped else "none dropped"]
        if self.repeated > self.dropped:
            parts.append(f"{self.repeated - self.dropped} repeated where no new picture was painted")
        return ", ".join(parts)

    def close(self) -> bool:
        """End the video now, and wait for it; returns True if all threads have ended."""
        self.stop()
        self._timer.stop()
        if self._background.close(0.0 if self.stuck else CLOSING):
            return True
        assert self._recorder is not None
        log.error("the encoder of %s does not stop: it is killed", self.path)
        self._recorder.break_off()
        return self._background.close(AFTER)

    def _moment(self) -> float | None:
        """The wall time of the present picture [s]; None: the window was blocked for long, and a newer one follows."""
        snapshot, now = self._session.snapshot, self._clock()
        if snapshot is not None and self._session.is_behind and now - snapshot.taken > QUIET:
            return None
        if snapshot is None or snapshot.taken == self._seen or now - snapshot.taken > QUIET:
            return now  # another picture of the same state: the camera has moved
        self._seen = snapshot.taken
        return snapshot.taken

    def _tick(self) -> None:
        if self._recorder is not None and self.phase is RecordingPhase.RUNNING:
            self._recorder.hold(self._clock() - QUIET)
        if self._recorder is not None and (not self.waiting or self._recorder.count != self._written):
            self._written, self._since = self._recorder.count, self._clock()
        if self.stuck and not self._warned:
            self._warned = True
            log.warning("%s: ffmpeg accepts no frames; the present view is not in the video", self.path)
        self.changed.emit()

    def _become(self, phase: RecordingPhase) -> None:
        self.phase = phase
        self.changed.emit()

    def _end(self) -> None:
        self._timer.stop()
        self._become(RecordingPhase.IDLE)

    def _on_saved(self, path: Path) -> None:
        self._end()
        log.info("recorded %s: %s", path, self.summary())
        self.saved.emit(f"Saved {path}: {self.summary()}")

    def _on_failed(self, message: str) -> None:
        self._end()
        self.failed.emit(message)


def _finished(recorder: LiveRecorder, time: float) -> Path:
    """End a video in the background; what goes wrong is in the log also where the window is gone. Raises VideoError."""
    try:
        return recorder.finish(time)
    except VideoError as error:
        log.error("%s", error)
        raise
