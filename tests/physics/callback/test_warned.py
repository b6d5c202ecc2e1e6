"""A program in C is told of warnings too."""

from __future__ import annotations

import ctypes

from tumble import physics


def test_a_function_of_c_is_told_of_warnings_in_bytes() -> None:
    m = physics.MjModel.from_xml_string('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
    d = physics.MjData(m)
    heard: list[bytes] = []
    pointer = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(heard.append)
    physics.set_mju_user_warning(pointer)
    try:
        assert physics.get_mju_user_warning() is pointer
        d.qpos[0] = float("nan")
        physics.mj_step(m, d)
    finally:
        physics.set_mju_user_warning(None)
    assert heard[0].startswith(b"position not finite or huge (qpos)")
