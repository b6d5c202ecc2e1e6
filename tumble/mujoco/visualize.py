"""The abstract visualization: what a picture shows, without drawing it."""

from __future__ import annotations

from tumble.render.mjv.cameras import (
    mjv_alignToCamera,
    mjv_averageCamera,
    mjv_cameraFrame,
    mjv_cameraFrustum,
    mjv_cameraInModel,
    mjv_cameraInRoom,
    mjv_defaultFreeCamera,
    mjv_frustumHeight,
    mjv_model2room,
    mjv_room2model,
    mjv_updateCamera,
)
from tumble.render.mjv.lister import mjv_connector, mjv_initGeom
from tumble.render.mjv.mouse import (
    mjv_applyPerturbForce,
    mjv_applyPerturbPose,
    mjv_initPerturb,
    mjv_moveCamera,
    mjv_moveModel,
    mjv_movePerturb,
    mjv_select,
)
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import (
    MjvCamera,
    MjvFigure,
    MjvGeom,
    MjvGLCamera,
    MjvLight,
    MjvOption,
    MjvPerturb,
    mjv_defaultCamera,
    mjv_defaultFigure,
    mjv_defaultOption,
    mjv_defaultPerturb,
)
from tumble.render.mjv.update import mj_printScene, mjv_addGeoms, mjv_makeLights, mjv_updateScene, mjv_updateSkin

__all__ = [
    "MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb", "MjvScene", "mj_printScene",
    "mjv_addGeoms", "mjv_alignToCamera", "mjv_applyPerturbForce", "mjv_applyPerturbPose", "mjv_averageCamera", "mjv_cameraFrame",
    "mjv_cameraFrustum", "mjv_cameraInModel", "mjv_cameraInRoom", "mjv_connector", "mjv_defaultCamera", "mjv_defaultFigure",
    "mjv_defaultFreeCamera", "mjv_defaultOption", "mjv_defaultPerturb", "mjv_frustumHeight", "mjv_initGeom", "mjv_initPerturb",
    "mjv_makeLights", "mjv_model2room", "mjv_moveCamera", "mjv_moveModel", "mjv_movePerturb", "mjv_room2model", "mjv_select",
    "mjv_updateCamera", "mjv_updateScene", "mjv_updateSkin",
]  # fmt: skip
