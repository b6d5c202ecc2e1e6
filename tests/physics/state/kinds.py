"""One model that has at least one of nearly everything that can be named, for tests of memory and names."""

KINDS = """
<mujoco model="kinds">
  <size nuserdata="3"/>
  <asset>
    <texture name="flat" type="2d" builtin="flat" width="4" height="4"/>
    <material name="paint" texture="flat"/>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hills" nrow="2" ncol="3" size="1 1 1 1"/>
  </asset>
  <worldbody>
    <light name="sun"/>
    <camera name="eye"/>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 .09">
      <freejoint name="loose"/>
      <geom name="skin" size=".1"/>
      <site name="spot"/>
    </body>
    <body name="arm" pos="1 0 1">
      <joint name="elbow" damping=".1"/>
      <joint name="rail" type="slide" axis="1 0 0"/>
      <geom name="tube" type="capsule" size=".1 .2" pos=".1 0 0"/>
      <body name="hand" pos="0 0 .4">
        <joint name="wrist" type="ball"/>
        <geom name="palm" size=".1"/>
        <site name="tip" pos=".1 0 0"/>
      </body>
    </body>
    <body name="ghost" mocap="true"/>
  </worldbody>
  <contact>
    <pair name="touching" geom1="floor" geom2="skin"/>
    <exclude name="apart" body1="ball" body2="arm"/>
  </contact>
  <equality>
    <weld name="glue" body1="ghost" body2="hand" active="false"/>
  </equality>
  <tendon>
    <fixed name="belt"><joint joint="elbow" coef="2"/></fixed>
    <spatial name="rope"><site site="spot"/><site site="tip"/></spatial>
  </tendon>
  <actuator>
    <general name="slow" joint="elbow" dyntype="integrator" user="1 2"/>
    <motor name="push" joint="rail" nsample="3" delay=".004"/>
  </actuator>
  <sensor>
    <framepos name="where" objtype="body" objname="hand" nsample="2" interval=".01"/>
    <clock name="when"/>
  </sensor>
  <custom>
    <numeric name="numbers" data="1 2 3"/>
    <text name="words" data="abc"/>
    <tuple name="things"><element objtype="body" objname="ball"/></tuple>
  </custom>
  <keyframe>
    <key name="start" time="2"/>
  </keyframe>
</mujoco>
"""
