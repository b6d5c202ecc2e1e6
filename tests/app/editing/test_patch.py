"""Patches of MJCF files: only the changed numbers change, comments and formatting stay, includes are followed."""

import math
import os

import numpy as np
import pytest

from tests.app.conftest import MODELS, open_and_wait, written
from tumble import physics
from tumble.app.editing import model_values, patch
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.impedance import rounded
from tumble.app.editing.keyframe_patch import WantedKey
from tumble.app.editing.keyframe_patch import make as make_keys
from tumble.app.editing.keyframes import Keyframes
from tumble.app.editing.whole_model import as_it_is, save_copy

MAIN = """\
<?xml version="1.0"?>
<!-- Größe -- a comment with "quotes", <geom solref="9 9"/> and two dashes -->
<mujoco model="m">
\t<default><geom solref='0.03  1.0'   condim="4"/><joint frictionloss="0.5"/></default>
  <include file="parts/leg.xml"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>  <!-- the floor has no name -->
    <body pos="0 0 1"><joint name="j" axis="0 0 1" range="-90 45"/><geom name="a&amp;b"
        size="0.1"
        solimp = "0.900 0.95"
        friction="1"/><geom size="0.05" pos="0 0 .2"></geom></body>
  </worldbody>
  <equality><joint joint1="j"/></equality>
</mujoco>
"""
LEG = """<mujocoinclude>\r
  <worldbody><body pos="1 0 1"><freejoint/><geom name="leg" type="capsule" size=".1 .2" solmix="2"/></body></worldbody>\r
</mujocoinclude>\r
"""


@pytest.fixture
def main(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "leg.xml").write_bytes(LEG.encode())
    return written(tmp_path / "main.xml", MAIN)


def _model(path):
    return physics.MjModel.from_xml_path(str(path))


def _change(model, field, index, *now):
    place = EditPlace(field, index)
    return {place: (model_values.value(model, place), tuple(map(float, now)))}


def _geom(model, name):
    return int(physics.mj_name2id(model, physics.mjtObj.mjOBJ_GEOM, name))


def _saved(path, changes):
    file_patch = patch.make(path, _model(path), changes)
    assert not file_patch.left
    file_patch.save()
    model = _model(path)
    for place, (_, now) in changes.items():
        assert model_values.value(model, place) == now
    return model


@pytest.mark.parametrize(
    ("field", "index", "numbers", "old", "new"),
    [
        ("geom_solimp", 2, {1: 0.1 + 0.2}, 'solimp = "0.900 0.95"', 'solimp = "0.900 0.30000000000000004"'),
        ("geom_friction", 2, {0: 0.8}, 'friction="1"', 'friction="0.8"'),  # what is not written out is kept...
        ("geom_friction", 2, {0: 0.8, 1: 0.01}, 'friction="1"', 'friction="0.8 0.01 0.0001"'),  # ... unless it changes
        ("geom_condim", 0, {0: 6}, "/>  <!-- the floor", ' condim="6"/>  <!-- the floor'),  # in place of the class's
        ("geom_margin", 3, {0: 1e-5}, 'pos="0 0 .2">', 'pos="0 0 .2" margin="1e-05">'),
        ("eq_solref", 0, {0: -100, 1: -10}, '<joint joint1="j"/>', '<joint joint1="j" solref="-100 -10"/>'),
        ("jnt_range", 1, {1: math.pi / 180 * 30.0}, 'range="-90 45"', 'range="-90 30"'),  # in the unit of the file
    ],
)
def test_only_the_changed_numbers_change_and_no_other_byte(main, field, index, numbers, old, new):
    model = _model(main)
    values = np.atleast_1d(getattr(model, field)[index]).tolist()
    for k, number in numbers.items():
        values[k] = number
    _saved(main, _change(model, field, index, *values))
    assert main.read_bytes() == MAIN.replace(old, new).encode()
    assert (main.parent / "parts" / "leg.xml").read_bytes() == LEG.encode()


def test_the_file_that_is_included_is_the_one_that_changes(main):
    m = _model(main)
    file_patch = patch.make(main, m, _change(m, "geom_solmix", _geom(m, "leg"), 0.5))
    assert [file.path.name for file in file_patch.files] == ["leg.xml"]
    assert [line for line in file_patch.files[0].diff() if line[0] in "+-"][2:] == [
        "-" + LEG.splitlines()[1],
        "+" + LEG.splitlines()[1].replace('"2"', '"0.5"'),
    ]
    file_patch.save()
    assert (main.parent / "parts" / "leg.xml").read_bytes() == LEG.replace('solmix="2"', 'solmix="0.5"').encode()
    assert main.read_bytes() == MAIN.encode()


def test_patch_writes_replicated_element_only_if_all_agree(tmp_path):
    path = tmp_path / "scene.xml"
    text = """<mujoco><option timestep="0.001"/><asset><model name="M" file="part.xml"/></asset><worldbody>
<replicate count="3" offset="1 0 0"><geom name="g" size=".1" solmix="1"/></replicate>
<attach model="M" prefix="x_" body="a"/>
<composite type="cable" prefix="c" count="4 1 1" curve="s"><geom type="capsule" size=".01"/></composite></worldbody></mujoco>"""
    part = """<mujoco><option timestep="9"/><worldbody><body name="a"><geom name="h" size=".1"/></body></worldbody></mujoco>"""
    path.write_text(text)
    (tmp_path / "part.xml").write_text(part)
    m = _model(path)
    file_patch = patch.make(path, m, _change(m, "geom_solmix", _geom(m, "g1"), 2))
    assert not file_patch.files
    assert "geom_solmix of number 1: its element at scene.xml:2 stands for 3 of the model" in file_patch.left[0]
    changes = {k: v for i in range(3) for k, v in _change(m, "geom_solmix", _geom(m, f"g{i}"), 2).items()}
    m = _saved(path, changes)
    assert path.read_text() == text.replace('solmix="1"', 'solmix="2"')
    m = _saved(path, _change(m, "geom_solmix", _geom(m, "x_h"), 3) | _change(m, "opt.timestep", None, 0.002))
    assert (tmp_path / "part.xml").read_text() == part.replace('size=".1"', 'size=".1" solmix="3"')
    assert path.read_text() == text.replace('solmix="1"', 'solmix="2"').replace("0.001", "0.002")
    file_patch = patch.make(path, m, _change(m, "jnt_margin", 0, 2))
    assert file_patch.left == ["jnt_margin of number 0: <joint> has no attribute for it"]


def test_options_and_flags_find_or_make_their_place(main):
    m = _model(main)
    override = int(physics.mjtEnableBit.mjENBL_OVERRIDE)
    changes = _change(m, "opt.enableflags", None, override) | _change(m, "opt.o_solref", None, 0.05, 1)
    changes |= _change(m, "opt.cone", None, 1)
    m = _saved(main, changes)
    line = '  <option o_solref="0.05 1" cone="elliptic"><flag override="enable"/></option>\n'
    assert main.read_bytes() == MAIN.replace('<mujoco model="m">\n', '<mujoco model="m">\n' + line).encode()
    _saved(main, _change(m, "opt.o_margin", None, 0.25) | _change(m, "opt.enableflags", None, 0))
    text = line.replace("><flag", ' o_margin="0.25"><flag').replace("enable", "disable")
    assert main.read_bytes() == MAIN.replace('<mujoco model="m">\n', '<mujoco model="m">\n' + text).encode()


def test_dofs_of_a_joint_and_what_no_file_can_say(main):
    m = _model(main)
    j = int(physics.mj_name2id(m, physics.mjtObj.mjOBJ_JOINT, "j"))
    i = int(m.jnt_dofadr[j])
    free = next(k for k in range(m.nv) if k != i)
    changes = _change(m, "dof_frictionloss", i, 2) | _change(m, "dof_frictionloss", free, 1) | _change(m, "stat.extent", None, 2)
    file_patch = patch.make(main, m, changes)
    assert file_patch.places == [EditPlace("dof_frictionloss", i)]
    assert len(file_patch.left) == 2
    assert "<freejoint>" in " ".join(file_patch.left) or "dofs" in " ".join(file_patch.left)
    file_patch.save()
    assert main.read_bytes() == MAIN.replace('range="-90 45"/>', 'range="-90 45" frictionloss="2"/>').encode()


def test_a_file_that_has_changed_since_is_left_alone(main):
    m = _model(main)
    change = _change(m, "geom_condim", 0, 6)
    file_patch = patch.make(main, m, change)
    text = MAIN.replace('condim="4"', 'condim="3"')
    main.write_text(text)
    with pytest.raises(patch.PatchError, match="another program"):
        file_patch.save()
    with pytest.raises(patch.PatchError, match="reload"):
        patch.make(main, m, change)
    main.write_text("<mujoco")
    with pytest.raises(patch.PatchError, match="no longer loads"):
        patch.make(main, m, change)
    assert main.read_text() == "<mujoco"


def test_saving_keeps_links_and_modes_and_leaves_nothing_behind(main, tmp_path):
    link = tmp_path / "link.xml"
    link.symlink_to(main)
    main.chmod(0o640)
    before = sorted(os.listdir(tmp_path))
    m = _model(link)
    patch.make(link, m, _change(m, "geom_condim", 0, 6)).save()
    assert link.is_symlink()
    assert main.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == before
    with pytest.raises(patch.PatchError, match="cannot be written"):
        patch.write_whole(tmp_path / "no" / "folder.xml", b"")


def test_a_copy_has_the_changes_and_the_file_stays(main):
    model, before = _model(main), main.read_bytes()
    file_patch = patch.make(main, model, _change(model, "geom_friction", _geom(model, "a&b"), 0.5, 0.005, 0.0001))
    target = main.with_name("copy.xml")
    save_copy(file_patch, main, target)
    assert main.read_bytes() == before
    assert target.read_bytes() == file_patch.files[0].after != before
    copied = _model(target)
    assert copied.geom_friction[_geom(copied, "a&b"), 0] == 0.5


def test_save_copy_refuses_broken_includes_and_lost_changes(main, tmp_path):
    model = _model(main)
    here = patch.make(main, model, _change(model, "geom_friction", _geom(model, "a&b"), 0.5, 0.005, 0.0001))
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(patch.PatchError, match=r"would not load there; save it next to main.xml"):
        save_copy(here, main, tmp_path / "elsewhere" / "copy.xml")  # parts/leg.xml is not there
    included = patch.make(main, model, _change(model, "geom_solmix", _geom(model, "leg"), 3))
    with pytest.raises(patch.PatchError, match=r"leg.xml, which main.xml includes"):
        save_copy(included, main, main.with_name("copy.xml"))
    with pytest.raises(patch.PatchError, match="cannot be written"):
        patch.write_whole(main / "copy.xml", b"")  # below a file
    assert sorted(p.name for p in tmp_path.rglob("*.xml")) == ["leg.xml", "main.xml"]


CLASSES = """<mujoco>
  <default>
    <default class="foot"><geom solref=".02 1"/></default>
    <default class="hand"/>
  </default>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body><freejoint/><geom class="foot" size=".1"/><geom class="foot" size=".1" pos="1 0 0"/></body>
    <body childclass="hand"><freejoint/><geom size=".1"/><geom size=".1" pos="1 0 0"/><geom class="foot" size=".2"/></body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize(
    ("geoms", "old", "new"),
    [
        ((1, 2, 5), '<geom solref=".02 1"/>', '<geom solref="0.05 1"/>'),  # all of a class
        ((3, 4), '<default class="hand"/>', '<default class="hand">\n      <geom solref="0.05 1"/>\n    </default>'),
        ((1,), 'class="foot" size=".1"/>', 'class="foot" size=".1" solref="0.05 1"/>'),  # one of it
    ],
)
def test_patch_of_all_geoms_of_a_class_edits_the_class(tmp_path, geoms, old, new):
    path = written(tmp_path / "classes.xml", CLASSES)
    model = _model(path)
    patch.make(path, model, {k: v for g in geoms for k, v in _change(model, "geom_solref", g, 0.05, 1).items()}).save()
    assert path.read_text() == CLASSES.replace(old, new, 1)


def test_a_class_that_says_it_of_others_too_is_left_alone(tmp_path):
    text = CLASSES.replace('<default class="hand"/>', "").replace("</default>\n  </default>", "</default></default>")
    text = text.replace('<default class="foot"><geom solref=".02 1"/></default>',
                        '<default class="foot"><default class="hand"/></default>')  # fmt: skip
    path = written(tmp_path / "nested.xml", text)
    model = _model(path)
    patch.make(path, model, {k: v for g in (1, 2, 5) for k, v in _change(model, "geom_solref", g, 0.05, 1).items()}).save()
    after = _model(path)
    assert after.geom_solref[:, 0].tolist() == [0.02, 0.05, 0.05, 0.02, 0.02, 0.05]
    assert path.read_text().count('solref="0.05 1"') == 3


SOFT = """<mujoco><worldbody>
    <flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="0 0 1" radius=".01" mass="1">
      <!-- rubber --> <elasticity young="2e4" poisson='.1' thickness="0.01"  elastic2d="stretch"/>
      <contact selfcollide="none" solref=".01  1"/></flexcomp>
    <flexcomp name="rope" type="grid" dim="1" count="5 1 1" spacing=".1 1 1" pos="2 0 1" radius=".01" mass="1"/>
    <body name="a"><freejoint/><geom size=".1"/></body><body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <deformable><flex name="bar" dim="1" body="a b" element="0 1" radius=".02"><edge stiffness="3"/></flex></deformable>
</mujoco>
"""


def test_patch_of_flex_edits_or_creates_child_elements(tmp_path):
    path = written(tmp_path / "soft.xml", SOFT)
    model = _model(path)
    cloth, rope, bar = (int(physics.mj_name2id(model, physics.mjtObj.mjOBJ_FLEX, n)) for n in ("cloth", "rope", "bar"))
    changes = {
        **_change(model, "flex_young", cloth, 35000), **_change(model, "flex_thickness", cloth, 0.02),
        **_change(model, "flex_solref", cloth, 0.02, 1), **_change(model, "flex_radius", cloth, 0.015),
        **_change(model, "flex_edgestiffness", rope, 40), **_change(model, "flex_edgedamping", rope, 0.5),
        **_change(model, "flex_condim", rope, 1), **_change(model, "flex_edgestiffness", bar, 5),
        **_change(model, "flex_friction", bar, 0.5, 0.005, 0.0001),
    }  # fmt: skip
    file_patch = patch.make(path, model, changes)
    assert file_patch.left == []
    text = file_patch.files[0].after.decode()
    assert """<elasticity young="35000" poisson='.1' thickness="0.02"  elastic2d="stretch"/>""" in text
    assert '<contact selfcollide="none" solref="0.02  1"/>' in text
    assert 'pos="0 0 1" radius="0.015" mass="1"' in text
    assert '<edge stiffness="40" damping="0.5"/>' in text
    assert '<contact condim="1"/>' in text
    assert '<edge stiffness="5"/>' in text
    assert '<contact friction="0.5 0.005 0.0001"/>' in text
    _saved(path, changes)


KEYED = """\
<mujoco>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom size=".1"/></body>
    <body name="hand" mocap="true" pos="1 0 0"/>
  </worldbody>
  {}
  <!-- </mujoco> is the end -->
</mujoco>
"""
KEYS = """<mujoco>\r
  <keyframe>  <!-- poses -->\r
\t<key name='low'  qpos="0 0 .5 1 0 0 0"/>\r
\t<key name="high"
\t     qpos="0 0 2 1 0 0 0"/> <!-- up -->\r
  </keyframe>\r
</mujoco>\r
"""
POSE = np.array([0.1, 0.2, 1 / 3, 1.0, 0.0, 0.0, 0.0])


def test_without_keyframes_a_section_is_added_before_the_end(tmp_path):
    path = written(tmp_path / "m.xml", KEYED.format(""))
    patch, names = make_keys(path, [], [WantedKey("a", 0.5, {"qpos": POSE, "mpos": np.array([1.0, 2.0, 3.0])})])
    assert names == ["a"]
    patch.save()
    key = '    <key name="a" time="0.5" qpos="0.1 0.2 0.3333333333333333 1 0 0 0" mpos="1 2 3"/>\n'
    assert path.read_text() == KEYED.format("").replace("\n</mujoco>\n", f"\n  <keyframe>\n{key}  </keyframe>\n</mujoco>\n")
    model = physics.MjModel.from_xml_path(str(path))
    assert model.key_qpos[0].tobytes() == POSE.tobytes()


def test_keyframe_patch_edits_the_included_file(tmp_path):
    path, keys = tmp_path / "m.xml", tmp_path / "keys.xml"
    path.write_text(KEYED.format('<include file="keys.xml"/>'))
    keys.write_bytes(KEYS.encode())
    keyframes = [WantedKey("top", 0.0, {"qpos": np.array([0, 0, 2.0, 1, 0, 0, 0])}, 1), WantedKey("new", 0.0, {"qpos": POSE})]
    patch, names = make_keys(path, ["low", "high"], keyframes)
    assert names == ["top", "new"]
    assert [file.path.name for file in patch.files] == ["keys.xml"]
    expected = KEYS.replace("\t<key name='low'  qpos=\"0 0 .5 1 0 0 0\"/>\r\n", "").replace('"high"', '"top"')
    line = '\t<key name="new" qpos="0.1 0.2 0.3333333333333333 1 0 0 0"/>\r\n'
    assert patch.files[0].after == expected.replace("  </keyframe>", line + "  </keyframe>").encode()


def test_keyframe_patch_refuses_stale_file_and_wrong_sizes(tmp_path):
    path = written(tmp_path / "m.xml", KEYED.format("<keyframe><key name='b'/></keyframe>"))
    with pytest.raises(PatchError, match="changed since it was loaded"):
        make_keys(path, [], [WantedKey("a", 0.0, {})])
    with pytest.raises(PatchError, match="qpos needs 7 numbers"):
        make_keys(path, ["b"], [WantedKey("b", 0.0, {}, 0), WantedKey("a", 0.0, {"qpos": np.zeros(8)})])


def test_keyframe_patch_fills_empty_section_and_size_nkey(tmp_path):
    path = written(tmp_path / "m.xml", KEYED.format('<keyframe/>\n  <size nkey="2"/>'))
    keyframes = [WantedKey("", 0.0, {}, 0), WantedKey("", 0.0, {}, 1), WantedKey('a "b" & <c>', 0.0, {"qpos": POSE})]
    patch, names = make_keys(path, ["", ""], keyframes)
    assert names == ['a "b" & <c>', ""]
    patch.save()
    key = """    <key name='a "b" &amp; &lt;c&gt;' qpos="0.1 0.2 0.3333333333333333 1 0 0 0"/>"""
    assert path.read_text() == KEYED.format(f'<keyframe>\n{key}\n  </keyframe>\n  <size nkey="2"/>')
    with pytest.raises(PatchError, match="<size nkey>"):
        make_keys(path, names, [WantedKey(names[0], 0.0, {"qpos": POSE}, 0)])


def test_a_number_gets_the_fewest_digits_that_keep_its_effect():
    assert rounded((-123456.78901, -702.7), lambda v: v) == (-123500.0, -702.7)
    assert rounded((0.019999999,), lambda v: v) == (0.02,)
    # A difference of near numbers needs more digits than either alone: the mixture with another geom may be one.
    assert rounded((1.000123456,), lambda v: (v[0] - 1,)) == (1.0001235,)
    assert rounded((3.14159,), lambda v: (math.inf, v[0])) == (3.14,)  # what is infinite stays so


@pytest.mark.pumped
def test_they_stay_when_the_model_is_read_again_and_end_with_it(session, qtbot, tmp_path):
    path = written(tmp_path / "arm.xml", (MODELS / "arm.xml").read_text())

    def read_again():
        open_and_wait(qtbot, session, path, lambda: session.read_again({str(path): "another digest"}))

    session.set_paused(True)
    open_and_wait(qtbot, session, path)
    keyframes = session.part(Keyframes)
    keyframes.save("mine")
    keyframes.save("left")
    assert [key.name for key in keyframes.all] == ["left", "right", "mine", "left 2"]
    path.write_text(path.read_text().replace('name="left"', 'name="mine"'))
    read_again()
    assert [(key.name, key.origin) for key in keyframes.all] == [("mine", 0), ("right", 1), ("mine 2", None), ("left 2", None)]
    path.write_text(path.read_text().replace("</keyframe>", '<key name="left 2"/></keyframe>'))
    read_again()  # which the file has by now
    assert [key.name for key in keyframes.all] == ["mine", "right", "left 2", "mine 2"]
    assert keyframes.waiting == 1
    open_and_wait(qtbot, session, path)
    assert keyframes.waiting == 0


OWN = {
    EditPlace("tumble.contact_model"): ((0.0,), (1.0,)), EditPlace("tumble.lcp_omega"): ((1.3,), (1.55,)),
    EditPlace("tumble.lcp_method"): ((3.0,), (2.0,)),
}  # fmt: skip


CUSTOM = {"none": "", "some": "<custom><numeric name='a' data='1 2'/></custom>", "empty": "<custom/>"}


@pytest.mark.parametrize("custom", CUSTOM.values(), ids=CUSTOM)
def test_options_beyond_the_reference_are_numbers_of_custom_data(tmp_path, custom):
    path = written(tmp_path / "own.xml", f"<mujoco>\n  {custom}\n  <worldbody><geom size='1'/></worldbody>\n</mujoco>\n")
    model = _model(path)
    made = patch.make(path, model, OWN)
    assert made.left == []
    made.save()
    again = _model(path)
    assert (again.tumble.contact_model, again.tumble.lcp_omega, again.tumble.lcp_method) == (1, 1.55, 2)
    assert again.nnumeric == 3 + custom.count("numeric")
    model.tumble.lcp_omega = 1.55  # the model that runs has no such elements: it is the same nevertheless
    second = patch.make(path, model, {EditPlace("tumble.lcp_omega"): ((1.55,), (1.2,))})
    assert second.left == []
    (line,) = (line for line in second.files[0].diff() if line.startswith("+ "))
    assert line.strip("+ ") == '<numeric name="tumble_lcp_omega" data="1.2"/>'
    geom = patch.make(path, model, _change(model, "geom_friction", 0, 0.5, 0.005, 0.0001))
    assert geom.left == []


def test_a_copy_as_it_is_has_options_beyond_the_reference(tmp_path):
    path = written(tmp_path / "own.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    model = _model(path)
    model.tumble.contact_model, model.tumble.lcp_method, model.tumble.lcp_omega = 1, 2, 1.55
    whole = as_it_is(path, tmp_path / "copy.xml", model, OWN)
    assert whole.left == []
    whole.save(tmp_path / "copy.xml")
    assert _model(tmp_path / "copy.xml").tumble.lcp_omega == 1.55
