"""Compiled models in files: what comes back is the same, and whatever is wrong with a file is said in one line."""

import hashlib
import json
import struct

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load
from tests.physics.scenes import SMOOTH_SCENE
from tumble import physics
from tumble.physics import MjData, MjModel
from tumble.physics.errors import ModelError
from tumble.physics.state.export import saved
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL

SCENE = """
<mujoco model="kept">
  <option timestep="0.003" gravity="0 0 -3"/>
  <asset>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 1 0" width="8" height="8"/>
    <material name="red" texture="t"/>
    <hfield name="hills" nrow="3" ncol="3" size="2 2 0.3 0.1" elevation="0 1 0 1 2 1 0 1 0"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="hills" material="red"/>
    <body name="stone" pos="0.1 0.2 1"><freejoint/><geom type="mesh" mesh="tetra" mass="1"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" damping="0.1"/>
      <geom name="rod" type="capsule" size="0.05" fromto="0 0 0 0.3 0 0"/><site name="tip" pos="0.3 0 0"/></body>
  </worldbody>
  <tendon><fixed name="string"><joint joint="hinge" coef="2"/></fixed></tendon>
  <equality><tendon tendon1="string" active="false"/></equality>
  <actuator><position name="servo" joint="hinge" kp="3"/></actuator>
  <sensor><framepos objtype="site" objname="tip"/><jointpos joint="hinge"/></sensor>
  <keyframe><key name="up" qpos="0 0 1 1 0 0 0 0.3"/></keyframe>
</mujoco>
"""


@pytest.fixture(scope="module")
def model():
    return MjModel.from_xml_string(SCENE)


@pytest.fixture(scope="module")
def data(model):
    return saved.packed(model)


def steps(model, count=60):
    d = MjData(model)
    d.ctrl = 0.4
    d.qvel = 0.3
    for _ in range(count):
        physics.mj_step(model, d)
    return np.concatenate([d.qpos, d.qvel, d.sensordata, d.qacc_warmstart, [d.time, d.ncon]]).tobytes()


def test_a_model_comes_back_from_its_file_bit_for_bit(model, tmp_path):
    path = tmp_path / "kept.tumble-model"
    physics.mj_saveModel(model, str(path))
    back = MjModel.from_binary_path(path)
    assert path.stat().st_size == physics.mj_sizeModel(model) == physics.mj_sizeModel(back)
    for f in saved._SAVED:
        assert np.asarray(getattr(back, f.name)).tobytes() == np.asarray(getattr(model, f.name)).tobytes(), f.name
    assert steps(back) == steps(model)
    assert back.body("arm").id == model.body("arm").id
    assert list(back.files) == [str(path)]


def test_a_change_made_while_it_ran_is_saved(model):
    changed = MjModel.from_xml_string(SCENE)
    changed.opt.timestep, changed.geom_friction[1] = 0.001, (0.3, 0, 0)
    back = saved.unpacked(saved.packed(changed), MjModel, "changed")
    assert steps(back) == steps(changed) != steps(model)


def test_a_buffer_holds_what_a_file_holds(model, data):
    buffer = np.zeros(physics.mj_sizeModel(model) + 5, np.uint8)
    physics.mj_saveModel(model, None, buffer)
    assert buffer.tobytes() == data + bytes(5)
    assert steps(MjModel.from_binary_path("kept", {"kept": data})) == steps(model)
    with pytest.raises(ModelError, match="at least"):
        physics.mj_saveModel(model, None, buffer[:100])
    with pytest.raises(ModelError, match="filename or a buffer"):
        physics.mj_saveModel(model)


def test_the_file_does_not_depend_on_when_it_is_written(model, data):
    assert saved.packed(model) == data


def broken(data, match):
    with pytest.raises(ModelError, match=match) as raised:
        saved.unpacked(data, MjModel, "here.tumble-model")
    assert str(raised.value).startswith("here.tumble-model: ")
    assert "\n" not in str(raised.value)


def test_a_file_that_is_cut_off_anywhere_says_so(data):
    for length in (len(saved.MAGIC), 40, 63, 64, 500, len(data) // 2, len(data) - 1):
        broken(data[:length], "cut off")
    broken(b"", "not a compiled model")
    broken(data + b"x", "damaged: it should have")


def test_any_flipped_bit_is_noticed(data):
    random = np.random.default_rng(0)
    for at in [*range(64), *random.integers(64, len(data), 60)]:
        spoiled = bytearray(data)
        spoiled[at] ^= 1 << int(random.integers(8))
        broken(bytes(spoiled), "damaged|cut off|version|not a compiled model|spoiled")


def test_files_of_other_kinds_and_versions_are_named(data, tmp_path):
    reference = mujoco.MjModel.from_xml_string("<mujoco/>")
    path = tmp_path / "their.mjb"
    mujoco.mj_saveModel(reference, str(path))
    with pytest.raises(ModelError, match=r"their.mjb: a binary model of MuJoCo \(.mjb\)"):
        MjModel.from_binary_path(path)
    broken(b"<mujoco/>" + bytes(100), "not a compiled model of Tumble")
    broken(data[:16] + struct.pack("<I", 7) + data[20:], "version 7 of the format")
    broken(data.replace(b"\r\n", b"\n"), "spoiled by a transfer as text")
    with pytest.raises(ModelError, match=r"none.tumble-model: does not exist"):
        MjModel.from_binary_path(tmp_path / "none.tumble-model")
    with pytest.raises(ModelError, match="is a folder"):
        MjModel.from_binary_path(tmp_path)


def forged(data, change):
    """A file with another header, whose digest is right."""
    head = struct.unpack_from("<I", data, 20)[0]
    header = json.loads(data[64 : 64 + head])
    change(header)
    text = json.dumps(header).encode()
    content = text + data[64 + head :]
    return saved._HEAD.pack(saved.MAGIC, saved.VERSION, len(text), 64 + len(content), hashlib.sha256(content).digest()) + content


def test_a_header_that_lies_is_noticed_before_memory_is_taken(data):
    broken(forged(data, lambda h: h["sizes"].update(nbody=10**9)), "by its sizes it has")
    broken(forged(data, lambda h: h["sizes"].update(nq=10**30)), "sizes are none")
    broken(forged(data, lambda h: h["sizes"].update(nv=-1)), "nv is negative")
    broken(forged(data, lambda h: h["sizes"].update(nv=1.5)), "sizes are none")
    broken(forged(data, lambda h: h["sizes"].pop("nv")), "sizes are none")
    broken(forged(data, lambda h: h.update(sizes=3)), "does not say what it holds")
    broken(forged(data, lambda h: h["fields"].pop()), "with other fields")
    model = MjModel.from_xml_string(SCENE)
    model.put_number("ntendon", 10**6)
    broken(forged(saved.packed(model), lambda h: h["sizes"].update(ntendon=1)), "ntendon is 1 in the header and 1000000 behind")


REFERRING = {
    "body_parentid": 9, "geom_bodyid": -2, "jnt_qposadr": 8, "jnt_type": 9, "dof_parentid": 6, "geom_dataid": 4, "mesh_face": 4,
    "mesh_graph": 99, "mesh_vertadr": 1, "bvh_child": 0, "sensor_objid": 5, "sensor_adr": 4, "actuator_trnid": 2, "eq_obj1id": 3,
    "hfield_nrow": 9, "tex_width": 99, "name_geomadr": -1, "M_rowadr": 40, "wrap_objid": 12, "geom_type": 11, "mat_texid": 3,
    "geom_condim": 2, "body_bvhnum": 99, "mesh_polyvert": 4, "tendon_num": 9, "M_colind": 2,
    "D_diag": 2**31 - 1, "D_colind": 0,
}  # fmt: skip


@pytest.mark.parametrize("name", REFERRING)
def test_a_number_that_leads_to_nothing_is_refused(model, name):
    forged_model = MjModel.from_xml_string(SCENE)
    forged_model._arrays[name].reshape(-1)[-1] = REFERRING[name]
    broken(saved.packed(forged_model), "damaged: .*(leads?|hull|has)")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("opt_solver", 7, "option solver=7 is unknown; valid are 0 PGS"),
        ("tumble_contact_model", 2**35, r"tumble contact_model=3.4\d+e\+10 is unknown"),
        ("opt_timestep", np.nan, "option timestep=nan"), ("opt_gravity", np.inf, "option gravity=inf"),
    ],
)  # fmt: skip
def test_saved_model_with_invalid_option_is_refused(name, value, says):
    forged_model = MjModel.from_xml_string(SCENE)
    if name in forged_model._arrays:
        forged_model._arrays[name][0] = value
    else:
        forged_model.put_number(name, value)
    broken(saved.packed(forged_model), says)


def test_saved_model_with_delays_round_trips_within_bounds():
    text = SCENE.replace('kp="3"', 'kp="3" delay="0.009" nsample="4"').replace("<jointpos", '<jointpos delay="0.006" nsample="3"')
    delayed = MjModel.from_xml_string(text)
    assert delayed.nhistory > 0
    assert steps(saved.unpacked(saved.packed(delayed), MjModel, "delayed")) == steps(delayed)
    for name, value in (("actuator_historyadr", 99), ("sensor_historyadr", -7), ("actuator_history", 40)):
        forged_model = MjModel.from_xml_string(text)
        forged_model._arrays[name].reshape(-1)[{"sensor_historyadr": 1}.get(name, 0)] = value
        broken(saved.packed(forged_model), "lead beyond nhistory")


@pytest.fixture(scope="module")
def scene():
    m, d = load(SMOOTH_SCENE)
    d.qvel = 0.25
    physics.mj_forward(m, d)
    return m, d


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


def test_print_model_lists_every_nonempty_field(scene, tmp_path):
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


def test_a_file_that_is_missing_or_damaged_is_a_value_error_as_in_the_reference(tmp_path):
    (tmp_path / "cut.mjb").write_bytes(b"no model")
    for name in ("none.mjb", "cut.mjb"):
        for engine in (physics, mujoco):
            with pytest.raises(ValueError):  # noqa: PT011 - the reference has one text for all
                engine.MjModel.from_binary_path(str(tmp_path / name))
