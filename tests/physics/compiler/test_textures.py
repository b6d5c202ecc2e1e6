"""Textures equal the reference's, pixel by pixel."""

from __future__ import annotations

import io
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

from physics.errors import MjcfError
from physics.model import MjModel
from tests.physics.compiler.parity import assert_equal, differences

COLORS = 'rgb1="1 .3 .1" rgb2=".1 .9 .5" markrgb="0 0 1" random=".3"'


def scene(textures: str) -> str:
    return f"<mujoco><asset>{textures}</asset><worldbody><geom size='1'/></worldbody></mujoco>"


def png(*shape: int) -> bytes:
    """An image in which every pixel differs."""
    pixels = (np.arange(np.prod(shape)) % 251).astype(np.uint8).reshape(shape)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize("mark", ["none", "edge", "cross", "random"])
@pytest.mark.parametrize("builtin", ["flat", "checker", "gradient"])
def test_builtin_patterns(builtin: str, mark: str) -> None:
    sizes = (("2d", 8, 8), ("2d", 7, 5), ("cube", 6, 6), ("cube", 5, 1), ("skybox", 8, 48))
    pattern = f'builtin="{builtin}" mark="{mark}" {COLORS}'
    textures = [f'<texture name="{k}{w}" type="{k}" width="{w}" height="{h}" {pattern}/>' for k, w, h in sizes]
    assert_equal(scene("".join(textures)))


def test_many_random_dots() -> None:
    """More of them than one block of the generator."""
    assert_equal(scene(f'<texture type="2d" name="t" builtin="flat" mark="random" width="70" height="50" {COLORS}/>'))


ASSETS = {"rgb.png": png(2, 3, 3), "rgba.png": png(2, 3, 4), "grey.png": png(2, 3), "square.png": png(4, 4, 3),
"six.png": png(12, 2, 3),
          "cross.png": png(6, 8, 3)}  # fmt: skip


@pytest.mark.parametrize("texture", [
    *(f'type="2d" file="{name}" nchannel="{n}"' for name in ("rgb.png", "rgba.png", "grey.png") for n in (1, 3, 4)),
    'type="2d" file="rgb.png" hflip="true"', 'type="2d" file="rgb.png" vflip="true" colorspace="sRGB"',
    'type="cube" file="square.png"',
    'type="cube" file="six.png" gridsize="6 1" gridlayout="RLUDFB"',
    'type="cube" file="cross.png" gridsize="3 4" gridlayout=".U..LFRB.D.."',
    'type="skybox" file="cross.png" gridsize="3 4" gridlayout=".U..LFR..D.." rgb1="1 0 0"', 'type="cube" fileright="square.png"',
    'type="cube" fileup="square.png" fileback="square.png" hflip="true"',
])  # fmt: skip
def test_image_files(texture: str) -> None:
    assert_equal(scene(f'<texture name="t" {texture}/><material name="m" texture="t" texrepeat="2 3"/>'), ASSETS)


def test_texture_takes_its_files_name() -> None:
    assert_equal(scene('<texture type="2d" file="rgb.png"/>'), ASSETS)


@pytest.mark.parametrize("folders", ['texturedir="pictures"', 'assetdir="pictures"', 'texturedir="pictures" strippath="true"'])
def test_folders_of_files(folders: str, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_bytes(png(4, 4, 3))
    file = "elsewhere/a.png" if "strip" in folders else "a.png"
    texture = f'<compiler {folders}/><asset><texture type="2d" file="{file}"/></asset>'
    model = tmp_path / "m.xml"
    model.write_text(f"<mujoco>{texture}</mujoco>")
    assert differences(MjModel.from_xml_path(model), mujoco.MjModel.from_xml_path(str(model))) == []


def test_sixteen_bits_keep_the_upper_eight() -> None:
    file = io.BytesIO()
    Image.fromarray((np.arange(6) * 9000).astype(np.uint16).reshape(2, 3)).save(file, "PNG")
    assert_equal(scene('<texture name="t" type="2d" file="deep.png"/>'), {"deep.png": file.getvalue()})


def test_materials() -> None:
    assert_equal(scene("""<texture name="t" builtin="flat" width="2"/><material name="a"/><material name="b" texture="t"
        texrepeat="2 3"
        texuniform="true" emission="1" metallic=".3" roughness=".2" rgba="1 0 0 .5" specular="1" shininess=".3" reflectance=".1"/>
        <material name="c"><layer texture="t" role="rgb"/><layer texture="t" role="normal"/></material>"""))


def test_four_channels_are_opaque() -> None:
    """The reference packs three channels and leaves the rest zero; a picture that is not transparent is what is meant."""
    texture = '<texture name="t" type="2d" builtin="flat" width="2" height="1" nchannel="4" rgb1="1 0 0"/>'
    m = MjModel.from_xml_string(scene(texture))
    assert m.tex_data.tolist() == [255, 0, 0, 255] * 2


@pytest.mark.parametrize(("texture", "says"), [
    ('type="2d" builtin="flat" width="1000000000" height="2"', "width of a builtin texture must be 1 to 16384, is 1000000000"),
    ('type="2d" builtin="flat" width="2"', "height of a builtin texture must be 1"), ('type="2d"', "has no content"),
    ('type="2d" builtin="flat" width="2" height="2" nchannel="0"', "nchannel must be 1 to 4, is 0"),
    ('type="2d" file="none.png"', 'file "none.png" does not exist'), ('type="2d" file="text.png"', "is not a PNG image"),
    ('type="2d" file="cut.png"', "damaged PNG"), ('type="2d" file="empty.png"', "is not a PNG image"),
    ('type="2d" file="bomb.png"', "pixels; 16384 a side are the most"), ('type="cube" file="rgb.png"', "needs a square image"),
    ('type="cube" file="cross.png" gridsize="2 4" gridlayout="RLUDFB"', "needs an image of 4 x 2 squares"),
    ('type="cube" file="six.png" gridsize="99 99" gridlayout="RLUDFB"', "at most 12 fields"),
    ('type="cube" fileright="square.png" fileleft="rgb.png"', "needs square images of the same size"),
])  # fmt: skip
def test_textures_that_cannot_be(texture: str, says: str) -> None:
    big = io.BytesIO()
    Image.new("1", (20000, 3)).save(big, "PNG")
    assets = ASSETS | {"text.png": b"abc", "cut.png": ASSETS["square.png"][:50], "empty.png": b"", "bomb.png": big.getvalue()}
    with pytest.raises(MjcfError, match=r"^model\.xml:2:3: <texture> ") as error:
        MjModel.from_xml_string(f'<mujoco><asset>\n  <texture name="t" {texture}/></asset></mujoco>', assets)
    assert says in str(error.value)


def test_sky_of_the_reference_scene_is_what_it_looks_like() -> None:
    """Upwards rgb1, downwards rgb2: the axiom behind the pixels, on the face's middle."""
    xml = scene('<texture type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 0" width="9" height="54"/>')
    faces = MjModel.from_xml_string(xml).tex_data.reshape(6, 9, 9, 3)
    assert faces[2, 4, 4].tolist() == [255] * 3
    assert faces[3, 4, 4].tolist() == [0] * 3
    assert mujoco.MjModel.from_xml_string(xml).tex_height[0] == 54
