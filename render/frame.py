"""A frame: every pose that one picture needs, at one moment, in arrays that are not shared with a writer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tumble.physics.state.data import Data

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


def _rows(width: int) -> Callable[[], Floats]:
    return lambda: np.zeros((0, width))


_ROWS3, _ROWS6, _ROWS9 = _rows(3), _rows(6), _rows(9)


def _vector() -> Floats:
    return np.zeros(0)


def _indices() -> Ints:
    return np.zeros(0, np.int32)


def _pairs() -> Ints:
    return np.zeros((0, 2), np.int32)


def _switches() -> NDArray[np.uint8]:
    return np.zeros(0, np.uint8)


_OWN = ("time", "ghosts", "trails", "flexelem_rgba", "gone")  # what no data has


class Gone(Struct, frozen=True):
    """n contacts that have ended a moment ago: pos (n, 3) [m], axes (n, 9), mode (n,) and geom (n, 2) as they were at last.

    share: (n,) how much of each is still to be seen, 1 for one that has only just ended.
    """

    pos: Floats
    axes: Floats
    mode: NDArray[np.int64]
    geom: NDArray[np.int64]
    share: Floats


class Ghost(Struct, frozen=True):
    """The same model elsewhere, or at another moment.

    geom_xpos (ngeom, 3) [m] and geom_xmat (ngeom, 9) as in MjData; flexvert_xpos (nflexvert, 3) [m]; rgb 0..1: its colour;
    strength: of its alpha, 0..1.
    """

    geom_xpos: Floats
    geom_xmat: Floats
    rgb: tuple[float, float, float]
    flexvert_xpos: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    strength: float = 1.0


class Trail(Struct, frozen=True):
    """points (n, 3) [m] in which a point has been, the oldest first; age (n,) of each, 0 now to 1; rgb 0..1."""

    points: Floats
    age: Floats
    rgb: tuple[float, float, float]


class Frame(Struct):
    """Poses at one moment: names, shapes and units of MjData; matrices are row-major, 9 numbers a row.

    contact_force is in the contact's frame (force 3, torque 3), as mj_contactForce gives it; zeros where unknown.
    flexelem_rgba: (nflexelem, 4) 0..255 in which elements of flexes are drawn, in place of their paint; None: in their paint.
    ghosts: the same model elsewhere, or at another moment; trails: where points of it have been; gone: contacts that are drawn
    though they have ended; None: none.
    Omitted arrays are empty: their elements are not drawn.
    """

    geom_xpos: Floats = field(default_factory=_ROWS3)
    geom_xmat: Floats = field(default_factory=_ROWS9)
    site_xpos: Floats = field(default_factory=_ROWS3)
    site_xmat: Floats = field(default_factory=_ROWS9)
    xpos: Floats = field(default_factory=_ROWS3)
    xmat: Floats = field(default_factory=_ROWS9)
    xipos: Floats = field(default_factory=_ROWS3)
    ximat: Floats = field(default_factory=_ROWS9)
    subtree_com: Floats = field(default_factory=_ROWS3)
    light_xpos: Floats = field(default_factory=_ROWS3)
    light_xdir: Floats = field(default_factory=_ROWS3)
    cam_xpos: Floats = field(default_factory=_ROWS3)
    cam_xmat: Floats = field(default_factory=_ROWS9)
    xanchor: Floats = field(default_factory=_ROWS3)
    xaxis: Floats = field(default_factory=_ROWS3)
    xfrc_applied: Floats = field(default_factory=_ROWS6)
    ctrl: Floats = field(default_factory=_vector)
    act: Floats = field(default_factory=_vector)
    sensordata: Floats = field(default_factory=_vector)
    eq_active: NDArray[np.uint8] = field(default_factory=_switches)
    contact_pos: Floats = field(default_factory=_ROWS3)
    contact_frame: Floats = field(default_factory=_ROWS9)
    contact_force: Floats = field(default_factory=_ROWS6)
    contact_dist: Floats = field(default_factory=_vector)
    contact_friction: Floats = field(default_factory=_rows(5))
    contact_dim: Ints = field(default_factory=_indices)
    contact_geom: Ints = field(default_factory=_pairs)
    tree_island: Ints = field(default_factory=_indices)
    tree_asleep: Ints = field(default_factory=_indices)
    ten_wrapadr: Ints = field(default_factory=_indices)
    ten_wrapnum: Ints = field(default_factory=_indices)
    wrap_obj: Ints = field(default_factory=_indices)
    wrap_xpos: Floats = field(default_factory=_ROWS3)
    flexvert_xpos: Floats = field(default_factory=_ROWS3)
    bvh_aabb_dyn: Floats = field(default_factory=_ROWS6)
    flexelem_rgba: NDArray[np.uint8] | None = None
    time: float = 0.0
    ghosts: tuple[Ghost, ...] = ()
    gone: Gone | None = None
    trails: tuple[Trail, ...] = ()

    @staticmethod
    def from_data(data: Data, contact_force: Floats | None = None) -> Frame:
        """A frame copied from data; contact_force: (ncon, 6) or None for zeros."""
        contact = data.contact
        count = len(contact.dist)
        own = {
            "contact_pos": contact.pos,
            "contact_frame": contact.frame,
            "contact_dist": contact.dist,
            "contact_friction": contact.friction,
            "contact_dim": contact.dim,
            "contact_geom": contact.geom,
            "contact_force": np.zeros((count, 6)) if contact_force is None else contact_force,
        }
        values: dict[str, Any] = {}
        for name in (name for name in Frame.__struct_fields__ if name not in _OWN):
            values[name] = np.array(own[name] if name in own else getattr(data, name))
        values["wrap_xpos"] = values["wrap_xpos"].reshape(-1, 3)
        values["wrap_obj"] = values["wrap_obj"].reshape(-1)
        values["contact_frame"] = values["contact_frame"].reshape(-1, 9)
        values["contact_friction"] = values["contact_friction"].reshape(-1, 5)
        values["contact_geom"] = values["contact_geom"].reshape(-1, 2)
        return Frame(**values, time=data.time)

    def copy(self) -> Frame:
        """The same in its own arrays, without ghosts and trails."""
        names = (name for name in Frame.__struct_fields__ if name not in _OWN)
        return Frame(**{name: getattr(self, name).copy() for name in names}, time=self.time)

    @property
    def nbytes(self) -> int:
        """Memory that the arrays take [bytes], without ghosts."""
        return sum(getattr(self, name).nbytes for name in Frame.__struct_fields__ if name not in _OWN)
