"""Poses, sizes and height fields are written in the form that their file has; what it cannot have is left with a reason."""

import struct

import numpy as np
import pytest

from tests.app.conftest import written
from tumble import physics
from tumble.app.editing import patch
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.whole_model import as_it_is, save_copy

TURN = (0.9238795325112867, 0.0, 0.3826834323650898, 0.0)


def patched(path, **changes):
    """The patch of a file for new values of fields of its last geom, camera or site."""
    model = physics.MjModel.from_xml_path(str(path))
    places = {EditPlace(field, len(getattr(model, field)) - 1): values for field, values in changes.items()}
    return patch.make(path, model, {p: (tuple(getattr(model, p.field)[p.index].tolist()), v) for p, v in places.items()})


def scene(tmp_path, body, top=""):
    return written(tmp_path / "scene.xml", f"<mujoco>{top}<worldbody>\n{body}\n</worldbody></mujoco>\n")


def line(made):
    """The changed line."""
    return made.files[0].after.decode().split("\n")[1]


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ('<geom size=".1"/>', {"geom_size": (0.2, 0.0, 0.0)}, '<geom size="0.2"/>'),
        ('<geom type="box" size=".1 .2 .3"/>', {"geom_size": (0.1, 0.4, 0.3)}, '<geom type="box" size=".1 0.4 .3"/>'),
        ('<geom size=".1" pos="1 2 3.0"/>', {"geom_pos": (1.0, 2.5, 3.0)}, '<geom size=".1" pos="1 2.5 3.0"/>'),
        (
            '<geom size=".1" euler="0 0 90" pos="1 0 0"/>',
            {"geom_pos": (2.0, 0.0, 0.0)}, '<geom size=".1" euler="0 0 90" pos="2 0 0"/>',
        ),
        (
            '<geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/>',
            {"geom_pos": (0.5, 0.0, 0.5)}, '<geom type="capsule" size=".1" fromto="0.5 0 0 0.5 0 1"/>',
        ),
        (
            '<geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/>',
            {"geom_size": (0.2, 0.25, 0.0)}, '<geom type="capsule" size="0.2" fromto="0 0 0.25 0 0 0.75"/>',
        ),
        (
            '<frame pos="1 0 0" euler="0 0 90"><geom size=".1"/></frame>',
            {"geom_pos": (1.0, 0.5, 0.0)}, '<frame pos="1 0 0" euler="0 0 90"><geom size=".1" pos="0.5 0 0"/></frame>',
        ),
        (
            '<camera xyaxes="1 0 0 0 1 0" pos="0 0 1"/>',
            {"cam_quat": TURN}, '<camera pos="0 0 1" quat="0.923879532511 0 0.382683432365 0"/>',
        ),
    ],
)  # fmt: skip
def test_the_text_keeps_its_form(tmp_path, before, changes, after):
    path = scene(tmp_path, before)
    made = patched(path, **changes)
    assert made.left == []
    assert line(made) == after
    for field, values in changes.items():
        np.testing.assert_allclose(getattr(made.model, field)[-1], values, atol=1e-9)


@pytest.mark.parametrize(
    ("top", "body", "changes", "why"),
    [
        ('<default><geom euler="0 0 30"/></default>', '<geom size=".1"/>', {"geom_quat": TURN}, "default class gives it euler"),
        ("", '<replicate count="3" offset="1 0 0"><geom size=".1"/></replicate>', {"geom_pos": (5.0, 0.0, 0.0)}, "stands for 3"),
        (
            '<default><geom fromto="0 0 0 0 0 1"/></default>', '<geom type="box" size=".1"/>',
            {"geom_size": (0.1, 0.3, 0.5)}, "default class gives it fromto",
        ),
    ],
)  # fmt: skip
def test_what_a_file_cannot_have_is_left_with_the_reason(tmp_path, top, body, changes, why):
    made = patched(scene(tmp_path, body, top), **changes)
    assert made.files == []
    assert all(why in text for text in made.left)
    assert made.left


@pytest.fixture
def terrain(tmp_path):
    """A model with a height field from a file, the same with a hill, and the changes between them."""
    samples = np.linspace(0, 1, 12, dtype="<f4")
    (tmp_path / "land.bin").write_bytes(struct.pack("<ii", 3, 4) + samples.tobytes())
    path = scene(tmp_path, '<geom type="hfield" hfield="land"/>', '<asset><hfield file="land.bin" size="1 1 .5 .1"/></asset>')
    model = physics.MjModel.from_xml_path(str(path))
    now = samples[::-1].copy()
    return path, model, now, {EditPlace("hfield_data"): (tuple(samples.tolist()), tuple(now.tolist()))}


def test_samples_of_a_file_go_to_another_beside_it(terrain):
    path, model, now, changes = terrain
    before = (path.parent / "land.bin").read_bytes()
    made = patch.make(path, model, changes)
    made.save()
    assert (path.parent / "land.bin").read_bytes() == before
    assert 'file="land-edited.bin"' in path.read_text()
    again = physics.MjModel.from_xml_path(str(path))
    np.testing.assert_array_equal(again.hfield_data, now)
    assert again.hfield("land").id == 0  # by the name that it had from its file
    back = {EditPlace("hfield_data"): tuple(reversed(next(iter(changes.values()))))}
    second = patch.make(path, again, back)
    second.save()  # the file is the program's own by now
    assert sorted(file.name for file in path.parent.glob("*.bin")) == ["land-edited.bin", "land.bin"]
    np.testing.assert_array_equal(physics.MjModel.from_xml_path(str(path)).hfield_data, now[::-1])


def test_a_file_of_the_user_s_is_not_overwritten(terrain):
    path, model, _, changes = terrain
    own = path.parent / "land-edited.bin"
    own.write_bytes(b"mine")
    patch.make(path, model, changes).save()
    assert own.read_bytes() == b"mine"
    assert 'file="land-edited-2.bin"' in path.read_text()


@pytest.mark.parametrize("how", ["copy", "whole"])
def test_copies_of_the_model_have_the_samples_too(terrain, tmp_path, how):
    path, model, now, changes = terrain
    target = tmp_path / "copy.xml"
    if how == "copy":
        save_copy(patch.make(path, model, changes), path, target)
    else:
        model.hfield_data[:] = now
        result = as_it_is(path, target, model, changes)
        assert result.left == []
        result.save(target)
    np.testing.assert_array_equal(physics.MjModel.from_xml_path(str(target)).hfield_data, now)
    assert "land.bin" in path.read_text()
