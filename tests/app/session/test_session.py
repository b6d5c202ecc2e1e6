"""The session without a window: loading, time, inputs, warnings, failures."""

import logging

import numpy as np
import pytest
from PyQt6.QtCore import QObject, Qt

from tests.app.conftest import MODELS, open_and_wait, written
from tumble import physics
from tumble.app.library.examples import EXAMPLES
from tumble.app.session import loader as loading
from tumble.app.session.session import Session
from tumble.app.shell.toolbar import RATES, faster, slower
from tumble.app.simulation.commands import Command, SetState

ARM, BALL, SPIN, BROKEN = (MODELS / f"{name}.xml" for name in ("arm", "ball", "spin", "broken"))


def _wait_time(qtbot, session, time):
    qtbot.waitUntil(lambda: session.snapshot is not None and session.snapshot.time >= time)


def test_time_advances_at_the_rate_wanted(session, qtbot):
    open_and_wait(qtbot, session, SPIN)
    _wait_time(qtbot, session, 0.3)
    assert session.snapshot.rate == 1.0
    assert session.snapshot.measured > 0
    session.set_rate(3.0)
    qtbot.waitUntil(lambda: session.snapshot.rate == 3.0)


def test_steps_are_counted_exactly(session, qtbot):
    session.set_paused(True)
    open_and_wait(qtbot, session, SPIN)
    for count in (1, 1, 5):
        session.step(count)
    _wait_time(qtbot, session, 7 * 0.005 - 1e-9)
    assert session.snapshot.time == pytest.approx(7 * 0.005)
    reference = physics.MjData(session.model)
    physics.mj_step(session.model, reference, 7)
    assert np.array_equal(session.snapshot.qpos, reference.qpos)


def test_keyframes_and_controls_are_told_to_all(session, qtbot):
    open_and_wait(qtbot, session, ARM)
    session.set_paused(True)
    session.reset(1)
    qtbot.waitUntil(lambda: session.snapshot.qpos[0] == -1)
    assert session.snapshot.ctrl[0] == -1
    session.reset()
    qtbot.waitUntil(lambda: session.snapshot.qpos[0] == 0)
    assert session.snapshot.time == 0
    with pytest.raises(IndexError):
        session.reset(2)
    changes = []
    session.ctrl_changed.connect(lambda i, value: changes.append((i, value)))
    session.set_ctrl(0, 0.5)
    assert changes == [(0, 0.5)]
    qtbot.waitUntil(lambda: session.snapshot.ctrl[0] == 0.5)
    assert changes == [(0, 0.5)]  # its own echo is no news
    session.reset(0)
    qtbot.waitUntil(lambda: changes[-1] == (0, 1.0))
    session.clear_ctrl()
    qtbot.waitUntil(lambda: changes[-1] == (0, 0.0))


def test_speed_goes_up_and_down_the_list_and_stops_at_its_ends(session):
    for _ in RATES:
        session.set_rate(faster(session.rate))
    assert session.rate == RATES[-1]
    for _ in RATES:
        session.set_rate(slower(session.rate))
    assert session.rate == RATES[0]


def test_failed_loads_and_commands_leave_the_model_running(session, qtbot):
    open_and_wait(qtbot, session, SPIN)
    model = session.model
    with qtbot.waitSignal(session.load_failed) as failed:
        session.open(BROKEN)
    assert "broken.xml:3:" in failed.args[0]
    assert session.model is model
    before = session.snapshot.time
    _wait_time(qtbot, session, before + 0.05)
    with qtbot.waitSignal(session.failed) as failed:
        session.send(_Bad())
    assert "bad command" in failed.args[0]
    session.set_paused(False)
    before = session.snapshot.time
    _wait_time(qtbot, session, before + 0.05)


def test_the_old_model_runs_while_the_new_is_prepared(session, qtbot, monkeypatch):
    open_and_wait(qtbot, session, SPIN)
    seen = []

    def slow(model, progress):
        for k in range(1, 6):
            progress(physics.KernelProgress(k / 5, 5.0 - k))
            seen.append(session.snapshot.time)
            loading.threading.Event().wait(0.05)

    monkeypatch.setattr(physics, "prepare", slow)
    reported = []  # that of reading the file too, where this takes long
    session.load_progress.connect(reported.append)
    open_and_wait(qtbot, session, ARM)
    compiled = [progress.done for progress in reported if isinstance(progress, physics.KernelProgress)]
    assert compiled == [k / 5 for k in range(1, 6)]
    assert seen[-1] > seen[0]


def test_a_newer_load_supersedes_an_older_one(session, qtbot, monkeypatch):
    monkeypatch.setattr(physics, "prepare", lambda model, progress: loading.threading.Event().wait(0.1))
    session.open(ARM)
    open_and_wait(qtbot, session, SPIN)
    qtbot.wait(200)
    assert session.path == SPIN


def test_cancelled_load_reports_assets_and_keeps_the_model(session, qtbot, tmp_path):
    textures = "".join(f'<texture name="t{k}" type="2d" builtin="flat" width="2" height="2"/>' for k in range(3))
    path = written(tmp_path / "textured.xml", f"<mujoco><asset>{textures}</asset></mujoco>")
    open_and_wait(qtbot, session, SPIN)
    model, reported = session.model, []
    read, go_on = loading.threading.Event(), loading.threading.Event()

    def stop_at_the_second(progress):
        reported.append(str(progress))
        if len(reported) == 2:
            read.set()
            go_on.wait(60.0)

    session.loads._progress.connect(lambda loader, progress: stop_at_the_second(progress), Qt.ConnectionType.DirectConnection)
    session.open(path)
    assert read.wait(60.0)
    with qtbot.waitSignal(session.load_cancelled):
        session.cancel_load()
    go_on.set()
    assert session.loads.join(60.0)
    assert reported == ["Reading texture t0, 1 of 3", "Reading texture t1, 2 of 3"]
    assert session.model is model
    assert not session.loads.busy


def test_an_internal_error_while_loading_is_told_and_logged(session, qtbot, monkeypatch, caplog):
    def fail(model, progress):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(physics, "prepare", fail)
    with qtbot.waitSignal(session.load_failed) as failed:
        session.open(ARM)
    assert "ZeroDivisionError: oops" in failed.args[0]
    assert any(record.exc_info for record in caplog.records)


class _Bad(Command):
    def apply(self, sim):
        raise RuntimeError("bad command")


def test_joints_are_posed_while_paused_and_not_while_running(session, qtbot):
    open_and_wait(qtbot, session, ARM)
    session.send(SetState("qpos", 0, (1.0,)))
    before = session.snapshot.time
    _wait_time(qtbot, session, before + 0.05)
    assert abs(session.snapshot.qpos[0]) < 1e-3
    session.set_paused(True)
    session.send(SetState("qpos", 0, (1.0,)))
    qtbot.waitUntil(lambda: session.snapshot.qpos[0] == 1.0)
    assert session.snapshot.geom_xpos[1, 1] > 0.1  # the poses follow


def _is_warning(record):
    return record.name == "tumble.app.session.notices" and record.levelno == logging.WARNING


def test_divergence_is_told_once_with_the_joint(session, qtbot, caplog):
    open_and_wait(qtbot, session, ARM)
    session.set_paused(True)
    session.send(SetState("qpos", 0, (1e12,)))
    with caplog.at_level(logging.WARNING, "tumble.app"):
        session.step()
        qtbot.waitUntil(lambda: any(_is_warning(record) for record in caplog.records))
        session.step()
        qtbot.wait(50)
    text = [record.getMessage() for record in caplog.records if _is_warning(record)]
    assert len(text) == 1
    assert "position of joint hinge" in text[0]


def test_closing_while_a_model_loads_leaves_nothing(qtbot, no_threads_left):
    parent = QObject()
    other = Session(parent)
    other.open(ARM)
    assert other.close()
    assert other.model is None
    other.open(SPIN)  # too late, and harmless
    assert not other.loads.busy


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.file)
def test_every_example_runs_without_a_warning(session, qtbot, example):
    open_and_wait(qtbot, session, example.path)
    start = session.snapshot.qpos.copy()
    session.set_paused(True)
    session.step(round(0.5 / session.model.opt.timestep))
    _wait_time(qtbot, session, 0.45)
    assert not session.snapshot.warning_number.any()
    assert np.isfinite(session.snapshot.qpos).all()
    assert np.abs(session.snapshot.qpos - start).max() > 1e-4
