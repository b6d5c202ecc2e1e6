"""Scenes that several tests share."""

from importlib.util import find_spec
from pathlib import Path

_GYMNASIUM = find_spec("gymnasium")
assert _GYMNASIUM is not None
assert _GYMNASIUM.origin is not None
GYM = sorted((Path(_GYMNASIUM.origin).parent / "envs/mujoco/assets").glob("*.xml"))
HUMANOID = GYM[0].with_name("humanoid.xml")

# Joints, actuators, cameras, lights and passive forces of every kind that the smooth dynamics knows.
SMOOTH_SCENE = """
<mujoco>
  <option density="1.2" viscosity="0.01" wind="1 2 0.5" timestep="0.002"/>
  <default><geom density="300" contype="0" conaffinity="0"/></default>
  <worldbody>
    <light pos="0 0 3" dir="0 1 -1"/>
    <body name="free" pos="0 0 1">
      <freejoint name="float"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.05 0 0"/>
      <camera name="track" mode="track" pos="1 0 0"/>
      <light name="follow" mode="trackcom" pos="0 0 1"/>
      <body name="arm" pos="0.2 0 0" quat="1 0.2 0.3 0.1" gravcomp="0.7">
        <joint name="ball" type="ball" pos="0 0 -0.1" stiffness="2" damping="0.3" armature="0.02"/>
        <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.05"/>
        <site name="tip" pos="0.3 0.1 0" euler="10 20 30"/>
        <camera name="aim" mode="targetbody" target="slider"/>
        <body name="tool" pos="0.3 0.1 0">
          <joint name="twist" type="hinge" axis="1 1 0" pos="0 0.02 0" ref="0.1" springref="0.3" stiffness="5" damping="0.1"/>
          <joint name="reach" type="slide" axis="0 1 1" damping="0.4" actuatorfrcrange="-1 1"/>
          <geom type="ellipsoid" size="0.05 0.06 0.1"/>
        </body>
      </body>
    </body>
    <body name="slider" pos="1 0 0" gravcomp="1">
      <joint name="rail" type="slide" axis="1 0 0" stiffness="1" actuatorgravcomp="true"/>
      <joint name="lift" type="slide" axis="0 0 1" actuatorgravcomp="true"/>
      <geom type="cylinder" size="0.1 0.2"/>
      <light name="spot" mode="targetbodycom" target="free" pos="0 0 2"/>
      <camera name="com" mode="targetbodycom" target="arm" pos="0 0 1"/>
      <camera name="trackcom" mode="trackcom" pos="1 0 0"/>
    </body>
    <body name="puck" pos="2 0 0"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <tendon>
    <fixed name="pair" stiffness="3" damping="0.2" springlength="0.1 0.2" armature="0.03">
      <joint joint="twist" coef="0.5"/><joint joint="reach" coef="-1"/>
    </fixed>
    <fixed name="cross"><joint joint="rail" coef="2"/><joint joint="lift" coef="1"/></fixed>
  </tendon>
  <actuator>
    <motor joint="float" gear="1 2 3 0.1 0.2 0.3"/>
    <motor joint="ball" gear="0.3 0.2 0.1"/>
    <general jointinparent="ball" gear="0.1 0.1 0.3" gaintype="affine" gainprm="1 0.2 0.1"/>
    <position joint="twist" kp="4" kv="0.5" ctrlrange="-0.3 0.3"/>
    <velocity joint="reach" kv="2" forcerange="-0.4 0.4"/>
    <motor tendon="cross" gear="2"/>
    <general joint="rail" dyntype="filter" dynprm="0.05" gainprm="3" biastype="affine" biasprm="0.1 -2 -0.3"/>
    <general joint="lift" dyntype="filterexact" dynprm="0.05" gainprm="3" actearly="true"/>
    <general tendon="pair" dyntype="integrator" gainprm="2" actlimited="true" actrange="-0.1 0.1" actearly="true"/>
  </actuator>
</mujoco>
"""
