"""What a spec writes compiles to the same model, reads well, and keeps what a person wrote in comments."""

from __future__ import annotations

import copy
import io
import zipfile
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.parity import differences
from tumble import physics
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel
from tumble.physics.spec import MjSpec
from tumble.physics.state.model import Model

ROOT = Path(__file__).resolve().parents[3]
MODELS = [ROOT / f"resources/models/{name}.xml" for name in ("crane", "drone", "mechanism", "metronomes", "slider_crank")]
EVERYTHING = """<!-- Of a robot -->
<mujoco model="m">
  <compiler boundmass="0.01" eulerseq="zyx" balanceinertia="true"/>
  <!-- fast -->
  <option timestep="0.001" integrator="RK4"><flag contact="disable" energy="enable"/></option>
  <visual><map znear="0.02"/><rgba haze="1 0 0.1 1"/></visual>
  <default>
    <geom rgba="1 0 0 1" friction="0.5 0.005 0.0001"/>
    <!-- light ones -->
    <default class="a"><geom size="0.3"/><joint damping="3" range="-10 10"/><motor gear="3" forcerange="-1 1"/>
      <default class="b"><geom size="0.1"/><position kp="30"/></default>
    </default>
  </default>
  <worldbody>
    <light name="l" pos="0 0 3"/>
    <!-- the -- floor - -->
    <geom type="plane" size="1 1 1"/>
    <frame name="fr" pos="0 0 1" euler="0 0 90"><geom name="framed" class="b"/><body name="q"><geom size="0.1"/></body></frame>
    <body name="b1" pos="0 0 1" euler="10 20 30" childclass="a">
      <joint name="j1" axis="0 1 0" ref="10"/><joint name="slide" type="slide" axis="0 0 1" pos="1 0 0"/>
      <geom name="g" type="box" size="0.1 0.2 0.3" class="b"/><geom name="rod" type="cylinder" fromto="0 0 0 0 0 1" size="0.05"/>
      <geom class="main" size="0.2"/>
      <site name="s" pos="0 0 0.5"/>
      <body name="b2" pos="0 0 1"><joint name="j2" type="ball" range="0 30"/><geom mass="2"/><site name="s2"/></body>
      <!-- no more -->
    </body>
  </worldbody>
  <contact><pair geom1="g" geom2="rod" solimp="0.8"/></contact>
  <equality><weld body1="b2" body2="q"/><joint joint1="j1" polycoef="0 1 2 0 0"/></equality>
  <tendon><spatial name="sp" range="0 1"><site site="s"/><geom geom="rod"/><site site="s2"/></spatial></tendon>
  <actuator>
    <!-- strong -->
    <motor name="m1" joint="j1" class="a"/><position name="p1" joint="j1" class="b" inheritrange="1"/>
    <muscle tendon="sp" lengthrange="0.1 0.7"/>
  </actuator>
  <sensor>
    <framepos objtype="site" objname="s" reftype="body" refname="b1"/><contact geom1="g" num="2" data="found force"/>
  </sensor>
  <keyframe><key name="k" qpos="1 0 1 0 0 0" time="2"/></keyframe>
</mujoco>"""


def unequal(ours: Model, again: Model) -> list[str]:
    """The fields in which two models differ by more than rounding."""
    return [name for name in Model._struct.fields if not alike(np.asarray(getattr(ours, name)), np.asarray(getattr(again, name)))]


def alike(a: np.ndarray, b: np.ndarray) -> bool:
    if a.shape != b.shape or a.dtype.kind != "f":
        return a.shape == b.shape and bool((a == b).all())
    return np.allclose(a, b, 1e-12, 1e-12, equal_nan=True)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_what_is_written_is_the_same_model(path: Path) -> None:
    text = MjSpec.from_file(path).to_xml()
    files = {str(path.parent / "written.xml"): text.encode()}
    assert unequal(MjModel.from_xml_path(path), MjModel.from_xml_path(path.parent / "written.xml", texts=files)) == []


BODY = '<body><joint name="j" range="-10 10"/><geom size="1"/><site name="s"/></body>'
FORMS = {
    "classes": '<default><geom material="m" user="1 2"/><site size="0.2 0.3 0.4" type="box"/><pair condim="6"/>'
    '<tendon width="0.1"/></default><asset><material name="m" rgba="1 0 0 1"/></asset><worldbody>'
    '<geom name="g" size="1"/><body name="b" pos="0 0 3"><freejoint/><site/><geom name="h" type="box" size="0.2 1 1"/>'
    '</body></worldbody><contact><pair geom1="g" geom2="h"/></contact>',
    "freejoint": '<worldbody><body><freejoint align="true"/><geom size="0.2" pos="1 0 0"/>'
    '<geom type="box" size=".2 .3 .4"/></body></worldbody>',
    "frames": '<worldbody><frame name="f" pos="1 0 0"><geom name="u" size="1"/></frame><geom name="v" size="1"/>'
    '<frame pos="0 0 2"><frame name="i" euler="10 0 0"><body name="z"><joint/><geom size="1"/><camera/></body>'
    '<geom name="w" size="2"/></frame></frame></worldbody>',
    "replicas": f'<worldbody><replicate count="3" offset="1 0 0">{BODY}</replicate></worldbody>',
    "settings": '<compiler autolimits="false"><lengthrange mode="all" accel="5"/></compiler>'
    '<option actuatorgroupdisable="1 3"><flag sleep="enable"/></option><worldbody><body>'
    '<joint limited="true" range="-9 9"/><geom size="1"/></body></worldbody>',
    "actuators": f'<worldbody>{BODY}</worldbody><actuator><cylinder joint="j" area="2"/>'
    '<damper joint="j" kv="1" ctrlrange="0 1"/><intvelocity joint="j" kp="3" inheritrange="1"/>'
    '<adhesion body="world" gain="2" ctrlrange="0 1"/></actuator>',
    "keyframes": '<custom><numeric name="a" size="3" data="1"/></custom><size nkey="3" nuserdata="2"/><worldbody><body>'
    '<joint/><geom size="1"/></body></worldbody><keyframe><key/><key qpos="0.3"/></keyframe>',
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_written_as_the_same_model(form: str) -> None:
    text = f"<mujoco>{FORMS[form]}</mujoco>"
    assert unequal(MjModel.from_xml_string(text), MjModel.from_xml_string(MjSpec.from_string(text).to_xml())) == []


def test_the_reference_reads_it_as_the_same_model() -> None:
    text = MjSpec.from_string(EVERYTHING).to_xml()
    assert unequal(MjModel.from_xml_string(EVERYTHING), MjModel.from_xml_string(text)) == []
    assert differences(MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(EVERYTHING)) == []
    assert differences(MjModel.from_xml_string(EVERYTHING), mujoco.MjModel.from_xml_string(text)) == []


def test_it_is_written_as_the_reference_writes_it() -> None:
    """Line by line, but where the reference leaves out what the model needs, rounds, or resolves frames and end points."""
    ours = [line for line in MjSpec.from_string(EVERYTHING).to_xml().splitlines() if "<!--" not in line]
    theirs = set(mujoco.MjSpec.from_string(EVERYTHING).to_xml().splitlines())
    assert [line.strip().partition(" ")[0] for line in ours if line not in theirs] == [
        "<compiler", "<joint", "<frame", "<geom", "<body", "<body", "<joint", "<joint", "<geom", "<geom", "<joint", "<weld",
        "<general",
    ]  # fmt: skip
    assert not any(line.endswith(" ") for line in ours)


def test_comments_stand_where_they_stood() -> None:
    lines = [line.strip() for line in MjSpec.from_string(EVERYTHING).to_xml().splitlines()]
    following = {line: lines[k + 1].partition(" ")[0] for k, line in enumerate(lines) if line.startswith("<!--")}
    assert following == {
        "<!-- Of a robot -->": "<mujoco", "<!-- fast -->": "<option", "<!-- light ones -->": "<default",
        "<!-- strong -->": "<general", "<!-- the - - floor - -->": "<geom", "<!-- no more -->": "</body>",
    }  # fmt: skip


def test_comments_are_written_and_deleted_with_their_element() -> None:
    spec = MjSpec.from_string(EVERYTHING)
    spec.delete(spec.geom("framed"))
    spec.delete(spec.actuator("m1"))
    text = spec.to_xml()
    assert "the - - floor" in text
    assert "strong" not in text


def test_numbers_keep_all_digits() -> None:
    spec = MjSpec()
    body = spec.worldbody.add_body(pos=[0.1, 1 / 3, -0.0])
    body.add_geom(size=[1e-7, 0, 0], rgba=[0.1, 0.2, 1 / 3, 1])
    text = spec.to_xml()
    assert 'pos="0.1 0.3333333333333333 -0.0"' in text
    assert 'rgba="0.1 0.2 0.33333334 1"' in text
    again = MjSpec.from_string(text)
    assert again.bodies[1].pos.tolist() == [0.1, 1 / 3, 0.0]
    assert (again.geoms[0].rgba == body.geoms[0].rgba).all()


def test_what_no_file_can_say_is_an_error_at_the_element() -> None:
    spec = MjSpec()
    spec.default.geom.mass = 3
    geom = spec.worldbody.add_geom(size=[1, 0, 0])
    geom.mass = float("nan")
    with pytest.raises(MjcfError, match=r"<geom> its class says mass, which cannot be taken back in a file"):
        spec.to_xml()
    with pytest.raises(MjcfError, match=r"cannot be written: No such file"):
        MjSpec().to_file("/no/such/folder/m.xml")


def test_parts_of_models_with_other_units_and_folders() -> None:
    part = MjSpec.from_string(
        '<mujoco><compiler angle="radian" meshdir="parts"/><asset><mesh name="t" file="t.obj"/></asset><worldbody>'
        '<body name="p"><joint range="-1 1"/><geom type="mesh" mesh="t"/></body></worldbody></mujoco>'
    )
    spec = MjSpec.from_string('<mujoco><worldbody><body><joint range="-90 90"/><geom size="1"/></body></worldbody></mujoco>')
    spec.attach(part, prefix="x-", frame=spec.worldbody.add_frame(pos=[1, 0, 0]))
    text = spec.to_xml()
    assert 'file="parts/t.obj"' in text
    mesh = b"v 0 0 0\nv 1 .1 0\nv 0 1 0\nv .2 0 1.7\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    m = MjModel.from_xml_string(text, {"parts/t.obj": mesh})
    np.testing.assert_allclose(m.jnt_range, [[-np.pi / 2, np.pi / 2], [-1, 1]])


def zipped(**files: bytes) -> io.BytesIO:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_", ".").replace("SLASH", "/"), data)
    stream.seek(0)
    return stream


def test_archives_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "m.zip"
    spec = MjSpec.from_zip(Path(mujoco.__file__).parent / "testdata/MJCF_Root.zip")
    spec.to_zip(path)
    again = MjSpec.from_zip(path)
    assert unequal(spec.compile(), again.compile()) == []
    with zipfile.ZipFile(path) as archive:
        assert len(archive.namelist()) == 1 + len(again.assets)


WRONG = {
    "is not a zip archive": io.BytesIO(b"junk"),
    "holds no model": zipped(a_txt=b"x"),
    "points outside the archive": zipped(__SLASHa_xml=b"<mujoco/>"),
    "holds 2 models: a.xml, b.xml": zipped(a_xml=b"<mujoco/>", b_xml=b"<mujoco/>"),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_bad_archive_is_an_error(message: str) -> None:
    with pytest.raises(MjcfError, match=message):
        MjSpec.from_zip(WRONG[message])


def test_an_archive_that_claims_too_much_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tumble.physics.spec.spec_files.MOST_BYTES", 1000)
    with pytest.raises(MjcfError, match="unpacks to 10009 bytes; at most 1000 bytes are read"):
        MjSpec.from_zip(zipped(a_xml=b"<mujoco/>", b_obj=b"0" * 10_000))


SHAPES = {
    "make_sphere": {"subdivision": 2}, "make_hemisphere": {"resolution": 4}, "make_cone": {"nedge": 6, "radius": 0},
    "make_supersphere": {"resolution": 20, "e": 2, "n": 1}, "make_supertorus": {"resolution": 10, "radius": 0.5, "s": 1, "t": 1},
    "make_wedge": {"resolution": [5, 4], "fov": [90, 45], "gamma": 0.5}, "make_plate": {"resolution": [4, 3]},
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_builtin_mesh_shapes_match_reference_and_round_trip(name: str) -> None:
    specs = [MjSpec(), mujoco.MjSpec()]
    for spec in specs:
        getattr(spec.add_mesh(name="m"), name)(**SHAPES[name])
    ours, theirs = (spec.meshes[0] for spec in specs)
    for field in ("uservert", "userface", "usernormal"):
        np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), atol=1e-7)
    assert unequal(specs[0].compile(), MjModel.from_xml_string(specs[0].to_xml())) == []
    with pytest.raises(ValueError, match="params"):
        specs[0].meshes[0].make_sphere(subdivision=9)


def test_save_last_xml_writes_current_model_values(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    m = MjModel.from_xml_string(EVERYTHING)
    m.body_pos[1:] += 0.1
    m.geom_rgba[1], m.geom_friction[1], m.geom_size[5, :2] = 0.3, [0.3, 0.2, 0.1], [0.06, 0.7]
    m.jnt_range[0], m.dof_damping[:], m.qpos0[0] = [-0.5, 0.5], 7, 0.3
    m.actuator_gainprm[0, 0], m.eq_data[0, 10], m.site_pos[0] = 9, 3, [1, 2, 3]
    m.opt.timestep, m.vis.map.znear, m.body_mass[2] = 0.003, 0.5, 5
    path = tmp_path / "now.xml"
    physics.mj_saveLastXML(str(path), m)
    again = MjModel.from_xml_path(path)
    follows = ("invweight0", "subtreemass", "aabb", "rbound", "M0", "length", "poscom0", "acc0")
    assert [name for name in unequal(m, again) if not name.endswith(follows) and "length0" not in name] == []
    assert "fast" in path.read_text()
    assert caplog.messages == []


def test_any_model_is_written_not_the_last_alone(tmp_path: Path) -> None:
    path = tmp_path / "now.xml"
    spec = MjSpec.from_string('<mujoco><worldbody><geom name="g" size="1"/></worldbody></mujoco>')
    of_text, of_spec = MjModel.from_xml_string(EVERYTHING), spec.compile()
    MjModel.from_xml_string("<mujoco/>")
    for m in (of_text, of_spec):
        m.geom_rgba[0] = 0.25
        physics.mj_saveLastXML(str(path), m)
        assert unequal(m, MjModel.from_xml_path(path)) == []
    alone = copy.copy(of_text)
    with pytest.raises(MjcfError, match="not the one that was loaded last"):
        physics.mj_saveLastXML(str(path), alone)
    spec.worldbody.add_geom(size=[1, 1, 1])
    with pytest.raises(MjcfError, match="what it was made from has changed since"):
        physics.mj_saveLastXML(str(path), of_spec)


def test_a_number_that_no_file_can_say_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    m = MjModel.from_xml_string('<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>')
    m.geom_contype[0], m.body_contype[1] = 3, 5
    physics.mj_saveLastXML(str(tmp_path / "now.xml"), m)
    assert caplog.messages == [f"{tmp_path / 'now.xml'}: no file says these numbers of the model: body_contype"]
