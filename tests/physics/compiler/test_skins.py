"""Skins: vertices, bones and weights as the reference reads them."""

import struct

import numpy as np
import pytest

from tests.physics.compiler.parity import assert_equal, refused
from tumble.physics.model import MjModel

SHAPE = 'vertex="0 0 0  1 0 0  0 1 0  0 0 1" face="0 1 2  0 2 3"'
TEXCOORD = 'texcoord="0 0  1 0  0 1  1 1"'


REST = 'bindpos="0 0 0" bindquat="1 0 0 0"'


def bone(vertid: str = "0 1 2 3", weight: str = "1 1 2 .5", body: str = "a", pose: str = REST) -> str:
    return f'<bone body="{body}" {pose} vertid="{vertid}" vertweight="{weight}"/>'


def scene(skin: str, section: str = "deformable", compiler: str = "") -> str:
    bodies = '<body name="a"><geom size="1"/><body name="b"><joint/><geom size="1"/></body></body>'
    return (f"<mujoco><compiler {compiler}/><{section}>\n  {skin}</{section}><asset><material name='m'/></asset>"
            f"<worldbody>{bodies}</worldbody></mujoco>")  # fmt: skip


def skin(attributes: str = SHAPE, *bones: str) -> str:
    return f'<skin name="s" {attributes}>{"".join(bones or (bone(),))}</skin>'


Part = tuple[str, tuple[float, ...], tuple[float, ...], tuple[int, ...], tuple[float, ...]]
WHOLE: Part = ("a", (0, 0, 0.5), (2, 0, 0, 1), (0, 1, 2, 3), (1, 1, 2, 0.5))


def binary(*bones: Part, nvert: int = 4, ntexcoord: int = 4, face: tuple[int, ...] = (0, 1, 2, 0, 2, 3)) -> bytes:
    """A skin file of a few corners."""
    vert, texcoord = np.arange(3 * nvert, dtype="<f4"), np.arange(2 * ntexcoord, dtype="<f4")
    parts = [struct.pack("<4i", nvert, ntexcoord, len(face) // 3, len(bones)), vert.tobytes(), texcoord.tobytes(),
             np.array(face, "<i4").tobytes()]  # fmt: skip
    for name, pos, quat, vertid, weight in bones:
        parts += [name.encode().ljust(40, b"\0"), np.array(pos + quat, "<f4").tobytes(), struct.pack("<i", len(vertid)),
                  np.array(vertid, "<i4").tobytes(), np.array(weight, "<f4").tobytes()]  # fmt: skip
    return b"".join(parts)


@pytest.mark.parametrize("section", ["asset", "deformable"])
@pytest.mark.parametrize("text", [
    skin(), skin(f'{SHAPE} {TEXCOORD} material="m" rgba="1 0 0 .5" inflate="-.1" group="3"'),
    skin(SHAPE, bone("0 1", "2 3"), bone("1 2 3", "1 1 1", "b", 'bindpos="1 2 3" bindquat="2 0 0 1"')),
    skin(SHAPE, bone("0 1 2 3 3", "1 1 1 1 1")), skin(SHAPE, bone(body="world")), skin() + skin().replace('name="s"', ""),
    skin(SHAPE, bone(pose='bindpos="0 0 0" bindquat="0 0 0 0"')), skin(f'{SHAPE} rgba="1 0 0 1"') + skin(f'{TEXCOORD} {SHAPE}')
    .replace('"s"', '"z"'),
])  # fmt: skip
def test_skins_in_the_text(text: str, section: str) -> None:
    assert_equal(scene(text, section))


@pytest.mark.parametrize("compiler", ["", 'strippath="true"', 'discardvisual="true"'])
@pytest.mark.parametrize("data", [binary(WHOLE), binary(WHOLE, ("b", (1, 2, 3), (1, 0, 0, 0), (3, 0), (4, 4)), ntexcoord=0)])
def test_skins_in_files(data: bytes, compiler: str) -> None:
    assert_equal(scene('<skin file="hide.skn"/>', compiler=compiler), {"hide.skn": data})


def test_fusing_keeps_the_bodies_that_bones_follow() -> None:
    m = MjModel.from_xml_string(scene('<skin file="hide.skn"/>', compiler='fusestatic="true"'), {"hide.skn": binary(WHOLE)})
    assert m.body(m.skin_bonebodyid[0]).name == "a"
    assert_equal(scene(skin(), compiler='fusestatic="true"'))


def test_skins_of_assets_come_before_those_of_deformables() -> None:
    text = f"<mujoco><deformable>{skin()}</deformable><asset>{skin()}</asset><deformable>{skin()}</deformable>"
    for name in "xyz":
        text = text.replace('"s"', f'"{name}"', 1)
    assert_equal(f'{text}<worldbody><body name="a"><geom size="1"/></body></worldbody></mujoco>')


@pytest.mark.parametrize(("text", "says"), [
    (skin('vertex="0 0 0 1" face="0 1 2"'), "vertex needs 3 numbers for each, has 4"),
    (skin(f'{SHAPE} group="9"'), "group must be 0 to 5, is 9"),
    (skin('vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 7"'), "face 0 has the corners 0 1 7; there are the vertices 0 to 3"),
    (skin(f'{SHAPE} texcoord="0 1"'), "has 1 texture coordinates for 4 vertices"), (skin('face="0 1 2"'), "has no vertex"),
    (skin(SHAPE, bone("0 1 2", "1 1 1")), "vertex 3 follows no bone"), (skin(SHAPE, bone("0 1 2 9")), "vertid 9 of the bone of"),
    (skin(SHAPE, bone("0 1 2 3", "1 1 -1 1")), "vertex 2 follows no bone"),
    (skin(f'{SHAPE} file="hide.skn"'), "has both a file and vertex, face, bones"),
    (skin(SHAPE, bone("0 1 2")), "has 3 vertid and 4 vertweight"), (skin(SHAPE, bone(body="c")), 'body "c" is not a body'),
    (f'<skin name="s" {SHAPE}/>', "has no bone"), ('<skin file="none.skn"/>', 'file "none.skn" does not exist'),
    ('<skin name="s" file="cut.skn"/>', 'file "cut.skn" at byte 208: needs 16 bytes of weights of bone 0, only 13 are left'),
    ('<skin file="long.skn"/>', "has 4 bytes too many, from byte 224"), ('<skin file="empty.skn"/>', "needs 16 bytes of counts"),
    ('<skin file="huge.skn"/>', "at byte 16: needs 25769803764 bytes of vertices"),
    ('<skin file="minus.skn"/>', "at byte 0: has negative counts -4 0 2 1"),
    ('<skin file="who.skn"/>', 'body "zz" is not a body'), ('<skin file="nan.skn"/>', "vertex 0 is not a number, or not finite"),
    ('<skin file="hide.bin"/>', "must have a name that ends in .skn"), ('<skin file="bare.skn"/>', "has no bone"),
    ('<skin file="none.skn" name="s" group="0"/>', "does not exist"), ('<skin file="noone.skn"/>', "bone 0 has -1 vertices"),
])  # fmt: skip
def test_skins_that_cannot_be(text: str, says: str) -> None:
    data = binary(WHOLE)
    files = {
        "hide.skn": data, "hide.bin": data, "cut.skn": data[:-3], "long.skn": data + bytes(4), "empty.skn": b"",
        "huge.skn": struct.pack("<4i", 2**31 - 1, 0, 2, 1) + data[16:], "minus.skn": struct.pack("<4i", -4, 0, 2, 1) + data[16:],
        "who.skn": binary(("zz", *WHOLE[1:])), "nan.skn": data[:16] + struct.pack("<f", np.nan) + data[20:], "bare.skn": binary(),
        "noone.skn": data[:-36] + struct.pack("<i", -1) + data[-32:],
    }  # fmt: skip
    refused(scene(text), says, files, r"^model\.xml:2:\d+: <(skin|bone)> ")
