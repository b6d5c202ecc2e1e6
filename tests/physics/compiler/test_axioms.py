"""Masses, inertias and frames from first principles."""

import math

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.physics.compiler.parity import both, differences
from tests.physics.compiler.test_parity import SCENE, TENDONS, random_tree, world
from tumble.physics.compiler.bodies.geoms import shell_inertia, solid_inertia, surface, volume
from tumble.physics.compiler.bodies.inertia import principal
from tumble.physics.compiler.bodies.shapes import added_mass, kappa
from tumble.physics.compiler.pose import quat_mat
from tumble.physics.compiler.setconst import mj_setConst
from tumble.physics.dynamics.kinematics import kinematics
from tumble.physics.model import MjModel
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtGeom

SIZE = (0.2, 0.3, 0.45)
SHAPES = [mjtGeom.mjGEOM_SPHERE, mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_CYLINDER, mjtGeom.mjGEOM_ELLIPSOID, mjtGeom.mjGEOM_BOX]


def inside(kind: mjtGeom, p: np.ndarray, size: tuple[float, float, float]) -> np.ndarray:
    """Which of the points (n, 3) lie in a shape."""
    a, b, c = size
    match kind:
        case mjtGeom.mjGEOM_SPHERE:
            return np.linalg.norm(p, axis=1) < a
        case mjtGeom.mjGEOM_CAPSULE:
            return np.hypot(np.hypot(p[:, 0], p[:, 1]), np.maximum(abs(p[:, 2]) - b, 0)) < a
        case mjtGeom.mjGEOM_CYLINDER:
            return (np.hypot(p[:, 0], p[:, 1]) < a) & (abs(p[:, 2]) < b)
        case mjtGeom.mjGEOM_ELLIPSOID:
            return np.linalg.norm(p / [a, b, c], axis=1) < 1
    return (abs(p) < [a, b, c]).all(axis=1)


@pytest.mark.parametrize("kind", SHAPES)
def test_volume_and_inertia_are_the_integrals(kind: mjtGeom) -> None:
    n, half = 80, 0.5
    line = (np.arange(n) + 0.5) / n * 2 * half - half
    points = np.stack(np.meshgrid(line, line, line), -1).reshape(-1, 3)
    points = points[inside(kind, points, SIZE)]
    cell = (2 * half / n) ** 3
    squares = (points**2).mean(axis=0)
    # cells of 12 mm cut the surface: one or two percent of shapes of 20 to 45 cm
    assert volume(kind, SIZE) == pytest.approx(len(points) * cell, rel=0.02)
    assert_allclose(solid_inertia(kind, SIZE), squares.sum() - squares, rtol=0.02)


@pytest.mark.parametrize("kind", SHAPES)
def test_shell_is_the_thin_layer_of_a_solid(kind: mjtGeom) -> None:
    """Grown by h, a convex shape gains its surface times h, and the moments of that layer."""
    h = 1e-6
    a, b, c = SIZE
    grown = (a + h, b, c) if kind == mjtGeom.mjGEOM_CAPSULE else (a + h, b + h, c + h)
    gained = volume(kind, grown) - volume(kind, SIZE)
    moments = (np.array(solid_inertia(kind, grown)) * volume(kind, grown) - np.array(solid_inertia(kind, SIZE)) * volume(kind,
    SIZE)) / gained
    if kind != mjtGeom.mjGEOM_ELLIPSOID:  # whose three radii do not grow alike, and whose surface is an approximation
        assert gained / h == pytest.approx(surface(kind, SIZE), rel=1e-4)
    assert_allclose(shell_inertia(kind, SIZE), moments, rtol=1e-4)


def test_density_mass_and_parallel_axes() -> None:
    m = MjModel.from_xml_string(world('<body><geom type="box" size=".1 .2 .3" density="500" pos="0 0 1"/>'
                                      '<geom type="box" size=".1 .2 .3" density="500" pos="0 0 -1"/></body>'))  # fmt: skip
    mass = 500 * 0.2 * 0.4 * 0.6
    assert m.body_mass[1] == pytest.approx(2 * mass)
    own = mass / 3 * np.array([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04])
    assert_allclose(sorted(m.body_inertia[1]), sorted(2 * (own + mass * np.array([1, 1, 0]))))


@pytest.mark.parametrize("seed", range(20))
def test_principal_axes_diagonalize(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(3, 3))
    full = a @ a.T + np.eye(3)
    moments, quat = principal((full[0, 0], full[1, 1], full[2, 2], full[0, 1], full[0, 2], full[1, 2]))
    r = np.array(quat_mat(quat))
    # the last turn, below 1.4e-6 rad, is not made: the reference stops there, and its frames are to be met
    assert_allclose(r @ np.diag(moments) @ r.T, full, atol=1.5e-6 * np.trace(full))
    assert_allclose(r.T @ r, np.eye(3), atol=1e-14)
    assert list(moments) == sorted(moments, reverse=True)


def test_total_mass_is_as_set() -> None:
    m = MjModel.from_xml_string(world(random_tree(3), 'settotalmass="12.5"'))
    assert m.body_mass.sum() == pytest.approx(12.5)
    assert m.body_subtreemass[0] == pytest.approx(12.5)


@pytest.mark.parametrize("seed", range(4))
def test_fusing_static_bodies_changes_no_physics(seed: int) -> None:
    """Every dof feels the same inertia, whether static bodies are bodies of their own or a part of their parents."""
    apart, fused = (MjModel.from_xml_string(world(random_tree(seed), f'fusestatic="{flag}"')) for flag in ("false", "true"))
    assert fused.nbody < apart.nbody
    # principal axes are exact to 1.4e-6 rad, and the moments to the square of that times their ratio
    assert_allclose(fused.dof_M0, apart.dof_M0, rtol=1e-7)
    assert_allclose(fused.dof_invweight0, apart.dof_invweight0, rtol=1e-6)
    assert fused.body_mass.sum() == pytest.approx(apart.body_mass.sum() - apart.body_mass[apart.body_weldid == 0].sum())


def test_aligned_free_body_stays_where_it_is() -> None:
    tree = ('<body pos="1 2 3" euler="10 20 30"><freejoint/><geom size=".1" pos="1 0 0"/>'
            '<geom type="box" size=".1 .2 .3"/><site pos="1 1 1"/></body>')  # fmt: skip
    places = []
    for flag in ("false", "true"):
        m = MjModel.from_xml_string(world(tree, f'alignfree="{flag}"'))
        d = Data(m)
        d.qpos = m.qpos0
        kinematics(m, d)
        places.append(np.concatenate([d.geom_xpos, d.site_xpos, d.xipos[1:]]))
    assert_allclose(*places, atol=1e-12)


def test_weights_are_what_unit_forces_do() -> None:
    """A free body's inverse weights are 1/mass and the mean of 1/inertia."""
    m = MjModel.from_xml_string(world('<body><freejoint/><inertial pos="0 0 0" mass="4" diaginertia="1 2 2.5"/></body>'))
    turn = (1 + 1 / 2 + 1 / 2.5) / 3
    assert_allclose(m.body_invweight0[1], [1 / 4, turn])
    assert_allclose(m.dof_invweight0, [1 / 4] * 3 + [turn] * 3)


def test_critical_damping_of_a_position_actuator() -> None:
    """dampratio 1 leaves a double root: kv = 2 sqrt(kp inertia)."""
    m = MjModel.from_xml_string(world('<body><joint name="j" type="slide"/><geom size=".1" mass="3"/></body>',
                                      after='<actuator><position joint="j" kp="12" dampratio="1"/></actuator>'))  # fmt: skip
    assert m.actuator_biasprm[0, 2] == pytest.approx(-12)


@pytest.mark.parametrize("seed", range(4))
def test_after_changing_masses_and_poses(seed: int) -> None:
    after = TENDONS + '<actuator><motor joint="jb"/><motor tendon="t1"/></actuator>'
    m, reference = both(world(SCENE + random_tree(seed), after=after))
    rng = np.random.default_rng(seed)
    mass, pos, ref = rng.uniform(1, 2, m.nbody), rng.normal(size=(m.nbody, 3)), rng.normal(size=m.nq)
    scalar = m.jnt_type >= 2
    for model in (m, reference):
        model.body_mass[1:] *= mass[1:]
        model.body_pos[1:] += pos[1:]
        model.qpos0[model.jnt_qposadr[scalar]] += ref[: scalar.sum()]
        model.dof_armature[:] += 0.1
    d = Data(m)
    d.qpos = state = rng.normal(size=m.nq)
    mj_setConst(m, d)
    mujoco.mj_setConst(reference, mujoco.MjData(reference))
    assert differences(m, reference) == []
    assert (d.qpos == state).all()


IN_MEDIUM = """<mujoco><asset><mesh name="tetra" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 1 1"/></asset>
<default><geom fluidshape="ellipsoid" fluidcoef=".4 .2 1.7 1.3 .8"/>
<default class="less"><geom fluidcoef="1 2"/></default></default>
<worldbody><geom type="plane" size="1 2 .1"/>
<body><freejoint/><geom size=".2"/><geom type="capsule" size=".1 .3"/><geom type="cylinder" size=".1 .3"/>
<geom type="box" size=".1 .2 .3"/><geom type="ellipsoid" size=".1 .25 .01"/><geom type="mesh" mesh="tetra"/>
<geom type="box" mesh="tetra"/><geom size=".1" class="less"/><geom size=".1" fluidshape="none"/></body></worldbody></mujoco>"""


def test_geoms_of_every_type_have_the_reference_s_numbers():
    theirs = mujoco.MjModel.from_xml_string(IN_MEDIUM).geom_fluid
    np.testing.assert_allclose(MjModel.from_xml_string(IN_MEDIUM).geom_fluid, theirs, rtol=1e-12, atol=1e-15)
    assert theirs[-1].max() == 0.0
    assert theirs[-2, 1:6].tolist() == [1, 2, 1.7, 1.3, 0.8]  # what is not written is the default class's


def test_a_sphere_moves_half_of_its_volume_of_the_medium():
    mass = added_mass((0.3, 0.3, 0.3))
    half = 2 / 3 * math.pi * 0.3**3
    np.testing.assert_allclose(mass[:3], half, rtol=1e-6)  # the quadrature has 15 points, and errs by 6e-7 here
    assert mass[3:] == (0.0, 0.0, 0.0)


def test_added_mass_of_a_disk_matches_lamb():
    mass = added_mass((1e-7, 0.5, 0.5))  # of no thickness: Lamb, Hydrodynamics, 102
    assert mass[0] == pytest.approx(8 / 3 * 0.5**3, rel=1e-5)
    assert mass[4] == pytest.approx(16 / 45 * 0.5**5, rel=1e-5)
    assert mass[5] == pytest.approx(mass[4], rel=1e-9)


@pytest.mark.parametrize("r", [(1, 1, 1), (1, 2, 3), (1e-3, 1, 2), (1e-6, 1, 1), (1e-5, 1, 1e3), (1e4, 1, 1)])
def test_kappas_add_up_to_two_however_thin_the_ellipsoid(r):
    k = kappa(r)
    assert max(k) < 2.0
    assert abs(sum(k) - 2.0) <= 0.05 * (2.0 - max(k)) + 1e-14  # a virtual mass has 2 - kappa in its denominator


def test_an_unbounded_plane_has_no_virtual_mass():
    xml = '<mujoco><worldbody><geom type="plane" size="0 0 1" fluidshape="ellipsoid"/></worldbody></mujoco>'
    assert MjModel.from_xml_string(xml).geom_fluid[0].tolist() == [1, 0.5, 0.25, 1.5, 1, 1, 0, 0, 0, 0, 0, 0]
