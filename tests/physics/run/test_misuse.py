"""Whatever exported functions are given, they raise one kind of error, or do what they are asked: nothing bare, no crash."""

import pytest

from tests.child import run_in_child

# Every exported function, forty times each, with arguments that fit and that do not. Functions that write files are left out.
# Then every kind of attribute is assigned what does not belong there; a step follows.
WALK = """
import contextlib, inspect, io, random, warnings
import numpy as np
from tumble import physics

warnings.simplefilter("ignore")  # of numpy, for complex numbers and divisions
BALL = '''<mujoco><worldbody><body name='a'><freejoint/><geom name='g' size='.1'/><site name='s'/></body></worldbody>
<actuator><motor site='s' name='m'/></actuator><sensor><gyro site='s'/></sensor><keyframe><key/></keyframe></mujoco>'''
HINGE = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
m, other = physics.MjModel.from_xml_string(BALL), physics.MjModel.from_xml_string(HINGE)
d, others = physics.MjData(m), physics.MjData(other)
physics.mj_step(m, d)
SAVES = ("mju_writeLog", "mj_save", "mj_printData", "mj_printModel", "mj_printFormatted")
deep = []
for _ in range(10_000):
    deep = [deep]
ODD = [
    None, "x", b"x", deep, -1, 0, 1.5, True, 1j, 10**30, 10**400, 2**63, float("nan"), object(), print, [], {}, [[1], [1, 2]],
    ["a"], m, d, other, others, np.zeros(0), np.zeros((2, 3), np.float32), np.zeros(3, int), np.zeros((3, 3, 3)),
    np.array(["a"]), np.array([None]),
]
dice = random.Random(1)


def fits(kind):
    if kind in ("Model", "Data"):
        return m if kind == "Model" else d
    if kind in ("int", "float"):
        return dice.choice((-1, 0, 1)) if kind == "int" else 0.5
    return "a" if "str" in kind else np.zeros(dice.choice((1, 3, 4, 6, 9, (3, 6))))


bare, tried = set(), 0
observing = ("start_recording", "stop_recording", "is_recording", "read_record", "collision_times", "prepare", "compiled",
             "solve_again", "fork", "variant", "variant_of_fork")
functions = [(name, getattr(physics, name)) for name in dir(physics) if name.startswith(("mj", "get_")) or name in observing]
functions = [(name, f) for name, f in functions if callable(f) and not inspect.isclass(f)]
loaders = [(name, getattr(physics.MjModel, name)) for name in ("from_xml_path", "from_xml_string", "from_binary_path")]
for name, f in [*functions, *loaders, ("MjData", physics.MjData), ("Again", physics.Again)]:
    if name.startswith(SAVES):
        continue
    kinds = [str(p.annotation) for p in inspect.signature(f).parameters.values() if p.kind == p.POSITIONAL_OR_KEYWORD]
    calls = [[None] * len(kinds), [d, m, *[0] * (len(kinds) - 2)][: len(kinds)]]
    calls += [[dice.choice(ODD) if dice.random() < 0.5 else fits(kind) for kind in kinds] for _ in range(40)]
    for given in calls:
        tried += 1
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                f(*given)
        except physics.PhysicsError:
            pass
        except Exception as error:
            bare.add(f"{name}: {type(error).__name__} {error}")
for name in physics.ForkSettings.__annotations__:
    for value in ODD:
        for f in (physics.fork, physics.solve_again, physics.variant):
            tried += 1
            try:
                f(m, *[d][: f is not physics.variant], **{name: value})
            except physics.PhysicsError:
                pass
            except Exception as error:
                bare.add(f"{f.__name__}({name}={type(value).__name__}): {type(error).__name__} {error}")
places = [
    (m, "names"), (m, "paths"), (m, "body_pos"), (m, "geom_contype"), (m.opt, "timestep"), (m.opt, "solver"), (m.opt, "gravity"),
    (m.tumble, "threads"), (m.vis.map, "znear"), (m.vis.rgba, "fog"), (m.stat, "center"), (m.body("a"), "pos"),
    (m.body("a"), "mass"), (d, "qpos"), (d, "time"), (d, "xfrc_applied"), (d.body("a"), "xfrc_applied"), (d.warning[0], "number"),
    (d.contact, "dist"),
]
for owner, name in places:
    kept = getattr(owner, name)
    kept = kept.copy() if isinstance(kept, np.ndarray) else kept
    for value in [*ODD, range(10**12), {1}, 10**5000]:
        tried += 1
        try:
            setattr(owner, name, value)
        except physics.PhysicsError:
            pass
        except Exception as error:
            bare.add(f"{type(owner).__name__}.{name}: {type(error).__name__} {error}")
    setattr(owner, name, kept)
for find in (m.body, d.geom, m.bind, d.bind):
    for value in ODD:
        try:
            find(value)
        except physics.PhysicsError:
            pass
        except Exception as error:
            bare.add(f"{find}: {type(error).__name__} {error}")
physics.mj_resetData(m, d)
physics.mj_step(m, d)
print(tried, *sorted(bare), sep="\\n")
"""


@pytest.mark.slow
def test_misused_functions_raise_physics_errors_only():
    said = run_in_child(WALK, 200)  # it takes four, where nothing has to be compiled
    tried, *bare = said.splitlines()
    assert int(tried) > 9_000
    assert not bare
