"""Cables that bend and twist, the plugin mujoco.elasticity.cable."""

import math

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.physics.compiler.parity import both, differences, refused
from tests.physics.plugins.runs import assert_alike, settings
from tumble import physics

CABLE = "mujoco.elasticity.cable"
STIFF = settings(twist="1e6", bend="4e6")
SHAPES = {
    "capsule": 'type="capsule" size=".01"', "cylinder": 'type="cylinder" size=".02"', "flat box": 'type="box" size=".01 .02 .01"',
    "upright box": 'type="box" size=".01 .01 .03"', "square": 'type="box" size=".01 .01 .01"',
}  # fmt: skip


def composite(inside: str = STIFF, geom: str = SHAPES["capsule"], extra: str = "", given: str = 'curve="s" count="6 1 1"') -> str:
    """A cable that a <composite> makes, on a hinged body."""
    return f"""<mujoco><option timestep=".0005"/><extension><plugin plugin="{CABLE}"/></extension><worldbody>
<body name="a" pos="0 0 1"><composite prefix="x" type="cable" size="1" {given} {extra}>
<plugin plugin="{CABLE}">{inside}</plugin><joint kind="main" damping=".01"/><geom {geom}/></composite></body></worldbody>
</mujoco>"""


def chain(
    pieces: list[str], joint: str = '<joint type="ball" damping=".01"/>', inside: str = STIFF, plugins: str = "c" * 9
) -> str:
    """Bodies one in the other, each turned against its parent and at another distance; plugins: instances, "-" for none."""
    text = ""
    for k, geom in enumerate(pieces):
        pos = f"{0.1 + 0.05 * k} {0.02 * k} 0" if k else "0 0 1"
        text += f"""<body pos="{pos}" euler="{10 * k} {5 * k + 2} {-7 * k}">{joint if k else "<freejoint/>"}
<geom {geom} density="9000"/>{"" if plugins[k] == "-" else f'<plugin instance="{plugins[k]}"/>'}"""
    listed = "".join(f'<instance name="{name}">{inside}</instance>' for name in sorted({*plugins[: len(pieces)]} - {"-"}))
    return f"""<mujoco><option gravity="0 0 0" timestep=".0005"/><extension><plugin plugin="{CABLE}">{listed}</plugin></extension>
<worldbody>{text}{"</body>" * len(pieces)}</worldbody></mujoco>"""


BOX = 'type="box" size=".05 .01 .02" pos=".05 0 0" contype="0" conaffinity="0"'
MIXED = [BOX, BOX.replace(".01 .02", ".02 .02"), 'type="capsule" size=".03 .1" contype="0" conaffinity="0"',
         BOX.replace(".01 .02", ".03 .02"), 'type="cylinder" size=".02 .02" contype="0" conaffinity="0"']  # fmt: skip


@pytest.mark.parametrize("geom", SHAPES.values(), ids=SHAPES)
def test_composite_moves_as_in_the_reference(geom: str) -> None:
    assert_alike(composite(geom=geom), speed=0.3)


@pytest.mark.parametrize("initial", ["none", "ball"])
def test_each_end_of_a_curved_cable_agrees(initial: str) -> None:
    points = ((k / 8, (k % 3) / 16, k * k / 64) for k in range(8))  # exact in single precision, in which the reference has them
    curve = f'vertex="{" ".join(f"{x} {y} {z}" for x, y, z in points)}"'
    assert_alike(composite(extra=f'initial="{initial}"', given=curve), speed=0.1, steps=50)


@pytest.mark.parametrize("flat", ["true", "false"])
def test_shape_at_rest_is_straight_or_that_of_the_file(flat: str) -> None:
    assert_alike(chain(MIXED, inside=settings(twist="1e4", bend="3e4", flat=flat)))


@pytest.mark.parametrize("plugins", ["-cccc", "cccc-", "ccddd", "dddcc"])
def test_pieces_of_one_instance_alone_are_joined(plugins: str) -> None:
    assert_alike(chain(MIXED, inside=settings(twist="1e4", bend="3e4"), plugins=plugins))


def test_models_of_composites_are_the_reference_s() -> None:
    explicit = f'<plugin plugin="{CABLE}"><instance name="q">{STIFF}</instance></plugin>'
    named = composite("").replace(f'<plugin plugin="{CABLE}"/>', explicit)
    named = named.replace(f'<plugin plugin="{CABLE}"></plugin>', f'<plugin plugin="{CABLE}" instance="q"/>')
    for xml in (composite(), composite(settings()), composite(geom=SHAPES["flat box"]), named):
        ours, theirs = both(xml)
        assert [text for text in differences(ours, theirs) if not text.startswith("plugin[")] == []
        assert ours.body_plugin.max() == 0


def test_cantilever_bends_as_beam_theory_says() -> None:
    """A force at the tip is carried where each joint has turned by its moment times the length of a piece over E I."""
    pieces, length, force = 10, 1.0, 1e-4
    xml = composite(settings(twist=1e6, bend=4e6), given=f'curve="s" count="{pieces + 1} 1 1"', extra='initial="none"')
    m = physics.MjModel.from_xml_string(xml.replace("<option ", '<option gravity="0 0 0" '))
    d = physics.MjData(m)
    arms = length * (1 - np.arange(1, pieces) / pieces)
    turns = force * arms * length / pieces / (4e6 * math.pi * 0.01**4 / 4)  # small: 0.3 mrad at most
    d.qpos.reshape(-1, 4)[:, 0], d.qpos.reshape(-1, 4)[:, 2] = np.cos(turns / 2), np.sin(turns / 2)
    d.xfrc_applied[-1] = (0, 0, -force, 0, force * length / pieces / 2, 0)  # at the tip: half a piece before the centre
    physics.mj_forward(m, d)
    assert_allclose(d.qfrc_smooth.reshape(-1, 3)[:, 1], 0, atol=1e-5 * force)
    assert_allclose(d.qfrc_passive.reshape(-1, 3)[:, 1], -force * arms, rtol=1e-6)  # the points are in single precision


def test_pair_of_torques_gives_no_momentum() -> None:
    m = physics.MjModel.from_xml_string(chain(MIXED))
    d = physics.MjData(m)
    d.qpos[7:] = np.random.default_rng(0).normal(size=m.nq - 7)
    physics.mj_forward(m, d)
    assert (d.qfrc_passive[:6] == 0).all()
    assert abs(d.qfrc_passive[6:]).min() > 0


def test_hinges_and_rigid_pieces_bend_about_what_moves() -> None:
    m = physics.MjModel.from_xml_string(chain([BOX, BOX], '<joint axis="0 1 0"/>'))
    d = physics.MjData(m)
    d.qpos[7] = 0.1
    physics.mj_forward(m, d)
    section, length = 0.04**3 * 0.02 / 12, math.hypot(0.15, 0.02)
    turned = d.xmat[1].reshape(3, 3).T @ d.xmat[2].reshape(3, 3)
    axis = d.xaxis[1] @ d.xmat[1].reshape(3, 3)
    now, rest = rotation(turned), rotation(matrix(m.body_quat[2]))
    stiffness = np.array([1e6 * torsion(0.01, 0.02), 4e6 * section, 4e6 * 0.02**3 * 0.04 / 12]) / length
    assert d.qfrc_passive[6] == pytest.approx(-axis @ (stiffness * (now - rest)), rel=1e-9)
    rigid = physics.MjModel.from_xml_string(chain([BOX, BOX, BOX], ""))
    d = physics.MjData(rigid)
    physics.mj_step(rigid, d)
    assert (d.qfrc_passive == 0).all()


def torsion(a: float, b: float) -> float:
    """Torsion constant of a rectangle of half-sides a < b."""
    return b * a**3 * (16 / 3 - 3.36 * a / b * (1 - (a / b) ** 4 / 12))


def matrix(quat: np.ndarray) -> np.ndarray:
    out = np.zeros(9)
    mujoco.mju_quat2Mat(out, quat)
    return out.reshape(3, 3)


def rotation(mat: np.ndarray) -> np.ndarray:
    """The rotation vector of a matrix."""
    quat, out = np.zeros(4), np.zeros(3)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(mat).ravel())
    mujoco.mju_quat2Vel(out, quat, 1.0)
    return out


@pytest.mark.parametrize("flags", [1 << 5, 1 << 6, 3 << 5])
def test_passive_forces_are_disabled_as_in_the_reference(flags: int) -> None:
    ours, theirs = both(chain(MIXED))
    ours.opt.disableflags = theirs.opt.disableflags = flags
    a, b = physics.MjData(ours), mujoco.MjData(theirs)
    b.qpos[7:] = np.random.default_rng(1).normal(size=ours.nq - 7)
    mujoco.mj_normalizeQuat(theirs, b.qpos)  # the torques of the reference grow with the length of a quaternion
    a.qpos[:] = b.qpos
    physics.mj_forward(ours, a)
    mujoco.mj_forward(theirs, b)
    assert_allclose(a.qfrc_passive, b.qfrc_passive, atol=1e-12)
    assert (abs(a.qfrc_passive).max() == 0) == (flags == 3 << 5)


def test_attached_and_replicated_cables_bend() -> None:
    child = composite().encode()
    xml = """<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><replicate count="2" offset="0 1 0"><attach model="c"
body="a" prefix="p_"/></replicate></worldbody></mujoco>"""
    m = physics.MjModel.from_xml_string(xml, {"c.xml": child})
    assert (m.body_plugin >= 0).sum() == 10
    d = physics.MjData(m)
    physics.mj_step(m, d, 20)
    assert_allclose(d.qfrc_passive[:15], d.qfrc_passive[15:], atol=1e-12)
    assert abs(d.qfrc_passive).max() > 1e-6


def test_spec_keeps_a_cable() -> None:
    spec = physics.MjSpec.from_string(composite())
    again = physics.MjModel.from_xml_string(spec.to_xml())
    first = physics.MjModel.from_xml_string(composite())
    assert again.body_plugin.tolist() == first.body_plugin.tolist() == spec.compile().body_plugin.tolist()
    assert again.plugin_attr.tobytes() == first.plugin_attr.tobytes()


WRONG = {
    chain([BOX, BOX], inside=settings(bend="x")): 'bend="x" is not a number',
    chain([BOX, BOX], inside=settings(flat="1")): 'flat must be true or false, is "1"',
    chain([BOX, BOX], inside=settings(young=1)): f"{CABLE} has no attribute \"young\"; it has: twist, bend, flat, vmax",
    chain([BOX, BOX]).replace('<plugin instance="c"/>', '<plugin instance="c"/>' * 2): "a body has at most one plugin",
    composite().replace(f'<plugin plugin="{CABLE}"><', '<plugin plugin="mujoco.pid"><'):
        f"does not act on the pieces of a cable; valid: {CABLE}",
}  # fmt: skip


@pytest.mark.parametrize("xml", WRONG)
def test_mistakes_are_named_at_their_place(xml: str) -> None:
    refused(xml, WRONG[xml], place=r"model\.xml:\d+:\d+: <")
