"""An ffmpeg that takes nothing, hears nothing, or never ends: who wants to stop has done so in 5 s, with what is done."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from tests.app.cli.test_render import ROOT, SMALL, slide
from tests.app.film.test_video import HEIGHT, WIDTH, decoded, numbered
from tumble.app.film import video
from tumble.app.film.video import Encoder, VideoError, ffmpeg

PROMISE = 5.0  # from the wish to the end [s]
# What never reads, and has a child that holds its pipes: as a wrapper around ffmpeg does, which the system's packages bring.
DEAF = "#!/bin/sh\nsleep 600 &\nwait\n"
# What reads all, and then does not end.
ENDLESS = "#!/bin/sh\ncat > /dev/null\nsleep 600 &\nwait\n"


def _noise(k):
    return np.random.default_rng(k).integers(0, 255, (240, 320, 1), np.uint8).repeat(3, axis=2)


def _write_on(encoder):
    for _ in range(1000):
        encoder.write(_noise(0))


def _alive_in_group(group):
    """Processes of a group that run; one that has ended may stay listed until it is asked for."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has just ended
            continue
        if int(its_group) == group and state != "Z":
            found.append(path.parent.name)
    return found


def _install(tmp_path, monkeypatch, text):
    fake = tmp_path / "ffmpeg"
    fake.write_text(text)
    fake.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(fake))


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_a_stopped_ffmpeg_ends_with_the_users_wish_and_what_was_done_is_kept(tmp_path, monkeypatch, suffix):
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


@pytest.mark.parametrize("fake", [DEAF, ENDLESS])
def test_an_encoder_that_never_ends_does_so_with_all_that_it_started(tmp_path, monkeypatch, fake):
    monkeypatch.setattr(video, "HASTE", 0.3)
    _install(tmp_path, monkeypatch, fake)
    wish = threading.Event()
    encoder = Encoder(tmp_path / "out.mp4", WIDTH, HEIGHT, 30, stopping=wish.is_set)
    encoder.write(numbered(0))  # a pipe has room for it
    wish.set()
    begun = time.monotonic()
    with pytest.raises(VideoError, match=r"1 frames: ffmpeg did not answer within 0\.3 s and was ended; none of it plays yet$"):
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
    real, write = ffmpeg(), tmp_path / "ffmpeg"
    write.write_text(f'#!/bin/sh\ncase "$*" in *faststart*) touch {tmp_path}/copying; sleep 600;; *) exec {real} "$@";; esac\n')
    write.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(write))

    def press():
        while not (tmp_path / "copying").exists():
            time.sleep(0.01)
        copying.set()

    threading.Thread(target=press, daemon=True).start()
    path = encoder.finish()
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", real)
    assert len(decoded(path)) == 40
    assert sorted(os.listdir(tmp_path)) == ["copying", "ffmpeg", "out.mp4"]


def child_of(process):
    """The ffmpeg of a command."""
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            if "ffmpeg" in os.readlink(f"/proc/{child}/exe"):
                return int(child)
    raise AssertionError("no ffmpeg runs")


@pytest.mark.slow
def test_one_ctrl_c_ends_an_export_whose_ffmpeg_is_stopped(tmp_path):
    out = tmp_path / "out.mp4"
    line = [sys.executable, "-m", "tumble", "render", str(slide(tmp_path)), "-o", str(out), "--seconds", "1000", *SMALL]
    process = subprocess.Popen(line, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not any(p.name.startswith(".out.mp4") and p.stat().st_size > 5_000 for p in tmp_path.iterdir()):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(child_of(process.pid), signal.SIGSTOP)
    time.sleep(0.5)  # the pipe is full by now
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert time.monotonic() - begun < PROMISE
    assert process.returncode == 3, said
    assert said.rstrip().endswith("did not answer within 2 s and was ended; the finished part is in out.partial.mp4")
    assert "Traceback" not in said
    assert len(decoded(tmp_path / "out.partial.mp4")) >= 30
    assert sorted(os.listdir(tmp_path)) == ["out.partial.mp4", "slide.xml"]
