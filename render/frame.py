"""A frame: every pose that one picture needs, at one moment, in arrays that are not shared with a writer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tumble.physics.state.data import Data

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


def _empty(*shape: int, kind: type = float) -> Any:  # noqa: ANN401  # of a field
    return field(default_factory=lambda: np.zeros(shape, kind))


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
    flexvert_xpos: Floats = _empty(0, 3)
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

    geom_xpos: Floats = _empty(0, 3)
    geom_xmat: Floats = _empty(0, 9)
    site_xpos: Floats = _empty(0, 3)
    site_xmat: Floats = _empty(0, 9)
    xpos: Floats = _empty(0, 3)
    xmat: Floats = _empty(0, 9)
    xipos: Floats = _empty(0, 3)
    ximat: Floats = _empty(0, 9)
    subtree_com: Floats = _empty(0, 3)
    light_xpos: Floats = _empty(0, 3)
    light_xdir: Floats = _empty(0, 3)
    cam_xpos: Floats = _empty(0, 3)
    cam_xmat: Floats = _empty(0, 9)
    xanchor: Floats = _empty(0, 3)
    xaxis: Floats = _empty(0, 3)
    xfrc_applied: Floats = _empty(0, 6)
    ctrl: Floats = _empty(0)
    act: Floats = _empty(0)
    sensordata: Floats = _empty(0)
    eq_active: NDArray[np.uint8] = _empty(0, kind=np.uint8)
    contact_pos: Floats = _empty(0, 3)
    contact_frame: Floats = _empty(0, 9)
    contact_force: Floats = _empty(0, 6)
    contact_dist: Floats = _empty(0)
    contact_friction: Floats = _empty(0, 5)
    contact_dim: Ints = _empty(0, kind=np.int32)
    contact_geom: Ints = _empty(0, 2, kind=np.int32)
    tree_island: Ints = _empty(0, kind=np.int32)
    tree_asleep: Ints = _empty(0, kind=np.int32)
    ten_wrapadr: Ints = _empty(0, kind=np.int32)
    ten_wrapnum: Ints = _empty(0, kind=np.int32)
    wrap_obj: Ints = _empty(0, kind=np.int32)
    wrap_xpos: Floats = _empty(0, 3)
    flexvert_xpos: Floats = _empty(0, 3)
    bvh_aabb_dyn: Floats = _empty(0, 6)
    flexelem_rgba: NDArray[np.uint8] | None = None
    time: float = 0.0
    ghosts: tuple[Ghost, ...] = ()
    gone: Gone | None = None
    trails: tuple[Trail, ...] = ()

    @staticmethod
    def from_data(data: Data, contact_force: Floats | None = None) -> Frame:
        """A frame copied from data; contact_force: (ncon, 6) or None for zeros."""
        force = np.zeros((len(data.contact.dist), 6)) if contact_force is None else np.array(contact_force)
        values: dict[str, Any] = {"contact_force": force}
        for name in (name for name in Frame.__struct_fields__ if name not in (*_OWN, "contact_force")):
            owner, field_ = (data.contact, name[8:]) if name.startswith("contact_") else (data, name)
            values[name] = np.array(getattr(owner, field_))
        widths = {"wrap_xpos": 3, "contact_frame": 9, "contact_friction": 5, "contact_geom": 2}
        values |= {name: values[name].reshape(-1, width) for name, width in widths.items()}
        values["wrap_obj"] = values["wrap_obj"].reshape(-1)
        return Frame(**values, time=data.time)

    def copy(self) -> Frame:
        """The same in its own arrays, without ghosts and trails."""
        names = (name for name in Frame.__struct_fields__ if name not in _OWN)
        return Frame(**{name: getattr(self, name).copy() for name in names}, time=self.time)

    @property
    def nbytes(self) -> int:
        """Memory that the arrays take [bytes], without ghosts."""
        return sum(getattr(self, name).nbytes for name in Frame.__struct_fields__ if name not in _OWN)
