"""Patches that silence a rule: wherever the file has its <custom>, and no other byte changes."""

import pytest

from tumble import physics
from tumble.app.doctor.silence import silenced
from tumble.app.doctor.silence_patch import make
from tumble.app.editing.attribute_text import PatchError

BODY = '<worldbody><geom size=".1"/></worldbody>'
TEXT = '<text name="doctor_silence" data="{}"/>'
FILES = {
    "without custom": (f"<mujoco>\n  {BODY}\n</mujoco>\n", f"  <custom>\n    {TEXT.format('sink')}\n  </custom>\n"),
    "on one line": (f"<mujoco>{BODY}</mujoco>", f"  <custom>\n    {TEXT.format('sink')}\n  </custom>\n"),
    "empty custom": (f"<mujoco>\n  <custom/>\n  {BODY}\n</mujoco>\n", f"><!-- -->{TEXT.format('sink')}"),
    "custom with others": (
        f'<mujoco>\n  <custom>\n      <numeric name="n" data="1"/>\n  </custom>\n  {BODY}\n</mujoco>\n',
        f"      {TEXT.format('sink')}\n",
    ),
    "silent already": (f"<mujoco>\n  <custom>{TEXT.format('no-range')}</custom>\n  {BODY}\n</mujoco>\n", " sink"),
    "comments": (
        f"<mujoco>\n  <!-- </mujoco> <custom> -->\n  {BODY}\n  <!-- x -->\n</mujoco>\n<!-- </mujoco> -->\n",
        f"  <custom>\n    {TEXT.format('sink')}\n  </custom>\n",
    ),
    "other line ends": (
        f"<mujoco>\r\n  {BODY}\r\n</mujoco>\r\n", f"  <custom>\r\n    {TEXT.format('sink')}\r\n  </custom>\r\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_patch_adds_the_rule_and_nothing_else(name, tmp_path):
    text, added = FILES[name]
    path = tmp_path / "model.xml"
    path.write_bytes(text.encode())
    before = silenced(physics.MjModel.from_xml_path(str(path)))
    patch = make(path, "sink")
    patch.save()
    after = path.read_bytes().decode()
    assert silenced(physics.MjModel.from_xml_path(str(path))) == before | {"sink"}
    if name == "empty custom":
        assert after == text.replace("<custom/>", f"<custom>\n    {TEXT.format('sink')}\n  </custom>")
    else:
        assert added in after
        assert after.replace(added, "", 1) == text
    with pytest.raises(PatchError, match="silences sink already"):
        make(path, "sink")


def test_an_included_file_is_patched_where_it_has_the_text(tmp_path):
    path, part = tmp_path / "model.xml", tmp_path / "part.xml"
    path.write_text(f'<mujoco><include file="part.xml"/>{BODY}</mujoco>')
    part.write_text(f"<mujocoinclude><custom>{TEXT.format('no-range')}</custom></mujocoinclude>")
    patch = make(path, "sink")
    assert [file.path for file in patch.files] == [part]
    patch.save()
    assert silenced(physics.MjModel.from_xml_path(str(path))) == {"no-range", "sink"}
