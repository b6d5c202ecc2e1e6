"""The `<compiler>` section: how everything else in the file is interpreted."""

from __future__ import annotations

import math

from msgspec import Struct


class CompilerSettings(Struct, frozen=True):
    """Settings of `<compiler>`; see MJCF's reference for each attribute.

    folder: that of the model's file, as seen from the main one's; "" for the main file itself.
    """

    autolimits: bool = True
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    balanceinertia: bool = False
    discardvisual: bool = False
    fusestatic: bool = False
    alignfree: bool = False
    angle_unit: float = math.pi / 180  # radians in one unit of the file's angles
    eulerseq: str = "xyz"
    inertiafromgeom: str = "auto"
    inertiagrouprange: tuple[int, int] = (0, 5)
    meshdir: str = ""
    texturedir: str = ""
    strippath: bool = False
    fitaabb: bool = False  # primitives are fitted to a mesh's box, not to its inertia
    folder: str = ""

    def angle(self, value: float) -> float:
        """An angle of the file in radians."""
        return self.angle_unit * value


DEFAULT_SETTINGS = CompilerSettings()
