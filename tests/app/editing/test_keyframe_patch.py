"""Keyframes as patches of MJCF files: comments and formatting stay, includes are followed, what is wrong is refused."""

import numpy as np
import pytest

from tumble import physics
from tumble.app.editing.keyframe_patch import WantedKey, make
from tumble.app.editing.patch import PatchError

MAIN = """\
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
    path = tmp_path / "m.xml"
    path.write_text(MAIN.format(""))
    patch, names = make(path, [], [WantedKey("a", 0.5, {"qpos": POSE, "mpos": np.array([1.0, 2.0, 3.0])})])
    assert names == ["a"]
    patch.save()
    key = '    <key name="a" time="0.5" qpos="0.1 0.2 0.3333333333333333 1 0 0 0" mpos="1 2 3"/>\n'
    assert path.read_text() == MAIN.format("").replace("\n</mujoco>\n", f"\n  <keyframe>\n{key}  </keyframe>\n</mujoco>\n")
    model = physics.MjModel.from_xml_path(str(path))
    assert model.key_qpos[0].tobytes() == POSE.tobytes()


def test_in_an_include_each_change_is_made_where_its_keyframe_stands(tmp_path):
    path, keys = tmp_path / "m.xml", tmp_path / "keys.xml"
    path.write_text(MAIN.format('<include file="keys.xml"/>'))
    keys.write_bytes(KEYS.encode())
    wanted = [WantedKey("top", 0.0, {"qpos": np.array([0, 0, 2.0, 1, 0, 0, 0])}, 1), WantedKey("new", 0.0, {"qpos": POSE})]
    patch, names = make(path, ["low", "high"], wanted)
    assert names == ["top", "new"]
    assert [file.path.name for file in patch.files] == ["keys.xml"]
    expected = KEYS.replace("\t<key name='low'  qpos=\"0 0 .5 1 0 0 0\"/>\r\n", "").replace('"high"', '"top"')
    line = '\t<key name="new" qpos="0.1 0.2 0.3333333333333333 1 0 0 0"/>\r\n'
    assert patch.files[0].after == expected.replace("  </keyframe>", line + "  </keyframe>").encode()


def test_a_file_that_was_changed_meanwhile_and_numbers_that_do_not_fit_are_refused(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(MAIN.format("<keyframe><key name='b'/></keyframe>"))
    with pytest.raises(PatchError, match="changed since it was loaded"):
        make(path, [], [WantedKey("a", 0.0, {})])
    with pytest.raises(PatchError, match="qpos needs 7 numbers"):
        make(path, ["b"], [WantedKey("b", 0.0, {}, 0), WantedKey("a", 0.0, {"qpos": np.zeros(8)})])


def test_an_empty_section_and_keyframes_asked_for_by_a_size_make_room_for_the_first(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(MAIN.format('<keyframe/>\n  <size nkey="2"/>'))
    wanted = [WantedKey("", 0.0, {}, 0), WantedKey("", 0.0, {}, 1), WantedKey('a "b" & <c>', 0.0, {"qpos": POSE})]
    patch, names = make(path, ["", ""], wanted)
    assert names == ['a "b" & <c>', ""]
    patch.save()
    key = """    <key name='a "b" &amp; &lt;c&gt;' qpos="0.1 0.2 0.3333333333333333 1 0 0 0"/>"""
    assert path.read_text() == MAIN.format(f'<keyframe>\n{key}\n  </keyframe>\n  <size nkey="2"/>')
    with pytest.raises(PatchError, match="<size nkey>"):
        make(path, names, [WantedKey(names[0], 0.0, {"qpos": POSE}, 0)])
