"""Sensors of what sleeps keep their last reading; those that belong to nobody who sleeps go on."""

from __future__ import annotations

import numpy as np

from tests.physics.sleep.scenes import Twins, arm, box, scene

BODIES = (
    box(z=0.102, name="rest") + box(x=1, z=3, name="fall")
    + arm("hinge", 3, more='range="0 90"')
    + '<body pos="3 3 1"><joint name="ball" type="ball" damping="1"/><geom size=".1" pos="0 0 -.2"/></body>'
    + '<body name="scale" pos="-2 0 .1"><geom type="box" size=".2 .2 .05"/><site name="scale"/></body>' + box(x=-2, z=0.252)
)  # fmt: skip
REST = """
<tendon><fixed name="t" limited="true" range="0 1"><joint joint="hinge" coef="1"/></fixed></tendon>
<sensor>
  <touch site="rest"/><velocimeter site="rest"/><gyro site="rest"/><accelerometer site="rest"/>
  <force site="rest"/><torque site="rest"/><force site="scale"/><torque site="scale"/><touch site="scale"/>
  <accelerometer site="fall"/><velocimeter site="fall"/><force site="fall"/>
  <framepos objtype="body" objname="rest"/><framequat objtype="site" objname="rest"/>
  <framepos objtype="body" objname="rest" reftype="body" refname="fall"/>
  <framelinvel objtype="body" objname="fall" reftype="body" refname="rest"/>
  <framelinacc objtype="body" objname="rest"/><frameangacc objtype="body" objname="fall"/>
  <jointpos joint="hinge"/><jointvel joint="hinge"/><ballquat joint="ball"/><ballangvel joint="ball"/>
  <jointlimitpos joint="hinge"/><jointlimitvel joint="hinge"/><jointlimitfrc joint="hinge"/>
  <tendonpos tendon="t"/><tendonvel tendon="t"/>
  <subtreecom body="rest"/><subtreelinvel body="world"/><subtreecom body="world"/>
  <clock/><e_potential/><e_kinetic/>
</sensor>
"""


def test_all_readings_are_the_references_before_and_while_others_sleep() -> None:
    """A box falls while all else comes to rest, and on it goes where the others stay."""
    twins = Twins(scene(BODIES, REST))
    seen = set()
    for _ in range(150):
        twins.take_over()
        twins.step()
        seen.add(int(twins.d.ntree_awake))
        np.testing.assert_allclose(twins.d.sensordata, twins.rd.sensordata, 1e-4, 1e-3)
    assert {5, 1} <= seen


CONTACTS = """
<sensor>
  <contact data="found force"/><contact geom1="rest" data="found force"/><contact geom1="floor" data="found force"/>
  <contact geom1="floor" geom2="rest" data="found force"/><contact subtree1="world" data="found force" num="3"/>
  <contact geom1="rest" body2="fall" data="found"/><contact site="rest" data="found"/><contact body1="fall" data="found force"/>
</sensor>
"""


def test_contact_sensors_keep_what_sleepers_told_and_see_no_contact_of_theirs() -> None:
    """A box at rest and one that falls on the floor beside it, against the reference and in what is known."""
    twins = Twins(scene(box(z=0.102, name="rest", more='name="rest"') + box(x=1, z=1.1, name="fall"), CONTACTS))
    asleep = None
    for _ in range(220):
        twins.take_over()
        twins.step()
        np.testing.assert_allclose(twins.d.sensordata, twins.rd.sensordata, 1e-4, 1e-3)
        if twins.d.ntree_awake == 1 and twins.d.ncon == 0:
            asleep = twins.d.sensordata.copy()
    assert asleep is not None
    assert asleep[0] == asleep[8] == asleep[16] == 0  # none is seen: neither by nobody in particular, nor by the floor, the world
    assert asleep[4] == asleep[12] == 4  # what the sleeper told last
    assert asleep[5] > 0


def test_what_depends_on_contacts_is_remembered_by_who_sleeps_and_not_by_the_ground() -> None:
    """The force that a sleeper feels is its last one; a scale under it, which cannot sleep, reads none."""
    twins = Twins(scene(BODIES, REST))
    for _ in range(150):
        twins.take_over()
        twins.step()
    d, m = twins.d, twins.m
    assert list(d.tree_awake) == [0, 1, 0, 0, 0]
    weight = 9.81 * m.body_mass[1]
    np.testing.assert_allclose(d.sensordata[0], weight, 1e-2)  # touch
    np.testing.assert_allclose(d.sensordata[9], 9.81, 1e-2)  # the accelerometer's upward axis
    scale = m.sensor_adr[8]
    assert d.sensordata[scale] == 0
    kept = d.sensordata.copy()
    twins.step(5)
    changed = np.flatnonzero(d.sensordata != kept)
    own = {s for s in range(m.nsensor) if set(changed) & set(range(m.sensor_adr[s], m.sensor_adr[s] + m.sensor_dim[s]))}
    # the falling box's, relative ones to it, the whole's, and the clock
    assert own <= {9, 10, 11, 14, 15, 17, 27, 28, 29, 30, 31, 32}
    assert {10, 14, 15, 29, 30, 31, 32} <= own
