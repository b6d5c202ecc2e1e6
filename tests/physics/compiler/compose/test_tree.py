"""Operations on trees of elements, as whoever edits a model uses them: copy, rename, keyframes that follow what is copied."""

import math

import numpy as np

from tumble.physics.compiler.compose import keyframes
from tumble.physics.compiler.compose.assembly import Assembly, Placement
from tumble.physics.compiler.compose.tree import TREE, declared, size
from tumble.physics.compiler.pose import IDENTITY
from tumble.physics.mjcf.reader import read_string
from tumble.physics.mjcf.spec import Element

XML = """<mujoco><asset><material name="m"/></asset><worldbody>
<body name="a"><joint name="j" type="ball"/><geom name="g" material="m" size="1"/><camera name="c" target="a" mode="targetbody"/>
  <body name="b" mocap="false"><freejoint name="f"/></body></body><body name="k" mocap="true"/></worldbody>
<actuator><motor name="t" joint="j"/><intvelocity name="v" joint="j" actrange="0 1"/></actuator></mujoco>"""


def root() -> Element:
    return read_string(XML).root


def world(of: Element) -> Element:
    return next(of.all("worldbody"))


def test_counting_stops_soon_after_the_most_that_matters() -> None:
    assert size([world(root())], 3) <= 3 + 6


def test_what_a_keyframe_does_not_say_is_not_a_number() -> None:
    of = root()
    order = keyframes.layout(world(of).children, [])
    joint = order["qpos"][1][0]
    state: keyframes.State = {("qpos", id(joint)): (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)}
    made = keyframes.write(keyframes.Keyframe(Element("key", of.where), state), order).get("qpos")
    assert np.isnan(made[:4]).all()
    assert made[4:].tolist() == [1, 2, 3, 4, 5, 6, 7]
    short = Element("key", of.where, {"qpos": np.array([1.0])})
    keyframes.pad(short, order)
    assert short.get("qpos")[0] == 1
    assert sum(map(math.isnan, short.get("qpos"))) == 10


def test_a_part_is_replicated_and_another_attached_without_any_file() -> None:
    assembly = Assembly(root())
    part = assembly.world.children[0]
    steps = [Placement((float(i), 0.0, 0.0), IDENTITY, f"_{i}") for i in range(2)]
    assembly.world.children[:1] = assembly.replicate(part, steps, part)
    other = root()
    assembly.world.children += assembly.attach(other, [world(other).children[0]], "x_", part)
    done = assembly.finished()
    assert declared(world(done).children, TREE)["joint"] == {"j_0", "f_0", "j_1", "f_1", "x_j", "x_f"}
    motors = next(done.all("actuator")).children
    assert [motor.get("name") for motor in motors] == ["t_0", "v_0", "t_1", "v_1", "x_t", "x_v"]
    assert [motor.actuator_steps[-1][1].get("joint") for motor in motors] == ["j_0", "j_0", "j_1", "j_1", "x_j", "x_j"]
    assert [m.get("name") for m in next(done.all("asset")).children] == ["m", "x_m"]
