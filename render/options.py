"""Options for what to draw and how: one struct of switches, with the defaults of the reference's viewer."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

import numpy as np
from msgspec import Struct, field
from numpy.typing import ArrayLike, NDArray

NGROUP = 6


class LabelMode(IntEnum):
    """Objects that carry a text label (the values of mjtLabel)."""

    NONE = 0
    BODY = 1
    JOINT = 2
    GEOM = 3
    SITE = 4
    CAMERA = 5
    LIGHT = 6
    TENDON = 7
    ACTUATOR = 8
    CONSTRAINT = 9
    FLEX = 10
    SKIN = 11
    SELECTION = 12
    SELECTION_POINT = 13
    CONTACT_POINT = 14
    CONTACT_FORCE = 15
    ISLAND = 16


class FrameMode(IntEnum):
    """Coordinate frames that are drawn (the values of mjtFrame)."""

    NONE = 0
    BODY = 1
    GEOM = 2
    SITE = 3
    CAMERA = 4
    LIGHT = 5
    CONTACT = 6
    WORLD = 7


class PictureMode(IntEnum):
    """Ways to draw the picture. Those after the first are switches too, by their names in lower case, of which one is on at most.

    DEPTH: grey, bright where near. SEGMENTATION: each object in its own colour. Both without light and blended edges.
    """

    SHADED = 0
    DEPTH = 1
    SEGMENTATION = 2
    WIREFRAME = 3


MODES = {mode.name.lower(): mode for mode in PictureMode if mode is not PictureMode.SHADED}

Mode = TypeVar("Mode", bound=IntEnum)


def after(mode: Mode) -> Mode:
    """The next of its kind; after the last the first."""
    modes = list(type(mode))
    return modes[(modes.index(mode) + 1) % len(modes)]


def group_mask(groups: ArrayLike, shown: ArrayLike) -> NDArray[np.bool_]:
    """(n,) which elements are shown, by their groups (n,) and a switch for each group."""
    return np.asarray(np.take(np.asarray(shown, bool), np.asarray(groups, int), mode="clip"))


def _groups() -> list[bool]:
    return [True, True, True, False, False, False]


class RenderOptions(Struct):
    """Switches of one picture. The names follow the visualization and render flags of the reference, in lower case."""

    geom_group: list[bool] = field(default_factory=_groups)
    site_group: list[bool] = field(default_factory=_groups)
    joint_group: list[bool] = field(default_factory=_groups)
    tendon_group: list[bool] = field(default_factory=_groups)
    actuator_group: list[bool] = field(default_factory=_groups)
    skin_group: list[bool] = field(default_factory=_groups)
    flex_group: list[bool] = field(default_factory=_groups)

    convex_hull: bool = False
    texture: bool = True
    joint: bool = False
    camera: bool = False
    actuator: bool = False
    activation: bool = False
    light: bool = False
    tendon: bool = True
    rangefinder: bool = True
    equality: bool = False
    com: bool = False
    contact_point: bool = False
    contact_force: bool = False
    contact_split: bool = False
    contact_patch: bool = False  # areas between the contacts of a pair, coloured by pressure
    contact_past: bool = True  # with contact points, for a moment those that have ended, where the frame has them
    friction_cone: bool = True  # of the contact that is chosen
    inertia: bool = False
    scale_inertia: bool = False
    perturb_force: bool = False
    perturb_object: bool = True
    select_point: bool = True
    auto_connect: bool = False
    transparent: bool = False
    static: bool = True
    island: bool = False
    skin: bool = True
    # Of flexes. With their skin, nothing else is drawn of those that have one; the layer is that of solids drawn by faces.
    flex_vert: bool = False
    flex_edge: bool = True
    flex_face: bool = False
    flex_skin: bool = True
    flex_layer: int = 0
    # Trees of bounding volumes: their boxes at this depth.
    body_tree: bool = False
    mesh_tree: bool = False
    tree_depth: int = 1

    mode: PictureMode = PictureMode.SHADED
    # Of DEPTH: distances drawn white and dark grey [m], the same in every picture of a film; None: fitted to the view.
    depth_range: tuple[float, float] | None = None
    shadow: bool = True
    reflection: bool = True
    additive: bool = False
    skybox: bool = True
    fog: bool = False
    haze: bool = True
    # Without it what nothing covers is transparent, and colours come multiplied by their alpha.
    background: bool = True

    label: LabelMode = LabelMode.NONE
    frame: FrameMode = FrameMode.NONE

    # Contact force that an arrow of a third of the picture's height stands for [N]; 0: the strongest contact in view.
    force_newtons: float = 0.0
    force_size: float = 1.0  # a factor of all of these arrows
    patch_pressure: float = 0.0  # the pressure with the darkest colour [Pa]; 0: the greatest

    # As the reference's own renderer draws: its rules for light, shadow, haze and mirrors.
    classic: bool = False
    # A model without its own light would be lit by the headlight alone and look flat.
    default_light: bool = True

    def switch(self, name: str, on: bool) -> None:
        """Turn a switch on or off, by the field's name; `geom_group_3`, `site_group_3` and `wireframe` are switches too."""
        kind, _, number = name.rpartition("_")
        if number.isdecimal():
            getattr(self, kind)[int(number)] = on
        elif name in MODES:
            off = PictureMode.SHADED if self.mode is MODES[name] else self.mode
            self.mode = MODES[name] if on else off
        else:
            setattr(self, name, on)

    def is_on(self, name: str) -> bool:
        """True if a switch is on."""
        kind, _, number = name.rpartition("_")
        if name in MODES:
            return self.mode is MODES[name]
        return bool(getattr(self, kind)[int(number)] if number.isdecimal() else getattr(self, name))


class Selection(Struct, frozen=True):
    """The selected body and, while it is pulled, where to.

    body: body id, 0 or less for none; others: bodies that glow like it. localpos: the selected point in the body's frame [m].
    target: where the pull drags that point [m], or None. rotate: the pull is a torque. contact: the number of the contact that is
    chosen, whose friction cone is drawn; -1: none.
    """

    body: int = -1
    localpos: tuple[float, float, float] = (0.0, 0.0, 0.0)
    target: tuple[float, float, float] | None = None
    rotate: bool = False
    contact: int = -1
    others: tuple[int, ...] = ()
