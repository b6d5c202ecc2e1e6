"""Models and data as text: every field that holds something, with the numbers in the format asked for."""

import numpy as np
import pytest

from tests.physics.scenes import SMOOTH_SCENE
from tumble import physics
from tumble.physics.errors import ModelError
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL


@pytest.fixture(scope="module")
def scene():
    m = physics.MjModel.from_xml_string(SMOOTH_SCENE)
    d = physics.MjData(m)
    d.qvel = 0.25
    physics.mj_forward(m, d)
    return m, d


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


def test_a_model_is_printed_with_every_field_that_holds_something(scene, tmp_path):
    m, _ = scene
    physics.mj_printModel(m, str(tmp_path / "m.txt"))
    printed = {line.split()[0] for line in lines_of(tmp_path / "m.txt") if line.startswith("  ") and line[2] != " "}
    filled = {f.name for f in MODEL if f not in MODEL_INTERNAL and np.size(getattr(m, f.name))}
    assert printed == filled


def test_rows_have_the_names_of_their_elements(scene, tmp_path):
    m, _ = scene
    physics.mj_printFormattedModel(m, str(tmp_path / "m.txt"), "%.1f")
    text = lines_of(tmp_path / "m.txt")
    at = next(k for k, line in enumerate(text) if line.split()[:1] == ["body_pos"])
    arm = m.body("arm").id
    assert text[at + 1 + arm].split() == [str(arm), "arm", "0.2", "0.0", "0.0"]


def test_data_are_printed_in_the_format_asked_for(scene, tmp_path):
    m, d = scene
    physics.mj_printFormattedData(m, d, str(tmp_path / "d.txt"), "%.4e")
    text = lines_of(tmp_path / "d.txt")
    at = next(k for k, line in enumerate(text) if line.split()[:1] == ["qvel"])
    assert text[at + 1].split() == ["2.5000e-01"] * 12
    physics.mj_printData(m, d, str(tmp_path / "d.txt"))
    assert any(line.split()[:1] == ["xpos"] for line in lines_of(tmp_path / "d.txt"))


@pytest.mark.parametrize("form", ["%d", "%s %s", "", "%.3g%n", "%*g", "3", "%999999999f"])
def test_a_format_that_is_not_one_of_a_number_is_refused(scene, tmp_path, form):
    with pytest.raises(ModelError, match="float_format"):
        physics.mj_printFormattedModel(scene[0], str(tmp_path / "m.txt"), form)
