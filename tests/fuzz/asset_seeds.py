"""Small models with the files that they bring in, of every format: what mutated files are made from."""

import io
import struct

import numpy as np
from PIL import Image

from tests.physics.compiler.mesh.shapes import msh, stl, stl_text

Files = dict[str, bytes]

_BODIES = """
<body name="ball" pos=".1 .2 .9"><freejoint/><geom size=".15"/></body>
<body name="brick" pos="-.5 .1 .8" euler="10 20 30"><freejoint/><geom type="box" size=".1 .15 .2"/></body>
<body name="rod" pos=".5 -.4 .8" euler="70 0 0"><freejoint/><geom type="capsule" size=".08 .2"/></body>
"""


def _model(assets: str, bodies: str) -> str:
    floor = '<geom type="plane" size="3 3 .1" pos="0 0 -.5"/>'
    return f"<mujoco><asset>{assets}</asset><worldbody>{floor}{bodies}</worldbody></mujoco>"


def _image(pixels: np.ndarray, mode: str = "") -> bytes:
    file = io.BytesIO()
    image = Image.fromarray(pixels)
    (image.convert(mode) if mode else image).save(file, "PNG")
    return file.getvalue()


def _numbers(dtype: str, values: object) -> bytes:
    return np.asarray(values, dtype).tobytes()


_CORNERS = np.array([[x, y, z] for x in (-0.2, 0.2) for y in (-0.15, 0.15) for z in (-0.1, 0.12)])
_FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
                   [1, 5, 7], [1, 7, 3]])  # fmt: skip


def _obj() -> bytes:
    lines = ["# a block", *(f"v {x} {y} {z}" for x, y, z in _CORNERS), "vt 0 0", "vt 1 0", "vt 0 1", "vn 0 0 1"]
    return "\n".join([*lines, *(f"f {a + 1}/1/1 {b + 1}/2/1 {c + 1}/3/1" for a, b, c in _FACES), ""]).encode()


def _skin() -> bytes:
    parts = [struct.pack("<4i", 8, 8, 12, 2), _numbers("<f4", _CORNERS), _numbers("<f4", _CORNERS[:, :2])]
    parts.append(_numbers("<i4", _FACES))
    for body in ("ball", "brick"):
        parts += [body.encode().ljust(40, b"\0"), _numbers("<f4", [0, 0, 0, 1, 0, 0, 0]), struct.pack("<i", 8),
                  _numbers("<i4", range(8)), _numbers("<f4", [1, 2, 3, 4, 4, 3, 2, 1])]  # fmt: skip
    return b"".join(parts)


def _mesh(file: str, data: bytes) -> tuple[str, Files]:
    bodies = '<body name="m" pos="0 0 .3"><freejoint/><geom type="mesh" mesh="m"/></body><geom type="mesh" mesh="m" pos="1 0 0"/>'
    return _model(f'<mesh name="m" file="{file}"/>', bodies + _BODIES), {file: data}


def _hfield(file: str, data: bytes) -> tuple[str, Files]:
    asset = f'<hfield name="h" file="{file}" size="1.2 1 .5 .3"/>'
    return _model(asset, '<geom type="hfield" hfield="h"/>' + _BODIES), {file: data}


def _texture(attributes: str, files: Files) -> tuple[str, Files]:
    assets = f'<texture name="t" {attributes}/><material name="p" texture="t"/>'
    return _model(assets, '<geom type="box" size="1 1 .1" material="p"/>' + _BODIES), files


def _ktx(version: int) -> bytes:
    """A picture of 4 x 4 pixels, RGBA: how glTF and games keep them."""
    pixels = bytes(range(64))
    if version == 1:
        numbers = [0x04030201, 0x1401, 1, 0x1908, 0x8058, 0x1908, 4, 4, 0, 0, 1, 1, 0, len(pixels)]
        return b"\xabKTX 11\xbb\r\n\x1a\n" + struct.pack("<14I", *numbers) + pixels
    head = struct.pack("<13I2Q", 37, 1, 4, 4, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    return b"\xabKTX 20\xbb\r\n\x1a\n" + head + struct.pack("<3Q", 104, len(pixels), len(pixels)) + pixels


def refused_seeds() -> dict[str, tuple[str, Files]]:
    """The same of formats that are refused, whatever is in them; but for what becomes of them when they are changed."""
    linear = 'type="2d" colorspace="linear" content_type="image/ktx"'
    return {
        "ktx": _texture('type="2d" file="k.ktx"', {"k.ktx": _ktx(1)}),
        "ktx by type": _texture(f'{linear} file="k.bin"', {"k.bin": _ktx(1)}),
        "ktx2": _texture('type="2d" file="k.ktx2"', {"k.ktx2": _ktx(2)}),
        "ktx by content": _texture('type="2d" file="k.png"', {"k.png": _ktx(2)}),
    }  # fmt: skip


def asset_seeds() -> dict[str, tuple[str, Files]]:
    """By name a model and its files; all of them are read without an error."""
    rng = np.random.default_rng(0)
    grey, colour = rng.integers(0, 256, (8, 9), np.uint8), rng.integers(0, 256, (6, 6, 3), np.uint8)
    clear, deep = rng.integers(0, 256, (6, 6, 4), np.uint8), rng.integers(0, 65536, (8, 9)).astype(np.uint16)
    strip = rng.integers(0, 256, (24, 4, 3), np.uint8)
    heights = struct.pack("<ii", 8, 9) + _numbers("<f4", rng.random(72))
    square = _image(colour)
    return {
        "grey field": _hfield("h.png", _image(grey)), "deep field": _hfield("d.png", _image(deep)),
        "field": _hfield("h.hf", heights), "picture": _texture('type="2d" file="c.png"', {"c.png": square}),
        "clear picture": _texture('type="2d" file="a.png" nchannel="4"', {"a.png": _image(clear)}),
        "palette": _texture('type="2d" file="p.png"', {"p.png": _image(colour, "P")}),
        "strip": _texture('file="s.png" gridsize="6 1" gridlayout="RLUDFB"', {"s.png": _image(strip)}),
        "faces": _texture('type="skybox" fileright="r.png" fileup="u.png"', {"r.png": square, "u.png": _image(colour[::-1])}),
        "own picture": _texture('type="2d" file="t.bin"', {"t.bin": struct.pack("<ii", 6, 6) + colour.tobytes()}),
        "skin": (_model('<skin name="s" file="s.skn"/>', _BODIES), {"s.skn": _skin()}),
        "stl": _mesh("m.stl", stl(_CORNERS[_FACES])), "ascii stl": _mesh("m.ascii.stl", stl_text(_CORNERS[_FACES])),
        "obj": _mesh("m.obj", _obj()), "msh": _mesh("m.msh", msh(_CORNERS, _CORNERS, _CORNERS[:, :2], _FACES)),
    }  # fmt: skip
