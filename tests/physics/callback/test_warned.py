"""Programs are told of warnings as they ask: once of each kind, until the data are reset."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Iterator

import pytest

import physics

SLIDER = """<mujoco><worldbody><body><joint name="a" type="slide"/><geom size=".1"/></body></worldbody>
  <actuator><motor joint="a"/></actuator></mujoco>"""


@pytest.fixture
def slider() -> Iterator[tuple[physics.MjModel, physics.MjData]]:
    m = physics.MjModel.from_xml_string(SLIDER)
    yield m, physics.MjData(m)
    physics.set_mju_user_warning(None)


def test_a_function_is_told_once_of_each_kind_in_place_of_the_log(
    slider: tuple[physics.MjModel, physics.MjData], caplog: pytest.LogCaptureFixture
) -> None:
    m, d = slider
    heard: list[str] = []
    physics.set_mju_user_warning(heard.append)
    for _ in range(2):
        d.ctrl[0] = float("inf")
        physics.mj_step(m, d)
    d.qpos[0] = float("nan")
    with caplog.at_level(logging.WARNING):
        physics.mj_step(m, d)
    assert [text.split(":")[0] for text in heard] == ["the control is not finite or huge", "the position is not finite or huge"]
    assert "the data are reset" not in caplog.text
    physics.mj_resetData(m, d)
    d.ctrl[0] = float("inf")
    physics.mj_forward(m, d)
    assert len(heard) == 3


def test_a_function_of_c_gets_bytes_and_what_one_raises_is_raised(slider: tuple[physics.MjModel, physics.MjData]) -> None:
    m, d = slider
    heard: list[bytes] = []
    pointer = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(heard.append)
    physics.set_mju_user_warning(pointer)
    assert physics.get_mju_user_warning() is pointer
    d.qpos[0] = float("nan")
    physics.mj_step(m, d)
    assert heard[0].startswith(b"the position is not finite or huge: qpos[0]")

    def object_to(text: str) -> None:
        raise LookupError(text)

    physics.set_mju_user_warning(object_to)
    physics.mj_resetData(m, d)
    d.qpos[0] = float("nan")
    with pytest.raises(LookupError, match="qpos"):
        physics.mj_step(m, d)
    with pytest.raises(TypeError, match="Optional"):
        physics.set_mju_user_warning(3)
