"""A scene with everything that a callback can have a say in: user actuators and sensors, contacts, springs."""

SCENE = """<mujoco><option integrator="{integrator}"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 1"/>
    <body pos="0 0 .3"><joint name="j" type="slide" damping="1" stiffness="3"/><geom name="slider" size=".1" mass="1"/></body>
    <body pos=".05 0 .098"><freejoint/><geom name="low" size=".1" mass="1"/></body>
    <body pos="0 1 .098"><freejoint/><geom name="lone" type="box" size=".1 .1 .1" mass="1"/></body>
  </worldbody>
  <actuator>
    <general joint="j" dyntype="user" gaintype="user" biastype="user" gainprm="4" biasprm="5"/>
    <general joint="j" dyntype="user" actdim="3" gainprm="2"/>
    <general joint="j" dyntype="user" gaintype="user" actearly="true" actlimited="true" actrange="-.1 .1"/>
    <motor joint="j"/>
  </actuator>
  <sensor>
    <user dim="2" needstage="pos" cutoff="3"/><user dim="1" needstage="vel"/><user dim="1" needstage="acc" cutoff=".5"/>
    <jointpos joint="j"/>
  </sensor></mujoco>"""
