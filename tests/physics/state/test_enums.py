"""Enumerations and constants have the reference's names and numbers."""

import mujoco
import pytest

from physics.state import constants, enums

OURS = [value for name, value in vars(enums).items() if name.startswith("mjt")]


@pytest.mark.parametrize("ours", OURS, ids=lambda e: e.__name__)
def test_members_are_the_references(ours):
    theirs = getattr(mujoco, ours.__name__)
    assert {name: int(value) for name, value in ours.__members__.items()} == {
        name: int(value) for name, value in theirs.__members__.items()
    }


def test_no_enumeration_of_state_and_model_is_missing():
    theirs = {name for name in dir(mujoco) if name.startswith("mjt")}
    elsewhere = set(  # of the reference's visualizer, its interface, its model editor and its thread pool
        """mjtButton mjtCamera mjtCatBit mjtDepthMap mjtEvent mjtFont mjtFontScale mjtFrame mjtFramebuffer mjtGridPos mjtItem
        mjtLabel mjtMouse mjtPertBit mjtRndFlag mjtSection mjtStereo mjtTaskStatus mjtVisFlag mjtAlignFree mjtBuiltin
        mjtGeomInertia mjtInertiaFromGeom mjtLimited mjtMark mjtMeshBuiltin mjtMeshInertia mjtOrientation
        mjtPluginCapabilityBit""".split()
    )
    assert theirs - {e.__name__ for e in OURS} <= elsewhere


def test_constants_are_the_references():
    for name in vars(constants):
        if name.startswith("mj") and hasattr(mujoco, name):
            assert getattr(constants, name) == getattr(mujoco, name), name
