"""Small pictures of other moments: drawn between the view's own pictures, one at a time, and kept while there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import moderngl
from msgspec import Struct
from msgspec.structs import replace
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage

from tumble.render.camera import Camera
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions
from tumble.render.renderer import Renderer

if TYPE_CHECKING:
    from tumble.physics import MjModel

WIDTH, HEIGHT = 288, 192  # pixels of a picture; it is shown smaller, which smooths its edges
MOST = 96  # stored pictures: 20 MB


def fits(frame: Frame, model: MjModel) -> bool:
    """True if a frame has this model's sizes: another model may have been loaded since."""
    pairs = (
        (frame.geom_xpos, model.ngeom),
        (frame.site_xpos, model.nsite),
        (frame.xpos, model.nbody),
        (frame.light_xpos, model.nlight),
        (frame.cam_xpos, model.ncam),
        (frame.xanchor, model.njnt),
        (frame.ten_wrapadr, model.ntendon),
        (frame.ctrl, model.nu),
        (frame.flexvert_xpos, model.nflexvert),
    )
    return all(len(rows) == count for rows, count in pairs)


class Darkroom:
    """A framebuffer for them in the view's context, which must be current in every call."""

    def __init__(self) -> None:
        self._size = 0, 0
        self._target: moderngl.Framebuffer | None = None
        self._buffers: tuple[moderngl.Renderbuffer, ...] = ()

    def draw(
        self, ctx: moderngl.Context, renderer: Renderer, frame: Frame, look: tuple[Camera, RenderOptions], size: tuple[int, int]
    ) -> QImage:
        """A picture of a frame of the renderer's model, of this size in pixels."""
        if self._target is None or self._size != size:
            self.release()
            self._size, self._buffers = size, (ctx.renderbuffer(size, 4), ctx.depth_renderbuffer(size))
            self._target = ctx.framebuffer([self._buffers[0]], self._buffers[1])
        camera, options = look
        # On the CPU the shadow takes half of the picture's time, and is hardly visible in such a small one.
        plain = replace(options, shadow=options.shadow and renderer.quality.shadow_taps > 1)
        renderer.render(self._target, frame, camera, plain, *size, direct=True)
        pixels = self._target.read(components=4)
        # The lowest row comes first.
        return QImage(pixels, *size, 4 * size[0], QImage.Format.Format_RGBX8888).flipped(Qt.Orientation.Vertical)

    def release(self) -> None:
        """Release the OpenGL objects."""
        if self._target is not None:
            self._target.release()
            for buffer in self._buffers:
                buffer.release()
            self._target, self._buffers = None, ()


class _Kept(Struct):
    """frame: held so that its identity stays unique; stamp: the view settings it was drawn with."""

    frame: Frame
    image: QImage
    stamp: object


class Gallery:
    """Pictures by frame. The user of the cache requests them; they are drawn one at a time, when there is time."""

    def __init__(self, draw: Callable[[Frame], QImage | None], stamp: Callable[[], object], most: int = MOST) -> None:
        """draw: a picture, or None if impossible; stamp: present view settings."""
        self._draw, self._stamp, self._most = draw, stamp, most
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._wanted: list[Frame] = []
        self.drawn = 0  # pictures drawn so far

    def __len__(self) -> int:
        return len(self._kept)

    def has(self, frame: Frame) -> bool:
        """True if the frame has a thumbnail."""
        return id(frame) in self._kept

    def picture(self, frame: Frame) -> QImage | None:
        """The picture of a frame, perhaps with earlier view settings; None if not drawn yet."""
        kept = self._kept.get(id(frame))
        if kept is None:
            return None
        self._kept.move_to_end(id(frame))
        return kept.image

    def want(self, frames: Sequence[Frame], *, again: bool = True) -> None:
        """These are to be drawn, the first ones first; again: also those which the view now looks at in another way."""
        stamp = self._stamp()
        missing = [frame for frame in frames if id(frame) not in self._kept]
        others = [frame for frame in frames if id(frame) in self._kept and self._kept[id(frame)].stamp != stamp]
        self._wanted = [*missing, *(others if again else ())][: self._most]

    @property
    def waiting(self) -> bool:
        """True if thumbnails are waiting to be drawn."""
        return bool(self._wanted)

    def draw_next(self) -> None:
        """Draw one picture."""
        if not self._wanted:
            return
        frame = self._wanted.pop(0)
        image = self._draw(frame)
        if image is None:
            return
        self.drawn += 1
        self._kept[id(frame)] = _Kept(frame, image, self._stamp())
        self._kept.move_to_end(id(frame))
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def clear(self) -> None:
        """Discard all pictures: another model runs."""
        self._kept.clear()
        self._wanted = []
