"""Scenes of equality constraints: every kind and form at once, and mechanisms that are nothing without them."""

# Every kind, by bodies and by sites, with the world, between trees and within one, active or not, soft, stiff and shaped.
EVERY = """
<mujoco>
  <option timestep="0.003" cone="{cone}" jacobian="{jacobian}" solver="{solver}" iterations="1000" tolerance="{tolerance}"/>
  <default>
    <geom density="800"/>
    <equality solimp="0.8 0.96 0.02 0.4 3"/>
    <default class="stiff"><equality solref="-700 -30"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="a" pos="0 0 0.6" euler="10 20 30">
      <freejoint/>
      <geom type="box" size="0.1 0.15 0.2" pos="0.05 0 0"/>
      <site name="on_a" pos="0.1 0.2 0.3" euler="30 20 10"/>
      <body name="fixed_to_a" pos="0 0.2 0" euler="0 0 40"><geom size="0.05"/></body>
    </body>
    <body name="b" pos="1 0.3 1" euler="40 0 5">
      <joint name="hinge" axis="1 2 0.5" ref="10" frictionloss="0.1"/>
      <joint name="slide" type="slide" axis="0 1 1" ref="0.05" range="-0.2 0.02"/>
      <geom type="capsule" size="0.08 0.2"/>
      <site name="on_b" pos="-0.1 0.1 0" euler="3 50 0"/>
      <body name="c" pos="0 0 0.4">
        <joint type="ball" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0.3" size="0.05"/>
        <site name="on_c" pos="0.2 0 0.3"/>
        <body name="e" pos="0.2 0 0.3">
          <joint name="elbow" axis="0 1 0"/>
          <geom type="capsule" fromto="0 0 0 0.2 0.1 0" size="0.04"/>
        </body>
      </body>
    </body>
    <body name="f" pos="-1 0 0.11" euler="0 30 0">
      <freejoint/>
      <geom type="ellipsoid" size="0.1 0.2 0.15"/>
      <site name="on_f"/>
    </body>
    <body name="g" pos="-1 0.6 0.2"><freejoint/><geom size="0.15"/></body>
    <body name="post" pos="2 2 1"><geom size="0.1"/><site name="on_post" pos="0 0 0.1"/></body>
    <body name="hand" mocap="true" pos="-1 -1 1"><geom size="0.05" contype="0" conaffinity="0"/></body>
  </worldbody>
  <tendon>
    <fixed name="t1"><joint joint="hinge" coef="2"/><joint joint="elbow" coef="-1"/></fixed>
    <fixed name="t2" frictionloss="0.1"><joint joint="slide" coef="3"/></fixed>
  </tendon>
  <equality>
    <connect name="bodies" body1="a" body2="b" anchor="0.1 0.2 0.3"/>
    <weld name="welded" body1="c" body2="f" torquescale="0.3" solref="0.05 0.7"/>
    <joint name="follow" joint1="elbow" joint2="hinge" polycoef="0.1 0.7 -0.2 0.3 0.05" class="stiff"/>
    <connect name="ground" body1="f" anchor="0.1 0 0.1" solref="0.001 1"/>
    <tendon name="lengths" tendon1="t1" tendon2="t2" polycoef="0.02 0.4 0.3 -0.1 0.2"/>
    <weld name="posed" body1="g" body2="a" anchor="0.1 0 0.05" relpose="0.2 0.1 0.4 2 1 -1 0.5"/>
    <connect name="sites" site1="on_c" site2="on_post" class="stiff"/>
    <weld name="siteweld" site1="on_f" site2="on_a" torquescale="2.5" solimp="0.3 0.9 0.5 0.6 1.5"/>
    <joint name="lock" joint1="slide" polycoef="0.01"/>
    <tendon name="hold" tendon1="t2" polycoef="-0.03" solref="0.03 1"/>
    <weld name="pull" body1="hand" body2="g" torquescale="0"/>
    <connect name="static" body1="post" anchor="0 0 0"/>
    <connect name="parent" body1="a" body2="fixed_to_a" anchor="0.1 0 0.2" active="false"/>
    <weld name="off" body1="b" body2="e" active="false"/>
    <connect name="chain" body1="e" body2="b" anchor="0.05 0 0" solimp="0.9 0.9 0.001"/>
  </equality>
</mujoco>
"""


def every(cone: str = "pyramidal", jacobian: str = "dense", solver: str = "Newton", tolerance: str = "1e-8") -> str:
    """The scene with every kind of equality constraint."""
    return EVERY.format(cone=cone, jacobian=jacobian, solver=solver, tolerance=tolerance)


FOUR_BAR = """
<mujoco>
  <option tolerance="1e-14" iterations="500"><flag contact="disable"/></option>
  <default><equality solref="0.004 1" solimp="0.99 0.999 0.001"/></default>
  <worldbody>
    <body name="crank"><joint name="crank" axis="0 1 0" damping="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.02"/>
      <body name="coupler" pos="0 0 0.3"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.8 0 0.1" size="0.02"/></body>
    </body>
    <body name="rocker" pos="0.8 0 -0.1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.5" size="0.02"/></body>
  </worldbody>
  <equality><connect body1="coupler" body2="rocker" anchor="0.8 0 0.1"/></equality>
  <actuator><motor joint="crank"/></actuator>
</mujoco>
"""

WELDED_CHAIN = """
<mujoco>
  <option tolerance="1e-14" iterations="500"/>
  <default><equality solref="0.004 1" solimp="0.99 0.999 0.001"/></default>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    <body name="l0" pos="0 0 0.5"><freejoint/><geom type="box" size="0.1 0.05 0.05"/></body>
    <body name="l1" pos="0.22 0 0.5"><freejoint/><geom type="box" size="0.1 0.05 0.05"/></body>
    <body name="l2" pos="0.44 0 0.5"><freejoint/><geom type="box" size="0.1 0.05 0.05"/></body>
  </worldbody>
  <equality><weld body1="l0" body2="l1"/><weld body1="l1" body2="l2"/><weld body1="world" body2="l0"/></equality>
</mujoco>
"""

MIMIC = """
<mujoco>
  <option tolerance="1e-14" iterations="500"><flag contact="disable"/></option>
  <default><equality solref="0.004 1" solimp="0.99 0.999 0.001"/></default>
  <worldbody>
    <body name="palm" pos="0 0 1">
      <geom type="box" size="0.1 0.1 0.02"/>
      <body pos="0.1 0 0">
        <joint name="left" axis="0 1 0" range="-60 60"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.2" size="0.02"/>
      </body>
      <body pos="-0.1 0 0">
        <joint name="right" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.2" size="0.02"/>
        <body pos="0 0 0.22"><joint name="tip" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.1" size="0.02"/></body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="flexor"><joint joint="right" coef="1"/><joint joint="tip" coef="-0.5"/></fixed>
    <fixed name="other"><joint joint="left" coef="1.5"/></fixed>
  </tendon>
  <equality>
    <joint joint1="right" joint2="left" polycoef="0 -1 0.2 0 0"/>
    <tendon tendon1="flexor" tendon2="other" polycoef="0 0.5 0 0.1 0"/>
  </equality>
  <actuator><motor joint="left" gear="0.2"/></actuator>
</mujoco>
"""

MECHANISMS = {"four bar": FOUR_BAR, "welded chain": WELDED_CHAIN, "mimic": MIMIC}
