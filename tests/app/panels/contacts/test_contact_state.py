"""Stick and slip, utilisation, creep and residuals of contacts: closed forms, and parity with the reference engine."""

import mujoco
import numpy as np
import pytest

from tests.app.conftest import MODELS
from tumble import physics
from tumble.app.describe.contacts import Names
from tumble.app.panels.contacts.columns import CONTACT_COLUMNS, arrange, direction, find_contacts, find_rows, row_name, summary
from tumble.app.panels.contacts.state import ContactProbe, contacts_of, rows_of, section_of
from tumble.app.session.contact_tracking import ContactChoice, places
from tumble.app.simulation.snapshot import Exchange
from tumble.physics import ContactMode

SLOPE = MODELS / "incline.xml"
# All kinds of rows at once: contacts of every dimension, a limit pushed, friction losses, an equality.
ALL = """<mujoco><option timestep="0.002" {option}/><worldbody><geom name="floor" type="plane" size="5 5 1" condim="1"/>
<body pos="0 0 .098"><freejoint/><geom name="one" size=".1" condim="1"/></body>
<body pos="1 0 .098"><freejoint/><geom name="three" size=".1" condim="3"/></body>
<body pos="2 0 .098"><freejoint/><geom name="four" size=".1" condim="4"/></body>
<body pos="3 0 .098"><freejoint/><geom name="six" size=".1" condim="6"/></body>
<body name="arm" pos="0 2 1"><joint name="elbow" axis="0 1 0" range="-5 5" limited="true" frictionloss=".2"/>
<geom size=".05" pos=".3 0 0"/><body name="hand" pos=".3 .2 0"><joint name="wrist" axis="0 1 0" frictionloss=".1"/>
<geom size=".05" pos=".2 0 0"/></body></body></worldbody>
<equality><joint name="tie" joint1="wrist" joint2="elbow"/></equality></mujoco>"""


def observed(m, d, *, rows=True):
    """What the window sees of a moment."""
    probe, exchange = ContactProbe(), Exchange(d)
    probe.rows = rows
    exchange.writing.fill(d)
    exchange.writing.take([probe], m, d)
    snapshot = exchange.writing
    reading = snapshot.reading(probe)
    return snapshot, contacts_of(m, snapshot, reading), rows_of(reading)


def on_slope(cone, steps=150, friction=None):
    m = physics.MjModel.from_xml_string(SLOPE.read_text().replace('cone="elliptic"', f'cone="{cone}"'))
    if friction is not None:
        m.geom_friction[m.geom("ice").id, 0] = friction
    d = physics.MjData(m)
    physics.mj_step(m, d, steps)
    for _ in range(100):  # a soft contact that slides pushes harder: now and then the block hops
        physics.mj_step(m, d)
        physics.mj_forward(m, d)  # contacts and velocities of one moment
        if m.geom("ice").id in d.contact_geom[:, 1]:
            break
    return m, d


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_block_slips_if_slope_exceeds_friction_else_sticks(cone):
    m, d = on_slope(cone)
    _, state, _ = observed(m, d)
    names = Names(m)
    ice, clay = (find_contacts(word, state, names) for word in ("sledge", "clay"))
    assert set(state.mode[ice]) == {ContactMode.SLIP}
    np.testing.assert_allclose(state.used[ice], 1, atol=1e-9)
    np.testing.assert_allclose(state.tangential[ice], 0.2 * state.normal[ice], rtol=1e-9)
    # It slides as fast as the body's point moves along the slope.
    turn = d.xmat[1].reshape(3, 3) @ d.qvel[3:6]
    moves = d.qvel[:3] + np.cross(turn, state.pos[ice] - d.xpos[1])
    normal = np.array([np.sin(np.deg2rad(20)), 0, np.cos(np.deg2rad(20))])
    along = np.linalg.norm(moves - np.outer(moves @ normal, normal), axis=1)
    np.testing.assert_allclose(state.creep[ice], along, rtol=1e-9)
    assert along.min() > 0.3
    assert set(state.mode[clay]) == {ContactMode.STICK}
    share = state.tangential[clay].sum() / state.normal[clay].sum()
    assert share == pytest.approx(np.tan(np.deg2rad(20)), rel=0.01)  # the block is at rest: weight along over weight across
    assert state.creep[clay].max() < 1e-2 * state.creep[ice].min()  # soft contacts creep
    # Friction is against the slide.
    against = (state.force[ice, 1:3] * state.velocity[ice, 1:3]).sum(axis=1)
    np.testing.assert_allclose(against, -state.tangential[ice] * state.creep[ice], rtol=1e-6)
    m, d = on_slope(cone, friction=0.8)
    assert ContactMode.SLIP not in observed(m, d)[1].mode


def test_without_force_or_friction_a_contact_is_open_or_smooth():
    m = physics.MjModel.from_xml_string(ALL.format(option=""))
    d = physics.MjData(m)
    physics.mj_step(m, d, 5)
    state = observed(m, d)[1]
    smooth = find_contacts("one", state, Names(m))
    assert list(state.mode[smooth]) == [ContactMode.SMOOTH]
    assert state.used[smooth] == 0
    m.geom_margin[:], m.geom_gap[:] = 0.05, 0.05
    d.qpos[2] = 0.12  # 2 cm above the floor, in the gap
    physics.mj_forward(m, d)
    state = observed(m, d)[1]
    assert list(state.mode[find_contacts("one", state, Names(m))]) == [ContactMode.OPEN]


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("solver", ["Newton", "PGS"])
def test_forces_and_residuals_are_those_of_the_reference(cone, solver):
    xml = ALL.format(option=f'cone="{cone}" solver="{solver}" impratio="3" iterations="300" tolerance="1e-12"')
    mm, m = mujoco.MjModel.from_xml_string(xml), physics.MjModel.from_xml_string(xml)
    md, d = mujoco.MjData(mm), physics.MjData(m)
    velocity = np.random.default_rng(3).normal(size=mm.nv) * 0.3
    velocity[24] = 3.0  # into the limit, from beyond it
    md.qvel[:], d.qvel[:] = velocity, velocity
    md.qpos[28], d.qpos[28] = 0.1, 0.1
    mujoco.mj_forward(mm, md)
    physics.mj_forward(m, d)
    assert len(set(md.efc_type)) == 5
    scale = np.abs(md.efc_force).max()
    _, state, rows = observed(m, d)
    residual = np.abs(rows.residual).max()
    assert residual < (1e-9 if solver == "Newton" else 1e-2) * np.abs(rows.aref).max()
    for c in range(md.ncon):
        wrench = np.zeros(6)
        mujoco.mj_contactForce(mm, md, c, wrench)
        np.testing.assert_allclose(state.force[c], wrench, atol=2e-3 * scale)
        first = md.contact.efc_address[c]
        if cone == "elliptic" and md.contact.dim[c] > 1:
            np.testing.assert_allclose(state.velocity[c], md.efc_vel[first : first + 3], atol=1e-9)
    if solver == "PGS":
        m.opt.iterations = 1
        physics.mj_forward(m, d)
        assert np.abs(observed(m, d)[2].residual).max() > 10 * residual  # stopped early: far from solved


def test_the_section_of_the_cone_shrinks_by_what_torsion_uses():
    for cone, left in (("elliptic", 0.8), ("pyramidal", 0.4)):
        m = physics.MjModel.from_xml_string(ALL.format(option=f'cone="{cone}"'))
        d = physics.MjData(m)
        physics.mj_forward(m, d)
        state = observed(m, d)[1]
        k = int(np.flatnonzero(state.dim == 4)[0])
        state.normal[k], state.force[k] = 10.0, (10.0, 0, 0, 0.6 * 10 * state.friction[k, 2], 0, 0)
        assert section_of(state, k) == pytest.approx((10.0, 10.0, left))


def test_chosen_contact_is_tracked_while_its_block_slides():
    m, d = on_slope("elliptic", 60)
    choice = ContactChoice()
    changes = []
    choice.changed.connect(lambda: changes.append(1))
    snapshot = observed(m, d)[0]
    corner = int(np.flatnonzero(snapshot.contact("geom")[:, 1] == m.geom("ice").id)[-1])
    where = snapshot.contact("pos")[corner].copy()
    block = d.xpos[1].copy()
    choice.choose(places(m, snapshot)[corner], snapshot)
    assert (choice.index, len(changes)) == (corner, 1)
    for _ in range(100):  # 0.02 s each: the block comes to where its other end was
        physics.mj_step(m, d, 10)
        snapshot = observed(m, d)[0]
        choice.follow(snapshot)
        if choice.index >= 0 and d.xpos[1, 0] > block[0] + 0.35:
            break
    moved = d.xpos[1] - block
    assert np.linalg.norm(moved) > 0.3
    np.testing.assert_allclose(snapshot.contact("pos")[choice.index] - where, moved, atol=0.02)
    d.qpos[2] += 1
    physics.mj_forward(m, d)
    choice.follow(observed(m, d)[0])
    assert (choice.index, choice.pair) == (-1, (m.geom("slope").id, m.geom("ice").id))
    assert len(changes) == 1


def test_rows_are_named_found_and_arranged():
    m = physics.MjModel.from_xml_string(ALL.format(option=""))
    d = physics.MjData(m)
    physics.mj_step(m, d, 5)
    _, state, rows = observed(m, d)
    names = Names(m)
    of = [row_name(names, rows, r) for r in range(len(rows))]
    assert of[:3] == ["tie", "elbow", "wrist"]
    edges = np.flatnonzero(find_rows("three edge", rows, names))
    assert [direction(rows, r) for r in edges] == [
        "tangent 1 +",
        "tangent 1 \N{MINUS SIGN}",
        "tangent 2 +",
        "tangent 2 \N{MINUS SIGN}",
    ]
    assert {of[r] for r in edges} == {"floor \N{EN DASH} three"}
    assert list(np.flatnonzero(find_rows("elbow friction", rows, names))) == [1]
    assert find_rows(" ", rows, names) is None
    assert summary(state) == "4 contacts: 3 stick, 1 smooth"
    pair = CONTACT_COLUMNS[0].key(state, names)
    assert [pair[k].split()[-1] for k in arrange(4, None, pair, descending=False)] == ["four", "one", "six", "three"]
    assert list(arrange(4, np.array([True, False, True, True]), np.array([1.0, 9, 1, 0]), descending=True)) == [0, 2, 3]
    m.tumble.contact_model = 1
    physics.mj_step(m, d)
    assert np.isnan(observed(m, d)[2].residual).all()
