"""`MjSpec`: a model as its user edits it, before it is compiled."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from operator import attrgetter
from types import NoneType
from typing import Any

from tumble.physics.compiler.bodies.frames import read_orientation
from tumble.physics.errors import ArgumentError, quoted
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.reader import read_path, read_string
from tumble.physics.mjcf.schema import find
from tumble.physics.model import MjData, MjModel
from tumble.physics.spec.attach import Copier, attach_spec
from tumble.physics.spec.compiler import MjsCompiler
from tumble.physics.spec.compiling import compile_spec, recompile
from tumble.physics.spec.contents import LISTS, SpecContents
from tumble.physics.spec.conversion import SpecLoader, oriented
from tumble.physics.spec.default import MjsDefault
from tumble.physics.spec.element import MjsElement
from tumble.physics.spec.elements import CLASSES
from tumble.physics.spec.elements.fixed import MjsSite
from tumble.physics.spec.elements.tree import MjsBody, MjsFrame, plural
from tumble.physics.spec.grammar import declare
from tumble.physics.spec.part import MjsOrientation, SpecPart
from tumble.physics.spec.spec_files import Written
from tumble.physics.state.arguments import checked, require_kind, whole


def _of_compiler(name: str, doc: str) -> property:
    def write(self: MjSpec, value: Any) -> None:
        setattr(self.contents.compiler, name, value)

    return property(lambda self: getattr(self.contents.compiler, name), write, doc=doc)


def _of_contents(path: str, doc: str) -> property:
    return property(attrgetter(f"contents.{path}"), doc=doc)


class MjSpec(Written, SpecPart):
    """A model being edited. `MjSpec()` is empty; `from_file`, `from_string` and `from_zip` read one.

    worldbody: the tree; bodies, geoms, joints, ..., meshes, ..., actuators, sensors, ...: lists of all elements of a kind, in
    the order of the model's ids; body("name"), geom("name"), ...: one of them, None if there is none. default: the outermost
    default class. compiler, option, visual, stat: settings. assets: contents of files by name, looked up before the disk.
    compile makes a model of it. parent: the spec that this one is attached to.
    """

    structure = declare("", """
        modelname                        string = MuJoCo Model
        strippath,hasImplicitPluginElem  byte
        nemax                            int
        comment,modelfiledir             string
    """, find("size"))
    __slots__ = ("_contents", "override_assets")

    def __init__(self) -> None:
        super().__init__()
        self._contents = SpecContents(self)
        self._contents.begin()
        self.override_assets = True

    @property
    def contents(self) -> SpecContents:
        """Elements, names and classes, for the modules of this package."""
        return self._contents

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    # ---------------------------------------------------------------- reading and compiling

    @classmethod
    @checked
    def from_file(
        cls, filename: str | os.PathLike[str], include: Mapping[str, bytes] | None = None, assets: Mapping[str, Any] | None = None
    ) -> MjSpec:
        """Read a file; include: contents of files that it includes, assets: of others, by name, looked up before the disk.

        Raises MjcfError, at file:line:column, for a file that cannot be read.
        """
        document = read_path(filename, assets={**_bytes(include, "include"), **_bytes(assets, "assets")}, alike=True)
        return cls._read(document, assets)

    @classmethod
    @checked
    def from_string(cls, xml: str, include: Mapping[str, bytes] | None = None, assets: Mapping[str, Any] | None = None) -> MjSpec:
        """Read a text; include, assets: as for `from_file`. Raises MjcfError for a text that is no model."""
        document = read_string(xml, {**_bytes(include, "include"), **_bytes(assets, "assets")}, alike=True)
        return cls._read(document, assets)

    @classmethod
    def _read(cls, document: Document, assets: Mapping[str, Any] | None) -> MjSpec:
        spec = cls()
        SpecLoader(document, spec).run()
        spec.assets = assets or {}
        return spec

    def compile(self) -> MjModel:
        """The model; elements know their `id` in it then. Raises MjcfError, with the name and `info` of the element at fault."""
        return compile_spec(self)

    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
        """The model after changes, and data with the state of what was there before; model, data: those before.

        Raises MjcfError as `compile`, ValueError for a model that is not of this spec.
        """
        return recompile(self, model, data)

    # ---------------------------------------------------------------- parts

    @property
    def worldbody(self) -> MjsBody:
        """The body that holds everything."""
        return self._contents.world

    @property
    def compiler(self) -> MjsCompiler:
        """Compiler settings."""
        return self._contents.compiler

    option = _of_contents("settings.opt", "Physics options, as `model.opt`.")
    visual = _of_contents("settings.vis", "Visual settings, as `model.vis`.")
    stat = _of_contents("settings.stat", "Statistics, as `model.stat`; not a number: computed from the model.")

    @property
    def default(self) -> MjsDefault:
        """The outermost default class."""
        return self._contents.defaults.main

    @property
    def parent(self) -> MjSpec | None:
        """The spec that this one is attached to."""
        return self._contents.parent

    @property
    def assets(self) -> dict[str, Any]:
        """Contents of files, bytes or text, by name."""
        return self._contents.assets

    @assets.setter
    def assets(self, value: Mapping[str, Any]) -> None:
        if not isinstance(value, Mapping):
            raise ArgumentError(f"assets should be a dict of names and contents, not {quoted(value)}")
        self._contents.assets = dict(value)

    meshdir = _of_compiler("meshdir", "The folder of meshes and height fields.")
    texturedir = _of_compiler("texturedir", "The folder of textures.")
    strippath = _of_compiler("strippath", "1 if folders in the names of files are ignored.")

    @property
    def copy_during_attach(self) -> bool:
        """True if `attach` takes copies, so that the child stays as it is."""
        return self._contents.copies

    @copy_during_attach.setter
    def copy_during_attach(self, value: bool) -> None:
        self._contents.copies = bool(whole(value, "copy_during_attach"))

    @property
    def _address(self) -> int:
        """A number that no other spec has while this one exists."""
        return id(self)

    def every(self) -> Iterator[MjsElement]:
        """Iterate over all elements but those of default classes: the tree first, then kind by kind."""
        return self._contents.every()

    @checked
    def find_default(self, name: str) -> MjsDefault | None:
        """The default class of a name; None if there is none."""
        return self._contents.defaults.find(name)

    def add_default(self, name: str, parent: MjsDefault | None = None) -> MjsDefault:
        """Add a default class in another one, else in the outermost. Raises ValueError for a name that is taken."""
        return self._contents.defaults.add(name, parent)

    def delete(self, element: Any) -> None:
        """Remove an element. With a body goes all that it holds, and what relates it to others: actuators, sensors, ...

        What was in a frame is then in the frame around it, or directly in the body. Elements of a default class that is
        deleted are in the class around it. Raises ValueError for the world, the outermost class, or a part of another spec.
        """
        self._contents.delete(element)

    # ---------------------------------------------------------------- attaching and copying

    def attach(
        self, child: MjSpec, prefix: str | None = None, suffix: str | None = None, site: MjsSite | str | None = None,
        frame: MjsFrame | str | None = None,
    ) -> MjsFrame:  # fmt: skip
        """Attach all of another spec in the pose of a site or in a frame, themselves or by name; returns a new frame around it.

        Its names begin with the prefix, "/" if none is given, and end with the suffix. Its elements belong to this spec from
        then on, and it cannot be compiled by itself. Raises ValueError for a name that is taken; nothing is attached then.
        """
        if not isinstance(child, MjSpec):
            raise ArgumentError(f"a MjSpec can be attached, not {quoted(child)}")
        return attach_spec(self, child, site, frame, prefix, suffix)

    def copy(self) -> MjSpec:
        """A copy with elements of its own; contents of files are shared."""
        return Copier(self).run()

    def __copy__(self) -> MjSpec:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> MjSpec:
        return self.copy()

    # ---------------------------------------------------------------- plugins

    @checked
    def activate_plugin(self, name: str) -> None:
        """Let the spec use a plugin of this name."""
        if name not in self._contents.plugins:
            self._contents.plugins.append(name)

    # ---------------------------------------------------------------- orientation

    @staticmethod
    def resolve_orientation(degree: bool, sequence: Any = None, orientation: MjsOrientation | None = None) -> list[float]:
        """The unit quaternion (4,) of another way to write an orientation; sequence: of Euler angles, as compiler.eulerseq.

        Raises ValueError for a direction without length.
        """
        if not isinstance(orientation, MjsOrientation):
            raise ArgumentError(f"orientation should be a MjsOrientation, not {quoted(orientation)}")
        compiler = MjsCompiler()
        compiler.degree = int(degree)
        if sequence is not None:
            compiler.eulerseq = sequence
        return list(read_orientation(oriented(orientation, compiler.settings())))


def _bytes(held: Mapping[str, Any] | None, name: str) -> dict[str, bytes]:
    """Contents of files by name. Raises ArgumentError for what are none."""
    require_kind(held, (Mapping, NoneType), name, "a dict of names and contents")
    for file, data in (held or {}).items():
        require_kind(data, (str, bytes, bytearray, memoryview), f'{name}["{file}"]', "bytes or a text")
    return {
        name: data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data) for name, data in (held or {}).items()
    }


def _listed(kind: str) -> property:
    return property(lambda self: self.contents.all_of(kind), doc=f"All elements of the kind {kind}, in order.")


def _finder(kind: str) -> Any:
    def find(self: MjSpec, name: str) -> Any:
        return self.contents.find(kind, name)

    find.__doc__ = f"The {kind} of a name; None if there is none."
    find.__name__ = kind
    return find


def _adder(kind: str) -> Any:
    if isinstance(CLASSES[kind], type) and hasattr(CLASSES[kind], "classname"):

        def add(self: MjSpec, default: MjsDefault | None = None, **fields: Any) -> Any:
            return self.contents.add(kind, default, fields)

    else:

        def add(self: MjSpec, **fields: Any) -> Any:  # type: ignore[misc]  # one of two forms
            return self.contents.add(kind, None, fields)

    add.__doc__ = f"Add a {kind}; fields by name. Raises as `MjsBody.add_geom`."
    add.__name__ = f"add_{kind}"
    return add


for _kind in CLASSES:
    setattr(MjSpec, LISTS.get(_kind) or plural(_kind), _listed(_kind))
    setattr(MjSpec, _kind, _finder(_kind))
for _kind in LISTS:
    setattr(MjSpec, f"add_{_kind}", _adder(_kind))
