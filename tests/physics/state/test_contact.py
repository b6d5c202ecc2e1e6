"""A contact that the user adds acts as one that was found."""

import mujoco
import numpy as np
import pytest

from tumble import physics

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
    m = module.MjModel.from_xml_string(SCENE)
    d = module.MjData(m)
    module.mj_fwdKinematics(m, d)
    module.mj_makeM(m, d)
    module.mj_factorM(m, d)
    module.mj_collision(m, d)
    assert d.ncon == 0
    assert module.mj_addContact(m, d, contact(module)) == 0
    module.mj_makeConstraint(m, d)
    if module is mujoco:
        module.mj_island(m, d)
    module.mj_transmission(m, d)
    module.mj_fwdVelocity(m, d)
    module.mj_fwdActuation(m, d)
    module.mj_fwdAcceleration(m, d)
    module.mj_fwdConstraint(m, d)
    return m, d


def test_an_added_contact_pushes_as_the_references_does():
    (_, ours), (_, theirs) = pushed(physics), pushed(mujoco)
    assert (ours.ncon, ours.nefc) == (theirs.ncon, theirs.nefc) == (1, 4)
    assert ours.qacc[2] > 0
    np.testing.assert_allclose(ours.qacc, theirs.qacc, rtol=1e-9, atol=1e-9)


def test_contacts_are_added_beyond_the_room_there_is():
    m = physics.MjModel.from_xml_string(SCENE)
    d = physics.MjData(m)
    con, wanted = contact(physics), d.maxcon + 5
    for k in range(wanted):
        con.dist = -0.001 * k
        assert physics.mj_addContact(m, d, con) == 0
    assert d.ncon == wanted
    np.testing.assert_allclose(d.contact.dist, -0.001 * np.arange(wanted))
    assert physics.mj_addContact(m, d, d.contact[3]) == 0
    assert d.contact[wanted].dist == pytest.approx(-0.003)


def test_a_contact_has_the_fields_of_the_references_and_no_others():
    names = [name for name in dir(mujoco.MjContact()) if name[0] != "_"]
    con = physics.MjContact()
    for name in names:
        assert np.shape(getattr(con, name)) == np.shape(getattr(mujoco.MjContact(), name)), name
    con.geom2, con.friction = 4, (1, 2, 3, 4, 5)
    assert (con.geom.tolist(), con.friction.tolist()) == ([0, 4], [1, 2, 3, 4, 5])
    with pytest.raises(AttributeError, match="there are: dist, pos"):
        con.depth = 3
    with pytest.raises(AttributeError, match="there are: dist, pos"):
        _ = con.depth
    assert "friction: array([1., 2., 3., 4., 5.])" in repr(con)
