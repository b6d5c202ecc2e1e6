"""The `<compiler>` section: how everything else in the file is interpreted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tumble.physics.mjcf.spec import Element


@dataclass(frozen=True, slots=True)
class CompilerSettings:
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


def read_settings(root: Element) -> CompilerSettings:
    """The settings of a model; where `<compiler>` is repeated, what is written last counts.

    Raises MjcfError at what is no longer valid.
    """
    value: dict[str, object] = {}
    for element in root.all("compiler"):
        if element.get("coordinate", "local") != "local":
            raise element.error('coordinate="global" is no longer valid: write every pose in its parent\'s frame')
        for name in ("autolimits", "boundmass", "boundinertia", "settotalmass", "balanceinertia", "discardvisual", "strippath",
                     "fusestatic", "alignfree", "eulerseq", "inertiafromgeom", "meshdir", "texturedir",
                     "fitaabb"):  # fmt: skip
            if element.has(name):
                value[name] = element.get(name)
        if element.has("assetdir"):
            value |= {name: element.get("assetdir") for name in ("meshdir", "texturedir") if not element.has(name)}
        if element.has("angle"):
            value["angle_unit"] = 1.0 if element.get("angle") == "radian" else math.pi / 180
        if element.has("inertiagrouprange"):
            low, high = (int(v) for v in element.get("inertiagrouprange"))
            value["inertiagrouprange"] = (low, high)
        _check(element)
    return CompilerSettings(**value)  # type: ignore[arg-type]  # the schema has typed each of them


def _check(element: Element) -> None:
    for name in ("boundmass", "boundinertia"):
        if element.get(name, 0.0) < 0:
            element.warn(f"{name} is negative, {element.get(name):g}: it bounds nothing")
