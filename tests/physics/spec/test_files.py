"""Specs that are read from files compile to the files' models, to the last bit."""

from pathlib import Path

import numpy as np
import pytest

from tumble.physics import MjcfError, MjModel, MjSpec

MODELS = Path(__file__).parents[3] / "resources/models"
# With replicas, attached models, cables, keyframes, cameras' lenses, muscles, inline and builtin assets.
NAMES = ("cards", "crane", "drone", "eel", "figure", "mechanism", "metronomes", "rover", "tendons")


def assert_same_bits(ours, theirs):
    assert ours.sizes() == theirs.sizes()
    for name, array in theirs._arrays.items():
        if not name.startswith("stage"):
            assert ours._arrays[name].tobytes() == array.tobytes(), name
    for group in ("opt", "vis", "stat"):
        assert repr(getattr(ours, group)) == repr(getattr(theirs, group))


@pytest.mark.parametrize("name", NAMES)
def test_a_spec_of_a_file_compiles_to_its_model(name):
    path = MODELS / f"{name}.xml"
    spec = MjSpec.from_file(path)
    assert_same_bits(spec.copy().compile(), MjModel.from_xml_path(path))


def test_included_texts_are_found_by_name():
    spec = MjSpec.from_string('<mujoco><include file="a.xml"/></mujoco>',
                              {"a.xml": b'<mujoco><worldbody><body name="b"/></worldbody></mujoco>'})  # fmt: skip
    assert spec.body("b") is spec.bodies[1]


def test_errors_of_a_file_say_its_place_also_after_changes():
    spec = MjSpec.from_string('<mujoco>\n<worldbody>\n  <geom name="ball" size="1"/>\n</worldbody></mujoco>')
    spec.geom("ball").size[0] = -1
    with pytest.raises(MjcfError, match=r"size 0 must be positive in geom\nElement name 'ball', id 0, line 3, model.xml:3:3"):
        spec.compile()


def test_what_is_not_supported_is_refused_where_the_file_says_it():
    with pytest.raises(MjcfError, match=r"model.xml:1:\d+: <plugin>"):
        MjSpec.from_string('<mujoco><actuator><plugin plugin="p"/></actuator></mujoco>')


def test_a_spec_that_is_changed_compiles_to_the_changed_file():
    text = """<mujoco><worldbody><body name="b" euler="0 0 90">
      <joint name="j" range="-45 45"/><geom name="g" size="{}"/></body></worldbody></mujoco>"""
    spec = MjSpec.from_string(text.format(".1"))
    spec.geom("g").size = [0.25]
    assert_same_bits(spec.compile(), MjModel.from_xml_string(text.format(".25")))
    assert np.isclose(spec.compile().jnt_range[0, 1], np.pi / 4)  # degrees, as the file says
