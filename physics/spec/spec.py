"""`MjSpec`: a model as its user edits it, before it is compiled."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import NoneType
from typing import Any

from tumble.physics.compiler.bodies.frames import read_orientation
from tumble.physics.data import MjData
from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.reader import read_path, read_string
from tumble.physics.model import MjModel
from tumble.physics.spec.attach import attach_body, attach_frame, attach_spec, frame_at
from tumble.physics.spec.build import oriented
from tumble.physics.spec.compiling import compile_spec, recompile
from tumble.physics.spec.copying import Copier
from tumble.physics.spec.element import MjsElement
from tumble.physics.spec.elements.tree import HELD, MjsBody, MjsFrame, MjsSite
from tumble.physics.spec.load import SpecLoader
from tumble.physics.spec.part import MjsOrientation
from tumble.physics.spec.parts import SpecParts
from tumble.physics.spec.settings import MjsCompiler
from tumble.physics.spec.text.written import Written
from tumble.physics.state.arguments import checked, require_kind
from tumble.physics.state.model import Model


class MjSpec(Written, SpecParts):
    """A model being edited. `MjSpec()` is empty; `from_file`, `from_string` and `from_zip` read one.

    worldbody: the tree; bodies, geoms, joints, ..., meshes, ..., actuators, sensors, ...: lists of all elements of a kind, in
    the order of the model's ids; body("name"), geom("name"), ...: one of them, None if there is none. default: the outermost
    default class. compiler, option, visual, stat: settings. assets: contents of files by name, looked up before the disk.
    compile makes a model of it. parent: the spec that this one is attached to.
    """

    __slots__ = ()

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
        spec._assets = dict(assets or {})
        return spec

    def compile(self) -> MjModel:
        """The model; elements know their `id` in it then. Raises MjcfError, with the name and `info` of the element at fault."""
        return compile_spec(self)

    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
        """The model after changes, and data with the state of what was there before; model, data: those before.

        Raises MjcfError as `compile`, ValueError for a model that is not of this spec.
        """
        return recompile(self, model, data)

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
        at = self._at(site, frame)
        try:
            return attach_spec(self, child, at, prefix, suffix)
        except Exception:
            self._unframe(at, site)
            raise

    def _unframe(self, at: MjsFrame, site: MjsSite | str | None) -> None:
        """Remove the frame that was made for a site at which nothing was attached."""
        if site is not None:
            self.delete(at)

    def _at(self, site: MjsSite | str | None, frame: MjsFrame | str | None) -> MjsFrame:
        """The frame to attach in."""
        if (site is None) == (frame is None):
            raise MisfitError(
                "One of frame or site must be specified." if site is None else "Only one of frame or site can be specified."
            )
        if site is not None:
            found = self._find("site", site) if isinstance(site, str) else site
            if found is None:
                raise MisfitError("Site not found.")
            if not isinstance(found, MjsSite):
                raise ArgumentError(f"site should be a MjsSite or its name, not {quoted(site)}")
            self._check_own(found)
            return frame_at(found)
        held = self._find("frame", frame) if isinstance(frame, str) else frame
        if held is None:
            raise MisfitError("Frame not found.")
        if not isinstance(held, MjsFrame):
            raise ArgumentError(f"frame should be a MjsFrame or its name, not {quoted(frame)}")
        self._check_own(held)
        return held

    def _check_own(self, element: MjsElement) -> None:
        if element._owner() is not self:
            raise MisfitError(f"{quoted(element)} belongs to another spec")

    def _attach_body(
        self, body: MjsBody, prefix: str | None, suffix: str | None, site: MjsSite | None = None, frame: MjsFrame | None = None
    ) -> MjsBody:
        if not isinstance(body, MjsBody):
            raise ArgumentError(f"a MjsBody can be attached, not {quoted(body)}")
        if body is body._owner()._world:
            raise MisfitError("the world cannot be attached as a body; attach its spec")
        at = self._at(site, frame)
        try:
            return attach_body(self, body, at, prefix, suffix)
        except Exception:
            self._unframe(at, site)
            raise

    def _attach_frame(self, body: MjsBody, frame: MjsFrame, prefix: str | None, suffix: str | None) -> MjsFrame:
        if not isinstance(frame, MjsFrame):
            raise ArgumentError(f"a MjsFrame can be attached, not {quoted(frame)}")
        if frame._owner() is None or frame._body is None:
            raise MisfitError("the frame has no place in a tree")
        return attach_frame(self, body, frame, prefix, suffix)

    def copy(self) -> MjSpec:
        """A copy with elements of its own; contents of files are shared."""
        return Copier(self).run()

    def __copy__(self) -> MjSpec:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> MjSpec:
        return self.copy()

    def _to_frame(self, body: MjsBody) -> MjsFrame:
        parent = body.parent
        if parent is None:
            raise MisfitError("the world cannot become a frame")
        made = parent.add_frame()
        made.pos, made.quat, made.alt, made._frame = body.pos, body.quat, body.alt, body._frame
        made._compiler, made._values["childclass"] = body._compiler, body.value("childclass")
        joints = list(body._held["joint"])
        for kind in HELD:
            for item in body._held[kind] if kind != "joint" else ():
                item._body, item._frame = parent, item._frame or made
                parent._held[kind].append(item)
        self._drop(body)
        self._delete_relations([body, *joints])
        for joint in joints:
            joint._spec = None
        self._names, self._signature = None, 0
        return made

    # ---------------------------------------------------------------- plugins

    @checked
    def activate_plugin(self, name: str) -> None:
        """Let the spec use a plugin of this name."""
        if name not in self._plugins_active:
            self._plugins_active.append(name)

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

    def _number_in(self, model: Any, element: MjsElement) -> int:
        """The number of an element in a model that was compiled from this spec as it is."""
        require_kind(model, Model, "model", "a model")
        number = self._number(element)
        if number < 0 or not self._signature or model.signature != self._signature:
            raise MisfitError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
        return number


def _bytes(held: Mapping[str, Any] | None, name: str) -> dict[str, bytes]:
    """Contents of files by name. Raises ArgumentError for what are none."""
    require_kind(held, (Mapping, NoneType), name, "a dict of names and contents")
    for file, data in (held or {}).items():
        require_kind(data, (str, bytes, bytearray, memoryview), f'{name}["{file}"]', "bytes or a text")
    return {
        name: data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data) for name, data in (held or {}).items()
    }
