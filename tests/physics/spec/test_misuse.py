"""Whatever the classes of a specification are given, they raise one kind of error, or take it; what they took can be written."""

import inspect
import io
import random
import sys

import numpy as np
import pytest

from tests.physics.state.kinds import KINDS
from tumble import physics
from tumble.physics import MjSpec, PhysicsError

ONE_OF_EACH = KINDS.replace("<asset>", '<default><default class="c"><geom size=".2"/></default></default><asset>').replace(
    "<worldbody>", '<worldbody><frame name="f"/>'
)
FILES = ("to_file", "to_zip")  # write where they are told to
KEYWORDS = ("name", "pos", "size", "type", "quat", "axisangle", "euler", "data", "file", "align", "userdata", "qpos")
DEEP: list = []
for _ in range(2 * sys.getrecursionlimit()):
    DEEP = [DEEP]


class Hostile:
    """What cannot even be told of in a message."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def odd_values(spec: MjSpec, other: MjSpec) -> list:
    gone = other.worldbody.add_body()
    other.delete(gone)
    m = physics.MjModel.from_xml_string("<mujoco/>")
    own = [spec, spec.worldbody, spec.default, *list(spec.every())[:12]]
    return [
        *own, None, "a", "", "\0", "\x01", "\ud800", b"x", -1, 0, 1, 2.5, True, 1j, 10**30, 10**5000, float("nan"), float("inf"),
        [], {}, [[1], [1, 2]], ["a"], [None], (1, 2, 3), {1: 2}, {"a": None}, DEEP, range(3), object(), Hostile(), MjSpec, print,
        np.zeros(0), np.zeros((2, 3)), np.ones(4), np.zeros(3, int), np.array(["a"]), np.array([None]), io.BytesIO(), m, other,
        other.worldbody, gone, other.default,
    ]  # fmt: skip


def targets(spec: MjSpec) -> list:
    """One of each class."""
    body, tendon = spec.body("arm"), spec.tendons[0]
    parts = [spec, spec.compiler, spec.default, spec.option, body.alt, body.plugin, tendon.path, tendon.path[0],
             spec.numerics[0].data, spec.materials[0].textures, spec.cameras[0].resolution]  # fmt: skip
    return list({type(part): part for part in [*parts, *spec.every()] if not isinstance(part, np.ndarray)}.values())


def misuse(dice: random.Random, target: object, name: str, odd: list) -> None:
    """Call a method, or assign an attribute."""
    member = inspect.getattr_static(type(target), name)
    if not (inspect.isfunction(member) or isinstance(member, classmethod | staticmethod)):
        setattr(target, name, dice.choice(odd))
        return
    given, named = [], {}
    for parameter in inspect.signature(getattr(target, name)).parameters.values():
        if parameter.kind == parameter.VAR_KEYWORD:
            named = {word: dice.choice(odd) for word in dice.sample(KEYWORDS, 2)}
        elif parameter.default is parameter.empty or dice.random() < 0.7:
            given.append(dice.choice(odd))
    made = getattr(target, name)(*given, **named)
    if inspect.isgenerator(made):
        list(made)


def faults(rounds: int, seed: int) -> tuple[int, set[str]]:
    """How many misuses were tried, and what was raised that is not a PhysicsError."""
    dice, tried, bare = random.Random(seed), 0, set()
    other = MjSpec.from_string(ONE_OF_EACH)
    for _ in range(rounds):
        spec = MjSpec.from_string(ONE_OF_EACH)
        odd = odd_values(spec, other)
        uses = [(target, name) for target in targets(spec) for name in dir(type(target))
                if (not name.startswith("_") or name in ("__getitem__", "__setitem__")) and name not in FILES]  # fmt: skip
        dice.shuffle(uses)
        uses += [(spec, name) for name in ("copy", "to_xml", "compile")]
        tried += len(uses)
        for target, name in uses:
            try:
                misuse(dice, target, name, odd)
            except PhysicsError:
                pass
            except AttributeError as error:
                if not ("no setter" in str(error) or "is read-only" in str(error)):
                    bare.add(f"{type(target).__name__}.{name}: {error!r:.200}")
            except Exception as error:  # noqa: BLE001  # reported
                bare.add(f"{type(target).__name__}.{name}: {error!r:.200}")
    return tried, bare


def test_a_misused_specification_raises_physics_errors_only():
    tried, bare = faults(rounds=5, seed=1)
    assert tried > 3_000
    assert not bare


@pytest.mark.parametrize("name", ["a\x01", "a\x7f\x0b"])
def test_a_text_that_no_file_can_hold_is_said_at_its_element(name: str):
    spec = MjSpec()
    spec.worldbody.add_geom(name=name, size=[1, 0, 0])
    assert spec.compile().geom(0).name == name
    with pytest.raises(physics.MjcfError, match=r"name 'a.* has a character that no XML file can hold\nElement name"):
        spec.to_xml()
