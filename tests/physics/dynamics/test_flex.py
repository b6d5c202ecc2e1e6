"""Flexes: their forces are the gradient of an energy and keep momentum, fit closed forms, and agree with the reference."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.flex.scenes import ELASTIC, QUIET, TYPES, on_body, on_world
from tests.physics.compiler.flex.scenes import flexcomp as element
from tests.physics.compiler.flex.test_parity import OBJ, TETRAHEDRA, text_22
from tests.physics.reference import load, mirror_model
from tumble import physics
from tumble.physics import MjData, MjModel, mj_forward, mj_integratePos, mj_inverse, mj_setConst, mj_step
from tumble.physics.state.enums import mjtDisableBit

ALONE = '<contact selfcollide="none" internal="false"/>'  # what interpolated flexes require
SOLID = '<elasticity young="1e4" poisson=".3" damping=".01"/>'
CLOTH = '<elasticity young="3e4" poisson=".2" thickness="1e-2" damping=".01" elastic2d="{}"/>'


def scene(flexcomp: str, body: str = "", option: str = "") -> str:
    """A model with one flex, on a body at height 1; contacts are off."""
    return (f'<mujoco><option {option}><flag contact="disable"/></option><worldbody><body name="b" pos="0 0 1" {body}>'
            f'<geom size=".01" mass=".1" contype="0" conaffinity="0"/>{flexcomp}</body></worldbody></mujoco>')  # fmt: skip


def flexcomp(kind: str, dim: int, count: str, inner: str, spacing: str = ".1 .1 .1", more: str = "") -> str:
    """The element of a flex."""
    return (f'<flexcomp name="f" mass="1" type="{kind}" dim="{dim}" count="{count}" spacing="{spacing}" radius=".01" {more}>'
            f"{inner}</flexcomp>")  # fmt: skip


PARTS = {
    "cable": flexcomp("grid", 1, "8 1 1", '<edge stiffness="100" damping="1"/>'),
    "stretched cloth": flexcomp("grid", 2, "5 6 1", CLOTH.format("stretch")),
    "bent cloth": flexcomp("grid", 2, "5 6 1", CLOTH.format("bend")),
    "cloth": flexcomp("grid", 2, "5 6 1", CLOTH.format("both")),
    "edges held": flexcomp("grid", 2, "4 5 1", '<edge equality="true"/><pin id="0 1 5"/>'),
    "strains held": flexcomp("grid", 2, "4 5 1", '<edge equality="vert"/>'),
    "strains held, light": flexcomp("grid", 2, "4 5 1", '<edge equality="vert"/>').replace('mass="1"', 'mass=".2"'),
    "solid": flexcomp("grid", 3, "3 4 3", SOLID),
    "trilinear": flexcomp("grid", 3, "3 4 5", ALONE + SOLID, more='dof="trilinear"'),
    "quadratic": flexcomp("grid", 3, "5 5 5", ALONE + SOLID, more='dof="quadratic"'),
    "radial, held": flexcomp("ellipsoid", 3, "4 4 4", '<edge equality="true"/>', more='dof="radial"'),
}
RADIAL = flexcomp("ellipsoid", 3, "4 4 4", SOLID, more='dof="radial"')


def pair(xml: str) -> tuple[MjModel, MjData, mujoco.MjModel, mujoco.MjData]:
    """One model in both engines."""
    reference = mujoco.MjModel.from_xml_string(xml)
    m = mirror_model(reference, MjModel)
    return m, MjData(m), reference, mujoco.MjData(reference)


def shake(d: MjData, rng: np.random.Generator, size: float = 0.01, speed: float = 0.3) -> None:
    """A random state near the present one."""
    d.qpos[:] += size * rng.normal(size=d.qpos.size)
    d.qvel[:] = speed * rng.normal(size=d.qvel.size)


FIELDS = ("flexvert_xpos", "flexelem_aabb", "flexedge_length", "flexedge_J", "flexedge_velocity",
          "flexvert_length", "flexvert_J", "qfrc_spring", "qfrc_damper", "qfrc_passive", "qacc", "efc_pos", "efc_vel",
          "efc_diagApprox", "efc_aref")  # fmt: skip
MOVING = '<mujoco><option><flag contact="disable"/></option><worldbody><body name="b" pos="0 0 1" euler="20 30 40">{}' \
         '<geom size=".1"/>{}</body></worldbody></mujoco>'  # fmt: skip
FREE = '<joint type="free"/>'


def with_energy(xml):
    """The model of ours with the flag energy, and its data."""
    m, d, _, _ = pair(xml)
    m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    return m, d


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("options", ['integrator="Euler" jacobian="sparse"', 'integrator="implicitfast"'])
def test_steps_are_the_references(name, options):
    """10 steps; interpolated flexes are then stepped implicitly in their elasticity."""
    m, d, r, rd = pair(scene(PARTS[name], option=options + ' timestep=".0001"'))  # at which the stiffest is stable
    shake(rd, np.random.default_rng(1), size=0.001)
    d.qpos[:], d.qvel[:] = rd.qpos, rd.qvel
    for _ in range(10):
        mujoco.mj_step(r, rd)
        mj_step(m, d)
    np.testing.assert_allclose(d.qpos, rd.qpos, 0, 1e-9)


@pytest.mark.parametrize("joint", ["", FREE], ids=["tilted", "carried"])
@pytest.mark.parametrize("name", ["cable", "cloth", "solid", "radial"])
def test_forces_are_minus_the_gradient_of_the_energy(name, joint):
    """Also where a flex is turned, or carried by a body that moves: the pins' forces act on it."""
    part = RADIAL if name == "radial" else PARTS[name]
    if name == "solid":
        part = part.replace("</flexcomp>", '<pin id="0 2"/></flexcomp>')
    m, d = with_energy(MOVING.format(joint, part))
    m.opt.gravity = 0
    shake(d, np.random.default_rng(2), speed=0)
    mj_forward(m, d)
    force, step, start = d.qfrc_spring.copy(), 1e-6, d.qpos.copy()
    direction = np.random.default_rng(3).normal(size=m.nv)

    def energy(s):
        q = start.copy()
        mj_integratePos(m, q, direction, s)
        d.qpos = q
        mj_forward(m, d)
        return d.energy[0]

    slope = (energy(step) - energy(-step)) / (2 * step)
    assert -force @ direction == pytest.approx(slope, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", ["cable", "cloth", "solid", "trilinear", "quadratic"])
def test_a_rigid_motion_makes_no_force_and_costs_no_energy(name):
    m, d = with_energy(scene(PARTS[name]))
    m.opt.gravity = 0
    mj_forward(m, d)
    q = np.random.default_rng(4).normal(size=4)
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, q / np.linalg.norm(q))
    moved = (m.flex_node0 if m.nflexnode else d.flexvert_xpos.copy()) @ turn.reshape(3, 3).T + [0.3, -0.2, 0.5]
    d.qpos = (moved - (m.flex_node0 if m.nflexnode else d.flexvert_xpos)).ravel()
    mj_forward(m, d)
    assert np.abs(d.qfrc_passive).max() < 1e-8
    assert abs(d.energy[0]) < 1e-10


@pytest.mark.parametrize("name", ["trilinear", "quadratic"])
@pytest.mark.parametrize("joint", ["", FREE], ids=["turned", "carried"])
def test_flex_nodes_in_a_turned_body_are_in_equilibrium(name, joint):
    """In the reference they are not: it takes the box along the world's axes, and forces in the world for those along slides."""
    m = MjModel.from_xml_string(MOVING.format(joint, PARTS[name]))
    m.opt.gravity = 0
    d = MjData(m)
    if joint:
        d.qpos[:7] = [0.3, -0.2, 0.5, 0.1, 0.7, -0.5, 0.5]
    mj_forward(m, d)
    assert np.abs(d.qfrc_passive).max() < 1e-5  # of 1e3 N for a strain of 1: the rotation is found to 1e-9
    straight, plain, _, _ = pair(scene(PARTS[name]))
    plain.qpos[:] = d.qpos[-straight.nq :] = 0.001 * np.random.default_rng(11).normal(size=straight.nq)  # along slides
    mj_forward(straight, plain)
    mj_forward(m, d)
    np.testing.assert_allclose(d.qfrc_spring[-straight.nv :], plain.qfrc_spring, atol=1e-5)


def test_pinned_cloth_with_flexvert_equality_hangs_unstretched():
    """Gravity pulls it along its plane. In the reference such pins make accelerations that are not numbers."""
    pins = '<edge damping=".01"/><contact contype="0" conaffinity="0" selfcollide="none"/><pin gridrange="0 0 0 3"/>'
    m, d = load(f"""<mujoco><option gravity="9.81 0 0" solver="CG"/><worldbody>
      {flexcomp("grid", 2, "6 4 1", pins)}</worldbody><equality><flexvert flex="f"/></equality></mujoco>""")
    mj_step(m, d, 300)
    assert 0.5 < np.ptp(d.flexvert_xpos[:, 0]) < 0.55  # strains are means: single edges may stretch; without pins it falls 1.8 m
    assert np.abs(d.flexvert_length).max() < 0.02


@pytest.mark.parametrize("name", ["cable", "cloth", "solid", "trilinear"])
def test_flags_switch_springs_and_dampers_off(name):
    m, d, _, _ = pair(scene(PARTS[name]))
    shake(d, np.random.default_rng(8))
    start, speed = d.qpos.copy(), d.qvel.copy()

    def passive(flags, moving):
        d.qpos, d.qvel = start, speed * moving
        m.opt.disableflags |= flags
        mj_forward(m, d)
        m.opt.disableflags &= ~flags
        return d.qfrc_passive.copy()

    spring, damper = mjtDisableBit.mjDSBL_SPRING, mjtDisableBit.mjDSBL_DAMPER
    both, elastic = passive(0, 1), passive(0, 0)
    np.testing.assert_allclose(passive(damper, 1), elastic, atol=1e-12)
    np.testing.assert_allclose(passive(spring, 1), both - elastic, atol=1e-9)
    assert not passive(spring | damper, 1).any()


@pytest.mark.parametrize("name", ["edges held", "strains held", "solid", "trilinear"])
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_inverse_dynamics_finds_no_force_that_was_not_there(name, integrator):
    m, d, _, _ = pair(scene(PARTS[name], option=f'integrator="{integrator}" timestep=".0005"'))
    shake(d, np.random.default_rng(9))
    mj_forward(m, d)
    start, speed = d.qpos.copy(), d.qvel.copy()
    mj_inverse(m, d)
    assert np.abs(d.qfrc_inverse).max() < 1e-8
    mj_step(m, d)
    taken = (d.qvel - speed) / m.opt.timestep
    m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
    d.qpos, d.qvel, d.qacc = start, speed, taken
    mj_inverse(m, d)
    assert np.abs(d.qfrc_inverse).max() < 1e-7 * (1 + np.abs(d.qfrc_smooth).max())


@pytest.mark.parametrize("name", ["cable", "edges held", "solid", "radial, held"])
def test_constants_are_computed_again(name):
    m, d, r, _ = pair(scene(PARTS[name]))
    m.flexedge_length0, m.flexedge_invweight0 = 7, 7
    mj_setConst(m, d)
    np.testing.assert_allclose(m.flexedge_length0, r.flexedge_length0, atol=1e-12)
    np.testing.assert_allclose(m.flexedge_invweight0, r.flexedge_invweight0, 1e-9)


def test_strains_that_are_held_stay_at_rest_when_masses_change():
    """What weights the edges around a vertex is computed again with the other constants."""
    m, d, r, rd = pair(scene(PARTS["strains held"]))
    for engine, model, data in ((physics, m, d), (mujoco, r, rd)):
        model.body_mass[5:] *= 3
        engine.mj_setConst(model, data)
    np.testing.assert_allclose(m.flex_vertmetric, r.flex_vertmetric, 1e-12, 1e-9)
    mj_forward(m, d)
    assert np.abs(d.flexvert_length).max() < 1e-14


@pytest.mark.parametrize("order", ["plain", "plain held", "held plain", "held plain held"])
def test_edges_that_nothing_needs_are_written_nowhere(order):
    """A cloth that only stretches has no rows in the Jacobian of edges: nothing is written in place of them."""
    kinds = {"plain": flexcomp("grid", 2, "4 3 1", CLOTH.format("stretch").replace('damping=".01"', "")),
             "held": flexcomp("grid", 2, "4 3 1", '<edge equality="true"/>')}  # fmt: skip
    parts = [kinds[kind].replace('name="f"', f'name="f{k}"') for k, kind in enumerate(order.split())]
    m, d, r, rd = pair(f"<mujoco><worldbody>{''.join(parts)}</worldbody></mujoco>")
    size, room, mark = d.flexedge_J.size, 4096, 1234.5
    memory = np.full(size + 2 * room, mark)
    memory[room : room + size] = 0.0
    d._place(d._struct.fields["flexedge_J"], memory[room : room + size])
    shake(rd, np.random.default_rng(3))
    d.qpos[:] = rd.qpos
    for engine, model, data in ((mujoco, r, rd), (physics, m, d)):
        for stage in ("mj_kinematics", "mj_comPos", "mj_flex"):
            getattr(engine, stage)(model, data)
    np.testing.assert_allclose(d.flexedge_J, rd.flexedge_J.ravel(), 0, 1e-12)
    assert (memory[:room] == mark).all()
    assert (memory[room + size :] == mark).all()


FILES = {"m.obj": OBJ, "m.msh": text_22(TETRAHEDRA, 4)}
_HELD = '<edge equality="true" solref="0.1 2" solimp="0.5 0.6"/>'
_OPTION = '<mujoco><option tolerance="1e-14" iterations="300"><flag contact="disable"/></option>'
_TETRAHEDRON = {"type": "direct", "point": "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1", "element": "0 1 2 3 1 2 3 4", "dim": 3}


def types() -> dict[str, str]:
    """Every type of <flexcomp>, elastic and with edges that are held, and the other kinds of dofs."""
    found, fine = {}, {"dim": 3, "count": "7 7 7", "spacing": ".05 .05 .05"}
    for kind, dim, count in TYPES:
        more = {"type": kind, "dim": dim, "count": count, "spacing": "0.1 0.12 0.13", "mass": 2}
        found[f"{kind} {dim}"] = element(ELASTIC.format("both", 0.2) + '<edge damping="0.1"/>' + QUIET, **more)
        found[f"{kind} {dim}, held"] = element(_HELD + '<pin id="0"/>' + QUIET, **more)
    for kind in ("grid", "box", "ellipsoid"):
        for dof in ("radial", "trilinear", "quadratic"):
            away = {"pos": "0.9 0.2 0.1"} if dof == "radial" else {}
            found[f"{kind} {dof}"] = element(QUIET + ELASTIC.format("none", 0.1), type=kind, dof=dof, **away, **fine)
        found[f"{kind} radial, held"] = element(QUIET + _HELD, type=kind, dof="radial", pos="0.9 0.2 0.1", **fine)
    helix = " ".join(f"{0.1 * np.cos(k):g} {0.1 * np.sin(k):g} {0.005 * k:g}" for k in range(400))
    for dof in ("trilinear", "quadratic"):  # a shell between nodes is elastic whatever elastic2d says, a line is not
        inner = QUIET + ELASTIC.format("none", 0.1)
        found[f"shell {dof}"] = element(inner, type="box", dim=2, count="10 11 12", spacing=".05 .05 .05", dof=dof)
        found[f"line {dof}"] = element(inner, type="direct", dim=1, point=helix, dof=dof, radius=0.01, mass=1,
                                        element=" ".join(f"{k} {k + 1}" for k in range(399)))  # fmt: skip
    for name, more in (("mesh", {"file": "m.obj", "dim": 2}), ("filled mesh", {"file": "m.obj", "dim": 3, "origin": ".1 .1 .1"}),
                       ("gmsh", {"type": "gmsh", "file": "m.msh", "dim": 3}), ("direct", _TETRAHEDRON)):  # fmt: skip
        found[name] = element(ELASTIC.format("both", 0.2) + QUIET, **({"type": "mesh", "radius": 0.01} | more))
    found["strains held"] = element('<edge equality="vert" damping="1"/>' + QUIET, dim=2, count="4 3 1", mass=3)
    return {name: on_body(part).replace("<freejoint/>", "") for name, part in found.items()}


def orders() -> dict[str, str]:
    """Constraints on strains and edges, of which the first counts; with damping, also of the elasticity."""
    found = {}
    for dim, count in ((1, "5 1 1"), (2, "4 3 1"), (3, "3 3 3")):
        for k, inner in enumerate(("", '<edge damping="1"/>', ELASTIC.format("stretch", 0.2))):
            flex = element(inner + QUIET, dim=dim, count=count, spacing=".1 .1 .1", mass=2)
            for order in (("flexvert",), ("flex", "flexvert"), ("flexvert", "flex")):
                equality = "".join(f'<{kind} flex="F"/>' for kind in order)
                found[f"{dim} {k} {' '.join(order)}"] = on_world(flex, f"<equality>{equality}</equality>")
    return found


SCENES = types() | orders()
del SCENES["3 0 flexvert flex"]  # rows of zeros in the reference, unless its Jacobian is dense


@pytest.mark.parametrize("name", SCENES)
def test_fields_in_equal_states_are_the_references(name: str, tmp_path: Path) -> None:
    """Of accelerations, the solver's last digits are 1e-8 of the largest."""
    for file, data in FILES.items():
        (tmp_path / file).write_bytes(data)
    path = tmp_path / "model.xml"
    path.write_text(SCENES[name].replace("<mujoco>", _OPTION, 1))
    rm, m = mujoco.MjModel.from_xml_path(str(path)), physics.MjModel.from_xml_path(path)
    rd, d, rng = mujoco.MjData(rm), physics.MjData(m), np.random.default_rng(0)
    np.testing.assert_array_equal(m.flex_edgeequality, rm.flex_edgeequality)
    same_tree = np.array_equal(m.bvh_nodeid, rm.bvh_nodeid)  # the order among equal boxes is open
    for state in range(21):
        moved = rng.normal(size=(2, rm.nv)) * (state > 0)
        rd.qpos[:], rd.qvel[:], rd.qacc_warmstart[:] = rm.qpos0 + 0.01 * moved[0], 0.3 * moved[1], 0.0
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = rd.qpos, rd.qvel, 0.0
        mujoco.mj_forward(rm, rd)
        physics.mj_forward(m, d)
        assert d.nefc == rd.nefc
        for field in (*FIELDS, *(("bvh_aabb_dyn",) if same_tree else ())):
            ours, theirs = np.ravel(getattr(d, field)), np.ravel(getattr(rd, field))
            limit = 1e-8 if field == "qacc" else 1e-9
            np.testing.assert_allclose(ours, theirs, 0, limit * (1 + np.abs(theirs).max(initial=0)), err_msg=field)
