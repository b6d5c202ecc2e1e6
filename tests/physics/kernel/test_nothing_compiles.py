"""No option of published models asks for a kernel that the library lacks: each of their combinations is opened and stepped."""

from typing import NoReturn

import pytest

from tests.physics.reference import load
from tumble import physics
from tumble.physics.kernel import Compiled, library
from tumble.physics.kernel.target import bundled
from tumble.physics.run.program import to_compile

pytestmark = pytest.mark.skipif(bundled() is None, reason="there is no library for this computer")

# The combinations of options in 601 models of mjlab, MuJoCo Menagerie, Playground, robosuite, dm_control, gymnasium and others.
OPTIONS = (
    "",
    'integrator="Euler" cone="elliptic" jacobian="dense"',
    'cone="elliptic"',
    'integrator="implicitfast" cone="elliptic"',
    'integrator="implicitfast"',
    'integrator="RK4"',
    'integrator="RK4" solver="PGS"',
    'jacobian="sparse"',
    'noslip_iterations="3"',
    'noslip_iterations="3" jacobian="sparse"',
    'solver="CG" jacobian="sparse"',
    'cone="elliptic" density="1.2" viscosity="0.00002"',
    'cone="elliptic" noslip_iterations="3" density="1.2" jacobian="sparse"',
    'cone="elliptic" noslip_iterations="3"',
    'cone="elliptic" noslip_iterations="3" viscosity="0.1"',
    'integrator="RK4" density="1000"',
    'density="1.2"',
)
# Those of flags, by the options that they come with.
FLAGS = (
    ("", 'eulerdamp="disable"'),
    ('integrator="implicitfast"', 'eulerdamp="disable"'),
    ("", 'nativeccd="disable"'),
    ("", 'contact="disable"'),
    ("", 'energy="enable"'),
    ("", 'contact="disable" energy="enable"'),
    ('integrator="RK4"', 'constraint="disable" energy="enable"'),
    ('integrator="RK4"', 'contact="disable" energy="enable"'),
    ('jacobian="sparse"', 'multiccd="enable"'),
    ('cone="elliptic"', 'gravity="disable"'),
    ('density="1.2"', 'constraint="disable" gravity="disable"'),
    ('density="1.2"', 'contact="disable"'),
    ("", 'constraint="disable"'),
)
SHAPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
SENSORS = """
  <sensor>
    <touch site="s"/> <accelerometer site="s"/> <gyro site="s"/> <force site="s"/> <rangefinder site="s"/> <jointpos joint="j"/>
    <tendonpos tendon="t"/> <actuatorfrc actuator="motor"/> <subtreeangmom body="arm"/> <framequat objtype="body" objname="arm"/>
    <contact geom1="tip" data="force"/> <distance geom1="tip" geom2="floor" cutoff="10"/>
  </sensor>"""


def _body(number: int, shape: str) -> str:
    size = 'mesh="tetrahedron"' if shape == "mesh" else 'size="0.1 0.1 0.1"'
    x, y = number % 3 * 0.15, number // 3 * 0.15
    return f'<body name="{shape}" pos="{x} {y} 0.1"><freejoint/><geom type="{shape}" {size}/></body>'


def scene(options: str, flags: str = "") -> str:
    """Shapes that touch each other, a height field, a floor, tendons, equalities, actuators, and sensors of all stages."""
    return f"""<mujoco>
  <option {options}><flag {flags}/></option>
  <asset>
    <mesh name="tetrahedron" vertex="0 0 0  0.2 0 0  0 0.2 0  0 0 0.2"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 0.1 0.1" elevation="0 1 0 1 0 1 0 1 0"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <geom type="hfield" hfield="hills" pos="0 0 -0.05"/>
    {"".join(_body(number, shape) for number, shape in enumerate(SHAPES))}
    <body name="arm" pos="-1 0 1">
      <joint name="j" axis="0 1 0" damping="1" frictionloss="0.1" range="-1 1" limited="true"/>
      <geom name="tip" type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
      <site name="s" pos="0.1 0 0"/>
      <camera name="eye"/>
      <body pos="0.3 0 0"><joint name="k" axis="0 1 0"/><geom size="0.05"/><site name="far"/></body>
    </body>
    <site name="fixed" pos="-1 0 1.5"/>
  </worldbody>
  <tendon>
    <spatial name="t" range="0 1" limited="true"><site site="fixed"/><site site="far"/></spatial>
    <fixed name="f"><joint joint="j" coef="1"/></fixed>
  </tendon>
  <equality><joint joint1="j" joint2="k"/><connect body1="sphere" anchor="0 0 0"/><weld body1="box" body2="cylinder"/></equality>
  <actuator>
    <motor name="motor" joint="j"/><position joint="k" kp="1"/><velocity tendon="t"/><general tendon="f" dyntype="filter"/>
  </actuator>{SENSORS}
</mujoco>"""


FLEX = """<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    <flexcomp name="cloth" type="grid" count="4 4 1" spacing="0.05 0.05 0.05" pos="0 0 0.02" radius="0.02" dim="2">
      <edge equality="true" damping="0.1"/>
    </flexcomp>
  </worldbody>
</mujoco>"""


@pytest.fixture(autouse=True)
def _no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(part: Compiled) -> NoReturn:
        raise AssertionError(f"{part.key} was compiled")

    monkeypatch.setattr(Compiled, "_compile", refuse)


def _open_and_step(text: str) -> None:
    model, data = load(text)
    # What an earlier test of this process has compiled would not be compiled again: the library itself is asked too.
    assert [part.key for part in to_compile(model) if not library.holds(part.key, part.digest)] == []
    for _ in range(3):
        physics.mj_step(model, data)
    physics.mj_forward(model, data)


@pytest.mark.parametrize("options", OPTIONS)
def test_options_of_published_models_compile_nothing(options: str) -> None:
    _open_and_step(scene(options))


@pytest.mark.parametrize(("options", "flags"), FLAGS)
def test_flags_of_published_models_compile_nothing(options: str, flags: str) -> None:
    _open_and_step(scene(options, flags))


def test_flexes_compile_nothing() -> None:
    _open_and_step(FLEX)
