"""Pixels of the view: those just painted, for a recording, and its own picture in any size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import moderngl
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PyQt6.QtGui import QImage

from tumble.app.session.session import Session
from tumble.render.camera import Camera, View
from tumble.render.gpu.context import fact
from tumble.render.gpu.quality import Quality, QualityLevel
from tumble.render.options import PictureMode, RenderOptions, Selection
from tumble.render.renderer import Renderer

Picture = NDArray[np.uint8]
SAMPLES = 4  # a pixel, for smooth edges


class PhotoError(Exception):
    """A picture that cannot be made; the message gives the reason."""


class Onlooker(Protocol):
    """A receiver of every picture of the view. panels: whether to include the overlay."""

    panels: bool

    @property
    def active(self) -> bool:
        """True while pictures are recorded."""

    def look(self, read: Callable[[], Picture]) -> None:
        """A picture is painted; read: its pixels (height, width, 4), first row on top, if wanted now."""


class Photo(Struct, frozen=True):
    """An order for a picture: size in pixels, without background, with the overlay, of all views or of the active one.

    mode: how it is drawn; None: as the view is.
    """

    width: int
    height: int
    transparent: bool = False
    panels: bool = False
    all_views: bool = False
    mode: PictureMode | None = None


def pixels_of(target: moderngl.Framebuffer, width: int, height: int) -> Picture:
    """The lower left pixels of a framebuffer as a picture (height, width, 4), first row on top."""
    data = target.read(viewport=(0, 0, width, height), components=4)
    return np.frombuffer(data, np.uint8).reshape(height, width, 4)[::-1]


def take(
    ctx: moderngl.Context | None,
    renderer: Renderer | None,
    session: Session,
    camera: Camera,
    options: RenderOptions,
    photo: Photo,
    selection: Selection,
) -> tuple[QImage, View | None]:
    """Draw a picture into its own framebuffer; it, with colours multiplied by alpha, and the view it was taken with.

    The context must be current. Raises PhotoError.
    """
    frame, more = session.frame, session.extras.more
    if ctx is None or renderer is None or frame is None:
        raise PhotoError("there is nothing to see yet: open a model first")
    size, most = (photo.width, photo.height), int(fact(ctx, "GL_MAX_RENDERBUFFER_SIZE"))
    if not all(1 <= side <= most for side in size):
        raise PhotoError(f"{photo.width} x {photo.height} pixels; here each side has 1 to {most}")
    resources: list[moderngl.Renderbuffer | moderngl.Framebuffer | Renderer] = []
    try:
        # A picture has the time that the view may not have.
        best = replace(Quality.of(ctx, SAMPLES, QualityLevel.BEST), simplify=False)
        renderer = Renderer(ctx, renderer.scene.model, quality=best)
        resources.append(renderer)
        colour, depth = ctx.renderbuffer(size, 4), ctx.depth_renderbuffer(size)
        resources += [colour, depth]
        target = ctx.framebuffer([colour], depth)
        resources.append(target)
        mode = options.mode if photo.mode is None else photo.mode
        wanted = replace(options, background=not photo.transparent, mode=mode)
        view = renderer.render(target, frame, camera, wanted, *size, selection, more=more)
        pixels = pixels_of(target, *size).copy()
    except moderngl.Error as error:
        raise PhotoError(f"the graphics card draws no picture of {photo.width} x {photo.height} pixels: {error}") from error
    finally:
        for resource in reversed(resources):
            resource.release()
    if not photo.transparent:
        pixels[:, :, 3] = 255
    image = QImage(pixels.tobytes(), photo.width, photo.height, 4 * photo.width, QImage.Format.Format_RGBA8888_Premultiplied)
    return image.copy(), view  # the copy has its own memory


def array_of(image: QImage) -> Picture:
    """The pixels of an image (height, width, 4), colours multiplied by alpha."""
    plain = image.convertToFormat(QImage.Format.Format_RGBA8888_Premultiplied)
    bits = plain.constBits()
    assert bits is not None
    data = np.frombuffer(bits.asstring(plain.sizeInBytes()), np.uint8)
    return data.reshape(plain.height(), plain.bytesPerLine() // 4, 4)[:, : plain.width()].copy()
