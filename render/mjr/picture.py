"""Drawing a scene into a rectangle of the buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import moderngl
import numpy as np

from tumble.physics.errors import UnknownIndexError
from tumble.physics.state.enums import mjtRndFlag, mjtStereo
from tumble.render.camera import View
from tumble.render.constants import MeshId
from tumble.render.gpu.textures import sky_index
from tumble.render.mjr.buffers import copy
from tumble.render.mjr.context import MjrContext, MjrRect
from tumble.render.mjr.flat import text_size
from tumble.render.mjr.listing import Listing, bent_in, identified, lights_of, listing_of, options_of
from tumble.render.mjv.cameras import mjv_averageCamera, view_in
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import MjvGLCamera
from tumble.render.passes.plain import Ink

if TYPE_CHECKING:
    from tumble.physics import MjModel

_LABEL_RGB = (1.0, 1.0, 1.0)


def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Draw a scene into a rectangle of the buffer in use: its geoms, lights, skins, effects, labels and frame.

    Two eyes (scn.stereo) are drawn side by side; else one eye midway between them. Nothing is drawn without a pixel.
    Raises ModelError for a context that was freed.
    """
    con.gl()
    left, bottom, width, height = viewport.left, viewport.bottom, viewport.width, viewport.height
    if width <= 0 or height <= 0:
        return
    if scn.stereo != int(mjtStereo.mjSTEREO_NONE):
        half = width // 2
        _place(con, scn, scn.camera[0], (left, bottom, half, height))
        _place(con, scn, scn.camera[1], (left + half, bottom, width - half, height))
    else:
        _place(con, scn, mjv_averageCamera(scn.camera[0], scn.camera[1]), (left, bottom, width, height))
    if scn.framewidth > 0:
        _frame(con, scn, (left, bottom, width, height))


def _place(con: MjrContext, scn: MjvScene, eye: MjvGLCamera, box: tuple[int, int, int, int]) -> None:
    """Draw the picture of one eye into a rectangle: at once if that begins in the corner, else next to it, and copied."""
    target = con.target()
    left, bottom, width, height = box
    if width < 1:
        return
    if eye.frustum_top <= eye.frustum_bottom:  # a scene that was never updated: black, as the reference has it
        target.clear(depth=1.0, viewport=box)
        return
    view = view_in(scn, eye, width / height)
    listing = listing_of(scn, con.materials, view, height)
    if not np.any(eye.forward):  # a camera without a pose has nothing in front of it
        listing = Listing(listing.instances.pick(np.zeros(0, np.int64)), listing.source[:0])
    if left == 0 and bottom == 0 and (con.aux >= 0 or target is not con.gl().screen):
        _draw(con, scn, listing, view, target, width, height)
    else:
        tile = con.tile(width, height).framebuffer
        _draw(con, scn, listing, view, tile, width, height)
        copy(con, tile, target, (0, 0, width, height), (left, bottom, left + width, bottom + height), colour=True, depth=True)
    _labels(con, scn, view, target, box)
    target.use()


def _draw(
    con: MjrContext, scn: MjvScene, listing: Listing, view: View, target: moderngl.Framebuffer, width: int, height: int
) -> None:
    assert con.renderer is not None
    flags, bent = scn.flags, bent_in(scn)
    if flags[int(mjtRndFlag.mjRND_SEGMENT)]:
        shown = identified(listing, scn, as_number=bool(flags[int(mjtRndFlag.mjRND_IDCOLOR)]))
        con.renderer.draw_plain(target, shown, bent, view, width, height)
    elif flags[int(mjtRndFlag.mjRND_DEPTH)]:
        con.renderer.draw_plain(target, listing.instances, bent, view, width, height, ink=Ink.DEPTH)
    else:
        options = options_of(scn, con.model, has_sky=sky_index(con.model) >= 0)
        con.renderer.draw(target, listing.instances, lights_of(scn), bent, view, options, width, height)


def _labels(con: MjrContext, scn: MjvScene, view: View, target: moderngl.Framebuffer, box: tuple[int, int, int, int]) -> None:
    """The labels of geoms, above the middle of each."""
    rows = scn.geom_rows[: max(min(scn.ngeom, len(scn.geom_rows)), 0)]
    named = np.flatnonzero(rows["label"] != b"")
    if not len(named) or scn.flags[int(mjtRndFlag.mjRND_SEGMENT)]:
        return
    left, bottom, width, height = box
    for row, (x, y, depth) in zip(named, view.project(rows["pos"][named], width, height), strict=True):
        if depth > view.near and 0 <= x < width and 0 <= y < height:
            text = rows["label"][row].decode("utf-8", "replace")
            wide, _ = text_size(text, con.fontScale, big=False)
            corner = left + round(x) - wide // 2, bottom + round(height - y)
            con.flat.text(target, *corner, text, con.fontScale, _LABEL_RGB, shadow=True)


def _frame(con: MjrContext, scn: MjvScene, box: tuple[int, int, int, int]) -> None:
    """A border of scn.framewidth pixels inside the rectangle."""
    left, bottom, width, height = box
    red, green, blue = (float(v) for v in scn.framergb)
    thick = min(scn.framewidth, width, height)
    for side in (
        (left, bottom, width, thick),
        (left, bottom + height - thick, width, thick),
        (left, bottom, thick, height),
        (left + width - thick, bottom, thick, height),
    ):
        con.flat.rectangle(con.target(), side, (red, green, blue, 1.0))


def _checked(caller: str, what: str, index: int, count: int) -> int:
    if not 0 <= int(index) < count:
        raise UnknownIndexError(f"{caller}: invalid {what} id {int(index)}: the model has {count}")
    return int(index)


def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: int) -> None:
    """Read a mesh of the model again when it is next drawn. Raises UnknownIndexError for an unknown index."""
    con.gl()
    assert con.renderer is not None
    con.renderer.forget(mesh=int(MeshId.MODEL_MESH) + _checked("mjr_uploadMesh", "mesh", meshid, m.nmesh))


def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: int) -> None:
    """Read a height field of the model again when it is next drawn. Raises UnknownIndexError for an unknown index."""
    con.gl()
    assert con.renderer is not None
    con.renderer.forget(mesh=int(MeshId.HFIELD) + _checked("mjr_uploadHField", "height field", hfieldid, m.nhfield))


def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: int) -> None:
    """Read a texture of the model again when it is next drawn. Raises UnknownIndexError for an unknown index."""
    con.gl()
    assert con.renderer is not None
    con.renderer.forget(texture=_checked("mjr_uploadTexture", "texture", texid, m.ntex))
