"""The structures of the abstract picture, with the reference's fields and defaults (mjvisualize.h)."""

from __future__ import annotations

from operator import index
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtGeom

S = TypeVar("S", bound="VisualStruct")


class StructField:
    """A field of a structure: its layout in memory (numpy's kind and shape), and its initial value."""

    def __init__(self, kind: str, shape: tuple[int, ...] = (), default: Any = 0) -> None:  # noqa: ANN401  # number, text or array
        self.kind, self.shape, self.default = np.dtype(kind), shape, default
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class WholeField(StructField):
    """An integer; other values raise TypeError."""

    def __init__(self, default: int = 0, kind: str = "i4") -> None:
        super().__init__(kind, (), default)

    def __get__(self, struct: VisualStruct, owner: type) -> int:
        return int(struct.row[self.name])

    def __set__(self, struct: VisualStruct, value: int) -> None:
        where = f"{type(struct).__name__}.{self.name}"
        try:
            struct.row[self.name] = index(value)
        except TypeError:
            raise TypeError(f"{where} is a whole number, got {value!r}") from None
        except OverflowError:
            raise TypeError(f"{where} is a number of {self.kind.itemsize} bytes, got {value}") from None


class RealField(StructField):
    """A real number."""

    def __init__(self, default: float = 0.0, kind: str = "f4") -> None:
        super().__init__(kind, (), default)

    def __get__(self, struct: VisualStruct, owner: type) -> float:
        return float(struct.row[self.name])

    def __set__(self, struct: VisualStruct, value: float) -> None:
        struct.row[self.name] = float(value)


class TextField(StructField):
    """A text of fewer than `size` bytes; longer ones raise ValueError, other values TypeError."""

    def __init__(self, size: int, default: bytes = b"") -> None:
        super().__init__(f"S{size}", (), default)

    def __get__(self, struct: VisualStruct, owner: type) -> str:
        value: bytes = struct.row[self.name].item()
        return value.decode("utf-8", "replace")

    def __set__(self, struct: VisualStruct, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"{type(struct).__name__}.{self.name} is a text, got {value!r}")
        data = value.encode()
        if len(data) >= self.kind.itemsize:
            raise ValueError(f"len({self.name}) cannot exceed {self.kind.itemsize - 1}: got length {len(data)}")
        struct.row[self.name] = data


class ArrayField(StructField):
    """An array, which is written in place; values of another shape raise ValueError."""

    def __init__(self, kind: str, *shape: int, default: ArrayLike = 0) -> None:
        super().__init__(kind, shape, default)

    def __get__(self, struct: VisualStruct, owner: type) -> NDArray[Any]:
        value: NDArray[Any] = struct.row[self.name]
        return value

    def __set__(self, struct: VisualStruct, value: ArrayLike) -> None:
        struct.row[self.name][...] = value


class VisualStruct:
    """A structure of such fields, in one record of numpy's; arrays are views, so that writing them writes the structure."""

    __slots__ = ("row",)
    RECORD: ClassVar[np.dtype[Any]] = np.dtype([])
    BLANK: ClassVar[NDArray[Any]] = np.zeros((), RECORD)
    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init_subclass__(cls) -> None:
        fields = [field for field in vars(cls).values() if isinstance(field, StructField)]
        if fields:
            cls.RECORD = np.dtype([(field.name, field.kind, field.shape) for field in fields])
            cls.BLANK = np.zeros((), cls.RECORD)
            for field in fields:
                cls.BLANK[field.name] = field.default

    def __init__(self) -> None:
        self.row: NDArray[Any] = self.BLANK.copy()

    @classmethod
    def viewing(cls: type[S], row: NDArray[Any]) -> S:
        """The structure in a record (shape ()) of an array."""
        view = cls.__new__(cls)
        view.row = row
        return view

    def reset(self) -> None:
        """Reset every field to its initial value."""
        self.row[...] = self.BLANK

    def fill(self, **fields: ArrayLike) -> None:
        """Set fields to values, and the others to their initial values."""
        self.reset()
        for name, value in fields.items():
            self.row[name] = value

    def __copy__(self: S) -> S:
        return type(self).viewing(self.row.copy())

    def __deepcopy__(self: S, _: dict[int, Any]) -> S:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.row.tobytes())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VisualStruct) or self.RECORD != other.RECORD:
            return NotImplemented
        return all(np.array_equal(self.row[name], other.row[name]) for name in self.RECORD.names or ())

    def __repr__(self) -> str:
        lines = (f"  {name}: {getattr(self, name)!r}\n" for name in sorted(self.RECORD.names or ()))
        return f"<{type(self).__name__}\n{''.join(lines)}>"


def _restored(kind: type[S], data: bytes) -> S:
    return kind.viewing(np.frombuffer(bytearray(data), kind.RECORD)[0:1].reshape(()))


NGROUP, NVISFLAG, NRNDFLAG = 6, 31, 11
MAXLINE, MAXLINEPNT = 100, 1001
_GROUPS = (1, 1, 1, 0, 0, 0)
_SHOWN = (1, 7, 8, 13, 22, 23, 25, 27)  # texture, tendon, rangefinder, pertobj, static, skin, flexedge, flexskin


class MjvOption(VisualStruct):
    """Parts of a model that a scene lists: groups and flags (mjtVisFlag), one kind of labels (mjtLabel), of frames (mjtFrame)."""

    __slots__ = ()
    label = WholeField()
    frame = WholeField()
    geomgroup = ArrayField("u1", NGROUP, default=_GROUPS)
    sitegroup = ArrayField("u1", NGROUP, default=_GROUPS)
    jointgroup = ArrayField("u1", NGROUP, default=_GROUPS)
    tendongroup = ArrayField("u1", NGROUP, default=_GROUPS)
    actuatorgroup = ArrayField("u1", NGROUP, default=_GROUPS)
    flexgroup = ArrayField("u1", NGROUP, default=_GROUPS)
    skingroup = ArrayField("u1", NGROUP, default=_GROUPS)
    flags = ArrayField("u1", NVISFLAG, default=np.isin(np.arange(NVISFLAG), _SHOWN))
    bvh_depth = WholeField(1)
    flex_layer = WholeField()


class MjvCamera(VisualStruct):
    """A camera as a user holds it: lengths [m], angles [deg]; azimuth 90, elevation 0 looks along +y."""

    __slots__ = ()
    type = WholeField()
    fixedcamid = WholeField(-1)
    trackbodyid = WholeField(-1)
    lookat = ArrayField("f8", 3)
    distance = RealField(2.0, "f8")
    azimuth = RealField(90.0, "f8")
    elevation = RealField(-45.0, "f8")
    orthographic = WholeField()


class MjvPerturb(VisualStruct):
    """A body that the mouse holds, where it is wanted, and how it is pulled there (mjtPertBit)."""

    __slots__ = ()
    select = WholeField()
    flexselect = WholeField(-1)
    skinselect = WholeField(-1)
    active = WholeField()
    active2 = WholeField()
    refpos = ArrayField("f8", 3)
    refquat = ArrayField("f8", 4, default=(1.0, 0.0, 0.0, 0.0))
    refselpos = ArrayField("f8", 3)
    localpos = ArrayField("f8", 3)
    localmass = RealField(0.0, "f8")
    scale = RealField(1.0, "f8")


class MjvGLCamera(VisualStruct):
    """A camera for drawing: its frame, and the frustum's sides at the near plane [m]."""

    __slots__ = ()
    pos = ArrayField("f4", 3)
    forward = ArrayField("f4", 3)
    up = ArrayField("f4", 3)
    frustum_center = RealField()
    frustum_width = RealField()
    frustum_bottom = RealField()
    frustum_top = RealField()
    frustum_near = RealField()
    frustum_far = RealField()
    orthographic = WholeField()


class MjvGeom(VisualStruct):
    """A geom to be drawn: object, place, size and material."""

    __slots__ = ()
    type = WholeField(int(mjtGeom.mjGEOM_NONE))
    dataid = WholeField(-1)
    objtype = WholeField()
    objid = WholeField()
    category = WholeField()
    matid = WholeField(-1)
    texcoord = WholeField()
    segid = WholeField()
    size = ArrayField("f4", 3, default=0.1)
    pos = ArrayField("f4", 3)
    mat = ArrayField("f4", 3, 3, default=np.eye(3))
    rgba = ArrayField("f4", 4, default=(0.5, 0.5, 0.5, 1.0))
    emission = RealField()
    specular = RealField(0.5)
    shininess = RealField(0.5)
    reflectance = RealField()
    label = TextField(100)
    camdist = RealField()
    modelrbound = RealField()
    transparent = WholeField(0, "u1")


class MjvLight(VisualStruct):
    """A light of the picture, as OpenGL's fixed lights were described."""

    __slots__ = ()
    id = WholeField()
    pos = ArrayField("f4", 3)
    dir = ArrayField("f4", 3)
    type = WholeField()
    texid = WholeField()
    attenuation = ArrayField("f4", 3)
    cutoff = RealField()
    exponent = RealField()
    ambient = ArrayField("f4", 3)
    diffuse = ArrayField("f4", 3)
    specular = ArrayField("f4", 3)
    headlight = WholeField(0, "u1")
    castshadow = WholeField(0, "u1")
    bulbradius = RealField()
    intensity = RealField()
    range = RealField()


def _line_colours() -> NDArray[np.float64]:
    """(MAXLINE, 3) colours of a figure's lines, far apart for lines that follow each other."""
    turn = (np.arange(MAXLINE)[:, None] * 0.381966 + (0.0, 2 / 3, 1 / 3)) % 1.0
    return np.asarray(0.6 + 0.4 * np.cos(2.0 * np.pi * turn))


class MjvFigure(VisualStruct):
    """A plot of lines over the picture. linedata: x and y of each point in turn."""

    __slots__ = ()
    flg_legend = WholeField(1)
    flg_ticklabel = ArrayField("i4", 2, default=1)
    flg_extend = WholeField(1)
    flg_barplot = WholeField()
    flg_selection = WholeField()
    flg_symmetric = WholeField()
    linewidth = RealField(3.0)
    gridwidth = RealField(1.0)
    gridsize = ArrayField("i4", 2, default=2)
    gridrgb = ArrayField("f4", 3, default=0.4)
    figurergba = ArrayField("f4", 4, default=(0.0, 0.0, 0.0, 1.0))
    panergba = ArrayField("f4", 4, default=(0.0, 0.0, 0.0, 1.0))
    legendrgba = ArrayField("f4", 4, default=(0.0, 0.0, 0.0, 0.3))
    textrgb = ArrayField("f4", 3, default=1.0)
    linergb = ArrayField("f4", MAXLINE, 3, default=_line_colours())
    range = ArrayField("f4", 2, 2, default=(0.0, 1.0))
    xformat = TextField(20, b"%.0f")
    yformat = TextField(20, b"%.2g")
    minwidth = TextField(20, b"XXX")
    title = TextField(1000)
    xlabel = TextField(100)
    linename = ArrayField("S100", MAXLINE, default=b"")
    legendoffset = WholeField()
    subplot = WholeField()
    highlight = ArrayField("i4", 2)
    highlightid = WholeField(-1)
    selection = RealField()
    linepnt = ArrayField("i4", MAXLINE)
    linedata = ArrayField("f4", MAXLINE, 2 * MAXLINEPNT)
    xaxispixel = ArrayField("i4", 2)
    yaxispixel = ArrayField("i4", 2)
    xaxisdata = ArrayField("f4", 2)
    yaxisdata = ArrayField("f4", 2)


def mjv_defaultCamera(cam: MjvCamera) -> None:
    """Reset a camera: free, 2 m from the origin, looking along +y and down."""
    cam.reset()


def mjv_defaultOption(opt: MjvOption) -> None:
    """Reset options to their defaults."""
    opt.reset()


def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """Reset a perturbation: no body is held."""
    pert.reset()


def mjv_defaultFigure(fig: MjvFigure) -> None:
    """Reset a figure: without lines, its range fitting its data."""
    fig.reset()
