"""Elements by name or number: `m.body("torso").mass`, `d.joint("hip").qpos`.

What an element has is read off the table of fields: the rows of all fields of its kind, under their
short names. Everything is a writable view into the arrays of the model or data; a single number is a
view of shape (1,), so that `m.body("torso").mass[0] = 2` and `m.body("torso").mass = 2` both work.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

import numpy as np

from physics.errors import UnknownIndexError, UnknownNameError
from physics.state.block import Block
from physics.state.enums import mjtObj
from physics.state.fields import MODEL
from physics.state.fields.data import COMPUTED, STATE
from physics.state.fields.field import Field

if TYPE_CHECKING:
    from physics.state.declared import data_elements as of_data
    from physics.state.declared import model_elements as of_model

V = TypeVar("V", covariant=True)

# How an element's part of an array is found: from the block that tells where, the whole array and the element's number.
Part = Callable[[Block, np.ndarray, int], np.ndarray]


@dataclass(frozen=True, slots=True)
class Kind:
    """What can be named: its number, the prefix of its fields, the size that counts it, and where its names start."""

    obj: mjtObj
    prefix: str
    count: str

    @property
    def address(self) -> str:
        """The field with the first byte of each element's name."""
        return f"name_{self.prefix}adr"


_PREFIXES = {
    "BODY": "body", "JOINT": "jnt", "GEOM": "geom", "SITE": "site", "CAMERA": "cam", "LIGHT": "light", "FLEX": "flex",
    "MESH": "mesh", "SKIN": "skin", "HFIELD": "hfield", "TEXTURE": "tex", "MATERIAL": "mat", "PAIR": "pair",
    "EXCLUDE": "exclude", "EQUALITY": "eq", "TENDON": "tendon", "ACTUATOR": "actuator", "SENSOR": "sensor",
    "NUMERIC": "numeric", "TEXT": "text", "TUPLE": "tuple", "KEY": "key", "PLUGIN": "plugin",
}  # fmt: skip

KINDS: dict[int, Kind] = {
    obj: Kind(obj, prefix, "nu" if prefix == "actuator" else f"n{prefix}")
    for key, prefix in _PREFIXES.items()
    for obj in [mjtObj[f"mjOBJ_{key}"]]
}
KINDS[mjtObj.mjOBJ_XBODY] = KINDS[mjtObj.mjOBJ_BODY]


def names_of(m: Block, kind: Kind) -> tuple[str, ...]:
    """The name of every element of a kind, in order; "" if it has none."""
    source = (m._arrays["names"].tobytes(), m._arrays[kind.address].tobytes())
    return _split(source[0], source[1])


@lru_cache(maxsize=256)  # models come and go
def _split(names: bytes, addresses: bytes) -> tuple[str, ...]:
    starts = np.frombuffer(addresses, np.int32)
    return tuple(names[at : names.index(0, at)].decode(errors="replace") for at in starts)


def find(m: Block, kind: Kind, name: str) -> int:
    """The number of the element of that name; -1 if there is none."""
    return _numbers(names_of(m, kind)).get(name, -1)


@lru_cache(maxsize=256)  # models come and go
def _numbers(names: tuple[str, ...]) -> dict[str, int]:
    return {name: i for i, name in enumerate(names) if name}


def _model(block: Block) -> Block:
    """The model of data, or the model itself."""
    model: Block = getattr(block, "model", block)
    return model


def _row(block: Block, array: np.ndarray, i: int) -> np.ndarray:
    part: np.ndarray = array[i : i + 1] if array.ndim == 1 else array[i]
    return part


def _between(address: str) -> Part:
    """The part of a packed array that starts at the element's address and ends where the next element's starts."""

    def part(block: Block, array: np.ndarray, i: int) -> np.ndarray:
        starts = _model(block)._arrays[address]
        return array[starts[i] : starts[i + 1] if i + 1 < len(starts) else len(array)]

    return part


def _sized(address: str, *sizes: str) -> Part:
    """The part of a packed array that starts at the element's address and has its sizes."""

    def part(block: Block, array: np.ndarray, i: int) -> np.ndarray:
        source = block if address in block._arrays else _model(block)
        shape = [int(source._arrays[n][i]) for n in sizes]
        start = source._arrays[address][i]
        return array[start : start + np.prod(shape, dtype=int)].reshape(shape)

    return part


_DOFS, _COORDINATES = _between("jnt_dofadr"), _between("jnt_qposadr")


_Columns = dict[str, tuple[str, Part]]


def _rows(fields: Iterable[Field], size: str, part: Part = _row, strip: str = "", but: tuple[str, ...] = ()) -> _Columns:
    """The fields with one row an element, under the name that is left without the prefix."""
    chosen = (f for f in fields if f.shape and f.shape[0] == size and f.name.startswith(strip) and f.name not in but)
    return {f.name.removeprefix(strip): (f.name, part) for f in chosen}


def _model_columns(kind: Kind) -> _Columns:
    """What an element of the model has."""
    columns = _rows(MODEL, kind.count, strip=f"{kind.prefix}_")
    if kind.prefix == "jnt":
        dofs = _rows(MODEL, "nv", _DOFS, "dof_")
        columns = dofs | columns | {"bodyid": dofs["bodyid"]}
        columns |= {"qpos0": ("qpos0", _COORDINATES), "qpos_spring": ("qpos_spring", _COORDINATES)}
    elif kind.prefix == "tex":
        columns["data"] = ("tex_data", _sized("tex_adr", "tex_height", "tex_width", "tex_nchannel"))
    elif kind.prefix == "hfield":
        columns["data"] = ("hfield_data", _sized("hfield_adr", "hfield_nrow", "hfield_ncol"))
    elif kind.prefix == "numeric":
        columns["data"] = ("numeric_data", _sized("numeric_adr", "numeric_size"))
    elif kind.prefix == "tuple":
        columns |= {n: (f"tuple_{n}", _sized("tuple_adr", "tuple_size")) for n in ("objtype", "objid", "objprm")}
    return columns


def _data_columns(kind: Kind) -> _Columns:
    """What an element has in the data."""
    fields = (*STATE, *COMPUTED)
    if kind.prefix == "body":
        return _rows(fields, "nbody", but=("body_awake", "body_awake_ind", "parent_awake_ind"))
    if kind.prefix == "jnt":
        dofs = _rows(fields, "nv", _DOFS, but=("dof_awake_ind",))
        return dofs | {"qpos": ("qpos", _COORDINATES)} | _rows(fields, "njnt")
    if kind.prefix == "actuator":
        moment = {"moment": ("actuator_moment", _sized("moment_rowadr", "moment_rownnz"))}
        return {"ctrl": ("ctrl", _row)} | _rows(fields, "nu", strip="actuator_") | moment
    if kind.prefix == "sensor":
        return {"data": ("sensordata", _sized("sensor_adr", "sensor_dim"))}
    prefix = "ten" if kind.prefix == "tendon" else kind.prefix
    return _rows(fields, kind.count, strip=f"{prefix}_")


class ElementView:
    """One element of a model or of its data."""

    __slots__ = ("_block", "_columns", "id", "name")
    id: int
    name: str

    def __init__(self, block: Block, columns: _Columns, id: int, name: str) -> None:
        for slot, value in (("_block", block), ("_columns", columns), ("id", id), ("name", name)):
            object.__setattr__(self, slot, value)

    def __getattr__(self, name: str) -> Any:
        try:
            field, part = self._columns[name]
        except KeyError:
            raise AttributeError(f"no {name!r} here; there are: {', '.join(self._columns)}") from None
        return part(self._block, self._block._arrays[field], self.id)

    def __setattr__(self, name: str, value: Any) -> None:
        getattr(self, name)[...] = value

    def __dir__(self) -> list[str]:
        return ["id", "name", *self._columns]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ElementView) and hash(self) == hash(other)

    def __hash__(self) -> int:
        return hash((id(self._block), id(self._columns), self.id))

    def __repr__(self) -> str:
        return "\n".join(f"{n}: {getattr(self, n)!r}" for n in sorted(dir(self)))


class Finder(Protocol[V]):
    """`m.body`: an element by its name or number; raises KeyError and IndexError that say what is valid."""

    def __call__(self, name: str | int = "") -> V:
        """The element called `name`, or number `name`."""


class Named(Generic[V]):
    """The method of a model or of data that finds an element of one kind by name or number."""

    def __init__(self, obj: mjtObj, columns: Callable[[Kind], _Columns]) -> None:
        self._kind = KINDS[obj]
        self._columns = columns(self._kind)

    def __get__(self, block: Block, owner: type | None = None) -> Finder[V]:
        find: Any = partial(self._find, block) if block is not None else self._find
        return cast("Finder[V]", find)

    def _find(self, block: Block, name: str | int = "") -> ElementView:
        """The element called `name`, or number `name`; unknown ones raise KeyError and IndexError that say what is valid."""
        names = names_of(_model(block), self._kind)
        if not isinstance(name, str):
            i = operator.index(name)
            if not 0 <= i < len(names):
                raise UnknownIndexError(f"Invalid index {i}. Valid indices from 0 to {len(names) - 1}")
            return ElementView(block, self._columns, i, names[i])
        i = _numbers(names).get(name, -1)
        if i < 0:
            raise UnknownNameError(f"Invalid name {name!r}. Valid names: {sorted(n for n in names if n)}")
        return ElementView(block, self._columns, i, name)


class ModelNames:
    """`m.body("torso")` and its like."""

    actuator: Named[of_model.ModelActuator] = Named(mjtObj.mjOBJ_ACTUATOR, _model_columns)
    body: Named[of_model.ModelBody] = Named(mjtObj.mjOBJ_BODY, _model_columns)
    cam: Named[of_model.ModelCamera] = Named(mjtObj.mjOBJ_CAMERA, _model_columns)
    camera = cam
    eq: Named[of_model.ModelEquality] = Named(mjtObj.mjOBJ_EQUALITY, _model_columns)
    equality = eq
    exclude: Named[of_model.ModelExclude] = Named(mjtObj.mjOBJ_EXCLUDE, _model_columns)
    geom: Named[of_model.ModelGeom] = Named(mjtObj.mjOBJ_GEOM, _model_columns)
    hfield: Named[of_model.ModelHfield] = Named(mjtObj.mjOBJ_HFIELD, _model_columns)
    jnt: Named[of_model.ModelJoint] = Named(mjtObj.mjOBJ_JOINT, _model_columns)
    joint = jnt
    key: Named[of_model.ModelKeyframe] = Named(mjtObj.mjOBJ_KEY, _model_columns)
    keyframe = key
    light: Named[of_model.ModelLight] = Named(mjtObj.mjOBJ_LIGHT, _model_columns)
    mat: Named[of_model.ModelMaterial] = Named(mjtObj.mjOBJ_MATERIAL, _model_columns)
    material = mat
    mesh: Named[of_model.ModelMesh] = Named(mjtObj.mjOBJ_MESH, _model_columns)
    numeric: Named[of_model.ModelNumeric] = Named(mjtObj.mjOBJ_NUMERIC, _model_columns)
    pair: Named[of_model.ModelPair] = Named(mjtObj.mjOBJ_PAIR, _model_columns)
    sensor: Named[of_model.ModelSensor] = Named(mjtObj.mjOBJ_SENSOR, _model_columns)
    site: Named[of_model.ModelSite] = Named(mjtObj.mjOBJ_SITE, _model_columns)
    skin: Named[of_model.ModelSkin] = Named(mjtObj.mjOBJ_SKIN, _model_columns)
    tendon: Named[of_model.ModelTendon] = Named(mjtObj.mjOBJ_TENDON, _model_columns)
    tex: Named[of_model.ModelTexture] = Named(mjtObj.mjOBJ_TEXTURE, _model_columns)
    texture = tex
    tuple: Named[of_model.ModelTuple] = Named(mjtObj.mjOBJ_TUPLE, _model_columns)


class DataNames:
    """`d.body("torso")` and its like."""

    actuator: Named[of_data.DataActuator] = Named(mjtObj.mjOBJ_ACTUATOR, _data_columns)
    body: Named[of_data.DataBody] = Named(mjtObj.mjOBJ_BODY, _data_columns)
    cam: Named[of_data.DataCamera] = Named(mjtObj.mjOBJ_CAMERA, _data_columns)
    camera = cam
    geom: Named[of_data.DataGeom] = Named(mjtObj.mjOBJ_GEOM, _data_columns)
    jnt: Named[of_data.DataJoint] = Named(mjtObj.mjOBJ_JOINT, _data_columns)
    joint = jnt
    light: Named[of_data.DataLight] = Named(mjtObj.mjOBJ_LIGHT, _data_columns)
    sensor: Named[of_data.DataSensor] = Named(mjtObj.mjOBJ_SENSOR, _data_columns)
    site: Named[of_data.DataSite] = Named(mjtObj.mjOBJ_SITE, _data_columns)
    ten: Named[of_data.DataTendon] = Named(mjtObj.mjOBJ_TENDON, _data_columns)
    tendon = ten
