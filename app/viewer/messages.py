"""Messages between a script and its window, beyond commands of the simulation, which are sent as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tumble.app.simulation.commands import Command

Colour = tuple[float, float, float, float]
Rect = tuple[int, int, int, int]  # left, bottom, width, height [pixels of the view], from its lower left corner


# ---- from the script


class ShowModel(Struct, frozen=True):
    """Show a model. model: as `saved.packed` gives it; ring: path of the memory with its moments; hidden: sides of panels.

    follows: the window takes no steps; driven: and controls when the script does. reloads: the script can load the model again;
    keys: it listens to them.
    """

    model: bytes
    ring: str
    name: str
    title: str
    follows: bool
    driven: bool
    reloads: bool
    keys: bool
    hidden: tuple[str, ...]


class ScriptText(Struct, frozen=True):
    """Two columns of lines over the view. font: of mjtFont; place: of mjtGridPos."""

    font: int
    place: int
    left: str
    right: str


class ScriptPicture(Struct, frozen=True, eq=False):
    """pixels: (height, width, 3) uint8."""

    rect: Rect
    pixels: NDArray[np.uint8]


class ScriptFigure(Struct, frozen=True, eq=False):
    """Lines in a frame. lines: points (n, 2) of each; low, high: (2,) of x and y; grid: number of ticks of x and y."""

    rect: Rect
    title: str
    xlabel: str
    names: list[str]
    colours: list[Colour]
    lines: list[NDArray[np.float64]]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    back: Colour
    grid: tuple[int, int]


class DrawOver(Struct, frozen=True):
    """All that is drawn over the view of one kind; None: as before."""

    texts: list[ScriptText] | None = None
    pictures: list[ScriptPicture] | None = None
    figures: list[ScriptFigure] | None = None


# ---- from either


class ViewChange(Struct, frozen=True):
    """Changes: `camera`, `options`, and from the window `viewport` and `select`; number: of the script's last change."""

    number: int
    changed: dict[str, Any]


# ---- from the window


class Ask(Struct, frozen=True):
    """Request that the script execute a command. number: of commands up to this one."""

    number: int
    command: Command


class Key(Struct, frozen=True):
    """A key was pressed in the view; number: GLFW code."""

    number: int


class Failed(Struct, frozen=True):
    """The model cannot be shown."""

    why: str


class Reload(Struct, frozen=True):
    """The user wants the model to be loaded again."""
