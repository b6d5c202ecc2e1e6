"""Elements by name or number: `m.body("torso").mass`, `d.joint("hip").qpos`.

What an element has is read off the table of fields: the rows of all fields of its kind, under their
short names. Everything is a writable view into the arrays of the model or data; a single number is a
view of shape (1,), so that `m.body("torso").mass[0] = 2` and `m.body("torso").mass = 2` both work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

import numpy as np
from msgspec import Struct

from tumble.physics.errors import UnknownIndexError, UnknownNameError
from tumble.physics.state.bind import Placed, bind
from tumble.physics.state.block import Block
from tumble.physics.state.enums import mjtObj
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.data_fields import COMPUTED, STATE
from tumble.physics.state.named_element import ROW, Columns, ElementView, between, rows, sized, view_class
from tumble.physics.state.structs.struct import whole

if TYPE_CHECKING:
    from tumble.physics.state.declared import data_elements as of_data
    from tumble.physics.state.declared import model_elements as of_model

V = TypeVar("V", covariant=True)


class Kind(Struct, frozen=True):
    """A kind of named elements: object type, prefix of its fields, size that counts it, and the start of its names."""

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


_TITLES = {mjtObj.mjOBJ_KEY: "Keyframe"}  # of kinds that are called otherwise in names of classes


def names_of(m: Block, kind: Kind) -> tuple[str, ...]:
    """The name of every element of a kind, in order; "" if it has none."""
    names: bytes = cast("Any", m).names
    return _split(names, m._arrays[kind.address].tobytes())


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


_DOFS, _COORDINATES = between("jnt_dofadr"), between("jnt_qposadr")


def _model_columns(kind: Kind) -> Columns:
    """Fields of an element of the model."""
    columns = rows(MODEL, kind.count, strip=f"{kind.prefix}_")
    if kind.prefix == "jnt":
        dofs = rows(MODEL, "nv", _DOFS, "dof_")
        columns = dofs | columns | {"bodyid": dofs["bodyid"]}
        columns |= {"qpos0": ("qpos0", _COORDINATES), "qpos_spring": ("qpos_spring", _COORDINATES)}
    elif kind.prefix == "tex":
        columns["data"] = ("tex_data", sized("tex_adr", "tex_height", "tex_width", "tex_nchannel"))
    elif kind.prefix == "hfield":
        columns["data"] = ("hfield_data", sized("hfield_adr", "hfield_nrow", "hfield_ncol"))
    elif kind.prefix == "numeric":
        columns["data"] = ("numeric_data", sized("numeric_adr", "numeric_size"))
    elif kind.prefix == "tuple":
        columns |= {n: (f"tuple_{n}", sized("tuple_adr", "tuple_size")) for n in ("objtype", "objid", "objprm")}
    return columns


def _data_columns(kind: Kind) -> Columns:
    """Fields of an element in the data."""
    fields = (*STATE, *COMPUTED)
    if kind.prefix == "body":
        return rows(fields, "nbody", but=("body_awake", "body_awake_ind", "parent_awake_ind"))
    if kind.prefix == "jnt":
        dofs = rows(fields, "nv", _DOFS, but=("dof_awake_ind",))
        return dofs | {"qpos": ("qpos", _COORDINATES)} | rows(fields, "njnt")
    if kind.prefix == "actuator":
        moment = {"moment": ("actuator_moment", sized("moment_rowadr", "moment_rownnz", stays=False))}
        return {"ctrl": ("ctrl", ROW)} | rows(fields, "nu", strip="actuator_") | moment
    if kind.prefix == "sensor":
        return {"data": ("sensordata", sized("sensor_adr", "sensor_dim"))}
    prefix = "ten" if kind.prefix == "tendon" else kind.prefix
    return rows(fields, kind.count, strip=f"{prefix}_")


class Finder(Protocol[V]):
    """`m.body`: an element by its name or number; raises KeyError and IndexError that say what is valid."""

    def __call__(self, name: str | int = "") -> V:
        """The element called `name`, or number `name`: the same view each time."""


class Named(Generic[V]):
    """The method of a model or of data that finds an element of one kind by name or number."""

    def __init__(self, obj: mjtObj, owner: str, columns: Callable[[Kind], Columns]) -> None:
        """owner: Model or Data."""
        self.kind = KINDS[obj]
        self.columns = columns(self.kind)
        self._view = view_class(f"_Mj{owner}{_TITLES.get(obj, obj.name[6:].capitalize())}Views", self.columns)

    def __get__(self, block: Block, owner: type | None = None) -> Finder[V]:
        find: Any = partial(self._find, block) if block is not None else self._find
        return cast("Finder[V]", find)

    def _find(self, block: Block, name: str | int = "") -> ElementView:
        """The element called `name`, or number `name`; unknown ones raise KeyError and IndexError that say what is valid."""
        if not isinstance(name, str):
            name = whole(name)
        view = block.views.get((self.kind.obj, name))
        if view is None:
            view = block.views[self.kind.obj, name] = self._make(block, name)
        return view

    def _make(self, block: Block, name: str | int) -> ElementView:
        model = _model(block)
        names = names_of(model, self.kind)
        if isinstance(name, str):
            i = _numbers(names).get(name, -1)
            if i < 0:
                raise UnknownNameError(f"Invalid name {name!r}. Valid names: {sorted(n for n in names if n)}")
            return self._find(block, i)
        if not 0 <= name < len(names):
            raise UnknownIndexError(f"Invalid index {name}. Valid indices from 0 to {len(names) - 1}")
        return self._view(block, model, name, names[name])


class ModelNames:
    """`m.body("torso")` and its like."""

    actuator: Named[of_model.ModelActuator] = Named(mjtObj.mjOBJ_ACTUATOR, "Model", _model_columns)
    body: Named[of_model.ModelBody] = Named(mjtObj.mjOBJ_BODY, "Model", _model_columns)
    cam: Named[of_model.ModelCamera] = Named(mjtObj.mjOBJ_CAMERA, "Model", _model_columns)
    camera = cam
    eq: Named[of_model.ModelEquality] = Named(mjtObj.mjOBJ_EQUALITY, "Model", _model_columns)
    equality = eq
    exclude: Named[of_model.ModelExclude] = Named(mjtObj.mjOBJ_EXCLUDE, "Model", _model_columns)
    geom: Named[of_model.ModelGeom] = Named(mjtObj.mjOBJ_GEOM, "Model", _model_columns)
    hfield: Named[of_model.ModelHfield] = Named(mjtObj.mjOBJ_HFIELD, "Model", _model_columns)
    jnt: Named[of_model.ModelJoint] = Named(mjtObj.mjOBJ_JOINT, "Model", _model_columns)
    joint = jnt
    key: Named[of_model.ModelKeyframe] = Named(mjtObj.mjOBJ_KEY, "Model", _model_columns)
    keyframe = key
    light: Named[of_model.ModelLight] = Named(mjtObj.mjOBJ_LIGHT, "Model", _model_columns)
    mat: Named[of_model.ModelMaterial] = Named(mjtObj.mjOBJ_MATERIAL, "Model", _model_columns)
    material = mat
    mesh: Named[of_model.ModelMesh] = Named(mjtObj.mjOBJ_MESH, "Model", _model_columns)
    numeric: Named[of_model.ModelNumeric] = Named(mjtObj.mjOBJ_NUMERIC, "Model", _model_columns)
    pair: Named[of_model.ModelPair] = Named(mjtObj.mjOBJ_PAIR, "Model", _model_columns)
    sensor: Named[of_model.ModelSensor] = Named(mjtObj.mjOBJ_SENSOR, "Model", _model_columns)
    site: Named[of_model.ModelSite] = Named(mjtObj.mjOBJ_SITE, "Model", _model_columns)
    skin: Named[of_model.ModelSkin] = Named(mjtObj.mjOBJ_SKIN, "Model", _model_columns)
    tendon: Named[of_model.ModelTendon] = Named(mjtObj.mjOBJ_TENDON, "Model", _model_columns)
    tex: Named[of_model.ModelTexture] = Named(mjtObj.mjOBJ_TEXTURE, "Model", _model_columns)
    texture = tex
    tuple: Named[of_model.ModelTuple] = Named(mjtObj.mjOBJ_TUPLE, "Model", _model_columns)

    def bind(self, specs: Placed | Sequence[Placed]) -> Any:
        """View of one or several elements of a specification: as by name, or all values in a row.

        Raises ValueError for elements of a specification that this model was not compiled from.
        """
        return bind(cast("Block", self), _MODEL_FINDERS, _model(cast("Block", self)), specs)


class DataNames:
    """`d.body("torso")` and its like."""

    actuator: Named[of_data.DataActuator] = Named(mjtObj.mjOBJ_ACTUATOR, "Data", _data_columns)
    body: Named[of_data.DataBody] = Named(mjtObj.mjOBJ_BODY, "Data", _data_columns)
    cam: Named[of_data.DataCamera] = Named(mjtObj.mjOBJ_CAMERA, "Data", _data_columns)
    camera = cam
    geom: Named[of_data.DataGeom] = Named(mjtObj.mjOBJ_GEOM, "Data", _data_columns)
    jnt: Named[of_data.DataJoint] = Named(mjtObj.mjOBJ_JOINT, "Data", _data_columns)
    joint = jnt
    light: Named[of_data.DataLight] = Named(mjtObj.mjOBJ_LIGHT, "Data", _data_columns)
    sensor: Named[of_data.DataSensor] = Named(mjtObj.mjOBJ_SENSOR, "Data", _data_columns)
    site: Named[of_data.DataSite] = Named(mjtObj.mjOBJ_SITE, "Data", _data_columns)
    ten: Named[of_data.DataTendon] = Named(mjtObj.mjOBJ_TENDON, "Data", _data_columns)
    tendon = ten

    def bind(self, specs: Placed | Sequence[Placed]) -> Any:
        """View of one or several elements of a specification: as by name, or all values in a row.

        Raises ValueError for elements of a specification that this model of the data was not compiled from.
        """
        return bind(cast("Block", self), _DATA_FINDERS, _model(cast("Block", self)), specs)


def _finders(owner: type) -> dict[int, str]:
    """The name of the finder of each kind."""
    return {member.kind.obj: name for name, member in vars(owner).items() if isinstance(member, Named)}


_MODEL_FINDERS, _DATA_FINDERS = _finders(ModelNames), _finders(DataNames)
