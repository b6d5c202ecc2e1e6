"""Elements of a spec: fields that live, errors that say what is valid, names, classes, lists."""

from pathlib import Path

import numpy as np
import pytest

from tumble import physics
from tumble.physics import MjcfError, MjData, MjModel, MjSpec


@pytest.fixture
def spec():
    built = MjSpec()
    body = built.worldbody.add_body(name="arm")
    body.add_geom(name="ball", size=[0.1])
    body.add_joint(name="hinge")
    built.add_actuator(name="motor", trntype=physics.mjtTrn.mjTRN_JOINT, target="hinge")
    built.add_sensor(name="angle", type=physics.mjtSensor.mjSENS_JOINTPOS, objtype=physics.mjtObj.mjOBJ_JOINT, objname="hinge")
    return built


def test_arrays_are_live_and_keep_their_identity(spec):
    pos = spec.body("arm").pos
    pos[0] = 4
    spec.body("arm").pos = [1, 2, 3]
    assert list(pos) == [1, 2, 3]
    assert list(spec.compile().body_pos[1]) == [1, 2, 3]


@pytest.mark.parametrize(("field", "value", "error", "says"), [
    ("pos", [1, 2], ValueError, "pos should be a list/array of size 3."),
    ("size", [], ValueError, "size should be a list/array of size 1, 2, or 3."),
    ("pos", "abc", TypeError, "pos should be a list/array of numbers"),
    ("type", "box", TypeError, "mjtGeom"),
    ("type", 77, ValueError, "mjGEOM_SPHERE 2"),
    ("contype", 1.5, TypeError, "contype should be an integer"),
    ("material", 3, TypeError, "material should be a text"),
])  # fmt: skip
def test_wrong_values_are_refused_and_nothing_changes(spec, field, value, error, says):
    with pytest.raises(TypeError, match=r"Invalid colour keyword argument. Valid options are: .*rgba"):
        spec.body("arm").add_geom(colour=1)
    with pytest.raises(AttributeError, match="colour"):
        spec.geom("ball").colour = 1
    geom = spec.geom("ball")
    before = np.array(getattr(geom, field)).tolist()
    with pytest.raises(error, match=says):
        setattr(geom, field, value)
    with pytest.raises(error, match=says):
        spec.body("arm").add_geom(name="new", **{field: value})
    assert np.array(getattr(geom, field)).tolist() == before
    assert spec.geom("new") is None
    assert len(spec.geoms) == 1


def test_names_of_a_kind_differ(spec):
    with pytest.raises(ValueError, match="repeated name 'ball' in geom"):
        spec.worldbody.add_geom(name="ball")
    other = spec.worldbody.add_geom(name="other", size=[1])
    with pytest.raises(ValueError, match="repeated name"):
        other.name = "ball"
    spec.geom("ball").name = "bowl"
    other.name = "ball"
    assert spec.geom("ball") is other


def test_a_body_goes_with_all_that_refers_to_it(spec):
    arm, ball = spec.body("arm"), spec.geom("ball")
    spec.delete(arm)
    assert (spec.bodies, spec.geoms, spec.actuators, spec.sensors) == ([spec.worldbody], [], [], [])
    for use in (lambda: ball.size, lambda: setattr(arm, "pos", [0, 0, 0]), lambda: arm.add_geom(), lambda: spec.delete(ball)):
        with pytest.raises(ValueError, match="was deleted"):
            use()
    assert spec.compile().nbody == 1


def test_the_world_and_parts_of_other_specs_cannot_be_deleted(spec):
    for element, says in ((spec.worldbody, "world"), (MjSpec().worldbody.add_body(), "another spec"),
                          (spec.default.geom, "default class"), (spec.default, "outermost")):  # fmt: skip
        with pytest.raises(ValueError, match=says):
            spec.delete(element)


def test_elements_and_defaults_inherit_from_their_class(spec):
    spec.default.geom.friction = [0.5, 0.1, 0.1]
    leg = spec.add_default("leg", spec.default)
    leg.geom.size[0] = 0.3
    assert list(spec.worldbody.add_geom(leg).size) == [0.3, 0, 0]
    body = spec.worldbody.add_body(childclass="leg")
    frame = body.add_frame(pos=[0, 0, 1])
    geom = frame.add_geom()
    assert (geom.classname.name, geom.size[0], geom.friction[0]) == ("leg", 0.3, 0.5)
    spec.delete(leg)
    assert geom.classname is spec.default
    assert spec.find_default("leg") is None


def test_errors_name_the_element_and_carry_its_info(spec):
    spec.actuator("motor").target = "knee"
    spec.actuator("motor").info = "added in script.py"
    with pytest.raises(MjcfError, match=r"(?s)knee.*Element name 'motor', id 0, added in script.py"):
        spec.compile()
    spec.actuator("motor").target = "hinge"
    assert spec.compile().nu == 1


def test_bound_elements_are_those_of_the_model(spec):
    model = spec.compile()
    data = MjData(model)
    data.bind(spec.joint("hinge")).qpos = 0.5
    physics.mj_forward(model, data)
    assert data.bind(spec.sensor("angle")).data[0] == 0.5
    assert model.bind(spec.geom("ball")).size[0] == 0.1
    spec.worldbody.add_body(name="new")
    with pytest.raises(ValueError, match="does not match"):
        model.bind(spec.geom("ball"))


def test_recompiling_keeps_the_state_of_what_was_there(spec):
    model = spec.compile()
    data = MjData(model)
    data.qpos, data.qvel, data.ctrl, data.time = 0.7, 0.2, 0.3, 1.5
    first = spec.worldbody.bodies[0].add_body(name="hand")
    first.add_geom(size=[0.1])
    first.add_joint(name="wrist")
    spec.body("arm").add_joint(name="lift", type=physics.mjtJoint.mjJNT_SLIDE)
    recompiled, fresh = spec.recompile(model, data)
    assert fresh.bind(spec.joint("hinge")).qpos == 0.7
    assert (recompiled.nq, fresh.time, fresh.qvel[recompiled.joint("hinge").dofadr[0]], fresh.ctrl[0]) == (3, 1.5, 0.2, 0.3)


def test_copies_share_nothing(spec):
    copy = spec.copy()
    copy.geom("ball").size[0] = 5
    copy.delete(copy.body("arm"))
    copy.option.timestep = 1
    assert (spec.geom("ball").size[0], len(spec.actuators), spec.option.timestep) == (0.1, 1, 0.002)
    assert copy.compile().nbody == 1
    assert spec.body("arm").plugin.name == ""  # reading it adds none
    assert spec.compile().nbody == 2


def test_textures_of_bytes_are_the_model_s():
    spec = MjSpec()
    texture = spec.add_texture(name="t", type=physics.mjtTexture.mjTEXTURE_2D, width=2, height=1)
    texture.data = bytes(range(6))
    assert list(spec.compile().tex_data) == list(range(6))
    texture.data = b"12345"
    with pytest.raises(MjcfError, match="data has 5 bytes"):
        spec.compile()


def test_attached_spec_cannot_be_attached_again_or_compiled(spec):
    parent = MjSpec()
    frame = parent.worldbody.add_frame(pos=[0, 0, 1])
    ball = spec.geom("ball")
    parent.attach(spec, prefix="l-", frame=frame)
    assert (ball.name, parent.geom("l-ball") is ball, spec.parent is parent) == ("l-ball", True, True)
    with pytest.raises(MjcfError, match="attached"):
        spec.compile()
    with pytest.raises(ValueError, match=r"attach a copy"):
        parent.attach(spec, prefix="r-", frame=frame)
    assert parent.compile().nu == 1


def test_a_spec_attaches_to_itself_as_a_copy_and_never_half(spec):
    frame = spec.worldbody.add_frame(pos=[0, 0, 1])
    with pytest.raises(ValueError, match="repeated name 'arm'"):
        frame.attach_body(spec.body("arm"), prefix="")
    with pytest.raises(ValueError, match="repeated name 'arm'"):
        spec.attach(spec, prefix="", frame=frame)
    assert (len(spec.bodies), spec.frames) == (2, [frame])
    frame.attach_body(spec.body("arm"), prefix="second-")
    model = spec.compile()
    assert (model.nbody, model.nu, [spec.geom(name).id for name in ("ball", "second-ball")]) == (3, 2, [0, 1])


def test_keyframes_follow_their_elements_into_the_whole():
    parent, child = MjSpec(), MjSpec()
    for owner, name in ((parent, "a"), (child, "b")):
        body = owner.worldbody.add_body(name=name)
        body.add_geom(size=[1])
        body.add_joint(name=name, ref=0.0)
        owner.add_key(name=f"{name}-key", qpos=[1.5 if name == "a" else 2.5])
    parent.attach(child, prefix="c-", frame=parent.worldbody.add_frame())
    model = parent.compile()
    assert model.key_qpos.tolist() == [[1.5, 0.0], [0.0, 2.5]]
    assert [list(key.qpos) for key in parent.keys] == [[1.5, 0.0], [0.0, 2.5]]


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


def test_a_spec_that_is_changed_compiles_to_the_changed_file():
    text = """<mujoco><worldbody><body name="b" euler="0 0 90">
      <joint name="j" range="-45 45"/><geom name="g" size="{}"/></body></worldbody></mujoco>"""
    spec = MjSpec.from_string(text.format(".1"))
    spec.geom("g").size = [0.25]
    assert_same_bits(spec.compile(), MjModel.from_xml_string(text.format(".25")))
    assert np.isclose(spec.compile().jnt_range[0, 1], np.pi / 4)  # degrees, as the file says
