"""Contacts that have ended are kept for a moment, by a clock of the test's own; contacts that meet are events."""

import numpy as np
import pytest

from tumble.app.session.contact_tracking import FADES, PATIENCE, PAUSED_SHARE, ContactPast, ended_contacts
from tumble.app.session.events import EventKind, EventWatch
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics import ContactMode, MjData, MjModel, mj_forward, mj_step

BOXES = """<mujoco><option timestep="0.002" cone="elliptic"/><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


class Show:
    """A model whose snapshots the test makes, at times that it says."""

    def __init__(self):
        self.model = MjModel.from_xml_string(BOXES)
        self.data = MjData(self.model)
        mj_step(self.model, self.data, 50)
        self.past, self.now = ContactPast(), 100.0
        self.snapshot = Snapshot(self.data)

    def take(self, after=0.01, *, paused=False):
        """Let wall time pass, and show the present state."""
        self.now += after
        mj_forward(self.model, self.data)
        self.snapshot.fill(self.data)
        self.snapshot.paused = paused
        self.past.follow(self.model, self.snapshot, self.now)

    def shares(self):
        gone = self.past.gone(self.now)
        return [] if gone is None else gone.share.tolist()


@pytest.fixture
def show():
    show = Show()
    show.past.ask()
    show.take()
    return show


def test_a_contact_that_ends_fades_within_a_quarter_of_a_second(show):
    assert show.shares() == []
    before = show.snapshot.contact("pos")[show.snapshot.contact("geom")[:, 1] == 1].copy()
    show.data.qpos[2] = 1.0
    show.data.time += 0.002
    show.take()
    assert show.shares() == [1.0] * 4
    gone = show.past.gone(show.now)
    np.testing.assert_allclose(gone.pos, before)
    assert set(gone.mode) == {int(ContactMode.STICK)}
    show.data.time += 0.002
    show.take(0.4 * FADES)
    assert show.shares() == pytest.approx([0.6] * 4)
    show.data.time += 0.002
    show.take(0.7 * FADES)
    assert show.shares() == []


def test_paused_view_keeps_contacts_of_the_previous_step_only(show):
    show.data.qpos[2] = 1.0
    show.data.time += 0.002
    show.take(paused=True)
    show.now += 60.0  # they stay, as nothing moves
    assert show.shares() == [PAUSED_SHARE] * 4
    show.take(paused=True)  # the same moment, published again
    assert show.shares() == [PAUSED_SHARE] * 4
    show.data.time += 0.002
    show.take(paused=True)
    assert show.shares() == []
    show.data.qpos[9] = 1.0
    show.data.time += 0.5  # a jump through the past
    show.take(paused=True)
    assert show.shares() == []


def test_past_contacts_are_dropped_on_rewind_or_when_hidden(show):
    show.data.qpos[2] = 1.0
    show.data.time += 0.002
    show.take()
    show.data.time -= 0.05
    show.take()
    assert show.shares() == []
    show.data.qpos[9] = 1.0
    show.data.time += 0.002
    show.take()
    assert len(show.shares()) == 4
    show.past.forget()
    assert show.shares() == []
    for _ in range(PATIENCE + 1):  # no picture asks
        show.data.time += 0.002
        show.take(0.0)
    show.data.qpos[2] = 0.1
    show.data.time += 0.002
    show.take()
    show.data.qpos[2] = 1.0
    show.data.time += 0.002
    show.take()
    assert show.shares() == []
    show.past.ask()
    for height in (0.1, 1.0):
        show.data.qpos[2] = height
        show.data.time += 0.002
        show.take()
    assert len(show.shares()) == 4


def test_what_slides_or_rolls_goes_on_and_what_jumps_has_ended():
    four = np.array([[0.1, 0.1, 0.0], [-0.1, 0.1, 0.0], [-0.1, -0.1, 0.0], [0.1, -0.1, 0.0]])
    sides, reach = np.tile([0, 1], (4, 1)), np.full(4, 0.087)
    assert ended_contacts(sides, four, reach, sides, four + 0.02).tolist() == []
    assert ended_contacts(sides, four, reach, sides[:3], four[1:] + 0.01).tolist() == [0]  # one corner fewer
    assert ended_contacts(sides, four, reach, sides[:2], four[:2]).tolist() == [2, 3]
    near = np.array([[0.0, 0.0, 0.0], [0.01, 0.0, 0.0]])  # both within reach of the one that is left
    assert ended_contacts(sides[:2], near, reach[:2], sides[:1], near[1:]).tolist() == [0]
    assert ended_contacts(sides[:1], four[:1], reach[:1], sides[:1], four[2:3]).tolist() == [0]  # rocked to another corner
    assert ended_contacts(sides, four, reach, np.tile([0, 2], (4, 1)), four).tolist() == [0, 1, 2, 3]
    assert ended_contacts(sides, four, reach, sides[:0], four[:0]).tolist() == [0, 1, 2, 3]
    assert ended_contacts(sides[:0], four[:0], reach[:0], sides, four).tolist() == []


BALL = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
<body name="ball" pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body></worldbody></mujoco>"""
SELDOM = 500  # steps from look to look: a second, as in fast playback or with slow pictures


def test_resting_contact_is_no_event_at_any_look_interval():
    model = MjModel.from_xml_string(BALL)
    data = MjData(model)
    mj_step(model, data, SELDOM)
    snapshot = Snapshot(data)
    snapshot.fill(data)
    watch = EventWatch(model, snapshot)
    for _ in range(3):
        mj_step(model, data, SELDOM)
        snapshot.fill(data)
        assert watch.look(snapshot) == []
    data.qpos[2] = 1.0
    mj_step(model, data, 10)
    snapshot.fill(data)
    assert watch.look(snapshot) == []
    mj_step(model, data, SELDOM)
    snapshot.fill(data)
    assert watch.look(snapshot) == [(EventKind.CONTACT, "contact: floor and ball")]
