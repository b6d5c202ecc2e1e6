"""The kinematic tree of a spec: bodies and frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.mjcf.schema import ElementRule, find
from tumble.physics.mjcf.spec import Element
from tumble.physics.spec.element import Classed, assign, begin_with, check_keywords, child_of
from tumble.physics.spec.elements.fixed import Fixed, MjsCamera, MjsGeom, MjsJoint, MjsLight, MjsSite
from tumble.physics.spec.grammar import POSE, declare
from tumble.physics.spec.part import Owner, clear, read_orientation, written_orientation
from tumble.physics.state.arguments import checked, whole
from tumble.physics.state.enums import mjtJoint, mjtObj

if TYPE_CHECKING:
    from tumble.physics.spec.default import MjsDefault

T = TypeVar("T", bound="Fixed")

# What a body holds, in the order in which a file is written.
HELD = ("frame", "joint", "geom", "site", "camera", "light", "body")
_PLURALS = {"body": "bodies"}
_FREE_JOINT = ["align", "group", "name"]


class _Holder(Fixed):
    """Common contents of bodies and frames. Each `add_*` takes a default class, else that of the holder, and fields by name.

    Raises TypeError for a keyword that the element lacks, naming the valid ones, or a value of a wrong type, and ValueError for
    one of a wrong size, or a name that is taken; nothing is added then.
    """

    __slots__ = ()

    def _place(self) -> tuple[MjsBody, MjsFrame | None]:
        """The body that holds what is added, and the frame that it is added in."""
        raise NotImplementedError

    def _add(self, made: T, default: MjsDefault | None, given: dict[str, Any]) -> T:
        body, frame = self._place()
        contents = self._owner().contents
        if default is not None:
            contents.defaults.check(default)
        begin_with(made, default or self._scope())
        made.entry.body, made.entry.frame = body, frame
        assign(made, given)
        contents.added(made, given.get("name"))
        body.entry.held[made.structure.kind].append(made)
        return made

    def _scope(self) -> MjsDefault:
        """The default class of what is added."""
        spec = self._owner()
        holder: Fixed | None = self
        while holder is not None:
            name = holder.value("childclass")
            if name and (found := spec.find_default(name)) is not None:
                return found
            holder = holder.entry.frame or holder.entry.body
        return spec.default

    def add_geom(self, default: MjsDefault | None = None, **fields: Any) -> MjsGeom:
        """Add a geom."""
        return self._add(MjsGeom(self._owner()), default, fields)

    def add_site(self, default: MjsDefault | None = None, **fields: Any) -> MjsSite:
        """Add a site."""
        return self._add(MjsSite(self._owner()), default, fields)

    def add_joint(self, default: MjsDefault | None = None, **fields: Any) -> MjsJoint:
        """Add a joint."""
        return self._add(MjsJoint(self._owner()), default, fields)

    def add_camera(self, default: MjsDefault | None = None, **fields: Any) -> MjsCamera:
        """Add a camera."""
        return self._add(MjsCamera(self._owner()), default, fields)

    def add_light(self, default: MjsDefault | None = None, **fields: Any) -> MjsLight:
        """Add a light."""
        return self._add(MjsLight(self._owner()), default, fields)

    def add_body(self, default: MjsDefault | None = None, **fields: Any) -> MjsBody:
        """Add a body."""
        return self._add(MjsBody(self._owner()), default, fields)

    def add_frame(self, default: MjsFrame | None = None, **fields: Any) -> MjsFrame:
        """Add a frame; default: the frame that it is inside."""
        made = self._add(MjsFrame(self._owner()), None, fields)
        if default is not None:
            try:
                made.set_frame(default)
            except (TypeError, ValueError):
                self._owner().delete(made)
                raise
        return made


class MjsFrame(_Holder):
    """A frame: a pose for what is in it, which becomes a part of their own poses when the spec is compiled."""

    __slots__ = ()
    structure = declare("frame", POSE, find("worldbody/frame"))

    def _place(self) -> tuple[MjsBody, MjsFrame | None]:
        self._live()
        assert self.entry.body is not None
        return self.entry.body, self

    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        """Attach a body of another spec, with all that belongs to it, in this frame; returns the body."""
        return self._owner().contents.attach_body_at(self, body, prefix, suffix)

    def members(self) -> list[Fixed]:
        """Direct children of this frame."""
        self._live()
        assert self.entry.body is not None
        return [item for kind in HELD for item in self.entry.body.entry.held[kind] if item.entry.frame is self]


class MjsBody(_Holder, Classed):
    """A body. `bodies`, `geoms`, `joints`, `sites`, `cameras`, `lights` and `frames` are lists of what it holds itself."""

    __slots__ = ()
    structure = declare("body", POSE + """
        mass              double
        ipos              double 3 = nan
        iquat             double 4 = 1 0 0 0
        inertia           double 3
        ialt              orientation
        fullinertia       double 6 = nan
        sleep             mjtSleepPolicy
        explicitinertial  byte
        plugin            plugin
    """, find("worldbody/body"))

    def __init__(self, spec: Owner) -> None:
        super().__init__(spec)
        self.entry.held = {kind: [] for kind in HELD}

    def _write(self, element: Element, rule: ElementRule) -> None:
        self._write_plugin(element, rule)
        if self._has_inertia():
            element.children.append(self._inertial(element, rule.children["inertial"]))

    def _has_inertia(self) -> bool:
        """True if it has an inertia of its own: explicitly, by its centre, or because it has no geoms to take one from."""
        if self.explicitinertial or self.is_set("ipos"):
            return True
        has_numbers = self.is_set("inertia") or self.is_set("fullinertia")
        return has_numbers and self.mass > 0 and not self.entry.held["geom"]

    def _inertial(self, element: Element, rule: ElementRule) -> Element:
        ipos = self.value("ipos")
        values: dict[str, Any] = {"pos": np.where(np.isnan(ipos), 0.0, ipos), "mass": self.mass}
        values["quat"] = self.value("iquat").copy()
        values |= written_orientation(self.ialt)
        full = self.value("fullinertia")
        if not np.isnan(full).any():
            values["fullinertia"] = full.copy()
        if np.isnan(full).any() or self.is_set("inertia"):
            values["diaginertia"] = self.value("inertia").copy()
        return child_of(element, rule, values)

    def _place(self) -> tuple[MjsBody, MjsFrame | None]:
        self._live()
        return self, None

    def _list(self, kind: str) -> list[Any]:
        self._live()
        return list(self.entry.held[kind])

    def walk(self) -> Iterator[MjsBody]:
        """Iterate over this body and all below it, each with all that is below it in one piece: the order of the model's ids."""
        self._live()
        pending = [self]
        while pending:
            body = pending.pop()
            yield body
            pending += reversed(body.entry.held["body"])

    def add_freejoint(self, **fields: Any) -> MjsJoint:
        """Add a free joint, which no default class concerns; fields: name, group, align."""
        check_keywords(fields, _FREE_JOINT)
        if "align" in fields:
            fields["align"] = whole(fields["align"], "align")
        made = self._add(MjsJoint(self._owner()), None, {**fields, "type": mjtJoint.mjJNT_FREE})
        clear(made)
        made.type = mjtJoint.mjJNT_FREE
        for name in ("align", "group"):
            if fields.get(name) is not None:
                setattr(made, name, fields[name])
        return made

    def find_all(self, kind: str | mjtObj) -> list[Any]:
        """All elements of a kind below this body, in the order of the model's ids; a body itself is not among them.

        Raises ValueError for a kind that no body holds.
        """
        number = -1 if isinstance(kind, str) else whole(kind, "kind")
        wanted = kind.lower() if isinstance(kind, str) else next((o.name[6:].lower() for o in mjtObj if o == number), "")
        if wanted not in HELD:
            raise MisfitError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
        if wanted == "body":
            return list(self.walk())[1:]
        return [item for body in self.walk() for item in body.entry.held[wanted]]

    @checked
    def find_child(self, name: str) -> MjsBody | None:
        """The body of a name below this one; None if there is none."""
        return next((body for body in self.find_all("body") if body.name == name), None)

    def attach_frame(self, frame: MjsFrame, prefix: str | None = None, suffix: str | None = None) -> MjsFrame:
        """Attach a frame of another spec, with what is in it and belongs to it, to this body; returns the frame."""
        return self._owner().contents.attach_frame(self, frame, prefix, suffix)

    def to_frame(self) -> MjsFrame:
        """Put a frame in place of this body, with all that it holds but its joints; the body is deleted. Returns the frame.

        Raises ValueError for the world.
        """
        parent, contents = self.parent, self._owner().contents
        if parent is None:
            raise MisfitError("the world cannot become a frame")
        frame = parent.add_frame()
        frame.pos, frame.quat, frame.alt, frame.childclass = self.pos, self.quat, self.alt, self.value("childclass")
        frame.entry.frame, frame.entry.compiler = self.entry.frame, self.entry.compiler
        joints = list(self.entry.held["joint"])
        for kind in HELD:
            for item in self.entry.held[kind] if kind != "joint" else ():
                item.entry.body, item.entry.frame = parent, item.entry.frame or frame
                parent.entry.held[kind].append(item)
        contents.drop(self)
        contents.delete_relations([self, *joints])
        for joint in joints:
            joint.entry.spec = None
        contents.changed()
        return frame

    def _first(self, kind: str) -> Any:
        return next(iter(self._list(kind)), None)

    def _next(self, kind: str, item: Any) -> Any:
        if not isinstance(item, Fixed) or item.structure.kind != kind:
            raise ArgumentError(f"next_{kind} needs a {kind}, not {quoted(item)}")
        found = self._list(kind)
        at = next((k for k, other in enumerate(found) if other is item), None)
        if at is None:
            raise MisfitError(f"{quoted(item)} is not in this body")
        return found[at + 1] if at + 1 < len(found) else None


def subtree(body: MjsBody) -> Iterator[Fixed]:
    """Iterate over a body and all that it and those below it hold: each body before its parts."""
    for each in body.walk():
        yield each
        for kind in HELD[:-1]:
            yield from each.entry.held[kind]


def read_inertial(body: MjsBody, element: Element) -> None:
    """Give a body the inertia of an <inertial> element, which stands in the body or in a frame of it."""
    values = element.attributes
    body.explicitinertial, body.mass = 1, element.get("mass")
    body.ipos, body.iquat = element.get("pos"), element.get("quat")
    read_orientation(body, values, "i")
    if "diaginertia" in values:
        body.inertia = values["diaginertia"]
    if "fullinertia" in values:
        body.fullinertia = values["fullinertia"]


def plural(kind: str) -> str:
    """The name of the list of a kind: bodies, geoms, ..."""
    return _PLURALS.get(kind, f"{kind}s")


def _add_lists(kind: str) -> None:
    """Give MjsBody its list of a kind, first_X and next_X."""

    def first(self: MjsBody) -> Any:
        return self._first(kind)

    def following(self: MjsBody, item: Any) -> Any:
        return self._next(kind, item)

    first.__doc__ = f"The first {kind} of this body; None if there is none."
    following.__doc__ = f"The {kind} after another one; None after the last."
    listed = property(lambda self: self._list(kind), doc=f"The elements of the kind {kind} directly in this body.")
    setattr(MjsBody, plural(kind), listed)
    setattr(MjsBody, f"first_{kind}", first)
    setattr(MjsBody, f"next_{kind}", following)


for _kind in HELD:
    _add_lists(_kind)
