"""A scene without a picture: its draw list, and the nearest surface on a ray, by a ray on each of them."""

from typing import Any

import numpy as np

from tumble.physics.state.enums import mjtObj
from tumble.render.camera import Camera, View, view_of
from tumble.render.drawlist import DrawList
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions, Selection
from tumble.render.picking.pick import Hit, Picker
from tumble.render.scene.scene import Scene


def draw_list(model: Any, frame: Frame, options: RenderOptions | None = None, camera: Camera | None = None) -> DrawList:
    """Shapes of a new scene, nothing of it selected, as a square picture has them."""
    return Scene(model).build(frame, view_of(camera or Camera(), model, frame, 1.0), options or RenderOptions(), Selection())


class Rays:
    """Against the geoms, skins and flexes of a model that the options show."""

    def __init__(self, model: Any) -> None:
        self._scene = Scene(model)
        self._picker = Picker(self._scene)

    def along(self, frame: Frame, options: RenderOptions, origin: Any, direction: Any) -> Hit | None:
        scene = self._scene
        shown = (
            (mjtObj.mjOBJ_GEOM, scene.visible_geoms(options)),
            (mjtObj.mjOBJ_SKIN, scene.visible_skins(options)),
            (mjtObj.mjOBJ_FLEX, scene.flexes.visible(options)),
        )
        whats = [(int(kind), int(i)) for kind, mask in shown for i in np.flatnonzero(mask)]
        hits = [self._picker.touch(frame, options, what, (origin, direction)) for what in whats]
        return min((hit for hit in hits if hit is not None), key=lambda hit: hit.distance, default=None)

    def at_pixel(self, frame: Frame, view: View, options: RenderOptions, *place: float) -> Hit | None:
        x, y, width, height = place
        return self.along(frame, options, *view.ray(x, y, int(width), int(height)))
