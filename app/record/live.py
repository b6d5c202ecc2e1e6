"""Recording while it happens: pictures go to a thread that encodes, and whoever paints never waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import Full, Queue

import numpy as np
from numpy.typing import NDArray

from app.record.video import Encoder, VideoError

Picture = NDArray[np.uint8]
# Pictures that wait for the encoder: a quarter of a second of hiccup at 60 a second, 60 MB at 1280 x 720.
WAITING = 16


class LiveRecorder:
    """A video whose frames are the pictures that came nearest to their times.

    The first picture is frame 0. One that comes for a frame that is there already is left out; where none came for a frame,
    the one before is shown on. So the video runs as fast as time did, whatever the window did.

    dropped: pictures that found the queue full; on_error: called once, in the encoder's thread, where the video breaks off.
    """

    def __init__(self, path: Path, width: int, height: int, fps: float, channels: int = 4,
                 on_error: Callable[[str], None] = lambda message: None) -> None:  # fmt: skip
        """As for an Encoder; raises VideoError."""
        self.dropped = 0
        self._encoder = Encoder(path, width, height, fps, channels)
        self._on_error = on_error
        self._error: VideoError | None = None
        self._first: float | None = None
        self._number = -1  # of the last frame taken
        self._queue: Queue[tuple[int, Picture] | None] = Queue(WAITING)
        self._thread = threading.Thread(target=self._run, name="video", daemon=True)
        self._thread.start()

    @property
    def count(self) -> int:
        """Frames written so far."""
        return self._encoder.count

    @property
    def broken(self) -> bool:
        """Whether the video has broken off."""
        return self._error is not None

    def push(self, picture: Picture, time: float) -> bool:
        """A picture (height, width, channels), top row first, that nobody changes any more, and when it was taken [s].

        Returns at once; False: it had to be dropped, as the encoder is behind or has failed.
        """
        if self._first is None:
            self._first = time
        number = round((time - self._first) * float(self._encoder.fps))
        if number <= self._number:
            return True
        if self.broken:
            return False
        try:
            self._queue.put_nowait((number, picture))
        except Full:
            self.dropped += 1
            return False
        self._number = number
        return True

    def finish(self) -> Path:
        """End the video with what it has; where it is. Waits for the encoder. Raises VideoError."""
        self._queue.put(None)
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._encoder.finish()

    def _run(self) -> None:
        before: Picture | None = None
        while (item := self._queue.get()) is not None:
            if self._error is not None:
                continue  # whoever pushes must not find a queue that nobody empties
            number, picture = item
            try:
                while before is not None and self._encoder.count < number:
                    self._encoder.write(before)
                self._encoder.write(picture)
            except VideoError as error:
                self._error = error
                self._on_error(str(error))
            before = picture
