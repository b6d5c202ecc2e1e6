"""Pictures without a window: a renderer with a context and its own framebuffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.render.camera import Camera, default_camera, view_of
from tumble.render.frame import Frame
from tumble.render.gpu.context import make_context, pixel_target, release_context
from tumble.render.gpu.quality import Quality, QualityLevel
from tumble.render.options import RenderOptions, Selection
from tumble.render.passes.plain import SeenObjects
from tumble.render.renderer import Renderer

if TYPE_CHECKING:
    from tumble.physics import MjModel


class OffscreenRenderer:
    """Renders one model to arrays through EGL, in any thread, but always the same one.

    Raises what moderngl raises when the machine has no OpenGL 3.3.
    """

    def __init__(
        self,
        model: MjModel,
        width: int = 640,
        height: int = 480,
        samples: int | None = 4,
        *,
        level: QualityLevel | None = None,
        simplify: bool = False,
    ) -> None:
        """level: of quality, None for one that is likely fast enough; samples: a pixel, None for those of the level.

        simplify: draw small meshes with fewer triangles as soon as they are ready: fast, but no two runs are the same."""
        self.context = make_context()
        self._model = model
        quality = replace(Quality.of(self.context, samples, level), simplify=simplify)
        self.renderer = Renderer(self.context, model, quality=quality)
        self._target = pixel_target(self.context, width, height)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._target.framebuffer.size

    def resize(self, width: int, height: int) -> None:
        """Change the pictures' size; at least one pixel."""
        before, self._target = self._target, pixel_target(self.context, width, height)
        self._target.framebuffer.use()  # moderngl rebinds the last framebuffer, which must still exist
        before.release()

    def render(
        self,
        frame: Frame,
        camera: Camera | None = None,
        options: RenderOptions | None = None,
        selection: Selection | None = None,
    ) -> NDArray[np.uint8]:
        """(height, width, 3) pixels, first row on top; the model's default camera and the default options where not given."""
        return np.ascontiguousarray(self.render_rgba(frame, camera, options, selection)[:, :, :3])

    def render_rgba(
        self,
        frame: Frame,
        camera: Camera | None = None,
        options: RenderOptions | None = None,
        selection: Selection | None = None,
    ) -> NDArray[np.uint8]:
        """The same with alpha, (height, width, 4): forty times faster to read back, for videos."""
        width, height = self.size
        self.renderer.render(
            self._target.framebuffer,
            frame,
            camera if camera is not None else default_camera(self._model),
            options if options is not None else RenderOptions(),
            width,
            height,
            selection if selection is not None else Selection(),
        )
        pixels = np.frombuffer(self._target.framebuffer.read(components=4), np.uint8).reshape(height, width, 4)
        return np.ascontiguousarray(pixels[::-1])

    def look(self, frame: Frame, camera: Camera | None = None, options: RenderOptions | None = None) -> SeenObjects:
        """Object that each pixel of a picture shows, and its distance ahead of the eye."""
        width, height = self.size
        view = view_of(camera if camera is not None else default_camera(self._model), self._model, frame, width / height)
        return self.renderer.look(frame, view, options if options is not None else RenderOptions(), self.size)

    def release(self) -> None:
        """Release every OpenGL object and the context."""
        self.renderer.release()
        self._target.release()
        release_context(self.context)

    def __enter__(self) -> OffscreenRenderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
