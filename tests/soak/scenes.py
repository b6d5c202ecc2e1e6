"""Scenes that a soak rests in and plays with: models, views, a controller."""

from msgspec import Struct

from tumble.app.viewport.tiles.arrangement import Arrangement


class Scene(Struct, frozen=True):
    """rest: the example that is open while the window rests; models: the examples that are opened, none: all of them;
    views: between actions, and at rest; controller: the text of the one that runs then, "" for none.
    """

    rest: str
    models: tuple[str, ...] = ()
    views: Arrangement = Arrangement.ONE
    controller: str = ""


# For any model: it drives what is there, and has memory and noise of its own.
_SHAKER = '''"""Shakes the last body, and swings all actuators."""

import numpy as np

random = np.random.default_rng(1)


def control(model, data):
    data.ctrl[:] = 0.2 * np.sin(3.0 * data.time + np.arange(model.nu))
    data.xfrc_applied[-1, :3] = model.body_mass[-1] * random.normal(0.0, 2.0, 3)
'''
PLAIN = "plain"
SCENES = {
    PLAIN: Scene("double_pendulum.xml"),
    "busy": Scene("cloth.xml", ("cloth.xml", "jelly.xml", "hammock.xml", "rope.xml", "crane.xml"), Arrangement.FOUR, _SHAKER),
}
