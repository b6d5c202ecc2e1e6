"""Enumerations and constants have the reference's names and numbers, and behave as its members do."""

import copy
import pickle

import mujoco
import pytest

from tumble import physics
from tumble.physics.state import constants, enums

OURS = [value for name, value in vars(enums).items() if name.startswith("mjt")]


@pytest.mark.parametrize("ours", OURS, ids=lambda e: e.__name__)
def test_members_are_the_references(ours):
    theirs = getattr(mujoco, ours.__name__)
    assert {name: int(value) for name, value in ours.__members__.items()} == {
        name: int(value) for name, value in theirs.__members__.items()
    }
    assert [(str(ours(int(value))), repr(ours(int(value)))) for value in theirs.__members__.values()] == [
        (str(value), repr(value)) for value in theirs.__members__.values()
    ]


def test_no_enumeration_and_no_constant_is_missing():
    kinds = (int, float, tuple)
    theirs = {name for name in dir(mujoco) if name.startswith("mjt") or isinstance(getattr(mujoco, name), kinds)}
    assert {name for name in theirs if name.startswith("mj")} - set(dir(physics)) == set()


def test_constants_are_the_references():
    theirs = {name: value for name, value in vars(mujoco).items() if isinstance(value, (int, float, tuple))}
    for name in theirs.keys() & set(dir(physics)):
        assert getattr(physics, name) == theirs[name], name
    assert vars(constants).keys() & theirs.keys() <= set(dir(physics))


def test_a_member_prints_as_its_name_and_computes_as_a_number():
    hinge = physics.mjtJoint.mjJNT_HINGE
    assert f"{hinge}" == str(hinge) == "mjtJoint.mjJNT_HINGE"
    assert f"{hinge:2d}" == " 3"
    assert (hinge.name, hinge.value, hinge + 1, [*"abcd"][hinge]) == ("mjJNT_HINGE", 3, 4, "d")
    assert physics.mjtJoint(value=3) is copy.deepcopy(hinge) is pickle.loads(pickle.dumps(hinge)) is hinge
    with pytest.raises(ValueError, match="17"):
        physics.mjtJoint(17)
