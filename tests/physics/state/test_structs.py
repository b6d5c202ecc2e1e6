"""Structs on their own and as views: options, statistics, visual settings, contacts, warnings, timers, the solver's numbers."""

import copy
import pickle
import weakref

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load, posed
from tumble import physics

BOX = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="box" pos="0 0 0.09"><freejoint name="free"/><geom name="box" type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""
ALONE = ("MjOption", "MjStatistic", "MjContact", "MjLROpt", "MjSolverStat", "MjTimerStat", "MjWarningStat")
KINDS = (*(getattr(physics, name) for name in ALONE), physics.MjVisual)


@pytest.fixture
def box():
    return posed(BOX)


@pytest.mark.parametrize("name", ALONE)
def test_standalone_struct_matches_reference_fields_and_repr(name):
    ours, theirs = getattr(physics, name)(), getattr(mujoco, name)()
    for field in (n for n in dir(theirs) if n[0] != "_"):
        value = getattr(theirs, field)
        np.testing.assert_array_equal(getattr(ours, field), value, err_msg=field)
        assert np.asarray(getattr(ours, field)).dtype == np.asarray(value).dtype, field
    assert repr(ours) == repr(theirs)


def test_standalone_visual_settings_equal_model_defaults():
    alone, declared = physics.MjVisual(), physics.MjModel.from_xml_string("<mujoco/>").vis
    assert alone == declared
    assert physics.MjVisualHeadlight() == declared.headlight
    declared.map.znear = 0.5
    assert alone != declared
    assert repr(declared).startswith("<MjVisual\n  global_: <MjVisualGlobal\n    azimuth: 90.0\n")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_copies_are_equal_and_apart(kind):
    one = kind()
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert type(other) is kind
        assert one == other
        assert one != 3
        part = other.rgba if kind is physics.MjVisual else other
        field = sorted(n for n in dir(part) if n[0] != "_")[0]
        setattr(part, field, getattr(part, field) + 1)
        assert one != other
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_option_view_shares_model_memory_and_copy_does_not(box):
    m, d = box
    opt, kept = m.opt, copy.copy(m.opt)
    m.opt.timestep, m.opt.gravity = 0.5, (1, 2, 3)
    assert (opt.timestep, opt.gravity.tolist(), m.opt_timestep) == (0.5, [1, 2, 3], 0.5)
    assert (kept.timestep, kept.gravity.tolist()) == (0.001, [0, 0, -9.81])
    m.opt.timestep = kept.timestep
    m.opt.gravity = kept.gravity
    assert m.opt == kept
    physics.mj_step(m, d)
    assert d.time == 0.001


def test_what_does_not_fit_a_field_is_refused(box):
    m, d = box
    for struct, name in ((m.opt, "iterations"), (d.contact[0], "dim"), (physics.MjWarningStat(), "number")):
        for value in (0.5, "1", None, [1, 2]):
            with pytest.raises(TypeError):
                setattr(struct, name, value)
    for struct, name in ((m.opt, "timestep"), (d.contact[0], "dist"), (d, "time")):
        with pytest.raises(TypeError, match="a number is needed, not '1'"):
            setattr(struct, name, "1")
    with pytest.raises(ValueError, match=r"qpos has shape \(7,\), the value has shape \(2,\)"):
        d.qpos = [1, 2]
    for owner, name in ((m, "opt"), (m, "vis"), (m.vis, "map"), (d, "contact"), (d, "timer"), (m.geom(0), "id")):
        with pytest.raises(AttributeError, match="has no setter"):
            setattr(owner, name, 1)
    m.opt.iterations = np.int64(7)
    m.opt.cone = physics.mjtCone.mjCONE_ELLIPTIC
    assert (m.opt.iterations, m.opt.cone) == (7, 1)


def test_contacts_are_a_list_of_views(box):
    _, d = box
    assert len(d.contact) == d.ncon == 4
    assert [type(c) for c in d.contact] == [physics.MjContact] * 4
    assert [c.geom1 for c in d.contact] == d.contact.geom1.tolist() == [0] * 4
    np.testing.assert_array_equal([c.pos for c in d.contact], d.contact.pos)
    assert [c == d.contact[0] for c in d.contact] == [True, False, False, False]
    for k, c in enumerate(d.contact):
        c.exclude, c.friction = k, k
    assert d.contact.exclude.tolist() == list(range(4))
    assert d.contact[-1].friction.tolist() == [3] * 5
    with pytest.raises(IndexError, match="index 4 of 4"):
        d.contact[4]
    with pytest.raises(TypeError):
        d.contact["floor"]


def test_slices_of_contacts_are_lists_of_contacts(box):
    _, d = box
    every = [c.pos.tolist() for c in d.contact]
    for part in (slice(1, 3), slice(None, None, -1), slice(3, None, -2), slice(2, 2), slice(-2, None)):
        assert [c.pos.tolist() for c in d.contact[part]] == d.contact[part].pos.tolist() == every[part]
    assert d.contact[1:][1:].pos.tolist() == every[2:]
    d.contact[1:3].dist = 5
    assert (d.contact.dist == 5).tolist() == [False, True, True, False]


def test_struct_lists_compare_by_rows_and_copies_are_frozen(box):
    m, d = box
    other = physics.MjData(m)
    physics.mj_forward(m, other)
    assert d.contact == other.contact
    assert d.contact[:2] != other.contact
    assert d.contact != d.warning
    assert d.warning == other.warning
    kept = [copy.deepcopy(d.contact), pickle.loads(pickle.dumps(d.contact[::-1]))[::-1]]
    d.qpos[2] = 5
    physics.mj_forward(m, d)
    assert len(d.contact) == 0
    assert kept == [other.contact, other.contact]
    assert kept[0][2].dist == other.contact[2].dist < 0


def test_contact_view_stays_valid_when_the_buffer_grows(box):
    m, d = box
    first, con = d.contact[0], copy.copy(d.contact[0])
    for _ in range(d.maxcon):
        physics.mj_addContact(m, d, con)
    d.contact_dist[0] = 0.25
    assert first.dist == 0.25


def test_warning_and_timer_views_follow_the_data(box):
    m, d = box
    bad, step = d.warning[physics.mjtWarning.mjWARN_BADQPOS], d.timer[physics.mjtTimer.mjTIMER_STEP]
    d.qpos[0] = np.nan
    physics.mj_step(m, d)
    assert (bad.number, step.number) == (1, 1)
    assert len(d.solver) == physics.mjNSOLVER * physics.mjNISLAND


def test_model_and_data_are_freed_while_views_stay_valid():
    m, d = load(BOX)
    opt, timer, geom, qpos = m.opt, d.timer, m.geom("box"), d.joint("free").qpos
    gone = [weakref.ref(m), weakref.ref(d)]
    del m, d
    assert [ref() for ref in gone] == [None, None]
    assert (opt.timestep, timer[0].number, qpos[2]) == (0.001, 0, 0.09)
    assert geom.size.tolist() == [0.1] * 3


def test_an_element_is_one_view_whose_attributes_are_one_array(box):
    m, d = box
    assert m.geom("box") is m.geom(1) is m.geom(np.int64(1))
    assert m.geom("box").size is m.geom(1).size
    assert m.geom("box") != m.geom("floor")
    assert repr(d.geom("floor")).startswith("<_MjDataGeomViews\n  id: 0\n  name: 'floor'\n  xmat: array([")
    d.joint("free").qpos = np.arange(7)
    assert d.qpos.tolist() == d.joint(0).qpos.tolist() == [*range(7)]


class _Spec:
    """What an element of a specification tells of itself."""

    def __init__(self, kind, number):
        self._place = kind, number

    def place_in(self, model):
        return self._place


def test_bind_reads_and_writes_one_or_several_elements(box):
    m, d = box
    floor, cube = (_Spec(physics.mjtObj.mjOBJ_GEOM, k) for k in range(2))
    assert m.bind(cube) is m.geom("box")
    assert m.bind([cube, floor]).size.tolist() == [0.1, 0.1, 0.1, 1, 1, 1]
    assert m.bind((floor, cube)).name == ["floor", "box"]
    m.bind([floor, cube]).margin = [0.25, 0.5]
    m.bind([floor, cube]).friction = [[1, 2, 3], [4, 5, 6]]
    m.bind([floor, cube]).group = 3
    assert (m.geom_margin.tolist(), m.geom_friction.tolist()) == ([0.25, 0.5], [[1, 2, 3], [4, 5, 6]])
    assert m.geom_group.tolist() == [3, 3]
    assert d.bind([]).qpos.tolist() == []
    d.bind([_Spec(physics.mjtObj.mjOBJ_JOINT, 0)]).qpos = np.arange(7)
    assert d.qpos.tolist() == [*range(7)]
    with pytest.raises(AttributeError, match="object has no attribute 'weight'"):
        _ = m.bind([cube]).weight
    with pytest.raises(ValueError, match="friction of these 2 elements is 6 numbers"):
        m.bind([floor, cube]).friction = [1, 2, 3, 4]
    with pytest.raises(TypeError, match="element of a specification"):
        m.bind("box")
    with pytest.raises(TypeError, match="mjOBJ_KEY"):
        d.bind(_Spec(physics.mjtObj.mjOBJ_KEY, 0))


def test_errors_are_caught_by_the_references_names(box):
    m, d = box
    for call in (lambda: physics.mj_stateSize(m, 1 << 20), lambda: physics.mj_setKeyframe(m, d, 3)):
        for name in (physics.FatalError, physics.PhysicsError):
            with pytest.raises(name):
                call()
    for wrong in ((m, None), (d, m), (None, d)):
        with pytest.raises(TypeError, match="should be an MjModel and its MjData"):
            physics.mj_step(*wrong)
    with pytest.raises(TypeError, match="made for an MjModel, not for 3"):
        physics.MjData(3)
    assert not issubclass(physics.UnexpectedError, physics.FatalError)


SCENE = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" contype="0" conaffinity="0"/>
    <body pos="0 0 0.095"><freejoint/><geom name="ball" size="0.1" contype="0" conaffinity="0"/></body>
  </worldbody>
</mujoco>
"""


def contact(module):
    con = module.MjContact()
    con.dist, con.pos[:], con.frame[:] = -0.005, (0, 0, 0), (0, 0, 1, 1, 0, 0, 0, 1, 0)
    con.friction[:], con.solref[:], con.solimp[:] = (1, 1, 0.005, 1e-4, 1e-4), (0.02, 1), (0.9, 0.95, 0.001, 0.5, 2)
    con.dim, con.geom[:], con.efc_address = 3, (0, 1), -1
    con.flex[:] = con.elem[:] = con.vert[:] = -1
    return con


def pushed(module):
    """The acceleration where such a contact is added between two geoms that do not collide."""
    m, d = load(SCENE, module)
    for part in ("fwdKinematics", "makeM", "factorM", "collision"):
        getattr(module, f"mj_{part}")(m, d)
    assert d.ncon == 0
    assert module.mj_addContact(m, d, contact(module)) == 0
    islands = ["island"] if module is mujoco else []
    for part in ("makeConstraint", *islands, "transmission", "fwdVelocity", "fwdActuation", "fwdAcceleration", "fwdConstraint"):
        getattr(module, f"mj_{part}")(m, d)
    return m, d


def test_an_added_contact_pushes_as_the_references_does():
    (_, ours), (_, theirs) = pushed(physics), pushed(mujoco)
    assert (ours.ncon, ours.nefc) == (theirs.ncon, theirs.nefc) == (1, 4)
    assert ours.qacc[2] > 0
    np.testing.assert_allclose(ours.qacc, theirs.qacc, rtol=1e-9, atol=1e-9)


def test_contacts_are_added_beyond_the_room_there_is():
    m, d = load(SCENE)
    con, count = contact(physics), d.maxcon + 5
    for k in range(count):
        con.dist = -0.001 * k
        assert physics.mj_addContact(m, d, con) == 0
    assert d.ncon == count
    np.testing.assert_allclose(d.contact.dist, -0.001 * np.arange(count))
    assert physics.mj_addContact(m, d, d.contact[3]) == 0
    assert d.contact[count].dist == pytest.approx(-0.003)
