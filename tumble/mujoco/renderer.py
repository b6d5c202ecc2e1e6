"""Pictures of a model as arrays, without a window: colours, depths, or what each pixel shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.mujoco.gl_context import GLContext
from tumble.physics import mj_name2id
from tumble.physics.state.enums import mjtCamera, mjtCatBit, mjtDepthMap, mjtFontScale, mjtFramebuffer, mjtObj, mjtRndFlag
from tumble.render.mjr.buffers import mjr_readPixels, mjr_setBuffer
from tumble.render.mjr.context import MjrContext, MjrRect
from tumble.render.mjr.picture import mjr_render
from tumble.render.mjv.cameras import mjv_defaultFreeCamera
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import MjvCamera, MjvOption
from tumble.render.mjv.update import mjv_updateScene

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

_COLOUR, _DEPTH, _SEGMENTATION = "colour", "depth", "segmentation"


class ArrayRenderer:
    """Draws one model to arrays: update_scene with some data, then render. Use it in a `with`, or close it.

    scene: the MjvScene that is drawn; geoms may be added to it between update_scene and render.
    """

    def __init__(
        self,
        model: MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: mjtFontScale = mjtFontScale.mjFONTSCALE_150,
    ) -> None:
        """height, width: of the pictures [pixels], at most `visual/global offheight` and `offwidth`; max_geom: room in the scene.

        Raises ValueError for larger pictures, and what moderngl raises on a machine without OpenGL 3.3.
        """
        self._open = False
        for name, size, most in (
            ("width", width, int(model.vis.global_.offwidth)),
            ("height", height, int(model.vis.global_.offheight)),
        ):
            if not 0 < size <= most:
                raise ValueError(
                    f"Image {name} {size} is not within 1 and the framebuffer's {name}, {most}. Choose another, or give the "
                    f'model a larger framebuffer: <visual><global off{name}="{max(size, 1)}"/></visual>'
                )
        self._model, self._width, self._height = model, int(width), int(height)
        self._scene = MjvScene(model, int(max_geom))
        self._option = MjvOption()
        self._kind = _COLOUR
        self._gl_context = GLContext(self._width, self._height)
        self._gl_context.make_current()
        self._mjr_context = MjrContext(model, int(font_scale))
        mjr_setBuffer(int(mjtFramebuffer.mjFB_OFFSCREEN), self._mjr_context)
        self._mjr_context.readDepthMap = int(mjtDepthMap.mjDEPTH_ZEROFAR)  # as programs that read depths by themselves expect
        self._rect = MjrRect(0, 0, self._width, self._height)
        self._open = True

    @property
    def model(self) -> MjModel:
        """The scene that is drawn."""
        return self._model

    @property
    def scene(self) -> MjvScene:
        """The scene's list of geoms to be drawn."""
        return self._scene

    @property
    def height(self) -> int:
        """Rows of a picture."""
        return self._height

    @property
    def width(self) -> int:
        """Columns of a picture."""
        return self._width

    def enable_depth_rendering(self) -> None:
        """render gives (height, width) float32 from now on: how far in front of the camera what a pixel shows is [m]."""
        self._kind = _DEPTH

    def disable_depth_rendering(self) -> None:
        """render gives colours from now on."""
        self._kind = _COLOUR

    def enable_segmentation_rendering(self) -> None:
        """render gives (height, width, 2) int32 from now on: id and type (mjtObj) of what a pixel shows, -1 for nothing."""
        self._kind = _SEGMENTATION

    def disable_segmentation_rendering(self) -> None:
        """render gives colours from now on."""
        self._kind = _COLOUR

    def update_scene(self, data: MjData, camera: int | str | MjvCamera = -1, scene_option: MjvOption | None = None) -> None:
        """List what is to be drawn: from data, seen by a camera, as the options say.

        camera: a MjvCamera, a name, or a number of the model's cameras; -1: a free one. Reads the poses of the last forward pass.
        Raises ValueError for a camera that the model lacks, RuntimeError after close.
        """
        self._check("update_scene")
        if not isinstance(camera, MjvCamera):
            camera = self._camera(camera)
        option = scene_option if scene_option is not None else self._option
        mjv_updateScene(self._model, data, option, None, camera, int(mjtCatBit.mjCAT_ALL), self._scene)

    def _camera(self, wanted: int | str) -> MjvCamera:
        count = int(self._model.ncam)
        if isinstance(wanted, str):
            index = mj_name2id(self._model, mjtObj.mjOBJ_CAMERA, wanted)
            if index < 0:
                raise ValueError(f'camera "{wanted}" does not exist; the model has {count}')
        else:
            index = int(wanted)
            if not -1 <= index < count:
                raise ValueError(f"The camera id {index} is out of range [-1, {count}).")
        camera = MjvCamera()
        if index < 0:
            mjv_defaultFreeCamera(self._model, camera)
        else:
            camera.type, camera.fixedcamid = int(mjtCamera.mjCAMERA_FIXED), index
        return camera

    def render(self, *, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The picture, first row on top: (height, width, 3) uint8, or depths or segmentation where those are enabled.

        out: an array of that shape to write it into, which is returned then. Raises ValueError for one of another shape,
        RuntimeError after close.
        """
        self._check("render")
        shape = (self._height, self._width, *{_COLOUR: (3,), _DEPTH: (), _SEGMENTATION: (2,)}[self._kind])
        if out is not None and out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead.")
        picture = {_COLOUR: self._colours, _DEPTH: self._depths, _SEGMENTATION: self._segments}[self._kind]()
        if out is None:
            return np.ascontiguousarray(picture)
        out[...] = picture
        return out

    def _colours(self) -> NDArray[np.uint8]:
        mjr_render(self._rect, self._scene, self._mjr_context)
        pixels = np.empty((self._height, self._width, 3), np.uint8)
        mjr_readPixels(pixels, None, self._rect, self._mjr_context)
        return pixels[::-1]

    def _depths(self) -> NDArray[np.float32]:
        self._draw_with(mjtRndFlag.mjRND_DEPTH)
        pixels = np.empty((self._height, self._width), np.float32)
        mjr_readPixels(None, pixels, self._rect, self._mjr_context)
        clip, extent, share = self._model.vis.map, self._model.stat.extent, 1.0 - pixels[::-1].astype(np.float64)
        near, far = clip.znear * extent, clip.zfar * extent
        flat = near + share * (far - near)
        return (flat if self._scene.camera[0].orthographic else near * far / (far - share * (far - near))).astype(np.float32)

    def _segments(self) -> NDArray[np.int32]:
        self._draw_with(mjtRndFlag.mjRND_SEGMENT, mjtRndFlag.mjRND_IDCOLOR)
        pixels = np.empty((self._height, self._width, 3), np.uint8)
        mjr_readPixels(pixels, None, self._rect, self._mjr_context)
        number = pixels.astype(np.int32) @ np.array([1, 1 << 8, 1 << 16], np.int32)
        rows = self._scene.geom_rows[: self._scene.ngeom]
        what = np.full((int(rows["segid"].max(initial=-1)) + 2, 2), -1, np.int32)
        listed = rows["segid"] >= 0
        what[rows["segid"][listed] + 1] = np.stack([rows["objid"][listed], rows["objtype"][listed]], axis=1)
        return what[np.where(number < len(what), number, 0)][::-1]

    def _draw_with(self, *effects: mjtRndFlag) -> None:
        """Draw with some of the scene's flags on, and leave them as they were."""
        flags = self._scene.flags.copy()
        self._scene.flags[[int(effect) for effect in effects]] = 1
        mjr_render(self._rect, self._scene, self._mjr_context)
        self._scene.flags[:] = flags

    def _check(self, what: str) -> None:
        if not self._open:
            raise RuntimeError(f"{what} cannot be called after close: this Renderer has been closed")

    def close(self) -> None:
        """Free the resources of OpenGL; a second time does nothing."""
        if getattr(self, "_open", False):
            self._open = False
            self._mjr_context.free()
            self._gl_context.free()

    def __enter__(self) -> ArrayRenderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


Renderer = ArrayRenderer  # its name in the namespace
