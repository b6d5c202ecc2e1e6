"""Structures of pictures have the reference's fields, defaults and manners."""

import copy
import pickle

import numpy as np
import pytest

from tests.render.mjv.both import mujoco, ours

KINDS = ("MjvOption", "MjvCamera", "MjvPerturb", "MjvGeom", "MjvLight", "MjvGLCamera", "MjvFigure", "MjvScene")


@pytest.mark.parametrize("kind", KINDS)
def test_new_ones_have_the_references_fields_and_defaults(kind: str) -> None:
    one, two = getattr(mujoco, kind)(), getattr(ours, kind)()
    if kind == "MjvFigure":
        mujoco.mjv_defaultFigure(one)
    for name in dir(one):
        if name.startswith("_") or name in ("geoms", "lights", "camera", "linergb"):
            continue  # lists of structures; colours of lines are ours
        value = getattr(one, name)
        assert np.shape(getattr(two, name)) == np.shape(value), name
        np.testing.assert_array_equal(getattr(two, name), value, err_msg=name)
        assert np.asarray(getattr(two, name)).dtype.kind == np.asarray(value).dtype.kind, name


def test_fields_take_what_fits_and_refuse_the_rest() -> None:
    geom, camera = ours.MjvGeom(), ours.MjvCamera()
    geom.size = [1, 2, 3]
    geom.type, geom.label = ours.mjtGeom.mjGEOM_BOX, "here"
    assert (geom.type, geom.label, list(geom.size)) == (6, "here", [1, 2, 3])
    with pytest.raises(TypeError, match=r"MjvCamera\.fixedcamid is a whole number, got 0\.5"):
        camera.fixedcamid = 0.5
    with pytest.raises(TypeError, match="4 bytes"):
        camera.fixedcamid = 2**31
    with pytest.raises(ValueError, match="shape"):
        geom.size = [1, 2]
    with pytest.raises(ValueError, match="cannot exceed 99"):
        geom.label = "x" * 100
    with pytest.raises(AttributeError):
        geom.colour = 1


def test_they_are_compared_copied_and_pickled() -> None:
    camera = ours.MjvCamera()
    camera.lookat[1] = 3.0
    assert camera != ours.MjvCamera()
    for other in (copy.copy(camera), copy.deepcopy(camera), pickle.loads(pickle.dumps(camera))):
        assert other == camera
        other.lookat[1] = 4.0
        assert camera.lookat[1] == 3.0


def test_a_scenes_geoms_are_the_same_objects_each_time() -> None:
    scene = ours.MjvScene(None, 4)
    scene.geoms[2].rgba = 0.25
    assert scene.geoms[2] is scene.geoms[-2]
    assert len(scene.geoms) == len(list(scene.geoms)) == 4
    assert copy.copy(scene).geoms[2].rgba[0] == 0.25
