"""What is written is read as the same elements, and written as the same text."""

import numpy as np
import pytest

from tests.physics.histories import DELAYED
from tests.physics.scenes import GYM, SMOOTH_SCENE
from tumble.physics import MjModel
from tumble.physics.mjcf.reader import read_path, read_string
from tumble.physics.mjcf.spec import Element
from tumble.physics.mjcf.writer import write

CLASSES = """<mujoco><default><tendon width="0.02"/><motor gear="3"/><default class="fast"><position kp="7"/></default></default>
  <worldbody><body><joint name="a"/><geom size="0.1"/></body></worldbody>
  <tendon><fixed><joint joint="a" coef="0.1"/></fixed></tendon>
  <actuator><position joint="a" class="fast"/><general joint="a" gainprm="0.3333333333333333 1e-17 -0.0"/></actuator></mujoco>"""


def flat(element: Element) -> list[tuple]:
    """Tag and values of an element and all in it; classes aside, whose names are the writer's."""
    values = {n: v.tolist() if isinstance(v, np.ndarray) else v for n, v in element.attributes.items() if "class" not in n}
    inside = [row for child in element.children if child.tag != "default" for row in flat(child)]
    return [(element.tag, values, len(element.children)), *inside]


@pytest.mark.parametrize("path", GYM, ids=lambda path: path.stem)
def test_the_elements_of_published_models_come_back(path):
    document = read_path(path)
    before = flat(document.root)[1:]
    text = write(document, document.directory)
    again = read_string(text)
    assert [row for row in flat(again.root)[1:] if row[0] != "default"] == before
    assert write(again, "") == text


@pytest.mark.parametrize("text", [SMOOTH_SCENE, CLASSES, DELAYED, "<mujoco/>"])
def test_a_second_writing_changes_nothing(text):
    once = write(read_string(text), "")
    assert write(read_string(once), "") == once


def test_histories_come_back_as_the_same_numbers():
    read, written = (MjModel.from_xml_string(text) for text in (DELAYED, write(read_string(DELAYED), "")))
    for name in ("actuator_history", "actuator_delay", "sensor_history", "sensor_delay", "sensor_interval", "nhistory"):
        np.testing.assert_array_equal(getattr(written, name), getattr(read, name), name)
        assert np.any(getattr(read, name))


def test_any_sign_that_a_name_may_have_comes_back():
    name = "a < b & 'c' \"d\" > \t\n\r é 𝜋 \x7f &amp; ]]> --"
    body = Element("body", read_string("<mujoco/>").root.where)
    body.attributes["name"] = name
    document = read_string("<mujoco><worldbody/></mujoco>")
    document.root.children[0].children.append(body)
    again = read_string(write(document, ""))
    assert again.root.children[0].children[0].attributes["name"] == name


def test_a_model_as_deep_as_is_read_is_written():
    deep = f"<mujoco><worldbody>{'<body>' * 495}{'</body>' * 495}</worldbody></mujoco>"
    lines = write(read_string(deep), "").splitlines()
    assert lines[2 + 494] == "  " * 496 + "<body/>"
