"""Masses, inertias and frames from first principles."""


import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.physics.compiler.parity import both, differences
from tests.physics.compiler.test_parity import SCENE, TENDONS, random_tree, world
from tumble.physics.compiler.bodies.shapes import kappa
from tumble.physics.compiler.setconst import mj_setConst
from tumble.physics.dynamics.kinematics import kinematics
from tumble.physics.model import MjModel
from tumble.physics.state.data import Data


def test_density_mass_and_parallel_axes() -> None:
    m = MjModel.from_xml_string(world('<body><geom type="box" size=".1 .2 .3" density="500" pos="0 0 1"/>'
                                      '<geom type="box" size=".1 .2 .3" density="500" pos="0 0 -1"/></body>'))  # fmt: skip
    mass = 500 * 0.2 * 0.4 * 0.6
    assert m.body_mass[1] == pytest.approx(2 * mass)
    own = mass / 3 * np.array([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04])
    assert_allclose(sorted(m.body_inertia[1]), sorted(2 * (own + mass * np.array([1, 1, 0]))))


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


@pytest.mark.parametrize("r", [(1, 1, 1), (1, 2, 3), (1e-3, 1, 2), (1e-6, 1, 1), (1e-5, 1, 1e3), (1e4, 1, 1)])
def test_kappas_add_up_to_two_however_thin_the_ellipsoid(r):
    k = kappa(r)
    assert max(k) < 2.0
    assert abs(sum(k) - 2.0) <= 0.05 * (2.0 - max(k)) + 1e-14  # a virtual mass has 2 - kappa in its denominator


def test_an_unbounded_plane_has_no_virtual_mass():
    xml = '<mujoco><worldbody><geom type="plane" size="0 0 1" fluidshape="ellipsoid"/></worldbody></mujoco>'
    assert MjModel.from_xml_string(xml).geom_fluid[0].tolist() == [1, 0.5, 0.25, 1.5, 1, 1, 0, 0, 0, 0, 0, 0]
