"""Examples open with all that moves in sight, in the window as it is at first on a small screen."""

import numpy as np
import pytest

from tumble import physics
from tumble.app.library.examples import EXAMPLES
from tumble.physics import MjData, MjModel
from tumble.render.camera import initial_camera, view_of

# The view of a window of 1280 x 800 with the panels that are open at first; hidden groups of geoms begin with HIDDEN.
WIDTH, HEIGHT, HIDDEN = 694, 700, 3
# Whose large meshes take long to compile, and whose cameras were chosen by eye.
SLOW = ("arm.xml", "tendons.xml", "gallery.xml", "nut.xml")
SIDES = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def outline(model, data, geom):
    """Points (n,3) around a geom: the corners of its box, or of a sphere what is farthest along the axes."""
    if model.geom_type[geom] == physics.mjtGeom.mjGEOM_SPHERE:
        return data.geom_xpos[geom] + model.geom_size[geom, 0] * np.vstack([np.eye(3), -np.eye(3)])
    local = model.geom_aabb[geom, :3] + SIDES * model.geom_aabb[geom, 3:]
    return local @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]


@pytest.mark.slow
def test_examples_open_with_all_that_moves_in_sight():
    for example in (example for example in EXAMPLES if example.file not in SLOW):
        model = MjModel.from_xml_path(str(example.path))
        data = MjData(model)
        physics.mj_forward(model, data)
        moving = np.flatnonzero((model.body_weldid[model.geom_bodyid] != 0) & (model.geom_group < HIDDEN))
        points = np.vstack([data.flexvert_xpos, *(outline(model, data, g) for g in moving)])
        seen = view_of(initial_camera(model), model, data, WIDTH / HEIGHT).project(points, WIDTH, HEIGHT)
        assert (seen[:, :2] >= 0).all(), example.file
        assert (seen[:, :2] <= (WIDTH, HEIGHT)).all(), example.file
