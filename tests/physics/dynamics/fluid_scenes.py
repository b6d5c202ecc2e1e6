"""A scene in which the medium acts on bodies by both models."""

# Geoms of every type as ellipsoids, on several bodies of one tree, and bodies that are boxes of their inertia.
MIXED = """<mujoco><option density="2.3" viscosity="0.7" wind="1 -1 2"/>
<asset><mesh name="tetra" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 1 1"/></asset>
<default><geom contype="0" conaffinity="0" fluidshape="ellipsoid" fluidcoef=".4 .2 1.7 1.3 .8"/></default>
<worldbody><geom type="plane" size="0 0 1"/>
<body pos="1 2 3"><freejoint/><geom type="ellipsoid" size=".1 .2 .35"/>
 <geom type="capsule" size=".1 .3" pos=".1 .2 .3" euler="10 20 30"/>
 <body><joint type="ball"/><geom type="box" size=".1 .1 .02" fluidshape="none"/>
  <body><joint/><joint type="slide"/><geom type="cylinder" size=".1 .3"/></body></body></body>
<body pos="3 2 3"><freejoint/><geom type="mesh" mesh="tetra"/></body>
<body pos="3 2 3"><freejoint/><geom type="box" mesh="tetra" fluidcoef="1"/></body>
<body pos="3 2 3"><freejoint/><geom size=".2"/></body>
<body pos="3 2 3"><freejoint/><geom size=".2" fluidshape="none"/></body>
<body pos="6 2 3"><freejoint/><geom size=".2" fluidshape="none"/><geom type="box" size=".1 .2 .3" pos="0 0 .3"/></body>
</worldbody></mujoco>"""


def put_random_state(rng, rm, rd, d):
    """The same random position and velocity in the reference's data and in ours."""
    rd.qpos[:], rd.qvel[:] = rng.normal(size=rm.nq), rng.normal(size=rm.nv)
    d.qpos, d.qvel = rd.qpos, rd.qvel
