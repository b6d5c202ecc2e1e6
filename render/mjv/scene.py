"""The scene: the contents of a picture, filled by mjv_updateScene and, behind that, by programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from tumble.render.constants import MeshId
from tumble.render.mesh.flex_mesh import CABLE, CLOTH, Surface, layers, vertices_of
from tumble.render.mjv.structs import NRNDFLAG, ArrayField, MjvGeom, MjvGLCamera, MjvLight, RealField, VisualStruct, WholeField

if TYPE_CHECKING:
    from tumble.physics import MjModel

T = TypeVar("T", bound=VisualStruct)

MAXLIGHT = 100
_SHOWN_AT_FIRST = (0, 2, 4, 6, 10)  # shadow, reflection, skybox, haze, cull_face
_WHOLE = ("edgeadr", "edgenum", "vertadr", "vertnum", "faceadr", "facenum", "faceused", "edge")
_REAL = {"vert": 3, "face": 9, "normal": 9, "texcoord": 6}  # numbers a vertex or face
FLEX_ARRAYS = tuple(f"flex{name}" for name in (*_WHOLE, *_REAL))


class Structs(Sequence[T], Generic[T]):
    """A fixed number of structures in one array: always the same object for an index."""

    def __init__(self, kind: type[T], rows: NDArray[Any]) -> None:
        self._kind, self.rows = kind, rows
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        place = range(len(self.rows))[index]
        if place not in self._made:
            self._made[place] = self._kind.viewing(self.rows[place : place + 1].reshape(()))
        return self._made[place]

    def __iter__(self) -> Iterator[T]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return repr(tuple(self))


class MjvScene(VisualStruct):
    """Geoms, lights and cameras of a picture, and effects (flags: mjtRndFlag).

    maxgeom: room for geoms; the first ngeom of `geoms` are drawn. A program adds its own with mjv_initGeom and ngeom += 1.
    status: 1 once there was no room. A skin is drawn from its bones, as mjv_updateSkin found them; skinvert and
    skinnormal are for reading. A flex is drawn from flexvert; flexface, flexnormal and flextexcoord are for reading.
    """

    __slots__ = ("_camera", "_flex", "_geomorder", "_geoms", "_lights", "_skin", "flex_layer", "skin_poses")
    maxgeom = WholeField()
    ngeom = WholeField()
    nflex = WholeField()
    nskin = WholeField()
    nlight = WholeField()
    flexvertopt = WholeField(0, "u1")
    flexedgeopt = WholeField(0, "u1")
    flexfaceopt = WholeField(0, "u1")
    flexskinopt = WholeField(0, "u1")
    enabletransform = WholeField(0, "u1")
    translate = ArrayField("f4", 3)
    rotate = ArrayField("f4", 4, default=(1.0, 0.0, 0.0, 0.0))
    scale = RealField(1.0)
    stereo = WholeField()
    flags = ArrayField("u1", NRNDFLAG, default=np.isin(np.arange(NRNDFLAG), _SHOWN_AT_FIRST))
    framewidth = WholeField()
    framergb = ArrayField("f4", 3)
    status = WholeField()

    def __init__(self, model: MjModel | None = None, maxgeom: int = 0) -> None:
        """model: source of skins; maxgeom: capacity for geoms. Raises ValueError if it is negative."""
        if maxgeom < 0:
            raise ValueError(f"maxgeom cannot be negative, got {maxgeom}")
        super().__init__()
        self.maxgeom = maxgeom
        self._geoms = Structs(MjvGeom, np.zeros(maxgeom, MjvGeom.RECORD))
        self._lights = Structs(MjvLight, np.zeros(MAXLIGHT, MjvLight.RECORD))
        self._camera = Structs(MjvGLCamera, np.zeros(2, MjvGLCamera.RECORD))
        self._geomorder = np.arange(maxgeom, dtype=np.int32)
        self._skin: dict[str, NDArray[Any]] = {}
        self.skin_poses: list[NDArray[np.float64]] = []  # of the bones of each skin, as tumble.render.mesh.skin.Bones gives them
        self._flex = FlexArrays(None)
        self.flex_layer = 0  # of the solids' elements that are listed by faces
        if model is not None:
            self._hold_skins(model)
            self.nflex, self._flex = int(model.nflex), FlexArrays(model)

    def _hold_skins(self, model: MjModel) -> None:
        self.nskin = int(model.nskin)
        numbers, floats = np.int32, np.float32
        vertices = 3 * int(np.sum(model.skin_vertnum)) if model.nskin else 0
        self._skin = {
            "facenum": np.array(model.skin_facenum, numbers),
            "vertadr": np.array(model.skin_vertadr, numbers),
            "vertnum": np.array(model.skin_vertnum, numbers),
            "vert": np.zeros(vertices, floats),
            "normal": np.zeros(vertices, floats),
        }

    @property
    def geoms(self) -> Structs[MjvGeom]:
        """(maxgeom) geoms."""
        return self._geoms

    @property
    def geom_rows(self) -> NDArray[Any]:
        """Memory of the geoms: drawing reads here, also where a program has given its scenes other `geoms`."""
        return self._geoms.rows

    @property
    def flexes(self) -> FlexArrays:
        """The arrays of flexes, and their filler."""
        return self._flex

    @property
    def lights(self) -> Structs[MjvLight]:
        """(100) lights, of which the first nlight shine."""
        return self._lights

    @property
    def camera(self) -> Structs[MjvGLCamera]:
        """The cameras of the left and the right eye."""
        return self._camera

    @property
    def geomorder(self) -> NDArray[np.int32]:
        """(maxgeom,) the reference's buffer to sort geoms in; the order of drawing is found elsewhere."""
        return self._geomorder

    def room(self) -> int:
        """Number of geoms there is still room for."""
        return max(min(self.maxgeom, len(self._geoms)) - self.ngeom, 0)

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name.startswith("skin") and name[4:] in ("facenum", "vertadr", "vertnum", "vert", "normal"):
            return self._skin.get(name[4:], np.zeros(0, np.float32 if name[4:] in ("vert", "normal") else np.int32))
        if name in FLEX_ARRAYS:
            return self._flex.arrays[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __copy__(self) -> MjvScene:
        scene = type(self)(None, len(self._geoms))
        scene.row[...] = self.row
        scene._geoms.rows[...], scene._lights.rows[...] = self._geoms.rows, self._lights.rows
        scene._camera.rows[...] = self._camera.rows
        scene._skin = {name: array.copy() for name, array in self._skin.items()}
        scene._flex, scene.flex_layer = self._flex.copy(), self.flex_layer
        scene.skin_poses = [poses.copy() for poses in self.skin_poses]
        return scene

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("an MjvScene is filled from a model and its data; it is copied, not pickled")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.ngeom} of {self.maxgeom} geoms, {self.nlight} lights>"


class FlexArrays:
    """arrays: by their names in FLEX_ARRAYS, in rows as C has them; faces have room for all that options may ask for."""

    def __init__(self, model: MjModel | None) -> None:
        self._model = model
        self._surfaces: dict[tuple[int, MeshId, int], Surface] = {}
        count = 0 if model is None else int(model.nflex)
        self.arrays: dict[str, NDArray[Any]] = {f"flex{name}": np.zeros(count, np.int32) for name in _WHOLE}
        rooms = np.array([_room(model, flex) for flex in range(count)] if model is not None else [], np.int32)
        total = {"vert": 0 if model is None else int(model.nflexvert)}
        for name, width in _REAL.items():
            self.arrays[f"flex{name}"] = np.zeros(width * total.get(name, int(rooms.sum())), np.float32)
        self.arrays["flexedge"] = np.zeros(0, np.int32)
        if model is not None:
            for name in ("edgeadr", "edgenum", "vertadr", "vertnum"):
                self.arrays[f"flex{name}"][:] = np.asarray(getattr(model, f"flex_{name}"))
            self.arrays["flexfacenum"][:] = rooms
            self.arrays["flexfaceadr"][:] = np.r_[0, np.cumsum(rooms)[:-1]][:count]
            self.arrays["flexedge"] = np.array(model.flex_edge, np.int32).ravel()

    def copy(self) -> FlexArrays:
        """The same in its own arrays."""
        copy = FlexArrays(None)
        copy._model, copy.arrays = self._model, {name: array.copy() for name, array in self.arrays.items()}
        return copy

    def follow(self, points: NDArray[np.float64], style: MeshId | None, layer: int) -> None:
        """Set vertices and triangles by points (nflexvert, 3) [m].

        style: FLEX_SKIN or FLEX_FACES, None without any; layer: of faces.
        """
        model = self._model
        if model is None:
            return
        self.arrays["flexvert"][:] = points.ravel()
        for flex in range(int(model.nflex)):
            used = 0
            if style is not None and int(model.flex_dim[flex]) != CABLE:
                used = self._fill(model, points, flex, style, layer)
            self.arrays["flexfaceused"][flex] = used

    def _fill(self, model: MjModel, points: NDArray[np.float64], flex: int, style: MeshId, layer: int) -> int:
        key = (flex, style, layer)
        if key not in self._surfaces:
            self._surfaces[key] = Surface(model, flex, style, layer)
        surface = self._surfaces[key]
        triangles = surface.layout.triangles.astype(np.int64).ravel()
        rows = surface.follow(np.ascontiguousarray(points[vertices_of(model, flex)], float), np.zeros(3))[triangles]
        first = 3 * int(self.arrays["flexfaceadr"][flex])
        part = slice(first, first + len(rows))
        self.arrays["flexface"].reshape(-1, 3)[part] = rows[:, :3]
        self.arrays["flexnormal"].reshape(-1, 3)[part] = rows[:, 4:]
        if int(model.flex_texcoordadr[flex]) >= 0:
            self.arrays["flextexcoord"].reshape(-1, 2)[part] = surface.layout.uv[triangles]
        return len(rows) // 3


def _room(model: MjModel, flex: int) -> int:
    """Largest number of triangles of a flex."""
    fragments, elements = int(model.flex_shellnum[flex]), int(model.flex_elemnum[flex])
    if int(model.flex_dim[flex]) == CLOTH:
        return 2 * fragments + 2 * elements
    first = int(model.flex_elemadr[flex])
    layer = np.asarray(model.flex_elemlayer)[first : first + elements]
    return max(fragments, 4 * int(np.bincount(layer, minlength=layers(model)).max(initial=0)))
