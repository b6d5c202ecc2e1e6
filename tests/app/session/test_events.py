"""What counts as an event: contacts that meet, however seldom the simulation is looked at."""

from tumble.app.session.events import EventKind, EventWatch
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics import MjData, MjModel, mj_step

BALL = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
<body name="ball" pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body></worldbody></mujoco>"""
SELDOM = 500  # steps from look to look: a second, as in fast playback or with slow pictures


def test_a_contact_at_rest_is_no_event_however_long_the_time_between_two_looks():
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
