"""A model that is changed while it runs goes on as one does whose file said so from the beginning."""

from fnmatch import fnmatchcase

import numpy as np
import pytest

from tumble import physics
from tumble.physics.changes import RULES, Effect, follow, refusal, rule
from tumble.physics.state.enums import mjtSameFrame
from tumble.physics.state.fields import MODEL

ARM = """
<mujoco>
  <option timestep="0.002"><flag sleep="enable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1"/>
    <body name="post" pos="1 0 1"><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="free" pos="0 1 0.098"><freejoint name="root"/><geom name="box" type="box" size="0.1 0.1 0.1" mass="2"/></body>
    <body name="upper" pos="0 0 2" gravcomp="{gravcomp}">
      <inertial pos="0.1 0 0" mass="{mass}" diaginertia="0.01 0.02 0.025"/>
      <joint name="shoulder" axis="0 1 0" damping="{damping}" armature="{armature}" stiffness="2" springref="{springref}"/>
      <site name="tip" pos="{site}"/>
      <body name="lower" pos="{pos}">
        <inertial pos="{ipos}" mass="1" diaginertia="0.01 0.01 0.012"/>
        <joint name="elbow" axis="{axis}" pos="0 0 {anchor}"/>
        <site name="hand" pos="0.3 0 0"/>
      </body>
    </body>
    <body name="ball" pos="0 -1 0.15"><freejoint/>
      <geom name="ball" size="0.1" friction="{friction} 0.005 0.0001" contype="{contype}" conaffinity="0"/></body>
  </worldbody>
  <tendon>
    <spatial name="rope" stiffness="{stiffness}" springlength="0.1"><site site="tip"/><site site="hand"/></spatial>
  </tendon>
  <equality><joint joint1="elbow" joint2="shoulder" polycoef="0 {ratio} 0 0 0"/></equality>
  <actuator><general joint="elbow" gear="{gear}" gainprm="{gain}"/></actuator>
</mujoco>
"""
FIRST = {
    "gravcomp": "0", "mass": "1", "damping": "0.1", "armature": "0", "springref": "0", "site": "0 0 0", "pos": "0.4 0 0",
    "ipos": "0 0 0", "axis": "0 1 0", "anchor": "0", "friction": "1", "contype": "1", "stiffness": "20", "ratio": "0.5",
    "gear": "1", "gain": "3",
}  # fmt: skip
SECOND = {
    "mass": "2.5", "damping": "0.7", "armature": "0.3", "site": "0 0 0.1", "pos": "0.4 0 0.2", "ipos": "0.1 0 -0.05",
    "axis": "0.6 0.8 0", "anchor": "0.05", "friction": "0.2", "contype": "2", "stiffness": "90", "ratio": "-0.3", "gear": "2.5",
    "gain": "-4", "gravcomp": "1",
}  # fmt: skip
# What each attribute is kept in: field, element, and the numbers, where they are not those of the attribute.
PLACES = {
    "mass": ("body_mass", "upper"), "damping": ("dof_damping", 6), "armature": ("dof_armature", 6), "site": ("site_pos", "tip"),
    "pos": ("body_pos", "lower"), "ipos": ("body_ipos", "lower"), "axis": ("jnt_axis", "elbow"), "anchor": ("jnt_pos", "elbow"),
    "friction": ("geom_friction", "ball"), "contype": ("geom_contype", "ball"), "stiffness": ("tendon_stiffness", 0),
    "ratio": ("eq_data", 0), "gear": ("actuator_gear", 0), "gain": ("actuator_gainprm", 0),
    "gravcomp": ("body_gravcomp", "upper"),
}  # fmt: skip
PREFIXES = {"body": "body", "site": "site", "jnt": "joint", "geom": "geom"}


def made(**changed):
    return physics.MjModel.from_xml_string(ARM.format(**(FIRST | changed)))


def number(m, field, element):
    kind = PREFIXES.get(field.partition("_")[0])
    return getattr(m, kind)(element).id if isinstance(element, str) else element


def ran(m, d, steps=100):
    d.ctrl[:] = 1
    physics.mj_step(m, d, steps)
    return d.qpos.copy(), d.qvel.copy()


@pytest.mark.parametrize("attribute", SECOND)
def test_a_change_is_what_the_file_would_have_said(attribute):
    m, other = made(), made(**{attribute: SECOND[attribute]})
    field, element = PLACES[attribute]
    i = number(m, field, element)
    assert refusal(m, field, i) == ""
    d, twin = physics.MjData(m), physics.MjData(other)
    assert not np.array_equal(getattr(m, field)[i], getattr(other, field)[i])
    getattr(m, field)[i] = getattr(other, field)[i]
    derived = follow(m, d, field, i)
    assert derived == (rule(field).effect >= Effect.FRAMES)
    for found, wanted in zip(ran(m, d), ran(other, twin), strict=True):
        # frames that are compiled as the same are left out of a product, which rounds otherwise
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)


DRIVEN = """<mujoco><worldbody><body gravcomp="1">
  <joint name="j" axis="0 1 0" actuatorgravcomp="{paid}" actuatorfrcrange="-.5 .5"/>
  <geom size=".1" pos=".3 0 0" mass="1"/></body></worldbody>
  <actuator><general joint="j" dyntype="filter" dynprm=".05" actearly="{early}"/></actuator></mujoco>"""


@pytest.mark.parametrize("field", ["actuator_actearly", "jnt_actgravcomp"])
def test_a_switch_that_each_step_reads_is_what_the_file_would_have_said(field):
    """The force takes the activation at the step's end; the actuator's limit, below the weight, counts for its compensation."""
    m = physics.MjModel.from_xml_string(DRIVEN.format(early="false", paid="false"))
    wanted = {"early": str(field == "actuator_actearly").lower(), "paid": str(field == "jnt_actgravcomp").lower()}
    other = physics.MjModel.from_xml_string(DRIVEN.format(**wanted))
    d, twin, before = physics.MjData(m), physics.MjData(other), physics.MjData(m)
    before_moves = ran(m, before)[0]
    assert refusal(m, field, 0) == ""
    getattr(m, field)[0] = 1
    assert not follow(m, d, field, 0)
    moves = ran(m, d)[0]
    np.testing.assert_array_equal(moves, ran(other, twin)[0])
    assert abs(moves - before_moves).max() > 1e-4


@pytest.mark.parametrize("attribute", ["mass", "ipos", "site", "contype"])
def test_a_change_and_the_way_back_leave_every_number_as_it_was(attribute):
    m = made()
    d = physics.MjData(m)
    skipped = ("body_sameframe", "geom_sameframe", "site_sameframe")  # what is no longer taken for granted
    before = {f.name: np.array(getattr(m, f.name)) for f in MODEL if f.unit != "address" and f.name not in skipped}
    field, element = PLACES[attribute]
    i = number(m, field, element)
    first = np.array(getattr(m, field)[i])
    for value in (getattr(made(**{attribute: SECOND[attribute]}), field)[i], first):
        getattr(m, field)[i] = value
        follow(m, d, field, i)
    changed = [name for name, value in before.items() if not np.array_equal(value, getattr(m, name))]
    assert changed == []


def test_the_scales_of_the_view_stay_where_masses_change():
    m = made()
    d = physics.MjData(m)
    m.stat.extent, m.stat.meansize = 7.0, 0.3  # as <statistic> may say
    m.body_mass[1] = 100.0
    follow(m, d, "body_mass", 1)
    assert (m.stat.extent, m.stat.meansize) == (7.0, 0.3)


@pytest.mark.parametrize(
    ("field", "element", "says"),
    [
        ("nbody", None, "laid out"),
        ("geom_type", "box", "laid out"),
        ("geom_rbound", "box", "shape of the geom"),
        ("body_subtreemass", "upper", "computed from other fields"),
        ("body_pos", "post", "static"),
        ("body_mass", "world", "static"),
        ("body_ipos", "free", "no room"),
        ("jnt_axis", "root", "has none"),
        ("geom_sameframe", "box", "leaves transforms out"),
    ],
)
def test_what_is_not_safe_is_refused_with_the_reason(field, element, says):
    m = made()
    assert says in refusal(m, field, None if element is None else number(m, field, element))


@pytest.mark.parametrize(("field", "wakes"), [("geom_friction", True), ("opt_gravity", True), ("body_mass", True),
                                              ("geom_rgba", False), ("opt_sleep_tolerance", False)])  # fmt: skip
def test_sleepers_wake_where_the_change_may_move_them(field, wakes):
    m = made()
    d = physics.MjData(m)
    physics.mj_step(m, d, 600)
    box = m.body_treeid[m.body("free").id]
    assert d.tree_asleep[box] >= 0
    follow(m, d, field, None if field.startswith("opt") else m.body("free").id)
    assert (d.tree_asleep[box] < 0) == wakes
    physics.mj_step(m, d)  # the lists have followed
    assert (d.tree_awake[box] == 1) == wakes


def test_frames_are_told_apart_once_one_of_them_has_moved():
    m = made()
    d = physics.MjData(m)
    lower, hand = m.body("lower").id, m.site("tip").id
    assert m.body_sameframe[lower] != mjtSameFrame.mjSAMEFRAME_NONE
    assert m.site_sameframe[hand] != mjtSameFrame.mjSAMEFRAME_NONE
    m.body_ipos[lower] = 0.1, 0, 0
    follow(m, d, "body_ipos", lower)
    m.site_pos[hand] = 0, 0, 0.2
    follow(m, d, "site_pos", hand)
    physics.mj_forward(m, d)
    np.testing.assert_allclose(np.linalg.norm(d.xipos[lower] - d.xpos[lower]), 0.1)
    np.testing.assert_allclose(d.site_xpos[hand] - d.xpos[m.body("upper").id], [0, 0, 0.2], atol=1e-12)


def test_every_field_has_a_rule_and_every_rule_a_field():
    names = [f.name for f in MODEL]
    for name in names:
        assert rule(name).why or rule(name).effect is not Effect.FIXED
    for found in RULES:
        for pattern in found.fields:
            assert any(fnmatchcase(name, pattern) for name in names), pattern
    assert rule("vis.global_.fovy") is rule("vis_global_fovy")
    assert rule("opt.timestep").effect is Effect.PLAIN


SOFT = """<mujoco><worldbody>
    <flexcomp name="cloth" type="grid" dim="2" count="4 4 1" spacing=".1 .12 .1" pos="0 .3 1" euler="20 0 30"
      radius=".01" mass="1"><elasticity young="{young}" poisson="{poisson}" thickness="{thickness}" elastic2d="{kind}"/>
      <contact selfcollide="none"/></flexcomp>
    <flexcomp name="solid" type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1" pos="2 0 1" radius=".01" mass="1">
      <elasticity young="{young}" poisson="{poisson}"/><contact selfcollide="none" internal="false"/></flexcomp>
    <flexcomp name="nodes" type="grid" dim="3" count="4 4 4" spacing=".1 .1 .1" pos="4 0 1" radius=".01" mass="1"
      dof="trilinear"><elasticity young="{young}" poisson="{poisson}"/><contact selfcollide="none" internal="false"/></flexcomp>
    </worldbody></mujoco>"""


def _soft(kind: str, young: float, poisson: float, thickness: float) -> physics.MjModel:
    return physics.MjModel.from_xml_string(SOFT.format(kind=kind, young=young, poisson=poisson, thickness=thickness))


@pytest.mark.parametrize("kind", ["stretch", "bend", "both"])
def test_the_material_of_a_flex_changes_as_if_the_file_said_so(kind: str) -> None:
    model, wanted = _soft(kind, 2e4, 0.1, 0.01), _soft(kind, 7e4, 0.3, 0.02)
    data = physics.MjData(model)
    for name in ("flex_young", "flex_poisson", "flex_thickness"):
        for flex in range(model.nflex):
            assert not refusal(model, name, flex)
            getattr(model, name)[flex] = getattr(wanted, name)[flex]
            follow(model, data, name, flex)
    assert wanted.flex_stiffness[:].any()
    for name in ("flex_stiffness", "flex_bending"):
        now, then = getattr(model, name), getattr(wanted, name)
        assert np.abs(now - then).max() <= 1e-12 * np.abs(then).max(), name


def test_a_flex_that_was_compiled_without_elasticity_gets_none() -> None:
    model = _soft("none", 2e4, 0.1, 0.01)
    assert "elastic2d" in refusal(model, "flex_young", 0)
    assert not refusal(model, "flex_young", 1)
    model.flex_young[0] = 1e5
    follow(model, physics.MjData(model), "flex_young", 0)
    assert not model.flex_stiffness[: model.flex_elemnum[0]].any()
