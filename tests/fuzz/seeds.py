"""The models that mutants are made from: published ones, the bundled ones, and one with everything that is supported."""

from pathlib import Path

from tests.physics.constraint.equality_scenes import MECHANISMS, every
from tests.physics.constraint.scenes import ZOO
from tests.physics.island.scenes import ALL
from tests.physics.island.scenes import scene as islands
from tests.physics.scenes import GYM, SMOOTH_SCENE
from tests.physics.sensor.scene import SCENE
from tumble import resources

# Mutants are texts, without a folder: scenes that need other files are left out.
_SCENES = sorted((Path(resources.__file__).parent / "models").glob("*.xml"))
BUNDLED = [path for path in _SCENES if ' file' not in path.read_text()]

# Sections and elements that the other models lack, small enough that a mutation hits each of them.
EVERYTHING = """
<mujoco model="everything">
  <compiler angle="radian" autolimits="true" boundmass="0.001" boundinertia="1e-6" settotalmass="20" eulerseq="XYz"
            inertiagrouprange="0 4" balanceinertia="true"/>
  <option timestep="0.005" cone="elliptic" solver="PGS" iterations="20" impratio="2" density="1.2" viscosity="0.01">
    <flag energy="enable" fwdinv="enable" override="disable"/>
  </option>
  <size memory="1M" nuserdata="4" nkey="2" nuser_geom="3"/>
  <visual><global fovy="50" offwidth="640" offheight="480"/><quality shadowsize="1024"/><map znear="0.02"/></visual>
  <statistic extent="3" meansize="0.1" center="0 0 1"/>
  <default>
    <geom condim="4" friction="0.9 0.01 0.001" solref="0.01 1"/>
    <joint damping="0.1" armature="0.01"/>
    <position kp="3"/>
    <default class="leg">
      <geom rgba="1 0 0 1" contype="1"/>
      <default class="foot"><geom condim="6" priority="1"/><site size="0.02"/></default>
    </default>
  </default>
  <custom>
    <numeric name="numbers" size="4" data="1 2 3"/>
    <text name="words" data="some words"/>
    <tuple name="things"><element objtype="body" objname="torso" prm="0.5"/></tuple>
  </custom>
  <asset>
    <mesh name="pad" builtin="plate" params="3 3" scale="0.1 0.1 0.1"/>
    <texture name="grid" type="2d" builtin="checker" rgb1="0.1 0.2 0.3" rgb2="0.4 0.5 0.6" width="16" height="16" mark="edge"/>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="0 0 0" rgb2="1 1 1" width="16" height="96" mark="random"
             random="0.1"/>
    <texture name="cube" type="cube" builtin="flat" rgb1="0 0 0" width="8" height="8"/>
    <material name="floor" texture="grid" texrepeat="2 2" reflectance="0.1"/>
    <material name="layers"><layer texture="grid" role="rgb"/><layer texture="cube" role="orm"/></material>
  </asset>
  <worldbody>
    <light name="lamp" pos="0 0 3" mode="targetbody" target="torso"/>
    <camera name="eye" pos="2 0 1" xyaxes="0 1 0 0 0 1" resolution="64 48" sensorsize="0.01 0.01" focal="0.01 0.01"/>
    <geom name="ground" type="plane" size="3 3 0.1" material="floor" user="1 2"/>
    <body name="torso" pos="0 0 0.5" childclass="leg">
      <freejoint name="root"/>
      <inertial pos="0 0 0.01" mass="2" fullinertia="0.02 0.03 0.04 0.001 0 0.002"/>
      <geom name="trunk" type="box" size="0.2 0.1 0.1" fluidshape="ellipsoid" fluidcoef="0.5 0.2 1.4 1 0.9"/>
      <frame pos="0.2 0.1 0" euler="0 0 0.3">
        <body name="thigh">
          <joint name="hip" type="ball" range="0 0.8" frictionloss="0.05"/>
          <geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.04"/>
          <body name="shin" pos="0 0 -0.25" gravcomp="0.5">
            <joint name="knee" axis="0 1 0" range="-1 0.5" springref="0.1" stiffness="2" ref="0.1" actuatorfrcrange="-5 5"/>
            <joint name="shank" type="slide" axis="0 0 1" range="-0.05 0.05" margin="0.01" springdamper="0.1 1"/>
            <geom name="sole" class="foot" type="ellipsoid" size="0.05 0.03 0.04" pos="0 0 -0.1"/>
            <site name="touch" class="foot" type="sphere" pos="0 0 -0.1" size="0.06"/>
          </body>
        </body>
      </frame>
    </body>
    <body name="roller" pos="0 0.5 0.12"><freejoint align="true"/>
      <geom name="drum" type="cylinder" size="0.1 0.1" euler="1.4 0 0"/></body>
    <body name="stack" pos="0.5 0 0.1"><freejoint/><geom name="brick" type="box" size="0.1 0.1 0.1" mass="1"/></body>
    <body name="top" pos="0.5 0.05 0.28"><freejoint/><geom type="box" size="0.1 0.08 0.1" shellinertia="true"/></body>
    <body name="marble" pos="0.5 0 0.46"><freejoint/>
      <geom name="bead" type="sphere" size="0.08" density="500" margin="0.01" gap="0.005"/></body>
    <body name="hand" mocap="true" pos="0 -0.5 0.5"><geom type="capsule" size="0.05 0.1" contype="2" conaffinity="2"/></body>
  </worldbody>
  <contact>
    <pair geom1="trunk" geom2="sole" condim="3" margin="0.01" solreffriction="0.02 1"/>
    <exclude body1="roller" body2="torso"/>
  </contact>
  <tendon>
    <fixed name="cord" range="-0.1 0.1" stiffness="1" damping="0.1" frictionloss="0.2" armature="0.01" springlength="0 0.1">
      <joint joint="knee" coef="0.3"/><joint joint="shank" coef="-1"/>
    </fixed>
  </tendon>
  <actuator>
    <motor name="twist" joint="hip" gear="1 0.5 0.2" ctrlrange="-1 1"/>
    <position name="bend" joint="knee" inheritrange="1" delay="0.012" nsample="4" interp="linear"/>
    <velocity joint="shank" kv="2" forcerange="-3 3"/>
    <intvelocity joint="knee" kp="2" actrange="-1 1"/>
    <damper joint="shank" kv="1" ctrlrange="0 1"/>
    <cylinder tendon="cord" timeconst="0.1" area="0.5"/>
    <general tendon="cord" dyntype="filterexact" dynprm="0.1" gainprm="2" biastype="affine" biasprm="0 -1 -0.1"/>
    <general joint="root" gear="0 0 1 0 0 0.1" dyntype="user" actdim="3" gaintype="user" biastype="user"/>
  </actuator>
  <sensor>
    <touch site="touch" delay="0.01" nsample="3"/><accelerometer site="touch" nsample="4" interval="0.02 -0.005"/>
    <velocimeter site="touch"/><gyro site="touch" cutoff="1"/>
    <force site="touch" noise="0.1"/><torque site="touch"/><magnetometer site="touch"/>
    <jointpos joint="knee"/><jointvel joint="knee"/><ballquat joint="hip"/><ballangvel joint="hip"/>
    <tendonpos tendon="cord"/><tendonvel tendon="cord"/><actuatorpos actuator="bend"/><actuatorfrc actuator="bend"/>
    <jointlimitpos joint="knee"/><jointlimitfrc joint="shank"/><tendonlimitvel tendon="cord"/><jointactuatorfrc joint="knee"/>
    <framepos objtype="geom" objname="sole" reftype="camera" refname="eye"/><framelinacc objtype="body" objname="shin"/>
    <subtreecom body="torso"/><subtreelinvel body="torso"/><subtreeangmom body="torso"/><clock/>
    <e_potential/><e_kinetic/>
    <contact subtree1="torso" data="found force pos normal" num="3" reduce="maxforce"/><contact geom2="ground" reduce="netforce"/>
    <insidesite site="touch" objtype="body" objname="marble"/><tactile geom="ground" mesh="pad"/>
    <user name="own" dim="3" needstage="vel" datatype="real"/>
  </sensor>
  <keyframe><key name="up" time="1" ctrl="0 0 0 0 0 0 0 0"/></keyframe>
</mujoco>
"""

# Signed distance functions and octrees, named in each way there is, against every kind of shape.
FIELDS = """
<mujoco>
  <option sdf_initpoints="5" sdf_iterations="5"/>
  <extension>
    <plugin plugin="mujoco.sdf.torus"><instance name="ring"><config key="radius2" value="0.1"/></instance></plugin>
    <plugin plugin="mujoco.sdf.nut"/>
  </extension>
  <default><geom margin="0.01"/></default>
  <asset>
    <mesh name="ring"><plugin instance="ring"/></mesh>
    <mesh name="brick" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .2 .3 .2 0 .3 0 .2 0 .2 .2 .3 .2 .2"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 0.2 0.1" elevation="0 1 0 1 0 1 0 1 0"/>
  </asset>
  <worldbody>
    <geom type="plane" size="3 3 0.1"/><geom type="hfield" hfield="hills" pos="0 0 0.1"/>
    <body pos="0 0 0.5"><freejoint/><geom name="a" type="sdf" mesh="ring"><plugin instance="ring"/></geom></body>
    <body pos="0.2 0 0.7"><freejoint/><geom name="b" type="sdf" mesh="brick"/></body>
    <body pos="0.2 0.2 0.8" euler="40 0 0"><freejoint/><geom type="mesh" mesh="brick"/></body>
    <body pos="-0.3 0 0.7"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="0 0.3 0.7"><freejoint/><geom type="cylinder" size="0.1 0.1"/></body>
    <body pos="0 -0.3 0.7"><freejoint/><geom type="capsule" size="0.05 0.1"/></body>
  </worldbody>
  <contact><pair geom1="a" geom2="b" margin="0.02"/></contact>
  <sensor><distance geom1="a" geom2="b" cutoff="1"/></sensor>
</mujoco>
"""


# What most models have, and these have not; and what may not be supported yet.
BARE = {
    "nothing": "<mujoco/>",
    "no dofs": """<mujoco><worldbody><geom size="1"/><site name="a"/><site name="b" pos="1 0 0"/><body name="s"><geom size=".1"/>
      <site name="c"/></body></worldbody>
      <tendon><spatial name="t" range="0 .5" margin=".1" frictionloss=".1" limited="true">
      <site site="a"/><site site="b"/></spatial></tendon>
      <actuator><motor tendon="t"/><motor site="c" gear="1 0 0 0 0 0"/></actuator>
      <sensor><tendonpos tendon="t"/><framepos objtype="site" objname="c"/><touch site="a"/></sensor></mujoco>""",
    "no trees": """<mujoco><worldbody><body name="m" mocap="true"><geom size=".1"/><site name="s"/></body>
      <body name="w"><geom size=".2"/></body>
      </worldbody><equality><weld body1="m" body2="w"/></equality>
      <actuator><adhesion body="w" ctrlrange="0 1" gain="1"/><motor site="s"/></actuator></mujoco>""",
    "no geoms": """<mujoco><worldbody><body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><site name="s"/>
      <body pos="1 0 0"><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></worldbody>
      <actuator><motor site="s"/><position joint="j"/></actuator>
      <sensor><accelerometer site="s"/><touch site="s"/></sensor></mujoco>""",
    "flexes": """<mujoco><option solver="CG"/><worldbody><geom type="plane" size="1 1 1"/><body name="pin" pos="0 0 1"/>
      <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" pos="0 0 .5" radius=".01" dim="2" mass="1">
      <edge equality="true"/>
      <contact condim="3" selfcollide="none"/></flexcomp>
      <body><freejoint/><geom size=".1" pos="0 0 .8"/></body></worldbody></mujoco>""",
}



def seeds() -> dict[str, str]:
    """Texts of models by name; all of them are read without an error."""
    texts = {path.name: path.read_text() for path in (*GYM, *BUNDLED)}
    scene = SCENE.replace("CONE", "elliptic").replace("ENERGY", "enable")
    texts |= BARE | {"fields": FIELDS}
    texts |= {"smooth": SMOOTH_SCENE, "zoo": ZOO.format(cone="pyramidal", impratio=1), "sensors": scene, "everything": EVERYTHING}
    return texts | MECHANISMS | {
        "equality": every("elliptic", "sparse", "CG"),
        "islands": islands(*ALL, cone="elliptic", jacobian="sparse"),
        "islands of the dual": islands("pair", "arm", "sliders", "box", solver="PGS", jacobian="sparse", condim=4),
    }  # fmt: skip
