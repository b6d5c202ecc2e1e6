"""Trails, ghosts of the past and smooth slow motion in the window, along a ball's parabola."""

import numpy as np
import pytest

from tests.app.conftest import open_and_wait
from tumble.app.base import settings
from tumble.app.session import slow_motion
from tumble.app.session.slow_motion import SlowMotion
from tumble.app.session.trails import PastGhosts, TrailPoint, Trails, TrailSamples

pytestmark = pytest.mark.pumped
STEP = 0.00201
THROWN = """<mujoco><option gravity="0 0 -10" integrator="implicitfast"/><worldbody><light pos="0 0 5"/>
<body name="ball" pos="-1 0 1"><freejoint/><geom size=".1"/></body>
<body name="bar" pos="1 0 1"><joint name="spin" axis="0 1 0"/><inertial pos="0 0 .5" mass="1" diaginertia=".1 .1 .1"/>
<geom type="capsule" fromto="0 0 0 0 0 .5" size=".03"/></body></worldbody>
<keyframe><key qpos="-1 0 1 1 0 0 0 0" qvel="1.5 0 5 0 0 0 2"/></keyframe></mujoco>"""


@pytest.fixture
def thrown(window, qtbot, pump, tmp_path):
    """A ball in flight, which leaves a trail; time stands."""
    (tmp_path / "thrown.xml").write_text(THROWN)
    session = window.session
    session.set_paused(True)
    open_and_wait(qtbot, session, tmp_path / "thrown.xml")
    session.reset(0)
    session.select(1)
    window.actions_by_name["trail"].trigger()
    session.set_paused(False)
    pump.obey()
    return window


def test_a_trail_is_the_path_of_the_ball(thrown, qtbot, pump):
    session, actions = thrown.session, thrown.actions_by_name
    trails = session.part(Trails)
    for _ in range(6):
        pump.run(0.1)

    def path():
        (trail,) = session.extras.trails
        x = trail.points[:, 0] + 1.0
        # Semi-implicit Euler falls 5 t (t + dt): by half a step's speed more.
        np.testing.assert_allclose(trail.points[:, 2], 1.0 + 5.0 * x / 1.5 - 5.0 * (x / 1.5) * (x / 1.5 + 0.002), atol=1e-6)
        np.testing.assert_allclose(trail.points[-1], session.frame.xpos[1], atol=1e-9)  # to where it is now
        assert trail.age[-1] == 0.0
        return x / 1.5, float(session.frame.time)

    times, now = path()
    assert len(times) > 100
    assert times.max() == pytest.approx(now, abs=STEP)  # data have the poses of before the last step
    session.history.go(150)  # back along the timeline: the trail is that of then
    pump.obey()
    assert path()[0].max() == pytest.approx(0.3, abs=STEP)
    session.history.go(10_000)
    pump.obey()
    assert path()[0].max() == pytest.approx(now, abs=STEP)  # and what came after is still known
    trails.set_seconds(0.1)
    assert np.ptp(path()[0]) == pytest.approx(0.1, abs=0.005)
    session.select(2)
    assert not actions["trail"].isChecked()
    actions["trail"].trigger()
    actions["trail_centre"].trigger()
    session.set_paused(False)
    pump.run(0.1)
    ball, bar = session.extras.trails
    assert ball.rgb != bar.rgb
    np.testing.assert_allclose(np.linalg.norm(bar.points - (1.0, 0.0, 1.0), axis=1), 0.5, atol=1e-9)  # its centre's circle
    assert trails.point is TrailPoint.CENTRE
    session.reset(0)
    pump.run(0.05)
    assert all(trail.points[:, 0].min() > -1.01 and len(trail.points) < 30 for trail in session.extras.trails)  # afresh
    actions["no_trails"].trigger()
    assert session.extras.trails == ()
    inspector = thrown.panels.inspector
    inspector.dock.bring()
    qtbot.waitUntil(lambda: bool(inspector.view.nodes.nodes))
    node = next(found for found in inspector.view.nodes.nodes if found.kind.prefix == "body" and found.index == 2)
    (entry,) = (found for found in inspector.node_menu(node).actions() if found.text() == "Trail")
    entry.trigger()
    assert trails.has(2)


def test_ghosts_of_the_past_stand_along_the_path(thrown, pump):
    session, ghosts = thrown.session, thrown.session.part(PastGhosts)
    session.store.put(settings.GHOST_INTERVAL, 0.1)
    session.store.put(settings.GHOST_NUMBER, 4)
    for _ in range(8):
        pump.run(0.1)
    assert session.extras.past == ()
    thrown.actions_by_name["past_ghosts"].trigger()  # those of before it was switched on, too
    expected = 1.5 * np.array([0.4, 0.5, 0.6, 0.7]) - 1.0
    np.testing.assert_allclose([ghost.geom_xpos[0, 0] for ghost in session.extras.past], expected, atol=4e-3)
    frame = session.frame
    assert frame.ghosts == session.extras.past  # so they are in pictures and recordings too
    session.history.go(250)
    pump.obey()
    assert [ghost.geom_xpos[0, 0] for ghost in session.extras.past][-1] == pytest.approx(1.5 * 0.4 - 1.0, abs=4e-3)
    session.store.put(settings.GHOST_RANGE, "marks")
    session.history.mark("one")
    session.history.go(400)
    pump.obey()
    session.history.mark("two")
    places = [ghost.geom_xpos[0, 0] for ghost in session.extras.past]
    np.testing.assert_allclose(places, 1.5 * np.linspace(0.5, 0.8, 4) - 1.0, atol=4e-3)
    ghosts.set_on(False)
    assert session.extras.past == ()


def test_slow_motion_interpolates_poses_between_steps(thrown, pump, monkeypatch):
    session, clock = thrown.session, [100.0]
    monkeypatch.setattr(slow_motion, "perf_counter", lambda: clock[0])
    motion = session.part(SlowMotion)
    session.set_rate(0.01)  # a step takes 0.2 s
    pump.obey()
    for _ in range(3):
        pump.run(0.002)
    frame, snapshot = session.frame, session.snapshot
    begin = float(frame.xpos[1, 0])
    assert begin == pytest.approx(snapshot.frame.xpos[1, 0] - 1.5 * 0.002, abs=1e-9)  # a step late
    for share in (0.25, 0.5, 0.75):
        clock[0] = 100.0 + 0.2 * share
        motion.draw()
        frame = session.frame
        assert frame.xpos[1, 0] == pytest.approx(begin + share * 0.003, abs=1e-9)
        assert frame.time == pytest.approx(snapshot.time - 0.002 * (1.0 - share))
        assert session.extras.trails[0].points[-1, 0] == pytest.approx(frame.xpos[1, 0])  # the trail ends at the ball
    assert snapshot.frame.xpos[1, 0] == pytest.approx(begin + 0.003)  # data have the step
    clock[0] = 100.3
    motion.draw()
    assert session.frame.xpos[1] == pytest.approx(snapshot.frame.xpos[1], abs=0)  # exactly, at its end
    session.reset(0)  # not from the flight to the beginning
    pump.run(0.002)
    assert session.frame.xpos[1, 0] == pytest.approx(-1.0, abs=0.0031)
    pump.run(0.002)
    assert session.extras.between is not None
    session.set_paused(True)
    assert session.extras.between is None
    thrown.actions_by_name["smooth_motion"].trigger()
    session.set_paused(False)
    for _ in range(3):
        pump.run(0.002)
    assert session.extras.between is None


def test_samples_replace_those_of_the_same_time_and_leave_gaps():
    samples = TrailSamples(1)
    pose = np.zeros((100, 1, 7))
    pose[:, 0, 3] = 1.0
    pose[:, 0, 0] = np.arange(100)
    times = 0.01 * np.arange(1, 101)
    samples.feed(times, pose, 0.01)
    samples.feed(times[20:30], pose[20:30] + 1000.0, 0.01)
    assert len(samples.time) == 100
    assert np.all(np.diff(samples.time) > 0)
    assert np.flatnonzero(samples.poses[:, 0, 0] >= 1000.0).tolist() == list(range(20, 30))
    samples.feed(times[-1] + 5.0 + times, pose, 0.05)  # later, and fewer
    assert len(samples.time) == pytest.approx(120, abs=1)
    points, age = samples.line(0, np.zeros(3), 6.5, 10.0, 0.2)
    assert np.isnan(points).any(axis=1).sum() == 1
    assert np.all(np.diff(age[np.isfinite(points[:, 0])]) < 0)
    samples.cut(0.5)
    assert samples.time[-1] == pytest.approx(0.5)
