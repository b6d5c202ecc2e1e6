"""Expand the elements that make others, in document order and from the inside out."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble.physics.compiler import pose
from tumble.physics.compiler.bodies.frames import euler_quat, read_pose
from tumble.physics.compiler.compose.assembly import Assembly, Placement, require_room, too_large
from tumble.physics.compiler.compose.cable import cable
from tumble.physics.compiler.pose import IDENTITY, ZERO, Quat, Vec, vec3
from tumble.physics.mjcf.defaults import MAIN
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.model_files import attached_class
from tumble.physics.mjcf.source import MAX_ELEMENTS
from tumble.physics.mjcf.spec import Element, tree_of
from tumble.physics.mjcf.suggest import meant

GENERATORS = frozenset({"replicate", "attach", "composite", "flexcomp"})
_IGNORED = ("option", "size", "visual", "statistic")


def compose(document: Document) -> Element:
    """The root of a document with all generators expanded; the document itself is not changed.

    Raises MjcfError if one cannot be, or makes the model too large.
    """
    require_room(document)
    return _composed(document, {}, document)


def _composed(document: Document, known: dict[int, Element], main: Document) -> Element:
    """As `compose`; known: the roots of documents that are composed already, by identity; main: the one that attaches them."""
    if id(document) not in known:
        roots = {name: _composed(model, known, main) for name, model in document.models.items()}
        known[id(document)] = _Composition(document, roots, main).run() if _generates(document.root) else document.root
    return known[id(document)]


def _generates(root: Element) -> bool:
    """True if the tree of a model holds anything to be expanded."""
    return any(element.tag in GENERATORS for world in root.all("worldbody") for element in tree_of(world))


class _Spot(Struct, frozen=True):
    """The place of an element: the body that contains it, and the pose in it of the frames around the element.

    scope: the default class there. copied: whether a <replicate> stands between the body and the element.
    """

    body: Element
    pos: Vec = ZERO
    quat: Quat = IDENTITY
    scope: str = MAIN
    copied: bool = False

    def inside(self, frame: Element) -> _Spot:
        """The place inside one more frame."""
        pos, quat = pose.compose(self.pos, self.quat, *read_pose(frame))
        return replace(self, pos=pos, quat=quat).within(frame)

    def within(self, element: Element) -> _Spot:
        """The same place, with the default class of what is in an element."""
        return replace(self, scope=element.attributes.get("childclass") or self.scope)


class _Composition:
    """One pass over the tree of a model. roots: the models that it can attach, complete, by name. main: finds files."""

    def __init__(self, document: Document, roots: dict[str, Element], main: Document) -> None:
        self._assembly = Assembly(document.root)
        self._document, self._main = document, main
        self._roots = roots
        self._bodies: dict[str, tuple[Element, _Spot]] = {}  # by name, those that are there already

    def run(self) -> Element:
        world = self._assembly.world
        held, world.children = world.children, []
        self._fill(world, held, _Spot(world))
        return self._assembly.finished()

    def _fill(self, out: Element, held: list[Element], spot: _Spot) -> None:
        """Put elements into `out`, an element of the new tree, those that make others replaced by what they make."""
        for child in held:
            if child.tag in ("body", "frame"):
                made = replace(child, children=[])
                out.children.append(made)
                if child.tag == "body":
                    self._bodies[child.get("name", "")] = made, spot
                inner = _Spot(made, scope=spot.scope).within(child) if child.tag == "body" else spot.inside(child)
                self._fill(made, child.children, inner)
            elif child.tag == "replicate":
                part = Element("frame", child.where, settings=child.settings)
                out.children.append(part)
                before = dict(self._bodies)
                self._fill(part, child.children, replace(spot, copied=True).within(child))
                self._bodies = before
                out.children[-1:] = replicate(self._assembly, child, part)
            elif child.tag == "attach":
                out.children += self._attach(child, spot)
            elif child.tag == "composite":
                out.children += cable(self._assembly, child)
            elif child.tag == "flexcomp":
                out.children += self._flexcomp(child, spot)
            else:
                out.children.append(child)

    def _flexcomp(self, element: Element, spot: _Spot) -> list[Element]:
        from tumble.physics.compiler.flex.expand import CompPlace, flexcomp  # few models have any

        name = "world" if spot.body is self._assembly.world else str(spot.body.get("name", ""))
        place = CompPlace(name, spot.pos, spot.quat, spot.copied)
        defaults = self._document.classes.get(spot.scope) or attached_class(self._document, spot.scope)
        return flexcomp(self._assembly, element, place, self._main, defaults)

    def _attach(self, element: Element, spot: _Spot) -> list[Element]:
        name, prefix, model = element.get("body", ""), element.get("prefix", ""), element.get("model", "")
        if model not in self._roots:
            raise element.error(f'model "{model}" is not a model of <asset>; {meant(model, self._roots)}')
        root = self._roots[model]
        if name and prefix + name in self._bodies:
            self._move(element, prefix + name, spot)
            return []
        contents = _contents(root, name, element)
        _note_ignored(root)
        made = self._assembly.attach(root, contents, prefix, element)
        if name:
            self._bodies[prefix + name] = made[0], spot
        return made

    def _move(self, element: Element, name: str, spot: _Spot) -> None:
        """Put an existing body into the frames around <attach>, as the reference does."""
        body, before = self._bodies[name]
        if before.body is not spot.body:
            raise element.error(f'makes a body "{name}", which exists already, at {body.where}, in another body')
        element.warn(f'names a body "{name}" that exists already, at {body.where}: nothing is attached, that body is moved here')
        inner = replace(body)
        at = pose.relative(before.pos, before.quat, spot.pos, spot.quat)
        body.tag, body.children = "frame", [inner]
        body.attributes = {"pos": np.array(at[0]), "quat": np.array(at[1])}
        self._bodies[name] = inner, spot


def _note_ignored(root: Element) -> None:
    """Note in one line which sections of an attached model do not count."""
    sections = {section.tag: section for tag in _IGNORED for section in root.all(tag)}
    if len(sections) == 1:
        next(iter(sections.values())).warn("is that of an attached model and does not count: the main model's does")
    elif sections:
        *tags, last = (f"<{tag}>" for tag in sections)
        root.warn(f"is an attached model: its {', '.join(tags)} and {last} do not count, those of the main model do")


def _contents(root: Element, name: str, asker: Element) -> list[Element]:
    """The part of a model to attach: the body of a name, or the whole world if none is given."""
    world = [item for section in root.all("worldbody") for item in section.children]
    if not name:
        return world
    if name == "world":  # the reference makes a body of it
        return [Element("body", asker.where, {"name": name}, children=world, settings=root.settings)]
    bodies: dict[str, Element] = {}
    for item in (item for top in world for item in tree_of(top)):
        if item.tag == "body":
            bodies.setdefault(item.get("name", ""), item)
    if name not in bodies:
        raise asker.error(f'body "{name}" is not in {root.where.file}; {meant(name, filter(None, bodies))}')
    return [bodies[name]]


def replicate(assembly: Assembly, element: Element, part: Element) -> list[Element]:
    """Elements that replace a <replicate>; part: holds the complete elements to replicate in the tree of the assembly.

    Raises MjcfError for more copies than a model may have elements.
    """
    count = element.get("count")
    for lost in [child for child in part.children if child.tag == "inertial"]:
        lost.warn("is replicated, and a body has but one: it is left out, as if it were not written")
        part.children = [child for child in part.children if child is not lost]
    if not part.children:
        return []
    if count > MAX_ELEMENTS:
        raise too_large(element)
    return assembly.replicate(part, _steps(element, count), element)


def _steps(element: Element, count: int) -> list[Placement]:
    """The copies: each one offset further in the frame of the one before it, and turned by the angles once more.

    The angles are multiplied, not the rotations: about two axes that is not the same. Suffixes are numbers from
    zero, all with the digits of the count.
    """
    offset, angles = vec3(element.get("offset")), vec3(element.get("euler"))
    digits, separator = len(str(count)), element.get("sep", "")
    steps, pos = [], ZERO
    for i in range(count):
        quat = euler_quat(pose.scale(float(i), angles), element.settings) if any(angles) else IDENTITY
        steps.append(Placement(pos, quat, f"{separator}{i:0{digits}d}"))
        pos = pose.add(pos, pose.rotate(quat, offset))
    return steps
