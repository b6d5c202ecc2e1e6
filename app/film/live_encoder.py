"""Live recording: pictures go to a thread that encodes, and painting never waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import Full, Queue

import numpy as np
from numpy.typing import NDArray

from tumble.app.film.video import Encoder, VideoError, fitted
from tumble.physics.base.system import give_way

Picture = NDArray[np.uint8]
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

    def push(self, picture: Picture, time: float) -> bool:
        """The same as `offer`, for an existing picture."""
        return self.offer(time, lambda: picture)

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
                continue  # a push must not find a queue that is never emptied
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
