"""Recording in the real window: by keys and mouse, resized, reloaded, broken off, closed; every frame accounted for."""

import os
import signal
from pathlib import Path
from time import monotonic, perf_counter

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QFileDialog

from tests.app.conftest import MODELS, open_and_wait, picture
from tests.app.film.test_video import decoded, duration
from tumble.app.base import settings
from tumble.app.film.capture_dialogs import PictureForm
from tumble.app.film.recording import MOST_BYTES, WAITING, LiveRecorder, Recording, RecordingPhase
from tumble.app.film.video import fitted
from tumble.render.options import PictureMode

BALL, SPIN = MODELS / "ball.xml", MODELS / "spin.xml"
CTRL = Qt.KeyboardModifier.ControlModifier


def _loaded(window, qtbot, path=BALL, *, paused=False):
    open_and_wait(qtbot, window.session, path)
    window.session.set_paused(paused)
    qtbot.waitUntil(lambda: window.viewport.is_drawn and window.session.is_obeyed and window.session.snapshot.paused is paused)


def _begin(window, qtbot, path, *, panels=False):
    """As a user: the key, the dialog, its button."""
    qtbot.keyClick(window.viewport, Qt.Key.Key_R, CTRL)
    dialog = window.filming.record_dialog
    qtbot.waitUntil(dialog.isVisible)
    dialog.file.text.setText(str(path))
    dialog.panels.setChecked(panels)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)


def _end(window, qtbot):
    with qtbot.waitSignal(window.filming.recording.saved):
        qtbot.keyClick(window.viewport, Qt.Key.Key_R, CTRL)


def test_a_key_and_two_clicks_record_what_the_view_shows(window, qtbot, tmp_path):
    _loaded(window, qtbot, paused=True)
    out, recording, view = tmp_path / "out.mp4", window.filming.recording, window.viewport
    _begin(window, qtbot, out)
    assert recording.phase is RecordingPhase.RUNNING
    assert os.getpriority(os.PRIO_PROCESS, recording._recorder._encoder.pid) >= 10  # it gives way to the window
    assert not window.filming.record_dialog.isVisible()
    assert window.filming.badge.isVisible()
    assert window.actions_by_name["record"].text() == "Stop recordin&g"
    qtbot.waitUntil(lambda: recording.seconds > 1.2)
    assert recording.waiting < 30  # nothing is painted while time stands: pictures are repeated, and not all at the end
    view_now = picture(view).convertToFormat(QImage.Format.Format_RGB888)
    qtbot.mouseClick(window.filming.badge, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: recording.phase is RecordingPhase.IDLE)
    assert not window.filming.badge.isVisible()
    frames = decoded(out)
    assert len(frames) == recording.frames
    assert duration(out) == pytest.approx(len(frames) / 30, abs=0.006)
    shown = frames[-1][1].astype(float)[: view_now.height(), : view_now.width()]
    bits = view_now.constBits().asstring(view_now.sizeInBytes())
    rows = np.frombuffer(bits, np.uint8).reshape(view_now.height(), -1)[:, : 3 * view_now.width()]
    grey = rows.reshape(view_now.height(), view_now.width(), 3) @ [0.2126, 0.7152, 0.0722]
    alike, upside_down = (float(np.corrcoef(p.ravel(), grey.ravel())[0, 1]) for p in (shown, shown[::-1]))
    assert alike > 0.995  # the same but for what the codec does
    assert upside_down < 0.97
    assert "none dropped" in window.statusBar().currentMessage()
    assert recording.repeated > 0.9 * recording.frames - 5
    assert "repeated where no new picture was painted" in recording.summary()


def test_what_is_written_over_the_view_is_in_the_video_if_wanted(window, qtbot, tmp_path):
    _loaded(window, qtbot, paused=True)
    corners = []
    for panels in (False, True):
        out = tmp_path / f"{panels}.mp4"
        _begin(window, qtbot, out, panels=panels)
        qtbot.waitUntil(lambda: window.filming.recording.frames > 5)
        _end(window, qtbot)
        corners.append(decoded(out)[-1][1][-44:-10, 10:200].astype(float))  # where time and rate are written
    assert corners[1].std() > 2 * corners[0].std()
    assert window.session.store.get(settings.RECORD_PANELS) is True
    assert window.session.store.get(settings.VIDEOS) == str(tmp_path)


def test_stale_picture_is_not_recorded_if_newer_is_due(window, qtbot, tmp_path, pump):
    _loaded(window, qtbot)
    pump.run(0.1)
    recording, picture = Recording(window.session, lambda: perf_counter() + 1.0), np.zeros((48, 64, 4), np.uint8)
    recording.start(tmp_path / "out.mp4", 64, 48, 30, panels=False)
    pump.simulation.step(3)
    pump.simulation.publish()  # which the window has not come to look at
    recording.look(lambda: picture)
    assert recording.frames == 0
    window.session.look()
    recording.look(lambda: picture)  # as old, but nothing is newer: the simulation is slow, and the camera has moved
    recording.stop()
    qtbot.waitUntil(lambda: recording.phase is RecordingPhase.IDLE)
    assert len(decoded(tmp_path / "out.mp4")) >= 1
    assert recording.close()


def test_another_size_and_another_model_go_on_in_the_same_video(window, qtbot, tmp_path):
    _loaded(window, qtbot)
    out, recording, view = tmp_path / "out.mp4", window.filming.recording, window.viewport
    width, height = view.width(), view.height()
    _begin(window, qtbot, out)
    qtbot.waitUntil(lambda: recording.seconds > 0.5)
    window.resize(1100, 520)
    _loaded(window, qtbot, SPIN)
    before = recording.seconds
    qtbot.waitUntil(lambda: recording.seconds > before + 0.5)
    assert view.height() < height
    _end(window, qtbot)
    frames = decoded(out)
    assert {picture.shape for _, picture in frames} == {(height + height % 2, width + width % 2)}
    assert frames[-1][1][:8].max() < 24  # black above and below, as the view is wider by its height than it was
    assert frames[0][1][:8].max() > 24


def test_a_gif_is_bounded_and_closing_finishes_a_video(window, qtbot, tmp_path):
    _loaded(window, qtbot)
    window.filming.toggle_recording()
    dialog = window.filming.record_dialog
    dialog.fps.setCurrentIndex(dialog.fps.findData(60))
    dialog.file.text.setText(str(tmp_path / "out.mp4"))
    dialog.file.format.setCurrentIndex(1)
    assert dialog.file.path == tmp_path / "out.gif"
    assert dialog.rate == 50
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    recording = window.filming.recording
    qtbot.waitUntil(lambda: recording.seconds > 0.5)
    _end(window, qtbot)
    assert len(decoded(tmp_path / "out.gif")) == recording.frames
    out, recording = tmp_path / "out.mp4", window.filming.recording
    _begin(window, qtbot, out)
    qtbot.waitUntil(lambda: recording.seconds > 0.5)
    window.close()
    assert len(decoded(out)) == recording.frames


@pytest.mark.slow
def test_an_ffmpeg_that_dies_is_told_and_what_was_done_is_kept(window, qtbot, tmp_path):
    _loaded(window, qtbot)
    recording = window.filming.recording
    _begin(window, qtbot, tmp_path / "out.mp4")
    qtbot.waitUntil(lambda: recording.seconds > 2.5)
    with qtbot.waitSignal(recording.failed):
        os.kill(recording._recorder._encoder.pid, signal.SIGKILL)
    assert window.viewport.error_title == "The recording stopped"
    assert "ffmpeg was ended by signal 9" in window.viewport.error
    assert recording.phase is RecordingPhase.IDLE
    assert window.actions_by_name["record"].text() == "Record &video…"
    if (tmp_path / "out.partial.mp4").exists():
        assert "the finished part is in out.partial.mp4" in window.viewport.error
        assert len(decoded(tmp_path / "out.partial.mp4")) > 0
    assert not (tmp_path / "out.mp4").exists()
    _begin(window, qtbot, tmp_path / "again.mp4")
    qtbot.waitUntil(lambda: recording.seconds > 0.3)
    _end(window, qtbot)
    assert (tmp_path / "again.mp4").exists()


def _begin_with_an_encoder_that_stops(window, qtbot, path):
    """Its process, of which a part plays and that takes nothing from now on."""
    _loaded(window, qtbot)
    recording = window.filming.recording
    _begin(window, qtbot, path)
    qtbot.waitUntil(lambda: any(p.stat().st_size > 5_000 for p in path.parent.glob(".out.mp4*")))
    os.kill(recording._recorder._encoder.pid, signal.SIGSTOP)
    return recording._recorder._encoder.pid


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False])
def test_stopped_encoder_lets_window_close_and_keeps_frames(window, qtbot, tmp_path, monkeypatch, known):
    """known: whether the window has found out before it closes."""
    monkeypatch.setattr("tumble.app.film.recording.STUCK", 0.5)
    monkeypatch.setattr("tumble.app.film.video.HASTE", 0.5)
    pid = _begin_with_an_encoder_that_stops(window, qtbot, tmp_path / "out.mp4")
    if known:
        qtbot.waitUntil(lambda: window.filming.recording.stuck > 0)
    began = monotonic()
    assert window.filming.recording.close()
    assert monotonic() - began < 5.0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert len(decoded(tmp_path / "out.partial.mp4")) > 0
    assert [path.name for path in tmp_path.iterdir() if ".mp4" in path.name] == ["out.partial.mp4"]


@pytest.mark.slow
def test_stopped_encoder_is_reported_and_second_stop_ends_it(window, qtbot, tmp_path, caplog, monkeypatch):
    monkeypatch.setattr("tumble.app.film.recording.STUCK", 1.0)
    _begin_with_an_encoder_that_stops(window, qtbot, tmp_path / "out.mp4")
    recording, badge, before = window.filming.recording, window.filming.badge, window.session.snapshot.time
    qtbot.waitUntil(lambda: badge.text().startswith("ffmpeg has accepted no frames for "))
    assert window.session.snapshot.time > before
    assert "ffmpeg accepts no frames" in caplog.text
    qtbot.mouseClick(badge, Qt.MouseButton.LeftButton)
    assert recording.phase is RecordingPhase.FINISHING
    qtbot.waitUntil(lambda: "keep the finished part" in badge.toolTip())
    with qtbot.waitSignal(recording.failed):
        qtbot.keyClick(window.viewport, Qt.Key.Key_R, CTRL)
    assert recording.phase is RecordingPhase.IDLE
    assert "the finished part is in out.partial.mp4" in window.viewport.error
    assert len(decoded(tmp_path / "out.partial.mp4")) > 0


def test_a_video_is_named_browsed_for_and_refused(window, qtbot, tmp_path, monkeypatch):
    _loaded(window, qtbot)
    window.filming.toggle_recording()
    field = window.filming.record_dialog.file
    assert field.path.name.startswith("ball-")
    assert field.path.suffix == ".mp4"
    assert not field.remark.text()
    (tmp_path / "chosen.gif").write_bytes(b"")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "chosen"), ""))
    field.format.setCurrentIndex(1)
    qtbot.mouseClick(field.browse, Qt.MouseButton.LeftButton)
    assert field.path == tmp_path / "chosen.gif"
    assert "will be replaced" in field.remark.text()
    window.filming.record_dialog.close()
    _begin(window, qtbot, tmp_path / "none" / "out.mp4")
    dialog = window.filming.record_dialog
    assert dialog.isVisible()
    assert "cannot be written: No such file or directory" in dialog.problem.text()
    assert window.filming.recording.phase is RecordingPhase.IDLE
    _begin(window, qtbot, Path("/proc/out.mp4"))
    assert "/proc/out.mp4: cannot be written" in dialog.problem.text()


@pytest.mark.parametrize(("rate", "offset"), [(60.0, 0.0), (61.0, 0.002), (24.0, 0.0), (13.0, 0.01)])
def test_each_picture_taken_is_the_nearest_to_its_frame(tmp_path, rate, offset):
    """Pictures at a steady rate, into 30 frames per second: the motion in the video is as even as can be."""
    recorder, taken, numbers = LiveRecorder(tmp_path / "out.mp4", 8, 8, 30.0), [], []
    times = [k / rate + (offset if k else 0.0) for k in range(80)]
    for time in times:
        while not recorder.offer(time, lambda time=time: taken.append(time) or np.zeros((8, 8, 4), np.uint8)):
            pass  # the encoder of a test has no hurry
        if taken[-1] == time:
            numbers.append((recorder.taken - 1, time))
    for number, time in numbers:
        assert abs(time * 30 - number) <= 0.5 + 1e-9
        nearest = min(abs(t * 30 - number) for t in times)
        assert abs(time * 30 - number) <= nearest + 0.26  # where two are about as near, either
    recorder.finish()


def test_the_last_picture_is_shown_until_the_end(tmp_path):
    recorder = LiveRecorder(tmp_path / "out.mp4", 64, 48, 30, channels=3)
    recorder.offer(10.0, lambda: np.full((48, 64, 3), 200, np.uint8))
    recorder.hold(10.5)
    recorder.offer(11.0, lambda: np.full((48, 64, 3), 100, np.uint8))
    frames = decoded(recorder.finish(12.0))
    assert [round(float(np.median(p)), -2) for _, p in frames] == [200] * 30 + [100] * 30
    assert recorder.taken == 60
    assert recorder.repeated == 58


def test_large_pictures_wait_in_small_numbers(tmp_path):
    small, large = LiveRecorder(tmp_path / "a.mp4", 64, 48, 30), LiveRecorder(tmp_path / "b.mp4", 3840, 2160, 30)
    assert small._queue.maxsize == WAITING
    assert large._queue.maxsize * 4 * 3840 * 2160 <= MOST_BYTES
    for recorder in (small, large):
        recorder.offer(0.0, lambda: np.zeros((48, 64, 4), np.uint8))
        recorder.finish()


@pytest.mark.parametrize(
    ("size", "inner"), [((40, 20), (40, 20)), ((20, 20), (20, 20)), ((80, 20), (40, 10)), ((30, 300), (2, 20))]
)
def test_pictures_keep_their_shape_in_a_video_of_another(size, inner):
    picture = np.full((size[1], size[0], 4), 255, np.uint8)
    result = fitted(picture, 40, 20)
    assert result.shape == (20, 40, 4)
    lit = result[:, :, 0] > 128
    assert (lit.any(axis=0).sum(), lit.any(axis=1).sum()) == inner
    np.testing.assert_array_equal(lit, lit[::-1, ::-1])  # in the middle


# ---- pictures


def _save(window, qtbot, path, set_up):
    qtbot.keyClick(window.viewport, Qt.Key.Key_P, CTRL)
    dialog = window.filming.screenshot_dialog
    dialog.file.text.setText(str(path))
    set_up(dialog)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: window.statusBar().currentMessage() == f"Saved {path}")
    return np.load(path) if path.suffix == ".npy" else np.asarray(Image.open(path))


def test_saved_picture_has_chosen_size_overlays_and_transparency(window, qtbot, tmp_path):
    _loaded(window, qtbot, paused=True)
    view, session = window.viewport, window.session
    for name in ("static", "shadow", "reflection"):
        view.set_option(name, False)
    plain = _save(window, qtbot, tmp_path / "plain.png", lambda dialog: dialog.panels.setChecked(False))
    assert plain.shape == (view.height(), view.width(), 3)
    with_panels = _save(window, qtbot, tmp_path / "overlays.png", lambda dialog: dialog.panels.setChecked(True))
    changed = np.abs(with_panels.astype(int) - plain).max(axis=2) > 20
    assert changed[-44:-10, 10:200].mean() > 0.3
    assert not changed[:-50].any()

    def clear(dialog):
        dialog.size_box.setCurrentText("640x480")
        dialog.transparent.setChecked(True)

    clear_picture = _save(window, qtbot, tmp_path / "clear.png", clear)
    assert clear_picture.shape == (480, 640, 4)
    assert tuple(clear_picture[2, 2]) == (0, 0, 0, 0)
    assert np.any((clear_picture[:, :, 3] > 0) & (clear_picture[:, :, 3] < 255))  # edges are smooth, also without a GPU
    x, y, _ = view.view().project(session.snapshot.xpos[1], view.width(), view.height())[0]
    scale = 480 / view.height()  # a camera keeps its height
    red = clear_picture[round(y * scale), round((x - view.width() / 2) * scale + 320)]
    assert red[3] == 255
    assert red[0] > 1.5 * red[1]


def test_a_picture_can_be_depth_or_objects_in_numbers_or_colours(window, qtbot, tmp_path):
    _loaded(window, qtbot, paused=True)
    view, session, dialog = window.viewport, window.session, window.filming.screenshot_dialog

    def saved(form, name):
        def fill_in(dialog):
            dialog.form_box.setCurrentText(form.words)
            assert Path(name).suffix == form.suffix
            dialog.file.text.setText(str(tmp_path / name))
            dialog.size_box.setCurrentText("160x120")

        return _save(window, qtbot, tmp_path / name, fill_in)

    metres, objects = saved(PictureForm.METRES, "a.npy"), saved(PictureForm.OBJECTS, "b.npy")
    assert not dialog.transparent.isEnabled()
    model, seen = session.loaded_model, view.view()
    ball = objects[:, :, 0] == int(np.flatnonzero(np.asarray(model.geom_bodyid) == 1)[0])
    assert (metres.shape, ball.sum() > 50) == ((120, 160), True)
    ahead = (np.asarray(session.snapshot.xpos[1]) - seen.eye) @ seen.forward
    assert ahead - 2 * model.geom_rbound.max() < metres[ball].min() < ahead
    np.testing.assert_allclose(saved(PictureForm.MILLIMETRES, "c.png"), np.clip(1e3 * metres, 0, 65535), atol=0.51)
    assert len(np.unique(saved(PictureForm.SEGMENTATION, "d.png")[ball], axis=0)) == 1
    assert dialog.transparent.isEnabled()
    assert view.options.mode is PictureMode.SHADED  # the view stays as it is
    qtbot.keyClick(view, Qt.Key.Key_P, CTRL)
    dialog.file.text.setText(str(tmp_path / "e.npy"))
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert "the file ends in .png, not .npy" in dialog.problem.text()


def test_a_picture_that_cannot_be_had_is_told_in_the_dialog(window, qtbot, tmp_path):
    dialog = window.filming.screenshot_dialog
    window.filming.ask_screenshot()
    for path, size, says in (
        ("a.png", "10x10", "open a model first"), ("/proc/a.png", "10x10", "cannot be written"),
        ("a.png", "wide", "is not a size"), ("a.png", "99999x9", "each side has 1 to"),
    ):  # fmt: skip
        dialog.file.text.setText(str(tmp_path / path))
        dialog.size_box.setCurrentText(size)
        qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
        assert says in dialog.problem.text()
        assert dialog.isVisible()
        assert not list(tmp_path.glob("*.png"))
        if window.session.model is None:
            _loaded(window, qtbot)
