"""Video files: raw frames go down a pipe to their own ffmpeg, which makes them H.264 (mp4) or GIF.

The file grows under a hidden name in the same folder and gets its name at the end, so half a video is never visible. An mp4
grows in fragments, each of which plays: where ffmpeg dies or the disk fills, the part so far stays as `name.partial.mp4`.
A whole one is copied into the order that starts to play before it is all there (faststart). An ffmpeg that no longer listens
when the user wants the end is ended by force, and the finished part is saved in the same way.

Frame k of n is shown from k/fps to (k+1)/fps: there is a constant number of frames per second, and no clock is read. In a GIF
times are whole hundredths of a second by its format; they are rounded one by one, so that errors do not add up.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import IO

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tumble.app.base import files
from tumble.physics.base import system

log = logging.getLogger(__name__)

MP4, GIF = ".mp4", ".gif"
SUFFIXES = (MP4, GIF)
# Time between pictures of a GIF [s]: viewers show shorter ones ten times slower.
GIF_LEAST = Fraction(1, 50)
MOST_FPS, MOST_SIDE = 1000, 16384  # pixels per side: limit of H.264 and graphics cards
# How long ffmpeg may take to end, once it has all frames [s]: it has a second of video in work, however large.
PATIENCE = 120.0
LAST_WORDS = 5.0  # [s] that it has to end once it no longer listens
HASTE = 2.0  # [s] that it has after a stop by the user, if it does nothing: with the check of the finished part, at most 5 s
MOST_HASTE = 15.0  # [s] that it has after a stop if it works: others may leave it little of the processor
LOOK = 0.1  # interval of polling for a stop by the user [s]
# The colour matrix is tagged as well as applied: players guess otherwise, by the picture's size.
_COLOURS = "scale=out_color_matrix=bt709:out_range=tv,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv"
# How ffmpeg begins its lines: which part of it speaks.
_SPEAKER = re.compile(r"^(\[[^]]* @ 0x[0-9a-f]+\] )+")
_PIXELS = {3: "rgb24", 4: "rgb0"}


class VideoError(Exception):
    """A video that cannot be made; the message gives the reason, and the path of the finished part."""


def ffmpeg() -> str:
    """The ffmpeg program; IMAGEIO_FFMPEG_EXE names another. Raises VideoError if missing."""
    try:
        return imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError as error:
        raise VideoError(f"ffmpeg, which makes videos, was not found: {error}") from error


def check_format(path: Path, width: int, height: int, fps: Fraction) -> None:
    """Raise VideoError if no video of this kind can be made; the message lists those that can."""
    if path.suffix.lower() not in SUFFIXES:
        raise VideoError(f"{path}: a video ends in {' or '.join(SUFFIXES)}")
    if not (0 < width <= MOST_SIDE and 0 < height <= MOST_SIDE):
        raise VideoError(f"{path}: {width} x {height} pixels; each side has 1 to {MOST_SIDE}")
    if not 0 < fps <= MOST_FPS:
        raise VideoError(f"{path}: {float(fps):g} frames per second; valid are more than 0 to {MOST_FPS}")
    if path.suffix.lower() == GIF and fps > 1 / GIF_LEAST:
        raise VideoError(f"{path}: {float(fps):g} frames per second; a GIF shows at most {1 / GIF_LEAST}")


class Encoder:
    """One video file in the making; one thread calls all methods.

    count: frames written so far.
    """

    def __init__(self, path: Path, width: int, height: int, fps: Fraction | float, channels: int = 3,
                 stopping: Callable[[], bool] = lambda: False) -> None:  # fmt: skip
        """Frames of width x height pixels with 3 (RGB) or 4 (RGBA; alpha is ignored) channels. Raises VideoError.

        stopping: True once the user stops; polled while waiting for ffmpeg, which from then on has `HASTE` seconds.
        """
        self.path = Path(path)
        self.count = 0
        self.fps = Fraction(fps).limit_denominator(100_000)
        check_format(self.path, width, height, self.fps)
        self._shape = (height, width, channels)
        self._stopping = stopping
        try:
            self._growing = files.beside(self.path)
        except files.FileError as error:
            raise VideoError(str(error)) from error
        source = ["-f", "rawvideo", "-pix_fmt", _PIXELS[channels], "-s", f"{width}x{height}"]
        source += ["-framerate", str(self.fps), "-i", "-"]
        making = _gif() if self._suffix == GIF else _h264(width, height, self.fps)
        try:
            self._process = _Process([*source, *making, str(self._growing)], stopping)
        except VideoError:
            self._growing.unlink(missing_ok=True)
            raise

    @property
    def _suffix(self) -> str:
        return self.path.suffix.lower()

    @property
    def pid(self) -> int:
        """The process that encodes."""
        return self._process.pid

    def write(self, frame: NDArray[np.uint8]) -> None:
        """Append a frame (height, width, channels), first row on top; waits until ffmpeg takes it. Raises VideoError."""
        if frame.shape != self._shape or frame.dtype != np.uint8:
            raise ValueError(f"a frame has shape {self._shape} of uint8; this has {frame.shape} of {frame.dtype}")
        try:
            self._process.write(np.ascontiguousarray(frame).data)
        except OSError:  # it has closed its end: why, it has written before
            raise self._broken() from None
        self.count += 1

    def finish(self) -> Path:
        """End the video with the frames it has; where it is. Raises VideoError, also if there are no frames."""
        if self.count == 0:
            self.abandon()
            raise VideoError(f"{self.path}: not written: there are no frames")
        if not self._process.end():
            raise self._broken()
        try:
            if self._suffix == MP4:
                self._reorder()
            # A user who stops does not wait for the disk, unless there is a file to lose.
            files.put_in_place(self._growing, self.path, synced=self.path.exists() or not self._stopping())
        except files.FileError as error:
            raise VideoError(f"{error}{self._salvage()}") from error
        return self.path

    def kill(self) -> None:
        """End ffmpeg by force; from any thread. A thread that writes then gets the error, with what could be kept."""
        self._process.end_by_force()

    def abandon(self) -> None:
        """End without a video, and delete its files."""
        self._process.kill()
        self._growing.unlink(missing_ok=True)

    def _reorder(self) -> None:
        """Copy the fragments into one piece; if there is no room for a copy, they stay: they play as well."""
        try:
            reordered = files.beside(self.path)
        except files.FileError as error:
            log.warning("%s", error)
            return
        line = ["-i", str(self._growing), "-c", "copy", "-movflags", "+faststart", "-f", "mp4", str(reordered)]
        copy = _Process(line, self._stopping)
        if copy.end():
            reordered.replace(self._growing)
        else:
            log.warning("%s: left in fragments: %s", self.path, copy.why())
            reordered.unlink(missing_ok=True)

    def _broken(self) -> VideoError:
        """The error of an ffmpeg that has ended too early."""
        self._process.last_words()
        return VideoError(f"{self.path}: the video ends after {self.count} frames: {self._process.why()}{self._salvage()}")

    def _salvage(self) -> str:
        """Save the playable part of the growing file; returns a remark for the message."""
        kept = self.path.with_name(f"{self.path.stem}.partial{self.path.suffix}")
        try:
            if _plays(self._growing):
                files.put_in_place(self._growing, kept)
                return f"; the finished part is in {kept.name}"
            remark = "; none of it is playable"
        except (files.FileError, VideoError) as error:
            remark = f"; nothing of it can be kept: {error}"
        finally:
            self._growing.unlink(missing_ok=True)
        return remark


def _h264(width: int, height: int, fps: Fraction) -> list[str]:
    """Options for H.264 that plays everywhere: 4:2:0, so sides are even; a last odd row or column is repeated."""
    right, bottom = width % 2, height % 2
    even = f"pad={width + right}:{height + bottom},fillborders=right={right}:bottom={bottom}:mode=smear,"
    picture = f"{even if right or bottom else ''}{_COLOURS},format=yuv420p"
    # A fragment a second at most, so that little is lost with an ffmpeg that dies.
    return ["-an", "-vf", picture, "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-g", str(max(1, round(fps))),
            "-movflags", "frag_keyframe+delay_moov+default_base_moof", "-flush_packets", "1", "-f", "mp4"]  # fmt: skip


def _gif() -> list[str]:
    """Options for a GIF with 256 colours a frame: one palette for all would need all frames in memory first."""
    palette = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4"
    # Frames are complete: ffmpeg finds changes by colour numbers, which mean other colours in the next palette.
    return ["-an", "-vf", palette, "-fps_mode", "passthrough", "-gifflags", "-offsetting-transdiff", "-loop", "0", "-f", "gif"]


def _plays(path: Path) -> bool:
    """True if a file holds a frame. A file that takes long to inspect is kept."""
    line = [ffmpeg(), "-v", "error", "-i", str(path), "-frames:v", "1", "-f", "framemd5", "-"]
    if path.stat().st_size == 0:
        return False
    try:
        shown = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=HASTE, check=False)
    except subprocess.TimeoutExpired:
        return True
    except OSError as error:
        raise VideoError(f"{line[0]} does not start: {files.reason(error)}") from error
    return any(not row.startswith(b"#") for row in shown.stdout.splitlines())


class _Process:
    """A run of ffmpeg, and its error messages.

    It has its own group, so that Ctrl+C in a terminal reaches us alone and what is done can be finished. Signals stay
    ignored that Python ignores: a limit of the file's size is then an error that it reports, not its end. It is never waited for
    without looking whether the user wants the end: one that has been stopped takes nothing and says nothing. So another thread
    writes: only on Unix can a pipe be asked whether it has room.
    """

    def __init__(self, options: list[str], stopping: Callable[[], bool]) -> None:
        line = [ffmpeg(), "-hide_banner", "-loglevel", "error", "-nostats", "-y", *options]
        try:
            self._process = subprocess.Popen(
                line, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                restore_signals=False, **system.own_group(),
            )  # fmt: skip
        except OSError as error:
            raise VideoError(f"{line[0]}, which makes videos, does not start: {files.reason(error)}") from error
        self._stopping = stopping
        self._deadline: float | None = None  # of an end that the user wants [s]; later while it works, but no later than the last
        self._last = self._worked = 0.0
        self._forced = False
        self._said: deque[str] = deque(maxlen=4)
        self._todo: SimpleQueue[memoryview | None] = SimpleQueue()
        self._taken: SimpleQueue[OSError | None] = SimpleQueue()
        assert self._process.stdin is not None
        assert self._process.stderr is not None
        self._feeder = threading.Thread(target=self._feed, args=(self._process.stdin.fileno(),), name="to ffmpeg", daemon=True)
        self._feeder.start()
        self._listener = threading.Thread(target=self._listen, args=(self._process.stderr,), name="ffmpeg", daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def write(self, data: memoryview) -> None:
        """Write bytes; OSError if it has ended, or blocks after a stop by the user."""
        self._todo.put(data.cast("B"))
        while True:
            try:
                error = self._taken.get(timeout=LOOK)
            except Empty:
                self._hurry()
                continue
            if error is not None:
                raise error
            return

    def _feed(self, pipe: int) -> None:
        while (data := self._todo.get()) is not None:
            try:
                while len(data):
                    data = data[os.write(pipe, data) :]
                self._taken.put(None)
            except OSError as error:
                self._taken.put(error)

    def end(self) -> bool:
        """Wait for its end; returns True if it succeeded."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        begun = monotonic()
        while self._process.poll() is None:
            if monotonic() - begun > PATIENCE:
                self._said.append(f"it did not end within {PATIENCE:g} s")
                break
            try:
                self._process.wait(LOOK)
            except subprocess.TimeoutExpired:
                try:
                    self._hurry()
                except TimeoutError:
                    break
        self.kill()
        return self._process.returncode == 0

    def kill(self) -> None:
        """End it now, if it has not ended."""
        assert self._process.stdin is not None
        self.end_by_force()
        self._process.wait()
        self._listener.join(LAST_WORDS)
        self._todo.put(None)
        self._feeder.join(LAST_WORDS)
        if not self._feeder.is_alive():  # else it would write into whatever gets the number of this pipe next
            self._process.stdin.close()

    def last_words(self) -> None:
        """End it, after the time in which it can report why it no longer reads."""
        begun = monotonic()
        while self._process.poll() is None and monotonic() - begun < LAST_WORDS and not self._overdue():
            try:
                self._process.wait(LOOK)
            except subprocess.TimeoutExpired:
                continue
        self.kill()

    def end_by_force(self) -> None:
        """Kill it and its child processes; threads that wait for it continue."""
        if self._process.poll() is None:
            self._forced = True
            system.kill_group(self._process)

    def why(self) -> str:
        """Why it ended, for a message."""
        code = self._process.returncode
        how = f"ffmpeg was ended by signal {-code}" if code is not None and code < 0 else "ffmpeg failed"
        if self._overdue() and self._forced:
            how = f"ffmpeg did not answer within {HASTE:g} s and was ended"
        if any(os.strerror(errno.ENOSPC) in text for text in self._said):
            how = "the disk is full"
        return f"{how}: {'; '.join(self._said)}" if self._said else how

    def _overdue(self) -> bool:
        """True if stopping takes too long."""
        now = monotonic()
        if self._deadline is None and self._stopping():
            self._deadline, self._last = now + HASTE, now + MOST_HASTE
            self._worked = system.processor_time(self.pid)
        if self._deadline is None or now <= self._deadline:
            return False
        worked = system.processor_time(self.pid)
        if worked > self._worked and now < self._last:
            self._deadline, self._worked = now + HASTE, worked
            return False
        return True

    def _hurry(self) -> None:
        """Raise TimeoutError where the user has wanted the end for too long."""
        if self._overdue():
            raise TimeoutError

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            for row in stream:
                text = _SPEAKER.sub("", row.decode("utf-8", "replace").strip())
                if text not in self._said and not text.startswith("Last message repeated"):
                    self._said.append(text)


Picture = NDArray[np.uint8]


def fitted(picture: Picture, width: int, height: int) -> Picture:
    """The picture (height, width, channels) scaled into this size: aspect ratio kept, padded with black."""
    high, wide, channels = picture.shape
    if (wide, high) == (width, height):
        return picture
    scale = min(width / wide, height / high)
    inner_width, inner_height = max(1, min(width, round(wide * scale))), max(1, min(height, round(high * scale)))
    scaled = Image.fromarray(np.ascontiguousarray(picture)).resize((inner_width, inner_height), Image.Resampling.BILINEAR)
    result = np.zeros((height, width, channels), np.uint8)
    x, y = (width - inner_width) // 2, (height - inner_height) // 2
    result[y : y + inner_height, x : x + inner_width] = np.asarray(scaled)
    return result
