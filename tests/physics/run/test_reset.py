"""A reset for debugging: what is computed is filled, and who computes it first sees nothing of it."""

import mujoco
import numpy as np
import pytest

from tests.physics.scenes import SMOOTH_SCENE
from tumble import physics
from tumble.physics.errors import ModelError
from tumble.physics.state.fields.data import COMPUTED

SCENE = SMOOTH_SCENE.replace("</worldbody>", """
  <geom type="plane" size="5 5 1" contype="1" conaffinity="1"/>
  <body pos="0 3 0.09"><freejoint/><geom size="0.1" contype="1" conaffinity="1"/></body></worldbody>""")  # fmt: skip


def test_a_debug_reset_fills_what_the_references_fills():
    ours, theirs = physics.MjModel.from_xml_string(SCENE), mujoco.MjModel.from_xml_string(SCENE)
    d, reference = physics.MjData(ours), mujoco.MjData(theirs)
    physics.mj_resetDataDebug(ours, d, 7)
    mujoco.mj_resetDataDebug(theirs, reference, 7)
    names = [f.name for f in COMPUTED if f.shape and "awake" not in f.name and f.name != "qM"]
    checked = 0
    for name in [*names, "sensordata", "qpos", "ctrl", "qacc"]:
        expected = np.asarray(getattr(reference, name))
        if expected.size and expected.size == getattr(d, name).size:
            assert getattr(d, name).tobytes() == expected.astype(getattr(d, name).dtype).tobytes(), name
            checked += 1
    assert checked > 40


def test_a_step_after_a_debug_reset_is_a_step_after_a_reset():
    m = physics.MjModel.from_xml_string(SCENE)
    plain, filled = physics.MjData(m), physics.MjData(m)
    for value in (0, 7, 255):
        physics.mj_resetData(m, plain)
        physics.mj_resetDataDebug(m, filled, value)
        for d in (plain, filled):
            d.ctrl[:] = 0.3
            for _ in range(20):
                physics.mj_step(m, d)
        for name in ("qpos", "qvel", "act", "sensordata", "qfrc_passive", "xpos", "geom_xmat", "cvel", "qfrc_constraint"):
            np.testing.assert_array_equal(getattr(filled, name), getattr(plain, name), err_msg=name)


def test_only_a_byte_fills():
    m = physics.MjModel.from_xml_string("<mujoco/>")
    for value in (-1, 256):
        with pytest.raises(ModelError, match="0 to 255"):
            physics.mj_resetDataDebug(m, physics.MjData(m), value)
