"""Export from the real window: a process of its own makes the video, its progress is seen, a stop keeps what is done."""

import io
import itertools
import json
import os
import signal
from pathlib import Path
from time import monotonic

import pytest
from msgspec.structs import replace
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFileDialog

from tests.app.cli.test_render import SMALL, place_in, slide
from tests.app.conftest import open_and_wait
from tests.app.film.filming import recorded
from tests.app.film.test_video import PROMISE, decoded
from tumble import physics
from tumble.__main__ import main
from tumble.app.base.files import FileError
from tumble.app.cli.output import Progress
from tumble.app.film import export as export_module
from tumble.app.film.camera_keys import CameraKeys
from tumble.app.film.camera_path import CameraKey, read_path
from tumble.app.film.export import NOTHING, UNANSWERED, Export, ExportPhase, Footage, Order, arguments, write_parts
from tumble.app.film.export_dialog import FILE, LAST, PATH, progress_text
from tumble.app.replay.replay_file import load, save
from tumble.app.replay.replay_view import options_from, options_to
from tumble.app.widgets.form import parse_size, size_text
from tumble.render.camera import Camera, CameraKind
from tumble.render.options import FrameMode, LabelMode, RenderOptions

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
# Shadows of the best quality take a processor longer than all else in such pictures.
PLAIN = RenderOptions(shadow=False, reflection=False)


@pytest.fixture
def replay(tmp_path):
    """A bar slides from -0.6 m to 0.4 m in a second."""
    path = slide(tmp_path)

    def start(model, data):
        physics.mj_resetDataKeyframe(model, data, 0)

    return recorded(path, 250, start)


@pytest.fixture
def export(qtbot, no_threads_left):
    exporter = Export()
    yield exporter
    assert exporter.close()


def _done(qtbot, export):
    with qtbot.waitSignal(export.ended) as blocker:
        pass
    return tuple(blocker.args)


def test_replay_exports_as_video_with_the_ordered_view(export, replay, qtbot, tmp_path):
    out = tmp_path / "out.mp4"
    export.start(Order(out, 320, 160, "30", fixed="side", options=PLAIN), lambda answer: answer(Footage(replay)))
    seen = []
    export.changed.connect(lambda: seen.append((export.what, export.done, export.total)))
    well, message = _done(qtbot, export)
    assert well, message
    assert message == f"Saved {out}: 30 frames, 1 s, 320x160 at 30 frames per second"
    frames = decoded(out)
    assert [place_in(picture) for _, picture in frames] == pytest.approx([-0.6 + k / 30 for k in range(30)], abs=1 / 160)
    assert ("Rendering", 30, 30) in seen
    assert [name for name in os.listdir(tmp_path) if name.startswith("tumble")] == []
    assert export.phase is ExportPhase.IDLE


def test_a_path_counts_from_where_the_video_begins(replay, tmp_path):
    order = Order(tmp_path / "out.mp4", 320, 160, path=[CameraKey.of(19.0, Camera()), CameraKey.of(21.0, Camera())], start=0.25)
    write_parts(order, Footage(replay, begin=20.0, skip=0.5), tmp_path)
    assert [key.time for key in read_path(tmp_path / "path.json", Camera()).keys] == [-1.75, 0.25]


def test_a_stop_keeps_what_is_done(export, replay, qtbot, tmp_path):
    out = tmp_path / "out.mp4"
    export.start(Order(out, 64, 48, "60", speed=0.001, options=PLAIN), lambda answer: answer(Footage(replay)))  # 60,000 frames
    qtbot.waitUntil(lambda: export.what == "Rendering" and export.done > 5)
    assert export.total == 60_000
    assert os.getpriority(os.PRIO_PROCESS, export._process.processId()) >= 10  # it gives way to the window
    assert export.left > 1
    assert "of 60000" in progress_text(export)
    export.cancel()
    assert export.phase is ExportPhase.STOPPING
    well, message = _done(qtbot, export)
    assert not well
    frames = decoded(out)
    assert message.startswith(f"Stopped; the finished part is kept: {out}: {len(frames)} frames")
    assert len(frames) > 5


def child_of(process):
    """The ffmpeg of a command."""
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            if "ffmpeg" in os.readlink(f"/proc/{child}/exe"):
                return int(child)
    raise AssertionError("no ffmpeg runs")


@pytest.mark.slow
def test_a_cancel_ends_an_export_whose_ffmpeg_is_stopped(export, replay, qtbot, tmp_path):
    out = tmp_path / "out.mp4"
    export.start(Order(out, 64, 48, "10", speed=0.001, options=PLAIN), lambda answer: answer(Footage(replay)))
    qtbot.waitUntil(lambda: export.what == "Rendering" and export.done > 80)
    os.kill(child_of(export._process.processId()), signal.SIGSTOP)
    qtbot.wait(300)
    begun = monotonic()
    export.cancel()
    well, message = _done(qtbot, export)
    assert monotonic() - begun < PROMISE
    assert not well
    assert message.startswith(f"Stopped: {out}: the video ends after")
    assert message.endswith("the finished part is in out.partial.mp4")
    assert len(decoded(tmp_path / "out.partial.mp4")) >= 10


def test_a_cancel_ends_an_export_that_does_not_answer_itself(export, replay, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(export_module, "STOPPING", 300)
    export.start(Order(tmp_path / "out.mp4", 64, 48, speed=0.001, options=PLAIN), lambda answer: answer(Footage(replay)))
    qtbot.waitUntil(lambda: export.what == "Rendering" and export.done > 3)
    os.kill(export._process.processId(), signal.SIGSTOP)
    export.cancel()
    assert _done(qtbot, export) == (False, UNANSWERED)


def test_an_export_that_works_is_not_ended_by_force(export, replay, qtbot, tmp_path, monkeypatch):
    """Where other programs leave it little of the processor; here it stands still, and is said to work."""
    monkeypatch.setattr(export_module, "STOPPING", 100)
    clock = itertools.count(1.0)
    monkeypatch.setattr(export_module, "processor_time", lambda pid: next(clock))
    out = tmp_path / "out.mp4"
    export.start(Order(out, 64, 48, speed=0.001, options=PLAIN), lambda answer: answer(Footage(replay)))
    qtbot.waitUntil(lambda: export.what == "Rendering" and export.done > 3)
    process = export._process.processId()
    os.kill(process, signal.SIGSTOP)
    export.cancel()
    qtbot.waitUntil(lambda: next(clock) > 4.0)  # it was looked at, several times
    os.kill(process, signal.SIGCONT)
    well, message = _done(qtbot, export)
    assert not well
    assert message.startswith(f"Stopped; the finished part is kept: {out}")


def test_a_stop_before_the_first_frame_leaves_nothing(export, replay, qtbot, tmp_path):
    out = tmp_path / "out.mp4"
    with qtbot.waitSignal(export.ended) as blocker:
        export.start(Order(out, 320, 160), lambda answer: answer(Footage(replay)))
        export.cancel()
    assert blocker.args == [False, NOTHING]
    qtbot.wait(300)  # the replay was being written, and nobody waits for it any more
    assert export.phase is ExportPhase.IDLE
    export.start(Order(out, 320, 160), lambda answer: answer(Footage(replay)))
    qtbot.waitUntil(lambda: export.phase is ExportPhase.RUNNING)
    export.cancel()
    assert _done(qtbot, export) == (False, NOTHING)
    assert not out.exists()


def test_what_goes_wrong_is_said_in_one_line(export, replay, qtbot, tmp_path):
    with pytest.raises(FileError, match="cannot be written: No such file"):
        export.start(Order(tmp_path / "none" / "out.mp4", 64, 48), lambda answer: answer(Footage(replay)))
    assert export.phase is ExportPhase.IDLE
    broken, plain = tmp_path / "broken.tumble", Order(tmp_path / "out.mp4", 64, 48)
    broken.write_bytes(b"PK no zip")
    for order, source, says in (
        (plain, lambda answer: answer("nothing is recorded yet"), "nothing is recorded yet"),
        (plain, broken, f"{broken}: is damaged or cut short"),
        (replace(plain, fixed="top"), lambda answer: answer(Footage(replay)), "the model has no camera 'top'; there are: side"),
    ):
        export.start(order, source)
        well, message = _done(qtbot, export)
        assert not well
        assert message.startswith(says)


@pytest.mark.slow
def test_a_process_that_dies_is_told(export, replay, qtbot, tmp_path):
    export.start(Order(tmp_path / "out.mp4", 64, 48, speed=0.001, options=PLAIN), lambda answer: answer(Footage(replay)))
    qtbot.waitUntil(lambda: export.done > 3 and export.what == "Rendering")
    os.kill(export._process.processId(), signal.SIGKILL)
    well, message = _done(qtbot, export)
    assert not well
    assert "the export stopped unexpectedly" in message


def test_the_window_exports_a_replay_file_by_its_dialog(window, qtbot, replay, tmp_path, monkeypatch):
    save(replay, tmp_path / "run.tumble")
    open_and_wait(qtbot, window.session, tmp_path / "slide.xml")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(tmp_path / "run.tumble"), ""))
    qtbot.keyClick(window.viewport, Qt.Key.Key_E, CTRL)
    dialog, export = window.filming.export_dialog, window.filming.export
    qtbot.waitUntil(dialog.isVisible)
    dialog.source.setCurrentIndex(FILE)
    qtbot.mouseClick(dialog.pick, LEFT)
    out = tmp_path / "out.mp4"
    dialog.file.text.setText(str(out))
    for field, text in ((dialog.size_box, "320 x 160"), (dialog.fps, "20"), (dialog.speed, "0.5")):
        field.setCurrentText(text)
    dialog.camera.setCurrentIndex(dialog.camera.findText("side"))
    assert not dialog.orbit.isVisible()
    window.viewport.set_option("shadow", False)
    window.session.set_paused(True)  # which leaves the processor to the export until it renders
    qtbot.mouseClick(dialog.go, LEFT)
    assert export.phase is not ExportPhase.IDLE
    assert not dialog.size_box.isEnabled()
    assert dialog.bar.isVisible()
    qtbot.waitUntil(lambda: export.what == "Rendering")
    before = window.session.snapshot.time
    window.session.set_paused(False)
    qtbot.waitUntil(lambda: window.session.snapshot.time > before)  # the window lives meanwhile
    window.session.set_paused(True)
    qtbot.waitUntil(lambda: export.phase is ExportPhase.IDLE)
    assert dialog.state.text() == f"Saved {out}: 40 frames, 2 s, 320x160 at 20 frames per second"
    assert dialog.size_box.isEnabled()
    assert [place_in(p) for _, p in decoded(out)] == pytest.approx([-0.6 + k / 40 for k in range(40)], abs=1 / 160)


def test_window_exports_last_seconds_along_camera_path(window, qtbot, tmp_path):
    """The bar slides at 1 m/s, from where it has been for a while; the camera goes with it, so it stays in the middle."""
    session, filming, dialog = window.session, window.filming, window.filming.export_dialog
    session.set_paused(True)
    open_and_wait(qtbot, session, slide(tmp_path))
    session.reset(0)
    session.step(250)
    qtbot.waitUntil(lambda: session.history.now == 250)
    for time in (0.0, 1.0):
        window.session.part(CameraKeys).add(time, Camera(lookat=(time - 0.6, 0, 0), distance=2.0, azimuth=90, elevation=0))
    for name in ("shadow", "reflection"):
        window.viewport.set_option(name, False)
    filming.ask_export()
    dialog.source.setCurrentIndex(LAST)
    dialog.seconds.setValue(0.3)
    dialog.camera.setCurrentIndex(dialog.camera.findData(PATH))
    for field, text in ((dialog.size_box, "320 x 160"), (dialog.fps, "10")):
        field.setCurrentText(text)
    assert dialog.about.text() == "0.3 s of video, 3 frames"
    dialog.file.text.setText(str(tmp_path / "out.mp4"))
    dialog.overlay.setChecked(True)
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: filming.export.phase is ExportPhase.IDLE)
    frames = decoded(tmp_path / "out.mp4")
    assert len(frames) == 3, dialog.problem.text()
    assert [place_in(picture) for _, picture in frames] == pytest.approx([0.0] * 3, abs=1 / 160)
    assert frames[0][1][:16, :60].min() < 120  # the time, on its dark ground


@pytest.mark.slow
def test_stopped_export_keeps_finished_frames(window, qtbot, replay, tmp_path):
    filming = window.filming
    for name, stop in (("a", lambda: qtbot.mouseClick(filming.export_dialog.stop, LEFT)), ("b", window.close)):
        out = tmp_path / f"{name}.mp4"
        filming.ask_export()
        filming.export.start(Order(out, 64, 48, speed=0.001, options=PLAIN), lambda answer: answer(Footage(replay)))
        qtbot.waitUntil(lambda: filming.export.done > 5 and filming.export.what == "Rendering")
        stop()
        qtbot.waitUntil(lambda: filming.export.phase is ExportPhase.IDLE)
        assert len(decoded(out)) > 5
        if name == "a":
            assert filming.export_dialog.state.text().startswith("Stopped; the finished part is kept")


def test_the_dialog_refuses_what_is_wrong_and_orders_the_view(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window.session, slide(tmp_path))
    filming, dialog, orders = window.filming, window.filming.export_dialog, []
    monkeypatch.setattr(filming.export, "start", lambda order, source: orders.append(order))
    camera = Camera(CameraKind.FREE, (1, 2, 3), 4, 5, 6)
    window.viewport.set_camera(camera)
    window.viewport.options.label = LabelMode.GEOM
    filming.ask_export()
    dialog.source.setCurrentIndex(0)
    dialog.file.text.setText(str(tmp_path / "out.gif"))
    dialog.orbit.setValue(30)
    dialog.fps.setCurrentText("25")
    for box, text, says in (
        (dialog.size_box, "big", "is not a size"), (dialog.size_box, "99999x10", "each side has 1 to"),
        (dialog.fps, "many", "is not a number of frames"), (dialog.fps, "2000", "is not a number of frames"),
        (dialog.fps, "60", "a GIF shows at most 50"), (dialog.speed, "-1", "is not a speed"),
    ):  # fmt: skip
        right = box.currentText()
        box.setCurrentText(text)
        qtbot.mouseClick(dialog.go, LEFT)
        assert says in dialog.problem.text(), text
        box.setCurrentText(right)
    assert not orders
    qtbot.mouseClick(dialog.go, LEFT)
    (order,) = orders
    assert (order.camera, order.orbit, order.speed, order.options.label) == (camera, 30, 1.0, LabelMode.GEOM)


def test_the_command_line_of_an_order():
    order = Order(Path("/a/out.gif"), 64, 48, "30000/1001", 0.5, overlay=True, orbit=12.5, start=1.5, seconds=2.0)
    line = arguments(order, 0.25, Path("/tmp/x"))
    assert line[:4] == ["render", "/tmp/x/replay.tumble", "-o", "/a/out.gif"]
    assert " ".join(line[4:]) == (
        "--size 64x48 --fps 30000/1001 --speed 0.5 --json-progress --stop-with-input "
        "--start 1.75 --seconds 2.0 --overlay --orbit 12.5"
    )
    assert arguments(replace(order, fixed="side", overlay=False), 0.0, Path("/x"))[-2:] == ["--camera", "side"]
    assert arguments(replace(order, path=[CameraKey.of(0, Camera())]), 0.0, Path("/x"))[-2:] == ["--path", "/x/path.json"]


def test_render_options_round_trip_json_and_ignore_invalid():
    options = RenderOptions(contact_point=True, shadow=False, label=LabelMode.BODY, frame=FrameMode.WORLD)
    options.geom_group[3], options.site_group[0] = True, False
    assert options_from(json.loads(json.dumps(options_to(options)))) == options
    assert options_to(RenderOptions(label=LabelMode.SELECTION))["label"] == "NONE"
    wrong = {"shadow": "no", "geom_group": [1], "label": "ALL", "frame": 3, "what": 1}
    for nonsense in (None, 3, [], wrong, {"geom_group": "abcdef"}):
        assert options_from(nonsense) == RenderOptions()
    assert PATH < 0


def test_render_uses_replay_view_and_flags_add_to_it(tmp_path, replay):
    sizes = {}
    path, out = tmp_path / "run.tumble", tmp_path / "out.png"
    for name, switch, more in (("on", True, []), ("off", False, []), ("shown", False, ["--show", "static"])):
        save(replace(replay, view={"options": options_to(RenderOptions(geom_group=[switch] * 6))}), path)
        assert main(["render", str(path), "-o", str(out), *SMALL, "--camera", "side", "--quiet", *more]) == 0
        sizes[name] = out.read_bytes()
    assert sizes["on"] != sizes["off"]  # the bar is of group 0
    assert sizes["shown"] == sizes["off"]
    assert load(path).view["options"]["static"] is True


def test_json_progress_writes_one_object_per_line():
    stream = io.StringIO()
    progress = Progress("Rendering", machine=True, stream=stream)
    for k in range(1, 601):
        progress.update(k, 600)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert 1 <= len(lines) < 50
    assert {k: lines[-1][k] for k in ("what", "done", "total")} == {"what": "Rendering", "done": 600, "total": 600}
    assert lines[-1]["left"] == 0


@pytest.mark.parametrize(
    ("text", "size"), [("1280x720", (1280, 720)), (f"{size_text(64, 48)} (as the view)", (64, 48)), ("0x5", None), ("a", None)]
)
def test_sizes_are_read_as_they_are_written(text, size):
    assert parse_size(text) == size
