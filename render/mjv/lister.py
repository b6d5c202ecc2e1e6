"""Writing geoms into a scene: one or many at once, while there is room."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.errors import ModelError
from tumble.physics.query.force import forces_of
from tumble.physics.query.text import mj_id2name, mju_type2Str
from tumble.physics.state.enums import mjtCatBit, mjtGeom, mjtObj, mjtVisFlag, mjtWarning
from tumble.render.constants import CONTACT
from tumble.render.frame import Frame
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import MjvGeom, MjvOption, MjvPerturb
from tumble.render.scene.canvas import Mark, Size
from tumble.render.scene.symbols import three_sizes

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel
    from tumble.physics.state.enums import mjtFrame, mjtLabel

_log = logging.getLogger(__name__)

Floats = NDArray[np.float64]
_BLANK = MjvGeom.BLANK
_CONNECTORS = tuple(
    int(kind)
    for kind in (
        mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_CYLINDER, mjtGeom.mjGEOM_ARROW, mjtGeom.mjGEOM_ARROW1, mjtGeom.mjGEOM_ARROW2,
        mjtGeom.mjGEOM_LINE,
    )
)  # fmt: skip
_WHOLE = tuple(int(kind) for kind in (mjtGeom.mjGEOM_CAPSULE, mjtGeom.mjGEOM_CYLINDER))
_NO_LENGTH = 1e-10
_LINE_PIXELS = 3.0
_UNTYPED = (int(mjtObj.mjOBJ_BODY), CONTACT)  # decoration of these has no type in the reference


def toward(direction: ArrayLike) -> Floats:
    """(3, 3) the smallest rotation that takes z to a direction (3,); upright for one without length."""
    vector = np.asarray(direction, float)
    length = float(np.linalg.norm(vector))
    if length < _NO_LENGTH:
        return np.eye(3)
    x, y, z = vector / length
    if z < -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    c = 1.0 / (1.0 + z)
    return np.array([[1.0 - c * x * x, -c * x * y, x], [-c * x * y, 1.0 - c * y * y, y], [-x, -y, z]])


def connection(kind: int, width: float, start: ArrayLike, end: ArrayLike) -> dict[str, Any]:
    """Fields of a geom that joins two points: capsules and cylinders about their middle, arrows and lines from the first."""
    first, second = np.asarray(start, float), np.asarray(end, float)
    way = second - first
    length = float(np.linalg.norm(way))
    centred = kind in _WHOLE
    return {
        "type": kind,
        "size": (width, width, 0.5 * length if centred else length),
        "pos": 0.5 * (first + second) if centred else first,
        "mat": toward(way),
    }


def mjv_initGeom(
    geom: MjvGeom,
    type: int,  # the reference's name
    size: ArrayLike | None,
    pos: ArrayLike | None,
    mat: ArrayLike | None,
    rgba: ArrayLike | None,
) -> None:
    """Make a geom of a type (mjtGeom); omitted fields have their defaults.

    size: (3,); pos: (3,) [m]; mat: (9,) rotation; rgba: (4,). Raises TypeError for arrays of other sizes.
    """
    row = geom.row
    row[...] = _BLANK
    row["type"] = int(type)
    for name, values, count in (("pos", pos, 3), ("mat", mat, 9), ("rgba", rgba, 4)):
        if values is not None:
            row[name] = _numbers(name, values, count).reshape(row[name].shape)
    if size is not None:
        row["size"] = three_sizes(np.array([int(type)]), _numbers("size", size, 3)[None])[0]


def _numbers(name: str, given: ArrayLike, count: int) -> Floats:
    values = np.asarray(given, float)
    if values.shape not in ((count,), (count, 1)):
        raise TypeError(f"mjv_initGeom: {name} has shape ({count},), got {values.shape}")
    return values.ravel()


def mjv_connector(geom: MjvGeom, type: int, width: float, from_: ArrayLike, to: ArrayLike) -> None:  # its name
    """Set type, size, position and rotation of a geom so that it joins two points (3,) [m]; width of a line in pixels.

    Raises ModelError for a type that joins no points.
    """
    if int(type) not in _CONNECTORS:
        raise ModelError(f"mjv_connector: invalid geom type {int(type)} for connector")
    for name, value in connection(int(type), float(width), from_, to).items():
        geom.row[name] = value


class Lister:
    """A scene being filled: a model and its data, their visible parts, and the index of the next geom."""

    def __init__(self, m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, catmask: int, scn: MjvScene) -> None:
        self.m, self.d, self.opt, self.catmask, self.scn = m, d, opt, int(catmask), scn
        self.pert = pert if pert is not None else MjvPerturb()
        self.frame = Frame.from_data(d, forces_of(d) if opt.flags[mjtVisFlag.mjVIS_CONTACTFORCE] else None)
        self.flags = opt.flags
        self.size = float(m.stat.meansize)

    def shows(self, category: mjtCatBit) -> bool:
        """True if a category is requested."""
        return bool(self.catmask & int(category))

    def add(self, count: int = 1, **fields: Any) -> NDArray[Any]:  # noqa: ANN401  # numbers and arrays of them
        """The next count geoms, with these fields, each one value or one a geom; fewer if there is no room."""
        scn = self.scn
        if count > scn.room():
            self._full()
            count = scn.room()
        first = scn.ngeom
        rows = scn.geom_rows[first : first + count]
        rows[...] = _BLANK
        for name, value in fields.items():
            each = np.ndim(value) == rows[name].ndim and count != len(np.atleast_1d(value))
            rows[name] = np.asarray(value)[:count] if each else value
        rows["segid"] = np.arange(first, first + count)
        scn.ngeom = first + count
        return rows

    def _full(self) -> None:
        if not self.scn.status:
            _log.warning("the scene has no room for more than %d geoms: give MjvScene a greater maxgeom", self.scn.maxgeom)
        self.scn.status = 1
        self.d.warning[int(mjtWarning.mjWARN_VGEOMFULL)].number += 1

    def _decor(self, fields: dict[str, Any], mark: Mark) -> None:
        kind, label = 0 if mark.objtype in _UNTYPED else int(mark.objtype), mark.label.encode()[:99]
        self.last = self.add(
            objtype=kind, objid=mark.objid, label=label, rgba=mark.rgba, category=int(mjtCatBit.mjCAT_DECOR), **fields
        )

    def shape(self, kind: mjtGeom, pos: ArrayLike, mat: ArrayLike, size: Size, mark: Mark) -> None:
        """A decoration geom, as in SymbolCanvas."""
        self._decor({"type": int(kind), "pos": pos, "mat": np.reshape(mat, (3, 3)), "size": size}, mark)

    def rod(self, start: ArrayLike, end: ArrayLike, radius: float, mark: Mark, *, flat: bool = False) -> None:
        """A capsule or cylinder between two points."""
        kind = mjtGeom.mjGEOM_CYLINDER if flat else mjtGeom.mjGEOM_CAPSULE
        self._decor(connection(int(kind), radius, start, end), mark)

    def line(self, start: ArrayLike, end: ArrayLike, mark: Mark) -> None:
        """A line between two points."""
        self._decor(connection(int(mjtGeom.mjGEOM_LINE), _LINE_PIXELS, start, end), mark)

    def arrow(self, start: ArrayLike, vector: ArrayLike, radius: float, mark: Mark, *, barbed: bool = True) -> None:
        """An arrow, whose size is twice its drawn length."""
        kind = mjtGeom.mjGEOM_ARROW if barbed else mjtGeom.mjGEOM_ARROW1
        self._decor(connection(int(kind), radius, start, np.asarray(start) + 2.0 * np.asarray(vector)), mark)

    def text(self, pos: ArrayLike, mat: ArrayLike, body: int, label: str) -> None:
        """A text without a symbol."""
        self.shape(mjtGeom.mjGEOM_LABEL, pos, mat, float(_BLANK["size"][0]), Mark(_BLANK["rgba"], 0, body, label))

    def axes_if(self, mode: mjtFrame, objid: int, pos: ArrayLike, mat: ArrayLike, scale: float = 1.0) -> None:
        """Three axes at a pose, if this kind of frames is requested."""
        if self.opt.frame != int(mode):
            return
        look = self.m.vis.scale
        width, length = scale * float(look.framewidth) * self.size, scale * float(look.framelength) * self.size
        origin, axes = np.asarray(pos, float), np.asarray(mat, float).reshape(3, 3)
        for axis in range(3):
            mark = Mark((*(0.9 * np.eye(3)[axis]), 1.0), 0, objid)
            self.rod(origin, origin + length * axes[:, axis], width, mark, flat=True)

    def labels(self, mode: mjtLabel) -> bool:
        """True if this kind of labels is requested."""
        return self.opt.label == int(mode)

    def name(self, objtype: int, objid: int) -> str:
        """The name of an element, or its kind and number."""
        name = mj_id2name(self.m, int(objtype), objid)
        return name if name else f"{mju_type2Str(int(objtype))} {objid}"

    def name_if(self, mode: mjtLabel, objtype: int, objid: int) -> str:
        """The element's name if this kind of labels is requested, else ""."""
        return self.name(objtype, objid) if self.labels(mode) else ""


def flex_parts(opt: MjvOption) -> tuple[bool, bool, bool, bool]:
    """Switches for vertices, edges, faces and skins of flexes."""
    vert, edge, face, skin = (
        bool(opt.flags[int(flag)])
        for flag in (mjtVisFlag.mjVIS_FLEXVERT, mjtVisFlag.mjVIS_FLEXEDGE, mjtVisFlag.mjVIS_FLEXFACE, mjtVisFlag.mjVIS_FLEXSKIN)
    )
    return vert, edge, face, skin


def painted(m: MjModel, material: NDArray[np.int64], rgba: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Colours and material numbers of n elements; their own colour wins over the material's, 0.5 grey is none."""
    own = np.array(rgba, np.float32)
    has = (material >= 0) & (material < m.nmat)
    result = {
        "rgba": own,
        "emission": np.zeros(len(own), np.float32),
        "specular": np.full(len(own), 0.5, np.float32),
        "shininess": np.full(len(own), 0.5, np.float32),
        "reflectance": np.zeros(len(own), np.float32),
    }
    if has.any():
        of = material[has]
        plain = has & (np.abs(own - (0.5, 0.5, 0.5, 1.0)).max(axis=1) < 1e-6)
        own[plain] = np.asarray(m.mat_rgba)[material[plain]]
        for name in ("emission", "specular", "shininess", "reflectance"):
            result[name][has] = np.asarray(getattr(m, f"mat_{name}"))[of]
    return result
