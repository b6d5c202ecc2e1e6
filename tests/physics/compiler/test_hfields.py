"""Height fields: what a file says of a terrain, sample by sample as the reference reads it."""

import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.parity import assert_equal, both, differences, refused
from tests.physics.compiler.test_textures import claiming, png
from tumble.physics.model import MjModel

GEOM = '<geom type="hfield" hfield="h"/>'


def scene(attributes: str, body: str = GEOM, size: str = "2 3 1.5 0.5") -> str:
    return f'<mujoco><asset>\n  <hfield name="h" size="{size}" {attributes}/></asset><worldbody>{body}</worldbody></mujoco>'


def binary(nrow: int, ncol: int, *samples: float) -> bytes:
    return struct.pack("<ii", nrow, ncol) + np.array(samples, "<f4").tobytes()


ASSETS = {
    "grey.png": png(4, 5), "colour.png": png(4, 5, 3), "clear.png": png(4, 5, 4), "own.hf": binary(2, 3, 4, 1, 7, -2, 0, 3),
    "level.hf": binary(2, 2, 5, 5, 5, 5), "one.hf": binary(1, 3, 1, 2, 4), "bare": png(3, 3),
}  # fmt: skip


@pytest.mark.parametrize("attributes", [
    'file="grey.png"', 'file="colour.png"', 'file="clear.png"', 'file="own.hf"', 'file="level.hf"', 'file="one.hf"',
    'file="bare" content_type="image/png"', 'file="own.hf" content_type="image/vnd.mujoco.hfield"', 'nrow="3" ncol="2"',
    'nrow="2" ncol="3" elevation="1 2 3 4 5 6"', 'nrow="1" ncol="3" elevation="5 5 5"', 'file="own.hf" nrow="2" ncol="3"',
    'file="own.hf" content_type="nonsense"',
])  # fmt: skip
def test_every_source_of_a_height_field(attributes: str) -> None:
    assert_equal(scene(attributes), ASSETS)


@pytest.mark.parametrize("geom", ["", 'mass="3"', 'shellinertia="true"', 'pos="1 2 3" euler="20 30 40" size="7 7 7"'])
@pytest.mark.parametrize("size", ["2 3 1.5 0.5", "1 2 3 4"])
def test_geom_takes_size_mass_and_bounds_from_its_hfield(geom: str, size: str) -> None:
    moving = f'<body><freejoint/><geom type="hfield" hfield="h" {geom}/><geom size="0.1"/></body>'
    assert_equal(scene('nrow="2" ncol="2"', GEOM + moving, size))


def test_a_height_field_takes_the_name_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "land forms").mkdir()
    (tmp_path / "land forms" / "Grüne Höhe.png").write_bytes(ASSETS["grey.png"])
    model = tmp_path / "m.xml"
    for folder, compiler in (("", ""), ("far/", 'strippath="true"'), ("a\\", 'strippath="true"')):
        file = f"{folder}Grüne Höhe.png"
        asset = f'<asset><hfield file="{file}" size="1 1 1 1"/></asset>'
        model.write_text(f'<mujoco><compiler meshdir="land forms" {compiler}/>{asset}</mujoco>')
        ours, theirs = MjModel.from_xml_path(model), mujoco.MjModel.from_xml_path(str(model))
        assert differences(ours, theirs) == []
        assert ours.hfield("Grüne Höhe").nrow[0] == 4


def test_several_height_fields_follow_each_other() -> None:
    fields = "".join(f'<hfield name="{name}" file="{file}" size="1 1 1 1"/>' for name, file in
                     (("a", "grey.png"), ("b", "own.hf"), ("c", "one.hf")))  # fmt: skip
    texture = '<texture type="2d" file="colour.png"/>'
    geoms = '<geom type="hfield" hfield="c"/><geom type="hfield" hfield="a" pos="9 0 0"/>'
    assert_equal(f"<mujoco><asset>{texture}{fields}</asset><worldbody>{geoms}</worldbody></mujoco>", ASSETS)


def test_what_counts_for_nothing_is_noted() -> None:
    ours, _ = both(scene('file="own.hf" nrow="9" ncol="9"'), ASSETS)
    assert any("nrow, ncol and elevation do not count" in note for note in ours.notes)


@pytest.mark.parametrize(("attributes", "says"), [
    ("", "has no content: give it a file, or nrow and ncol of 1 or more"), ('nrow="-2" ncol="3"', "nrow and ncol of 1 or more"),
    ('nrow="2" ncol="3" elevation="1 2 3 4 5"', "elevation needs nrow x ncol = 6 numbers, has 5"),
    ('nrow="100000" ncol="100000"', "to 10000000000 samples"), ('file="none.png"', 'file "none.png" does not exist'),
    ('file="cut.hf"', 'file "cut.hf" has 28 bytes; 2 x 3 samples, as it says, take 32'),
    ('file="long.hf"', "has 36 bytes; 2 x 3 samples, as it says, take 32"), ('file="empty.hf"', "has 0 bytes: 8 for rows"),
    ('file="minus.hf"', "says at byte 0 that it has -2 x -3 samples"), ('file="huge.hf"', "2000000000 x 2000000000 samples"),
    ('file="nan.hf"', "not a number, or not finite, in row 0, column 2"), ('file="inf.hf"', "not finite, in row 1, column 0"),
    ('file="apart.hf"', "elevations that are too far apart"), ('file="bomb.png"', "has 100000 x 100000 pixels"),
    ('file="cut.png"', "is a damaged PNG image"), ('file="own.hf" content_type="image/png"', "is not a PNG image"),
    ('file="own.hf" content_type="image/jpeg"', 'content_type "image/jpeg" is not read; valid: image/png'),
])  # fmt: skip
def test_height_fields_that_cannot_be(attributes: str, says: str) -> None:
    own = ASSETS["own.hf"]
    assets = ASSETS | {
        "cut.hf": own[:-4], "long.hf": own + bytes(4), "empty.hf": b"", "minus.hf": binary(-2, -3, *range(6)),
        "huge.hf": binary(2 * 10**9, 2 * 10**9, 1), "nan.hf": binary(2, 3, 1, 2, np.nan, 4, 5, 6),
        "inf.hf": binary(2, 3, 1, 2, 3, np.inf, 5, 6), "apart.hf": binary(1, 2, -3e38, 3e38),
        "bomb.png": claiming(100_000, 100_000), "cut.png": ASSETS["grey.png"][:50],
    }  # fmt: skip
    refused(scene(attributes), says, assets, r"^model\.xml:2:3: <hfield> ")


@pytest.mark.parametrize(("body", "says"), [
    ('<geom type="hfield"/>', "of type hfield needs the attribute hfield, the name of a height field: h"),
    ('<geom type="box" size="1 1 1" hfield="h"/>', 'refers to the height field "h", but is of another type'),
    ('<geom type="hfield" hfield="k"/>', 'hfield "k" is not a hfield'), ('<site type="hfield"/>', "a site cannot be a hfield"),
    ('<geom type="hfield" hfield="h" fromto="0 0 0 1 1 1"/>', "fromto needs a capsule, cylinder, box or ellipsoid"),
])  # fmt: skip
def test_geoms_that_do_not_fit_their_height_field(body: str, says: str) -> None:
    refused(scene('nrow="2" ncol="2"', body), says)


@pytest.mark.parametrize("size", ["0 1 1 1", "1 -1 1 1", "1 1 0 1", "1 1 1 0", "nan 1 1 1", "1 1 1"])
def test_sizes_that_cannot_be(size: str) -> None:
    refused(scene('nrow="2" ncol="2"', size=size), "2:3: <hfield> size ")
