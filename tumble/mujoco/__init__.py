"""The names of the package mujoco: programs that are written for it run as they are.

`from tumble import mujoco` gives this namespace to a program that asks for it, `tumble run script.py` to one that does not
(stand_in.py). What only some programs want is imported when it is first asked for: the window, the graphics card.
"""

from __future__ import annotations

from importlib import import_module
from typing import IO, Any

from tumble.physics import *  # noqa: F403  # everything that the engine has is part of the namespace
from tumble.physics import MjSpec, mj_versionString

__version__ = mj_versionString()  # of the package that is followed, which programs compare with what they need

# Where the names are that the engine does not have, by module of the package tumble.
_LATER: dict[str, tuple[str, ...]] = {
    "mujoco.plugin_libraries": ("mj_loadAllPluginLibraries", "mj_loadPluginLibrary"),
    "render.mjv.cameras": (
        "mjv_alignToCamera", "mjv_averageCamera", "mjv_cameraFrame", "mjv_cameraFrustum", "mjv_cameraInModel",
        "mjv_cameraInRoom", "mjv_defaultFreeCamera", "mjv_frustumHeight", "mjv_model2room", "mjv_room2model",
        "mjv_updateCamera",
    ),
    "render.mjv.lister": ("mjv_connector", "mjv_initGeom"),
    "render.mjv.mouse": (
        "mjv_applyPerturbForce", "mjv_applyPerturbPose", "mjv_initPerturb", "mjv_moveCamera", "mjv_moveModel", "mjv_movePerturb",
        "mjv_select",
    ),
    "render.mjv.scene": ("MjvScene",),
    "render.mjv.structs": (
        "MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb", "mjv_defaultCamera",
        "mjv_defaultFigure", "mjv_defaultOption", "mjv_defaultPerturb",
    ),
    "render.mjv.update": ("mj_printScene", "mjv_addGeoms", "mjv_makeLights", "mjv_updateScene", "mjv_updateSkin"),
    "render.mjr.buffers": (
        "mjr_addAux", "mjr_blitAux", "mjr_blitBuffer", "mjr_changeFont", "mjr_drawPixels", "mjr_findRect", "mjr_finish",
        "mjr_getError", "mjr_maxViewport", "mjr_readPixels", "mjr_resizeOffscreen", "mjr_restoreBuffer", "mjr_setAux",
        "mjr_setBuffer",
    ),
    "render.mjr.context": ("MjrContext", "MjrRect"),
    "render.mjr.overlays": ("mjr_figure", "mjr_label", "mjr_overlay", "mjr_rectangle", "mjr_text"),
    "render.mjr.picture": ("mjr_render", "mjr_uploadHField", "mjr_uploadMesh", "mjr_uploadTexture"),
    "mujoco.gl_context": ("GLContext",),
    "mujoco.renderer": ("Renderer",),
}  # fmt: skip
# Modules that programs reach as attributes, without importing them.
_MODULES = ("_enums", "_functions", "_structs", "cgl", "egl", "gl_context", "glfw", "osmesa", "renderer")
_MODULE_OF = {name: module for module, names in _LATER.items() for name in names}


def to_zip(spec: MjSpec, file: str | IO[bytes]) -> None:
    """Write a spec and its files to an archive, as `MjSpec.to_zip`."""
    spec.to_zip(file)


def from_zip(file: str | IO[bytes]) -> MjSpec:
    """Read a spec and its files from an archive, as `MjSpec.from_zip`."""
    return MjSpec.from_zip(file)


def __getattr__(name: str) -> Any:  # noqa: ANN401  # any name of the namespace
    """A name that is imported when it is first asked for."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'mujoco' has no attribute {name!r}")
    value = getattr(import_module(f"tumble.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
