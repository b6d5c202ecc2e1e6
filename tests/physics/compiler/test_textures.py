"""Textures equal the reference's, pixel by pixel."""

import io
import struct
import zlib
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from tests.physics.compiler.parity import assert_equal, differences, refused
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel

COLORS = 'rgb1="1 .3 .1" rgb2=".1 .9 .5" markrgb="0 0 1" random=".3"'


def scene(textures: str) -> str:
    return f"<mujoco><asset>{textures}</asset><worldbody><geom size='1'/></worldbody></mujoco>"


def png(*shape: int) -> bytes:
    """An image in which every pixel differs."""
    pixels = (np.arange(np.prod(shape)) % 251).astype(np.uint8).reshape(shape)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def custom(width: int, height: int) -> bytes:
    """A picture in the reference's own binary format."""
    return struct.pack("<ii", width, height) + bytes(range(abs(3 * width * height)))


def claiming(width: int, height: int) -> bytes:
    """The beginning of an image that says it has this size."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return png(1, 1, 3)[:8] + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)) + png(1, 1, 3)[33:]


@pytest.mark.parametrize("mark", ["none", "edge", "cross", "random"])
@pytest.mark.parametrize("builtin", ["flat", "checker", "gradient"])
def test_builtin_patterns(builtin: str, mark: str) -> None:
    sizes = (("2d", 8, 8), ("2d", 7, 5), ("cube", 6, 6), ("cube", 5, 1), ("skybox", 8, 48))
    pattern = f'builtin="{builtin}" mark="{mark}" {COLORS}'
    textures = [f'<texture name="{k}{w}" type="{k}" width="{w}" height="{h}" {pattern}/>' for k, w, h in sizes]
    assert_equal(scene("".join(textures)))


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_ktx_image_is_kept_byte_by_byte(channels: int, caplog: pytest.LogCaptureFixture) -> None:
    xml = scene(f'<texture type="2d" name="t" content_type="image/ktx" nchannel="{channels}" file="a.bin"/>')
    data = b"\xabKTX 11\xbb" + bytes(range(200))
    ours, theirs = MjModel.from_xml_string(xml, {"a.bin": data}), mujoco.MjModel.from_xml_string(xml, {"a.bin": data})
    for name in ("tex_width", "tex_height", "tex_nchannel", "tex_adr", "tex_type", "ntexdata"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    assert bytes(ours.tex_data[: len(data)]) == bytes(theirs.tex_data[: len(data)]) == data
    assert not ours.tex_data[len(data) :].any()  # the reference leaves there what was in memory
    assert "is a KTX image" in caplog.text


@pytest.mark.parametrize(("width", "height"), [(70, 50), (1283, 1000)])
def test_many_random_dots(width: int, height: int) -> None:
    """More of them than one block of the generator, and than are drawn at once."""
    size = f'width="{width}" height="{height}"'
    assert_equal(scene(f'<texture type="2d" name="t" builtin="flat" mark="random" {size} {COLORS}/>'))


def srgb() -> bytes:
    """An image that names its colour space."""
    file, info = io.BytesIO(), PngImagePlugin.PngInfo()
    info.add(b"sRGB", b"\0")
    Image.fromarray(np.full((4, 4, 3), 9, np.uint8)).save(file, "PNG", pnginfo=info)
    return file.getvalue()


ASSETS = {"rgb.png": png(2, 3, 3), "rgba.png": png(2, 3, 4), "grey.png": png(2, 3), "square.png": png(4, 4, 3),
"six.png": png(12, 2, 3),
          "cross.png": png(6, 8, 3), "own.bin": custom(3, 2), "own4.bin": custom(4, 4), "srgb.png": srgb(), "bare": png(2, 3, 3)}


@pytest.mark.parametrize("texture", [
    *(f'type="2d" file="{name}" nchannel="{n}"' for name in ("rgb.png", "rgba.png", "grey.png") for n in (1, 3, 4)),
    'type="2d" file="rgb.png" hflip="true"', 'type="2d" file="rgb.png" vflip="true" colorspace="sRGB"',
    'type="cube" file="square.png"',
    'type="cube" file="six.png" gridsize="6 1" gridlayout="RLUDFB"',
    'type="cube" file="cross.png" gridsize="3 4" gridlayout=".U..LFRB.D.."',
    'type="skybox" file="cross.png" gridsize="3 4" gridlayout=".U..LFR..D.." rgb1="1 0 0"', 'type="cube" fileright="square.png"',
    'type="cube" fileup="square.png" fileback="square.png" hflip="true"', 'type="2d" file="own.bin" hflip="true"',
    'type="2d" file="own.bin" nchannel="1" content_type="image/vnd.mujoco.texture"', 'type="cube" file="own4.bin"',
    'type="2d" file="bare" content_type="image/png"', 'type="2d" file="six.png" gridsize="6 1" gridlayout="RLUDFB"',
    'type="cube" fileright="own4.bin" fileleft="srgb.png"', 'type="cube" fileright="srgb.png" fileleft="square.png"',
    'type="cube" file="six.png" gridsize="6 1"', 'type="2d" file="srgb.png"',
])  # fmt: skip
def test_image_files(texture: str) -> None:
    assert_equal(scene(f'<texture name="t" {texture}/><material name="m" texture="t" texrepeat="2 3"/>'), ASSETS)


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


def test_every_role_of_a_layer() -> None:
    roles = ("rgb", "occlusion", "roughness", "metallic", "normal", "opacity", "emissive", "rgba", "orm")
    layers = "".join(f'<layer texture="{"tu"[i % 2]}" role="{role}"/>' for i, role in enumerate(roles))
    textures = '<texture name="t" builtin="flat" width="2"/><texture name="u" builtin="flat" width="1"/>'
    twice = '<material name="d"><layer texture="t" role="orm"/><layer texture="u" role="orm"/></material>'
    assert_equal(scene(f'{textures}<material name="m">{layers}</material>{twice}'))


LAYER, BUMPS = '<layer role="rgb" texture="t"/>', '<layer role="normal" texture="u"/>'


@pytest.mark.parametrize(("default", "material"), [
    (f"<material>{LAYER}{BUMPS}</material>", '<material name="m"/>'),
    (f"<material>{LAYER}{BUMPS}</material>", '<material name="m"><layer role="rgb" texture="u"/></material>'),
    (f"<material>{LAYER}{BUMPS}</material>", '<material name="m" texture="u"/>'),
    (f"<material>{LAYER}</material>", '<material name="m" texture=""/>'),
    (f'<material>{LAYER}</material><default class="c"><material>{BUMPS}</material></default>', '<material name="m" class="c"/>'),
    (f'<material>{LAYER}</material><default class="c"><material texture="u"/></default>', '<material name="m" class="c"/>'),
    (f'<material texture="t"/><default class="c"><material>{BUMPS}</material></default>', '<material name="m" class="c"/>'),
    ('<material texture="t"/>', f'<material name="m">{BUMPS}</material>'),
])  # fmt: skip
def test_layers_are_inherited_role_by_role(default: str, material: str) -> None:
    xml = scene('<texture name="t" builtin="flat" width="2"/><texture name="u" builtin="flat" width="1"/>' + material)
    assert_equal(xml.replace("<asset>", f"<default>{default}</default><asset>"))


def test_a_class_gives_textures_in_one_way() -> None:
    with pytest.raises(MjcfError, match="<material> has both a texture and layers"):
        MjModel.from_xml_string(f'<mujoco><default><material texture="t">{LAYER}</material></default></mujoco>')


def test_four_channels_are_opaque() -> None:
    """The reference packs three channels and leaves the rest zero; a picture that is not transparent is what is meant."""
    texture = '<texture name="t" type="2d" builtin="flat" width="2" height="1" nchannel="4" rgb1="1 0 0"/>'
    m = MjModel.from_xml_string(scene(texture))
    assert m.tex_data.tolist() == [255, 0, 0, 255] * 2


def test_what_the_reference_accepts_is_noted() -> None:
    m = MjModel.from_xml_string(scene('<texture name="t" type="2d" builtin="flat" width="2" height="1" nchannel="7"/>'))
    assert m.tex_nchannel[0] == 4
    assert ["nchannel 7 is understood as 4" in note for note in m.notes] == [True]


@pytest.mark.parametrize(("texture", "says"), [
    ('type="2d" builtin="flat" width="1000000000" height="2"', "would have 2000000000 pixels; 67108864 are the most"),
    ('type="2d" builtin="flat" width="0" height="2"', "width of a builtin texture must be 1 or more, is 0"),
    ('type="2d" builtin="flat" width="2"', "height of a builtin texture must be 1"), ('type="2d"', "has no content"),
    ('type="2d" builtin="flat" width="2" height="2" nchannel="0"', "nchannel must be 1 to 4, is 0"),
    ('type="2d" file="none.png"', 'file "none.png" does not exist'), ('type="2d" file="text.png"', "is not a PNG image"),
    ('type="2d" file="cut.png"', "damaged PNG"), ('type="2d" file="empty.png"', "is not a PNG image"),
    ('type="2d" file="bomb.png"', "has 100000 x 100000 pixels; 134217728 in all are the most"),
    ('type="cube" file="rgb.png"', "needs a square image"),
    ('type="cube" file="cross.png" gridsize="2 4"', "needs an image of 4 x 2 squares"),
    ('type="cube" file="six.png" gridsize="99 99"', "at most 12 fields"),
    ('type="cube" file="six.png" gridsize="6 1" gridlayout="RLUDF"', "as many letters as gridsize has fields, 6, has 5"),
    ('type="2d" file="sky.ktx"', "is a KTX image, which is not decoded"),
    ('type="2d" file="sky.ktx" content_type="image/ktx" hflip="true"', "is a KTX image: only of type 2d, not flipped"),
    ('type="cube" file="sky.ktx" content_type="image/ktx"', "is a KTX image: only of type 2d, not flipped"),
    ('type="2d" file="rgb.png" content_type="image/jpeg"', 'content_type "image/jpeg" is not read; valid: image/png'),
    ('type="2d" file="long.bin"', "in the binary format it would be 3 x 2 pixels, of 3 bytes each, but it has 27 bytes"),
    ('type="2d" file="minus.bin"', "in the binary format it would be -3 x -2 pixels"),
    ('type="cube" fileright="square.png" fileleft="rgb.png"', "needs square images of the same size"),
])  # fmt: skip
def test_textures_that_cannot_be(texture: str, says: str) -> None:
    assets = ASSETS | {
        "text.png": b"abc", "cut.png": ASSETS["square.png"][:50], "empty.png": b"", "bomb.png": claiming(100_000, 100_000),
        "sky.ktx": b"\xabKTX 11\xbb", "long.bin": custom(3, 2) + b"x", "minus.bin": custom(-3, -2),
    }  # fmt: skip
    xml = f'<mujoco><asset>\n  <texture name="t" {texture}/></asset></mujoco>'
    refused(xml, says, assets, r"^model\.xml:2:3: <texture> ")
