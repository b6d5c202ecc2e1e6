"""Geoms that a script has put into `user_scn`: drawn with the model, with their labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from tumble.render.camera import View
from tumble.render.drawlist import DrawList
from tumble.render.mjr.listing import Materials, listing_of
from tumble.render.mjv.scene import MjvScene

if TYPE_CHECKING:
    from tumble.physics import MjModel


class ScriptGeoms:
    """Of one model. rows: records of MjvGeom."""

    def __init__(self, model: MjModel) -> None:
        self._materials = Materials(model)
        self._scene = MjvScene(None, 0)

    def show(self, rows: NDArray[Any]) -> None:
        """Draw these from now on."""
        if len(rows) > self._scene.maxgeom:
            self._scene = MjvScene(None, 2 * len(rows))
        self._scene.ngeom = len(rows)
        self._scene.geoms.rows[: len(rows)] = rows

    def instances(self, view: View, height: int) -> DrawList:
        """What is drawn of them; height: of the picture [pixels]."""
        return listing_of(self._scene, self._materials, view, height).instances

    def labels(self) -> tuple[NDArray[Any], list[str]]:
        """Places (n, 3) [m] and texts of those that have a label."""
        rows = self._scene.geoms.rows[: self._scene.ngeom]
        rows = rows[rows["label"] != b""]
        return rows["pos"].astype(float), [bytes(text).decode(errors="replace") for text in rows["label"]]
