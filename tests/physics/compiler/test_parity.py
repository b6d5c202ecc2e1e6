"""The compiled model equals the reference's in every field, on files and on scenes that cover each option."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.parity import assert_equal, differences
from tumble.physics.model import MjModel

GYM = sorted((Path(pytest.importorskip("gymnasium").__file__).parent / "envs/mujoco/assets").glob("*.xml"))

BODY = '<geom size=".1"/>'


@pytest.mark.parametrize("path", GYM, ids=lambda path: path.stem)
def test_gymnasium_models(path: Path) -> None:
    assert differences(MjModel.from_xml_path(path), mujoco.MjModel.from_xml_path(str(path))) == []


def world(inside: str, compiler: str = "", after: str = "", before: str = "") -> str:
    return f"<mujoco>{before}<compiler {compiler}/><worldbody>{inside}</worldbody>{after}</mujoco>"


def test_empty_model() -> None:
    assert_equal("<mujoco/>")
    assert_equal('<mujoco model="nothing"><worldbody><camera/><light/><site/></worldbody></mujoco>')


@pytest.mark.parametrize("sequence", ["xyz", "zyx", "XYZ", "ZxY", "yXz"])
@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_orientations(sequence: str, angle: str) -> None:
    forms = ('euler="10 -.2 1.5"', 'axisangle="1 2 -3 1.2"', 'zaxis="1 -1 .3"', 'xyaxes="1 2 0 -1 1 3"', 'quat="1 -2 3 .5"',
             'zaxis="0 0 -1"', 'xyaxes="0 0 -1 0 1 0"')  # fmt: skip
    inside = "".join(
        f'<body pos="1 2 3" {form}><joint type="ball"/><geom type="box" size=".1 .2 .3" pos="0 .1 .2" {form}/>'
        f'<site {form}/><camera {form}/><frame pos="1 0 0" {form}><geom size=".1" {form}/><light dir="1 2 3"/>'
        f'<body {form}><joint axis="1 2 3" pos=".1 .2 .3"/>{BODY}</body></frame></body>'
        for form in forms
    )
    assert_equal(world(inside, f'eulerseq="{sequence}" angle="{angle}"'))


@pytest.mark.parametrize("shell", ["true", "false"])
def test_shapes(shell: str) -> None:
    shapes = (("sphere", ".1"), ("capsule", ".1 .3"), ("cylinder", ".2 .1"), ("box", ".1 .2 .3"), ("ellipsoid", ".3 .1 .2"))
    inside = "".join(
        f'<body pos="{i} 0 0"><freejoint/><geom type="{kind}" size="{size}" {mass} shellinertia="{shell}"/></body>'
        for i, (kind, size) in enumerate(shapes)
        for mass in ("", 'mass="3"', 'density="77"')
    )
    joined = "".join(
        f'<geom type="{kind}" size="{size}" pos="{i} .1 -.2" euler="{20 * i} 30 10" shellinertia="{shell}"/>'
        for i, (kind, size) in enumerate(shapes)
    )
    long = ("capsule", "box", "cylinder", "ellipsoid")
    ends = "".join(f'<geom type="{kind}" size=".1" fromto="0 0 0 .1 .2 -.3"/>' for kind in long)
    # an ellipsoid's shell is a difference of two nearly equal solids, of which eight digits remain
    assert_equal(world(inside + f"<body><joint/>{joined}</body><body><joint/>{ends}</body>"), rtol=1e-6)


def random_tree(seed: int) -> str:
    """A tree of random bodies, geoms, joints and frames."""
    rng = np.random.default_rng(seed)

    def numbers(n: int, scale: float = 1.0) -> str:
        return " ".join(f"{v:.6g}" for v in rng.normal(size=n) * scale)

    def orientation() -> str:
        return str(rng.choice(["", f'quat="{numbers(4)}"', f'euler="{numbers(3, 60)}"', f'axisangle="{numbers(4)}"']))

    def geom() -> str:
        kind = rng.choice(["sphere", "capsule", "cylinder", "box", "ellipsoid"])
        size = " ".join(f"{v:.4g}" for v in rng.uniform(0.05, 0.4, 3))
        extra = rng.choice(["", 'mass="2"', 'density="50"', 'shellinertia="true"', 'mass="0"', 'group="3"', 'contype="2"'])
        return f'<geom type="{kind}" size="{size}" pos="{numbers(3, 0.3)}" {orientation()} {extra} margin="{rng.uniform():.3f}"/>'

    def joints(top: bool) -> str:
        choice = rng.integers(0, 7)
        kind = rng.choice(["slide", "hinge"])
        axis = rng.choice(["1 0 0", "0 1 0", numbers(3)])
        extra = rng.choice(["", 'armature=".3"', 'range="-10 20"', 'damping="2" stiffness="3"', 'springdamper=".3 .8"',
                            'frictionloss=".2"', 'ref="3" springref="5"'])  # fmt: skip
        one = f'<joint type="{kind}" axis="{axis}" pos="{rng.choice(["0 0 0", numbers(3)])}" {extra}/>'
        if top and choice == 0:
            return "<freejoint/>"
        return ("", one, one, one + '<joint type="slide" axis="0 0 1"/>', '<joint type="ball"/>', one,
                '<joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>')[choice]  # fmt: skip

    def body(depth: int) -> str:
        inside = joints(depth == 0) + "".join(geom() for _ in range(rng.integers(1, 4)))
        if rng.random() < 0.2:
            inside += f'<inertial pos="{numbers(3)}" mass="2" diaginertia="2 1.8 1.5" {orientation()}/>'
        mode = rng.choice(["fixed", "track"])
        inside += f'<site pos="{numbers(3)}"/><camera pos="{numbers(3)}" {orientation()} mode="{mode}"/>'
        if depth < 3:
            inside += "".join(body(depth + 1) for _ in range(rng.integers(0, 3)))
        return f'<body pos="{numbers(3)}" {orientation()} gravcomp="{rng.integers(0, 2)}">{inside}<geom size=".1"/></body>'

    return "".join(body(0) for _ in range(3))


@pytest.mark.parametrize("seed", range(12))
def test_random_trees(seed: int) -> None:
    assert_equal(world(random_tree(seed)))


@pytest.mark.parametrize("settings", [
    'alignfree="true"', 'boundmass="5" boundinertia=".5"', 'settotalmass="30"', 'inertiafromgeom="true"',
    'inertiagrouprange="3 3" boundmass="1" boundinertia="1"', 'discardvisual="true"', 'autolimits="false"',
])  # fmt: skip
@pytest.mark.parametrize("seed", range(3))
def test_compiler_settings(settings: str, seed: int) -> None:
    tree = random_tree(100 + seed)
    if "autolimits" in settings:
        tree = tree.replace('range="-10 20"', 'range="-10 20" limited="true"')
    assert_equal(world(tree, settings))


@pytest.mark.parametrize("kind", ["free", "ball"])
@pytest.mark.parametrize("bounds", ["", 'range="0 0"', 'range="0 1"'])
def test_limits_without_range_apply_to_balls_not_free_joints(kind: str, bounds: str) -> None:
    body = f'<body><joint type="{kind}"/><geom size=".1"/></body>'
    assert_equal(world(body, before=f'<default><joint limited="true" {bounds}/></default>'))


def test_fusing_static_bodies() -> None:
    """Where nothing is turned: the reference turns the centre of mass of what it fuses by the wrong rotation."""
    tree = f"""<geom name="g0" size="1"/><body name="A" pos="1 0 0"><geom name="gA" size=".1"/><site name="sA" pos="0 0 1"/>
        <body name="B" pos="1 0 0"><joint/><geom name="gB" size=".1"/><body name="C" pos="0 0 1"><geom size=".2" pos="1 0 0"/>
        <site name="sC"/><body name="D" pos="0 1 0"><joint/>{BODY}</body></body><body pos=".5 0 0"><geom type="box" size=".1 .2
        .3"/>
        </body><geom pos="1 1 1" size=".1"/></body></body><body name="F"><geom name="gF" size=".3"/></body>"""
    assert_equal(world(tree, 'fusestatic="true"'))
    for sensor in ('<framepos objtype="body" objname="C"/>', '<force site="sC"/>', '<touch site="sC"/>'):
        assert_equal(world(tree, 'fusestatic="true"', after=f"<sensor>{sensor}</sensor>"))


SCENE = (
    '<geom name="floor" type="plane" size="0 0 1"/>'
    '<body name="a"><joint name="ja"/><site name="sa"/><geom name="ga" size=".1"/></body>'
    '<body name="b" pos="1 0 0"><joint name="jb" type="slide" range="-1 2"/><geom name="gb" size=".2" condim="6"/>'
    '<body name="c" pos="0 0 1"><joint name="jc" axis="1 0 0" range="-30 60"/><joint name="jd" axis="0 1 0"/>'
    '<geom name="gc" type="box" size=".1 .2 .3"/><site name="sc" type="box"/></body></body>'
    '<body name="d" pos="3 0 0"><freejoint name="jf"/><geom name="gd" size=".1"/><camera name="cam" resolution="4 3"/></body>'
    '<body name="e" pos="5 0 0"><joint name="je" type="ball"/><geom name="ge" type="box" size=".1 .2 .3"/></body>'
    '<body name="m" mocap="true" pos="1 2 3" quat="1 1 0 0"><geom size=".1" contype="0" conaffinity="0"/></body>'
)
TENDONS = (
    '<tendon><fixed name="t1" range="-1 2" stiffness="3" damping="2" frictionloss=".1" springlength="1" margin=".1" user="1 2">'
    '<joint joint="ja" coef="2"/><joint joint="jb" coef="-1"/></fixed><fixed name="t2" armature="3" actuatorfrcrange="-1 1" '
    'actuatorfrclimited="true" springlength="1 2" group="3"><joint joint="jc" coef=".5"/><joint joint="jd" coef="0"/></fixed>'
    '<fixed stiffness="1"><joint joint="jc" coef=".5"/></fixed></tendon>'
)


def test_pairs_and_exclusions() -> None:
    assert_equal(world(SCENE, after="""<contact><pair geom1="gd" geom2="ga"/><pair geom1="ga" geom2="gb" name="pp" condim="4"/>
        <pair geom1="gc" geom2="gb" friction="3"/><pair geom1="floor" geom2="ga" margin=".7" solref=".5"/>
        <pair geom1="gb" geom2="gd" gap="4" solreffriction="3 4" solimp=".4"/><pair geom1="gc" geom2="floor" friction="1 2 3"/>
        <exclude body1="c" body2="a"/><exclude body1="a" body2="b" name="x"/><exclude body1="world" body2="d"/></contact>"""))


def test_tendons() -> None:
    assert_equal(world(SCENE, after=TENDONS))
    assert_equal(world(SCENE, before='<default><tendon width=".1" rgba="1 0 0 1" limited="true" range="0 1"/></default>',
    after=TENDONS))


GENERAL = 'ctrlrange="-1 1" gainprm="1 2 3" biasprm="4 5 6" biastype="affine" gaintype="affine" dyntype="filterexact" dynprm=".3"'


@pytest.mark.parametrize("actuators", [
    *(f'<{tag} {target}/>' for tag in ("motor", "general", "position", "velocity", "cylinder") for target in (
        'joint="ja" gear="2 3"', 'joint="jb"', 'joint="je" gear="1 2 3"', 'joint="jf" gear="1 2 3 4 5 6"', 'tendon="t1"',
        'jointinparent="je" gear="1 2 3"', 'jointinparent="jf" gear="1 2 3 4 5 6" user="1 2"')),
    '<position joint="ja" kp="3" kv="2" forcerange="-1 2"/>', '<position joint="jb" kp="3" dampratio="1" gear="2"/>',
    '<position tendon="t2" kp="3" dampratio="1"/>', '<position joint="jf" kp="3" dampratio=".5" gear="1 2 3 4 5 6"/>',
    '<position joint="ja" timeconst=".1"/><position joint="ja" timeconst="0"/>',
    '<position joint="jb" inheritrange=".5" ctrlrange="0 0"/>',
    '<position tendon="t1" inheritrange="2"/>', '<velocity joint="ja" kv="4" lengthrange="1 2"/>',
    '<general joint="jc" actdim="-1"/>',
    '<intvelocity joint="ja" kp="3" actrange="-1 1"/>', '<intvelocity joint="jb" kp="3" inheritrange="1"/>',
    '<damper joint="ja" kv="3" ctrlrange="0 1"/>', '<cylinder joint="ja" timeconst="2" area="3" bias="1 2 3"/>',
    '<cylinder joint="ja" diameter="3"/>', f'<general joint="ja" {GENERAL}/><general joint="jb" dyntype="user" actdim="3"/>',
    '<general joint="ja" dyntype="integrator" actrange="-1 1" actearly="true"/><motor joint="ja" group="40"/>',
])  # fmt: skip
def test_actuators(actuators: str) -> None:
    assert_equal(world(SCENE, after=TENDONS + f"<actuator>{actuators}</actuator>"))


@pytest.mark.parametrize("default", [
    '<general gear="3" ctrlrange="-1 1" gainprm="3"/>', '<motor gear="3"/>', '<position kp="3" kv="5"/>', '<velocity kv="3"/>',
    '<position kp="3" timeconst="5"/>', '<position dampratio="2"/>',
    '<position kp="3" ctrlrange="0 1"/><motor ctrllimited="false"/>',
    '<cylinder timeconst="3" area="2" bias="1 2 3"/>', '<position kp="3"/><velocity kv="2"/>',
    '<velocity kv="2"/><position kp="3"/>',
    f'<general {GENERAL}/>', '<damper kv="3" ctrlrange="0 1"/>', '<intvelocity kp="3" kv="2" actrange="-1 1"/>',
])  # fmt: skip
def test_actuator_defaults(default: str) -> None:
    kinds = ['<general joint="ja" dyntype="integrator"/>', '<velocity joint="ja" kv="9"/>', '<cylinder joint="ja" area="4"/>',
             '<position joint="ja" kv="2"/>', '<position joint="ja" kp="7"/>', '<position joint="ja" timeconst="2"/>',
             '<damper joint="ja" ctrlrange="0 1"/>', '<intvelocity joint="ja" actrange="0 1" kp="2"/>']  # fmt: skip
    if "actrange" not in default and GENERAL not in default:
        kinds += [f'<{tag} joint="ja"/>' for tag in ("motor", "position", "velocity", "general", "cylinder")]
    else:  # an actrange fits actuators with an activation alone
        kinds = kinds[-1:]
    if 'ctrlrange="-1' in default:  # which a damper cannot have
        kinds = [kind for kind in kinds if "damper" not in kind]
    assert_equal(world(SCENE, before=f"<default>{default}</default>", after=f"<actuator>{''.join(kinds)}</actuator>"))


def test_sensors() -> None:
    named = {"site": "touch accelerometer velocimeter gyro force torque magnetometer",
    "body": "subtreecom subtreelinvel subtreeangmom",
             "joint": "jointpos jointvel jointactuatorfrc jointlimitpos jointlimitvel jointlimitfrc",
             "tendon": "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc",
             "actuator": "actuatorpos actuatorvel actuatorfrc"}  # fmt: skip
    objects = {"site": "sa", "body": "c", "joint": "jc", "tendon": "t1", "actuator": "act"}
    sensors = "".join(f'<{tag} {kind}="{objects[kind]}" noise=".1"/>' for kind, tags in named.items() for tag in tags.split())
    for tag in ["framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel"]:
        sensors += f'<{tag} objtype="xbody" objname="a"/><{tag} objtype="body" objname="a" reftype="geom" refname="ga"/>'
    sensors += "".join(f'<{tag} objtype="camera" objname="cam" cutoff="3"/>' for tag in ("framelinacc", "frameangacc"))
    sensors += """<ballquat joint="je"/><ballangvel joint="je"/><camprojection site="sa" camera="cam"/><rangefinder site="sa"/>
        <rangefinder camera="cam" data="dist normal"/><rangefinder site="sa" data="dist dir origin point normal depth"/>
        <insidesite site="sc" objtype="site" objname="sa"/><distance geom1="ga" body2="b" cutoff="3"/><normal geom1="ga"
        body2="b"/>
        <fromto body1="a" geom2="gc"/><contact/><contact num="3" data="found force torque dist pos normal tangent" geom1="ga"
        reduce="mindist"/><contact body1="a" body2="b" reduce="netforce"/><contact subtree1="b" geom2="ga" num="2" data="pos"/>
        <contact site="sa" reduce="maxforce" name="touching"/><e_potential/><e_kinetic/><clock name="time" user="1 2 3"/><user
        dim="4"/>
        <user dim="3" objtype="body" objname="a" datatype="axis" needstage="vel"/>"""
    after = f'{TENDONS}<actuator><motor name="act" joint="ja"/></actuator><sensor>{sensors}</sensor>'
    assert_equal(world(SCENE, after=after))


def test_keyframes_and_custom_data() -> None:
    key = " ".join(str(0.1 * i) for i in range(15))
    assert_equal(world(SCENE, before='<size nkey="4" nuserdata="7" nuser_geom="3" nuser_body="1" nuser_sensor="0"/>', after=f"""
        <actuator><general joint="ja" dyntype="filter"/></actuator><keyframe><key/><key name="k" time="3" qpos="{key}" act="1"
        ctrl="3"
        qvel="1 2 3 4 5 6 7 8 9 10 11 12 13" mpos="1 2 3" mquat="2 0 0 1"/></keyframe>
        <custom><numeric name="n" data="1 2"/><numeric name="n2" size="4" data="1 2"/><numeric name="n3" size="2"/>
        <text name="t" data="abc"/><text name="t2" data="öäü"/><tuple name="tt"><element objtype="body" objname="a" prm="3"/>
        <element objtype="geom" objname="ga"/><element objtype="numeric" objname="n"/></tuple></custom>"""))


def test_cameras_and_lights() -> None:
    assert_equal(world(SCENE + """<camera focal="1 2" sensorsize="3 4" resolution="100 200"/><camera fovy="30" ipd=".1" user="1"/>
        <camera focalpixel="10 20" sensorsize="3 4" resolution="100 200" principal=".1 .2"/>
        <camera focalpixel="10 20" sensorsize="3 4" resolution="100 200" principalpixel="1 2" output="rgb depth segmentation"/>
        <camera mode="targetbody" target="c" projection="orthographic"/><camera mode="targetbodycom" target="b" pos="1 2 3"/>
        <light mode="targetbodycom" target="a" directional="true"/><light type="point" castshadow="false" diffuse="1 0 0"/>
        <light type="spot" cutoff="30" exponent="2" attenuation="1 2 3" range="4" bulbradius="1" intensity="9"
        active="false"/>""",
        before='<visual><map znear=".5"/></visual>'))  # fmt: skip


def test_options_visual_and_statistics() -> None:
    assert_equal(f"""<mujoco model="öptions"><option timestep=".01" gravity="1 2 3" wind="1 0 0" density="2" viscosity="3"
        impratio="4"
        integrator="RK4" cone="elliptic" jacobian="sparse" solver="CG" iterations="7" ls_iterations="8" tolerance="1e-3"
        actuatorgroupdisable="0 3 5" o_margin="2" o_solref="1" magnetic="1 1 1" noslip_iterations="3" sdf_initpoints="4"><flag
        contact="disable" energy="enable" gravity="disable" island="disable" sleep="enable" multiccd="enable"
        nativeccd="disable"/></option>
        <statistic meaninertia="2" meanmass="3" meansize="4" extent="5" center="1 2 3"/><visual><global fovy="30" azimuth="10"
        offwidth="1000" ellipsoidinertia="true"/><headlight ambient=".2 .2 .2" active="0"/><map shadowclip="2"/><scale com="3"/>
        <quality shadowsize="1024"/><rgba fog="1 0 0 1" haze=".1 .2 .3 1"/></visual><worldbody>{SCENE}</worldbody></mujoco>""")


@pytest.mark.parametrize("sleep", ["auto", "never", "allowed", "init"])
def test_sleep_policies(sleep: str) -> None:
    inside = f'<body sleep="{sleep}"><joint name="j{{0}}"/>{BODY}</body>'
    tree = "".join(inside.format(k) for k in range(4))
    assert_equal(world(tree, after="""<tendon><fixed name="t"><joint joint="j1" coef="1"/></fixed><fixed stiffness="1">
        <joint joint="j2" coef="1"/></fixed></tendon><actuator><motor joint="j0"/></actuator>"""))
