"""Attach parts of one spec to another. The elements themselves move: a program that holds one goes on working with it.

What comes along, and under which names, is what the compiler does for <attach>: physics/compiler/compose says it for both.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from tumble.physics.compiler.compose.assembly import parts_with
from tumble.physics.compiler.compose.composed_elements import WORLD, Namespace
from tumble.physics.compiler.compose.keyframes import VECTORS, Keyframe, fits, layout, pad, take_apart, write
from tumble.physics.errors import ArgumentError, MisfitError, quoted
from tumble.physics.mjcf.spec import Element
from tumble.physics.spec.compiler import MjsCompiler
from tumble.physics.spec.conversion import directory_of, document_of
from tumble.physics.spec.element import MjsElement, owner_of, part_of, references
from tumble.physics.spec.elements.assets import FileAsset, stem
from tumble.physics.spec.elements.fixed import MjsSite, frames_around
from tumble.physics.spec.elements.tree import HELD, MjsBody, MjsFrame, subtree
from tumble.physics.spec.fields import text_of
from tumble.physics.spec.part import Owner, become

if TYPE_CHECKING:
    from tumble.physics.spec.elements.relations import MjsKey


State = dict[tuple[str, Any], tuple[float, ...]]  # what a keyframe says, by vector and element


class Taken(Struct, frozen=True):
    """A keyframe that was taken apart. numbers: those that it had then; if a program has written others, these count."""

    state: State
    numbers: bytes


def attach_spec(
    spec: Owner, child: Owner, site: MjsSite | str | None, frame: MjsFrame | str | None, prefix: str | None, suffix: str | None
) -> MjsFrame:
    """Attach all of a spec's tree in the pose of a site or in a frame, themselves or by name; returns a new frame around it."""
    with _frame_to_fill(spec, site, frame) as at:
        child, _ = _source(spec, child)
        inner = _new_frame(at)
        tops = [item for kind in HELD for item in child.contents.world.entry.held[kind]]
        try:
            _attach(spec, child, tops, inner, _namespace(prefix, suffix))
        except Exception:
            spec.delete(inner)
            raise
        return inner


def attach_body_at(place: MjsSite | MjsFrame, body: MjsBody, prefix: str | None, suffix: str | None) -> MjsBody:
    """Attach a body in the pose of a site or in a frame; returns it."""
    spec = owner_of(place)
    if not isinstance(body, MjsBody):
        raise ArgumentError(f"a MjsBody can be attached, not {quoted(body)}")
    site, frame = (place, None) if isinstance(place, MjsSite) else (None, place)
    with _frame_to_fill(spec, site, frame) as at:
        child, twins = _source(spec, owner_of(body))
        attached: MjsBody = twins.get(id(body), body)
        if attached is child.contents.world:
            return _attach_world(spec, child, at, _namespace(prefix, suffix))
        _attach(spec, child, [attached], at, _namespace(prefix, suffix))
        return attached


def _attach_world(spec: Owner, child: Owner, frame: MjsFrame, space: Namespace) -> MjsBody:
    """Attach all of a spec's tree in a new body, which has the world's name; returns it."""
    assert frame.entry.body is not None
    made: MjsBody = frame.entry.body.add_body(name=space.name(WORLD))
    made.entry.frame = frame
    try:
        _attach(spec, child, [item for kind in HELD for item in child.contents.world.entry.held[kind]], None, space, made)
    except Exception:
        spec.delete(made)
        raise
    return made


def attach_frame(to: MjsBody, frame: MjsFrame, prefix: str | None, suffix: str | None) -> MjsFrame:
    """Attach a frame, with what is in it, to a body; returns it."""
    spec = owner_of(to)
    if not isinstance(frame, MjsFrame):
        raise ArgumentError(f"a MjsFrame can be attached, not {quoted(frame)}")
    if frame.parent is None:
        raise MisfitError("the frame has no place in a tree")
    child, twins = _source(spec, owner_of(frame))
    attached: MjsFrame = twins.get(id(frame), frame)
    body = attached.entry.body
    assert body is not None
    held = [item for kind in HELD for item in body.entry.held[kind]]
    inside = [item for item in held if any(one is attached for one in (item, *frames_around(item)))]
    _attach(spec, child, inside, None, _namespace(prefix, suffix), to)
    return attached


@contextmanager
def _frame_to_fill(spec: Owner, site: MjsSite | str | None, frame: MjsFrame | str | None) -> Iterator[MjsFrame]:
    """The frame to attach in; one that was made for a site goes again if nothing is attached."""
    at = _chosen_frame(spec, site, frame)
    try:
        yield at
    except Exception:
        if site is not None:
            spec.delete(at)
        raise


def _chosen_frame(spec: Owner, site: MjsSite | str | None, frame: MjsFrame | str | None) -> MjsFrame:
    if (site is None) == (frame is None):
        raise MisfitError(
            "One of frame or site must be specified." if site is None else "Only one of frame or site can be specified."
        )
    kind, class_, given = ("site", MjsSite, site) if site is not None else ("frame", MjsFrame, frame)
    place = spec.contents.find(kind, given) if isinstance(given, str) else given
    if place is None:
        raise MisfitError(f"{kind.capitalize()} not found.")
    if not isinstance(place, class_):
        raise ArgumentError(f"{kind} should be a {class_.__name__} or its name, not {quoted(given)}")
    spec.contents.check_own(place)
    return frame_at(place) if isinstance(place, MjsSite) else place


def frame_at(site: MjsSite) -> MjsFrame:
    """A new frame in the pose of a site."""
    body = site.entry.body
    if body is None:
        raise MisfitError("the site of a default class has no place in the tree")
    made = body.add_frame()
    made.entry.frame, made.entry.compiler = site.entry.frame, site.entry.compiler
    made.pos, made.quat, made.alt = site.pos, site.quat, site.alt
    return made


def _new_frame(frame: MjsFrame) -> MjsFrame:
    assert frame.entry.body is not None
    made = frame.entry.body.add_frame()
    made.entry.frame = frame
    return made


def _namespace(prefix: str | None, suffix: str | None) -> Namespace:
    for name, text in (("prefix", prefix), ("suffix", suffix)):
        if text is not None:
            text_of(text, name)
    return Namespace("/" if prefix is None else prefix, suffix or "")


def _source(spec: Owner, child: Owner) -> tuple[Owner, dict[int, Any]]:
    """The spec to take from, a copy where that is asked for, or a spec is attached to itself; and the copies of its elements."""
    if child is spec or spec.contents.copies:
        copier = Copier(child)
        return copier.run(), copier.twins
    if child.contents.parent is not None:
        raise MisfitError("this spec is attached to another already; attach a copy: spec.copy()")
    above = spec.contents.parent
    while above is not None:
        if above is child:
            raise MisfitError("a spec cannot be attached to a part of itself")
        above = above.contents.parent
    return child, {}


def _attach(
    spec: Owner, child: Owner, tops: list[Any], frame: MjsFrame | None, space: Namespace, to: MjsBody | None = None
) -> None:
    """Move items of a child's body, with all that belongs to them, into a frame, or into a body where there is none."""
    body = to if frame is None else frame.entry.body
    assert body is not None
    inside = [item for top in tops for item in (subtree(top) if isinstance(top, MjsBody) else (top,))]
    root = document_of(child).root
    names: dict[str, set[str]] = {}
    for item in inside:
        if item.entry.name:
            names.setdefault(item.structure.kind, set()).add(item.entry.name)
    along = _once(part_of(element) for _, elements in parts_with(root, names) for element in elements)
    along += [item for item in child.contents.lists["plugin"] if item not in along]
    moved = [*inside, *along]
    keys = list(child.contents.lists["key"])
    _check_names(spec, [*moved, *keys], space)
    states = {**_states(spec, None), **_states(child, root)}
    spec.contents.defaults.take_over(child.contents.defaults, space.name)
    for item in moved:
        _rename(item, space)
        item.entry.spec = spec
    _files(spec, child, along, space)
    _folders(spec, child, moved)
    outer = {id(item) for item in tops}
    for item in tops:
        if item.entry.body is not body:
            item.entry.body = body
            body.entry.held[item.structure.kind].append(item)
        if frame is not None and id(item.entry.frame) not in outer:
            item.entry.frame = frame
    for item in along:
        spec.contents.lists[item.structure.kind].append(item)
    for key in keys:
        key.entry.name, key.entry.spec = space.name(key.entry.name), spec
        spec.contents.lists["key"].append(key)
    spec.contents.key_states = states
    spec.contents.plugins += [name for name in child.contents.plugins if name not in spec.contents.plugins]
    child.contents.parent = spec
    child.contents.changed()
    spec.contents.changed()


def _once(parts: Iterable[Any]) -> list[Any]:
    """Elements of the spec, each once, without the parts of others."""
    return list({id(part): part for part in parts if isinstance(part, MjsElement)}.values())


def _check_names(spec: Owner, moved: list[Any], space: Namespace) -> None:
    """Raise ValueError, before anything is changed, for a name that an element of the spec has already."""
    for item in moved:
        kind, name = item.structure.kind, space.name(item.entry.name) if item.entry.name else ""
        if name and spec.contents.index(kind).get(name) is not None:
            raise MisfitError(f"Error: repeated name '{name}' in {kind}")


def _rename(item: Any, space: Namespace) -> None:
    for reference in references(item):
        if (reference.kind, reference.name) != ("body", WORLD):
            reference.rename(space.name(reference.name))
    if "plugin" in item.structure.fields and item.is_set("plugin") and item.plugin.name:
        item.plugin.name = space.name(item.plugin.name)
    if item.entry.name:
        item.entry.name = space.name(item.entry.name)
    elif isinstance(item, FileAsset) and item.file:  # what is named by its file needs a name now
        item.entry.name = space.name(stem(item.file))
    if "childclass" in item.structure.fields and item.value("childclass"):
        item.childclass = space.name(item.value("childclass"))


def _files(spec: Owner, child: Owner, along: list[Any], space: Namespace) -> None:
    """Take over contents of files under names of their own, and have the elements use them."""
    renamed = {}
    for name, data in child.contents.assets.items():
        renamed[name] = _file(name, space)
        spec.contents.assets[renamed[name]] = data
    bases = {os.path.basename(name) for name in renamed}
    for item in along:
        if isinstance(item, FileAsset) and item.file and os.path.basename(item.file) in bases:
            item.file = _file(item.file, space)


def _folders(spec: Owner, child: Owner, moved: list[Any]) -> None:
    """Have elements find their files from the folder of the spec that they belong to now."""
    here, there = (directory_of(one) for one in (spec, child))
    way = os.path.relpath(there, here) if here and there else there
    for compiler in {id(item.entry.compiler): item.entry.compiler for item in moved}.values() if way not in ("", ".") else ():
        compiler.folder = os.path.join(way, compiler.folder)


def _file(name: str, space: Namespace) -> str:
    folder, base = os.path.split(name)
    stem, ending = os.path.splitext(base)
    made = f"{space.prefix}{stem}{space.suffix}{ending}"
    return f"{folder}/{made}" if folder else made


# ---------------------------------------------------------------- keyframes


def take_keys_apart(spec: Owner) -> None:
    """Let keyframes follow the elements whose numbers they have, as far as they fit the spec as it is."""
    spec.contents.key_states = _states(spec, None, fitting=True)


def _states(spec: Owner, root: Element | None, *, fitting: bool = False) -> dict[MjsKey, Taken]:
    """Values of each keyframe by element. fitting: without those that do not fit the spec; else raises MjcfError for them."""
    keys = [key for key in spec.contents.lists["key"] if key not in spec.contents.key_states]
    found = dict(spec.contents.key_states)
    if keys:
        root = root or document_of(spec).root
        order = layout(root)
        parts = {id(element): part_of(element) for held in order.values() for element, _ in held}
        for section in root.all("keyframe"):
            for element in section.children:
                key = part_of(element)
                if key in keys:
                    if not fits(element, order):
                        if fitting:
                            continue
                        raise element.error("does not have as many numbers as the model that it is in")
                    state = take_apart(element, order)
                    told = {(name, parts[owner]): values for (name, owner), values in state.items()}
                    found[key] = Taken(told, _numbers(key))
    return found


def _numbers(key: MjsKey) -> bytes:
    return b"|".join(np.asarray(key.value(name), float).tobytes() for name in VECTORS)


def write_keys(spec: Owner, root: Element) -> None:
    """Give the keyframes of a spec with attached parts their numbers in the order of the complete model."""
    if not spec.contents.key_states:
        return
    order = layout(root)
    elements = {id(part_of(element)): element for held in order.values() for element, _ in held}
    for section in root.all("keyframe"):
        for k, key in enumerate(section.children):
            part = part_of(key)
            taken = spec.contents.key_states.get(part)
            if taken is None or taken.numbers != _numbers(part):
                pad(key, order)
                continue
            by_owner = [(name, elements.get(id(owner)), values) for (name, owner), values in taken.state.items()]
            told = {(name, id(owner)): values for name, owner, values in by_owner if owner is not None}
            section.children[k] = write(Keyframe(key, told), order)


def settle_keys(spec: Owner, model: Any) -> None:
    """Write the numbers of the complete model into keyframes that were taken apart."""
    for key in spec.contents.key_states:
        if key.entry.id >= 0:
            for name in VECTORS:
                setattr(key, name, np.array(getattr(model, f"key_{name}")[key.entry.id]).reshape(-1))
    spec.contents.key_states = {}


class Copier:
    """Copies one spec; twins: the copy of each element, class and compiler, by the identity of the original."""

    def __init__(self, spec: Owner) -> None:
        self.spec = spec
        self.made = type(spec)()
        self.twins: dict[int, Any] = {}

    def run(self) -> Owner:
        """The copy."""
        become(self.made, self.spec)
        old, new = self.spec.contents, self.made.contents
        self.twins[id(old.compiler)] = new.compiler
        become(new.compiler, old.compiler)
        new.settings = copy.deepcopy(old.settings)
        new.assets, new.plugins = dict(old.assets), list(old.plugins)
        new.source, new.copies, self.made.override_assets = old.source, old.copies, self.spec.override_assets
        self.twins |= new.defaults.copy(old.defaults)
        self._tree(old.world, new.world)
        for kind, held in old.lists.items():
            new.lists[kind] = [self._twin(element) for element in held]
        for key, taken in old.key_states.items():
            if id(key) in self.twins:
                values = [(name, self.twins.get(id(owner)), held) for (name, owner), held in taken.state.items()]
                state = {(name, twin): held for name, twin, held in values if twin is not None}
                new.key_states[self.twins[id(key)]] = Taken(state, taken.numbers)
        new.changed()
        new.signature, new.compiled = old.signature, old.compiled
        return self.made

    def _tree(self, world: MjsBody, top: MjsBody) -> None:
        self._fill(world, top)
        for body in world.walk():
            twin = self.twins[id(body)]
            for kind in HELD:
                for item in body.entry.held[kind]:
                    other = self._twin(item)
                    other.entry.body = twin
                    twin.entry.held[kind].append(other)
            for kind in HELD:
                for item in body.entry.held[kind]:
                    self.twins[id(item)].entry.frame = self.twins[id(item.entry.frame)] if item.entry.frame is not None else None

    def _twin(self, original: Any) -> Any:
        twin = type(original)(self.made)
        self._fill(original, twin)
        return twin

    def _fill(self, original: Any, twin: Any) -> None:
        become(twin, original)
        old, new = original.entry, twin.entry
        new.name, new.id, new.where = old.name, old.id, old.where
        new.default = self.twins.get(id(old.default))
        if id(old.compiler) not in self.twins:
            compiler = self.twins[id(old.compiler)] = MjsCompiler()
            become(compiler, old.compiler)
        new.compiler = self.twins[id(old.compiler)]
        self.twins[id(original)] = twin
