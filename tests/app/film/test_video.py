"""Videos, decoded again: every frame carries its number in its brightness; an ffmpeg that does not end is ended in 5 s."""

import itertools
import os
import re
import signal
import subprocess
import threading
import time
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.app.conftest import written
from tumble.app.film import video
from tumble.app.film.recording import WAITING, LiveRecorder
from tumble.app.film.video import Encoder, VideoError, ffmpeg

WIDTH, HEIGHT = 64, 48
NUMBERS = 16  # steps of brightness, far enough apart to come through the codec


def numbered(k, channels=3, width=WIDTH, height=HEIGHT):
    """A frame whose brightness is its number, bright marks in its upper left corner telling up from down."""
    frame = np.full((height, width, channels), 40 + 12 * (k % NUMBERS), np.uint8)
    frame[: height // 4, : width // 4] = 255
    return frame


def decoded(path):
    """The frames of a file as a player shows them: when [s], and the grey picture."""
    line = [ffmpeg(), "-hide_banner", "-i", str(path), "-fps_mode", "passthrough", "-vf", "showinfo", "-pix_fmt", "gray"]
    shown = subprocess.run([*line, "-f", "rawvideo", "-"], capture_output=True, check=True)
    said = shown.stderr.decode()
    width, height = map(int, re.search(r"Video: .*?, (\d+)x(\d+)", said).groups())
    pictures = np.frombuffer(shown.stdout, np.uint8).reshape(-1, height, width)
    times = [float(t) for t in re.findall(r"pts_time:\s*([\d.]+)", said)]
    return list(zip(times, pictures, strict=True))


def about(path):
    """What ffmpeg says of a file."""
    return subprocess.run([ffmpeg(), "-hide_banner", "-i", str(path)], capture_output=True, check=False).stderr.decode()


def duration(path):
    hours, minutes, seconds = re.search(r"Duration: (\d+):(\d+):([\d.]+)", about(path)).groups()
    return 3600 * int(hours) + 60 * int(minutes) + float(seconds)


def number_in(picture):
    return round((float(np.median(picture)) - 40) / 12)


@pytest.mark.parametrize("fps", [60, 25, Fraction(30000, 1001)])
def test_an_mp4_shows_every_frame_once_at_its_exact_time(tmp_path, fps):
    encoder = Encoder(tmp_path / "out.mp4", WIDTH, HEIGHT, fps)
    for k in range(90):
        encoder.write(numbered(k))
    path = encoder.finish()
    frames = decoded(path)
    assert [number_in(picture) for _, picture in frames] == [k % NUMBERS for k in range(90)]
    np.testing.assert_allclose([t for t, _ in frames], np.arange(90) / float(fps), atol=2e-6)  # six digits are printed
    assert duration(path) == pytest.approx(90 / float(fps), abs=0.006)  # two digits are printed
    assert os.listdir(tmp_path) == ["out.mp4"]
    assert frames[0][1][2, 2] > 230 > 60 > frames[0][1][-3, 2]  # up stays up
    # It is H.264 for every player, and starts before it is all there.
    assert re.search(r"Video: h264 .*yuv420p\(tv, bt709", about(path)), about(path)
    data = path.read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")
    assert b"moof" not in data


@pytest.mark.parametrize(("width", "height"), [(63, 48), (64, 47), (63, 47), (1, 1)])
def test_odd_sizes_gain_a_row_or_column_like_their_last(tmp_path, width, height):
    encoder = Encoder(tmp_path / "out.mp4", width, height, 30)
    for k in range(3):
        encoder.write(np.full((height, width, 3), 200, np.uint8) if width == 1 else numbered(k, 3, width, height))
    frames = decoded(encoder.finish())
    assert frames[0][1].shape == (height + height % 2, width + width % 2)
    last = frames[-1][1]
    assert abs(int(last[-1, -1]) - int(last[-2, -2])) <= 3


@pytest.mark.parametrize(("fps", "channels"), [(50, 3), (30, 4)])
def test_gif_frame_times_round_without_drift(tmp_path, fps, channels):
    encoder = Encoder(tmp_path / "out.gif", WIDTH, HEIGHT, fps, channels)
    for k in range(90):
        frame = numbered(k, channels)
        frame[..., 3:] = 0  # alpha that means nothing
        encoder.write(frame)
    path = encoder.finish()
    frames = decoded(path)
    assert [number_in(picture) for _, picture in frames] == [k % NUMBERS for k in range(90)]
    np.testing.assert_allclose([t for t, _ in frames], np.arange(90) / fps, atol=0.00501)
    assert duration(path) == pytest.approx(90 / fps, abs=0.011)


@pytest.mark.parametrize(
    ("name", "size", "fps", "says"),
    [
        ("out.avi", (64, 48), 30, r"ends in \.mp4 or \.gif"),
        ("out.mp4", (0, 48), 30, "each side has 1 to"),
        ("out.mp4", (64, 99999), 30, "each side has 1 to"),
        ("out.mp4", (64, 48), 0, "frames per second; valid"),
        ("out.gif", (64, 48), 60, "a GIF shows at most 50"),
        ("no/folder/out.mp4", (64, 48), 30, "cannot be written: No such file"),
    ],
)
def test_what_cannot_be_made_is_refused_before_the_first_frame(tmp_path, name, size, fps, says):
    with pytest.raises(VideoError, match=says):
        Encoder(tmp_path / name, *size, fps)
    assert os.listdir(tmp_path) == []


def test_folders_that_cannot_take_a_video_are_told(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):  # the tests run as root, who may write everywhere but there
        folder = Path("/proc")
    with pytest.raises(VideoError, match=r"out\.mp4: cannot be written: "):
        Encoder(folder / "out.mp4", WIDTH, HEIGHT, 30)
    (tmp_path / "out.mp4").mkdir()
    with pytest.raises(VideoError, match="this is a folder"):
        Encoder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30)


def test_a_machine_without_ffmpeg_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "none"))
    with pytest.raises(VideoError, match="none, which makes videos, does not start: No such file"):
        Encoder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30)
    assert os.listdir(tmp_path) == []


def test_abandoned_video_keeps_old_file_and_leaves_no_parts(tmp_path):
    path = tmp_path / "out.mp4"
    path.write_bytes(b"before")
    encoder = Encoder(path, WIDTH, HEIGHT, 30)
    encoder.write(numbered(0))
    encoder.abandon()
    with pytest.raises(VideoError, match="there are no frames"):
        Encoder(path, WIDTH, HEIGHT, 30).finish()
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["out.mp4"]


def _noise(k):
    """A picture that takes many bytes."""
    return np.random.default_rng(k).integers(0, 255, (240, 320, 1), np.uint8).repeat(3, axis=2)


def _write_until_it_breaks(encoder):
    for k in range(5000):
        encoder.write(_noise(k % 50))
    encoder.finish()


@pytest.mark.parametrize("suffix", [".mp4", pytest.param(".gif", marks=pytest.mark.slow)])
def test_an_ffmpeg_killed_in_the_middle_leaves_what_was_done(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    path.write_bytes(b"before")
    encoder = Encoder(path, 320, 240, 30)
    for k in range(150):
        encoder.write(_noise(k % 50))
    os.kill(encoder.pid, signal.SIGKILL)
    with pytest.raises(VideoError, match=rf"ends after \d+ frames: ffmpeg was ended by signal 9.*out\.partial\{suffix}"):
        _write_until_it_breaks(encoder)
    assert path.read_bytes() == b"before"
    kept = decoded(tmp_path / f"out.partial{suffix}")
    assert len(kept) >= 30
    assert kept[1][0] == pytest.approx(1 / 30, abs=0.004)
    assert sorted(os.listdir(tmp_path)) == [path.name, f"out.partial{suffix}"]


def test_a_frame_of_another_size_is_a_mistake_of_the_program(tmp_path):
    encoder = Encoder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30)
    with pytest.raises(ValueError, match="a frame has shape"):
        encoder.write(np.zeros((HEIGHT, WIDTH + 1, 3), np.uint8))
    encoder.abandon()


def test_live_pictures_land_on_the_frames_of_their_times(tmp_path):
    recorder = LiveRecorder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30, channels=3)
    # two within one frame, one late, then nothing for five frames
    for k, t in enumerate((100.0, 100.005, 100.03, 100.072, 100.2335)):
        assert recorder.offer(t, partial(numbered, k))
    frames = decoded(recorder.finish())
    assert [number_in(picture) for _, picture in frames] == [0, 2, 3, 3, 3, 3, 3, 4]
    assert recorder.dropped == 0


def test_slow_encoder_drops_frames_without_blocking(tmp_path, monkeypatch):
    free, write = threading.Event(), Encoder.write

    def slow(self, frame):
        assert free.wait(60)
        write(self, frame)

    monkeypatch.setattr(Encoder, "write", slow)
    recorder = LiveRecorder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30, channels=3)
    start = time.monotonic()
    taken = [recorder.offer(k / 30, partial(numbered, k)) for k in range(60)]
    assert time.monotonic() - start < 10  # one that waited would do so for the minute above
    assert recorder.dropped == taken.count(False) >= 60 - WAITING - 2
    free.set()
    while not recorder.offer(59 / 30, partial(numbered, 59)):
        time.sleep(0.01)
    frames = decoded(recorder.finish())
    assert len(frames) == 60
    assert number_in(frames[-1][1]) == 59 % NUMBERS


def test_broken_live_recording_reports_once_and_accepts_frames(tmp_path):
    messages = []
    recorder = LiveRecorder(tmp_path / "out.mp4", 320, 240, 30, channels=3, on_error=messages.append)
    os.kill(recorder._encoder.pid, signal.SIGKILL)
    k, deadline = 0, time.monotonic() + 60
    while recorder.offer(k / 30, partial(_noise, k % 50)) or not recorder.broken:
        k += 1
        assert time.monotonic() < deadline
    with pytest.raises(VideoError, match="signal 9"):
        recorder.finish()
    assert len(messages) == 1
    assert video.MP4 in messages[0]


def test_full_disk_is_named_in_error_and_keeps_old_video(tmp_path, monkeypatch):
    """An ffmpeg that says what the real one says on a full disk, as a test cannot fill one."""
    says = "[out#0/mp4 @ 0x55d0c3a1] Error writing trailer: No space left on device"
    _install(tmp_path, monkeypatch, f"#!/bin/sh\nhead -c 100000 > /dev/null\necho '{says}' >&2\nexit 228\n")
    path = tmp_path / "out.mp4"
    path.write_bytes(b"before")
    with pytest.raises(VideoError, match=r"frames: the disk is full: Error writing trailer: No space left on device; none of"):
        _write_until_it_breaks(Encoder(path, 320, 240, 30))
    assert path.read_bytes() == b"before"
    assert sorted(os.listdir(tmp_path)) == ["ffmpeg", "out.mp4"]


PROMISE = 5.0  # from the wish to the end [s]
# What never reads, and has a child that holds its pipes: as a wrapper around ffmpeg does, which the system's packages bring.
DEAF = "#!/bin/sh\nsleep 600 &\nwait\n"
# What reads all, and then does not end.
ENDLESS = "#!/bin/sh\ncat > /dev/null\nsleep 600 &\nwait\n"


def _write_on(encoder):
    for _ in range(1000):
        encoder.write(_noise(0))


def _alive_in_group(group):
    """Processes of a group that run; one that has ended may stay listed until it is asked for."""
    alive = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has just ended
            continue
        if int(its_group) == group and state != "Z":
            alive.append(path.parent.name)
    return alive


def _install(tmp_path, monkeypatch, text):
    fake = written(tmp_path / "ffmpeg", text)
    fake.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(fake))


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_stopped_ffmpeg_ends_on_request_and_keeps_frames(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(video, "HASTE", 0.5)
    path, wish = tmp_path / f"out{suffix}", threading.Event()
    path.write_bytes(b"before")
    encoder = Encoder(path, 320, 240, 30, stopping=wish.is_set)
    for k in range(150):
        encoder.write(_noise(k % 50))
    os.kill(encoder.pid, signal.SIGSTOP)
    threading.Timer(0.2, wish.set).start()  # while a frame waits for room
    begun = time.monotonic()
    with pytest.raises(VideoError, match=rf"ffmpeg did not answer within 0.5 s and was ended; .* in out\.partial\{suffix}$"):
        _write_on(encoder)
    assert time.monotonic() - begun < PROMISE
    encoder.abandon()
    assert len(decoded(tmp_path / f"out.partial{suffix}")) >= 30
    assert path.read_bytes() == b"before"
    assert sorted(os.listdir(tmp_path)) == [path.name, f"out.partial{suffix}"]


@pytest.mark.parametrize("works", [True, False])
def test_an_ffmpeg_that_works_has_longer_after_a_stop(tmp_path, monkeypatch, works):
    """Where other programs leave it little of the processor; here it stands still, and is said to work."""
    monkeypatch.setattr(video, "HASTE", 0.2)
    clock = itertools.count(1.0)
    monkeypatch.setattr(video.system, "processor_time", lambda pid: next(clock) if works else 1.0)
    wish = threading.Event()
    encoder = Encoder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30, stopping=wish.is_set)
    for k in range(30):
        encoder.write(numbered(k))
    os.kill(encoder.pid, signal.SIGSTOP)
    wish.set()
    if works:
        threading.Timer(1.0, os.kill, (encoder.pid, signal.SIGCONT)).start()
        assert len(decoded(encoder.finish())) == 30
    else:
        with pytest.raises(VideoError, match=r"did not answer within 0\.2 s"):
            encoder.finish()


def test_an_ffmpeg_that_works_without_an_end_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(video, "HASTE", 0.1)
    monkeypatch.setattr(video, "MOST_HASTE", 0.5)
    clock = itertools.count(1.0)
    monkeypatch.setattr(video.system, "processor_time", lambda pid: next(clock))
    _install(tmp_path, monkeypatch, ENDLESS)
    wish = threading.Event()
    encoder = Encoder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30, stopping=wish.is_set)
    encoder.write(numbered(0))
    wish.set()
    with pytest.raises(VideoError, match=r"ffmpeg did not answer"):
        encoder.finish()


@pytest.mark.parametrize("fake", [DEAF, ENDLESS])
def test_hung_encoder_is_killed_with_its_process_group(tmp_path, monkeypatch, fake):
    monkeypatch.setattr(video, "HASTE", 0.3)
    _install(tmp_path, monkeypatch, fake)
    wish = threading.Event()
    encoder = Encoder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30, stopping=wish.is_set)
    encoder.write(numbered(0))  # a pipe has room for it
    wish.set()
    begun = time.monotonic()
    with pytest.raises(VideoError, match=r"1 frames: ffmpeg did not answer within 0\.3 s and was ended; none of it is playable$"):
        encoder.finish()
    assert time.monotonic() - begun < PROMISE
    while _alive_in_group(encoder.pid):  # what was killed ends when the system has a moment for it
        assert time.monotonic() - begun < 60.0
        time.sleep(0.01)
    assert os.listdir(tmp_path) == ["ffmpeg"]


def test_a_copy_that_takes_too_long_leaves_a_video_that_plays(tmp_path, monkeypatch):
    """The user stops while the finished video is brought into order: it stays in fragments."""
    monkeypatch.setattr(video, "HASTE", 0.3)
    copying = threading.Event()
    encoder = Encoder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30, stopping=copying.is_set)
    for k in range(40):
        encoder.write(numbered(k))
    real = ffmpeg()
    script = f'#!/bin/sh\ncase "$*" in *faststart*) touch {tmp_path}/copying; sleep 600;; *) exec {real} "$@";; esac\n'
    _install(tmp_path, monkeypatch, script)

    def press():
        while not (tmp_path / "copying").exists():
            time.sleep(0.01)
        copying.set()

    threading.Thread(target=press, daemon=True).start()
    path = encoder.finish()
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", real)
    assert len(decoded(path)) == 40
    assert sorted(os.listdir(tmp_path)) == ["copying", "ffmpeg", "out.mp4"]
