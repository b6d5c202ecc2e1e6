"""Options beyond the reference in files: numbers of custom data, which the reference reads and ignores."""

import mujoco
import pytest

from tumble import physics
from tumble.physics import MjModel, MjSpec, mj_saveLastXML
from tumble.physics.errors import MjcfError
from tumble.physics.state.own import DEFAULTS


def model_with(*numerics: str) -> str:
    body = "<body><freejoint/><geom size='.1'/></body>"
    return f"<mujoco>\n<custom>{''.join(numerics)}</custom>\n<worldbody>{body}</worldbody></mujoco>"


def numeric(name: str, data: object) -> str:
    return f"<numeric name='{name}' data='{data}'/>"


def test_every_option_can_be_given_by_a_file() -> None:
    values = {f"tumble_lcp_{name}": value for name, value in (("method", 0), ("block", 0), ("sweeps", 9))}
    values |= {"tumble_contact_model": 1, "tumble_threads": 2}
    values |= {name: 0.5 for name in DEFAULTS if name not in values}
    xml = model_with(*(numeric(name, value) for name, value in values.items()))
    m = MjModel.from_xml_string(xml)
    assert {name: getattr(m.tumble, name.removeprefix("tumble_")) for name in DEFAULTS} == values
    other = mujoco.MjModel.from_xml_string(xml)
    assert m.numeric_data.tobytes() == other.numeric_data.tobytes()
    d = physics.MjData(m)
    physics.mj_step(m, d)
    assert d.qvel[2] < 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (numeric("tumble_lcp_omgea", 1), "2:9: <numeric> tumble_lcp_omgea is no option; valid are tumble_contact_model"),
        (numeric("tumble_lcp_omega", 3), "lcp_omega=3: SOR converges for values between 0 and 2"),
        (numeric("tumble_lcp_method", 1.5), "must be a whole number, is 1.5"),
        (numeric("tumble_lcp_method", "1 2"), "needs 1 number, has 2"),
    ],
)
def test_what_is_no_option_is_an_error_with_its_place(text: str, message: str) -> None:
    with pytest.raises(MjcfError, match=message):
        MjModel.from_xml_string(model_with(text))


def test_other_custom_data_set_nothing() -> None:
    m = MjModel.from_xml_string(model_with(numeric("lcp_omega", 9), numeric("my_tumble_lcp_omega", 9)))
    assert m.tumble.lcp_omega == DEFAULTS["tumble_lcp_omega"]


def test_specs_set_options_and_saved_files_have_them_as_they_are(tmp_path) -> None:
    spec = MjSpec.from_string(model_with(numeric("tumble_lcp_omega", 1.7)))
    assert spec.compile().tumble.lcp_omega == 1.7
    m = MjModel.from_xml_string(model_with(numeric("tumble_lcp_omega", 1.7)))
    m.tumble.lcp_omega = 0.25
    mj_saveLastXML(str(tmp_path / "saved.xml"), m)
    assert MjModel.from_xml_path(str(tmp_path / "saved.xml")).tumble.lcp_omega == 0.25
