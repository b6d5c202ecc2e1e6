"""A model whose tree is being put together: copies of parts of it, parts of other models, and all that goes with them.

The elements of a document stay as they are: the assembly holds copies of what it changes. Its tree is complete up to the
place where it is being built, so what a keyframe or a name means at that place can be told.

Its size is computed before any of it is built: copies of copies, and parts of parts, can grow beyond all bounds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble.physics.compiler.compose import composed_elements as tree
from tumble.physics.compiler.compose import keyframes
from tumble.physics.compiler.compose.keyframes import Keyframe, layout
from tumble.physics.compiler.pose import Quat, Vec
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.source import MAX_ELEMENTS
from tumble.physics.mjcf.spec import Element

_Known = dict[tuple[int, str], int]


def require_room(document: Document) -> None:
    """Raise MjcfError, at the element that asks for too much, if the tree of a model would have too many elements."""
    _weigh(document, "", {})


def too_large(element: Element) -> MjcfError:
    """The error of an element that makes a model too large, to be raised."""
    return element.error(f"makes the model too large: at most {MAX_ELEMENTS} elements can be made")


def _weigh(document: Document, body: str, known: _Known) -> int:
    """Number of elements in the expanded tree of a model, or of one of its bodies; known: by identity, body."""
    if (id(document), body) not in known:
        bodies: dict[str, int] = {"": 0}
        for world in document.root.all("worldbody"):
            bodies[""] += _weigh_tree(world, document, bodies, known)
        known |= {(id(document), name): number for name, number in bodies.items()}
        known.setdefault((id(document), body), 0)  # a body that copies make, or none: too little is no harm
    return known[id(document), body]


def _weigh_tree(top: Element, document: Document, bodies: dict[str, int], known: _Known) -> int:
    """As `_weigh`, of an element with all below it; `bodies` gets the numbers of those with names."""
    pending = [(top, iter(top.children), 0)]
    while True:
        element, rest, inside = pending.pop()
        child = next(rest, None)
        if child is not None:
            pending += [(element, rest, inside), (child, iter(child.children), 0)]
            continue
        number = _number(element, inside, document, known)
        if number > MAX_ELEMENTS:
            raise too_large(element)
        if element.tag == "body":
            bodies.setdefault(element.get("name", ""), number)
        if not pending:
            return number
        above, its_rest, before = pending.pop()
        pending.append((above, its_rest, before + number))


def _number(element: Element, inside: int, document: Document, known: _Known) -> int:
    if element.tag == "replicate":
        return max(0, element.get("count")) * (1 + inside) if inside else 0
    if element.tag == "attach":
        model = document.models.get(element.get("model", ""))
        return _weigh(model, element.get("body", ""), known) if model is not None else 0
    return 1 + inside


MAX_KEY_NUMBERS = 20_000_000  # in all keyframes of a model that is put together
_ASSETS = frozenset({"mesh", "hfield", "skin", "texture", "material"})


class Placement(Struct, frozen=True):
    """One copy of a part: its pose in the frame of the original, and what is added to its names."""

    pos: Vec
    quat: Quat
    suffix: str


class Assembly:
    """The root of a model that is being put together, and its keyframes."""

    def __init__(self, root: Element) -> None:
        self.root = replace(root, children=[replace(section, children=list(section.children)) for section in root.children])
        self.world = self.section("worldbody")
        self._room = MAX_ELEMENTS
        self._written = [Keyframe(tree.copy_tree(key, {})) for key in self.section("keyframe").children]
        self._told: list[Keyframe] = []  # those that are taken apart
        self._fresh = True  # whether no part was replicated yet
        self._attached = False

    def section(self, tag: str) -> Element:
        """The section of a tag; if there is none it is made, to be put to use or dropped in the end."""
        found = next(self.root.all(tag), None)
        if found is None:
            found = Element(tag, self.root.where, schema_defaults=tree.rule_of(tag).schema_defaults, settings=self.root.settings)
            self.root.children.append(found)
        return found

    def take_room(self, number: int, element: Element) -> None:
        """Count elements that are added. Raises MjcfError, at the element that asks for them, for too many."""
        self._room -= number
        if self._room < 0:
            raise too_large(element)

    def replicate(self, part: Element, steps: Sequence[Placement], asker: Element) -> list[Element]:
        """Copies of what `part` holds, one for each step; the part itself is to be removed.

        part: an element of this tree. What refers to the part is copied with it, and the originals are removed.
        """
        names = tree.declared(part.children, tree.TREE)
        keys = self._keys_to_replicate()
        self.take_room(len(steps) * sum(1 + len(key.state or ()) for key in keys), asker)
        groups = self._set_aside(names)
        each_time = sum(tree.size(elements, MAX_ELEMENTS) for elements in (part.children, *(copied for _, copied in groups)))
        self.take_room(len(steps) * (1 + each_time), asker)
        made, tellers = [], []
        for step in steps:
            copies: tree.Copies = {}
            frame = _frame(part, [tree.copy_tree(child, copies) for child in part.children], step)
            tree.rename(frame.children, tree.TREE, tree.Namespace(suffix=step.suffix), names)
            for section, elements in groups:
                added = [tree.copy_tree(element, copies) for element in elements]
                tree.rename(added, tree.rule_of(section.tag), tree.Namespace(suffix=step.suffix), names)
                section.children += added
            made.append(frame)
            tellers.append(copies)
        self._replicate_keys(keys, tellers, steps)
        return made

    def attach(self, root: Element, contents: Sequence[Element], prefix: str, asker: Element) -> list[Element]:
        """Copies of elements of another model's tree, with all that belongs to them, in the namespace of a prefix.

        root: of the other model, all put together. What refers to anything that does not come along is left out.
        """
        names = tree.declared(contents, tree.TREE)
        parts = parts_with(root, names)
        self.take_room(sum(tree.size(elements, MAX_ELEMENTS) for elements in (contents, *(found for _, found in parts))), asker)
        namespace, copies = tree.Namespace(prefix), dict[int, Element]()
        made = [tree.copy_tree(element, copies) for element in contents]
        whole = tree.WORLD in names.get("body", ())  # the world itself is attached, as a body
        tree.rename(made, tree.TREE, namespace, world=whole)
        for section, elements in parts:
            added = [tree.copy_tree(element, copies) for element in elements]
            tree.rename(added, tree.rule_of(section.tag), namespace, world=whole)
            self.section(section.tag).children += added
        self._attach_keys(root, copies, namespace)
        return made

    def finished(self) -> Element:
        """The root of the model, with its keyframes, once the tree is complete."""
        section = self.section("keyframe")
        if self._written or self._told:
            order = layout(self.root)
            keys = [*self._written, *self._told]
            if self._told and len(keys) * sum(map(keyframes.total, order.values())) > MAX_KEY_NUMBERS:
                raise keys[-1].element.error(f"is one of {len(keys)} keyframes that parts of the model bring: they are too many; "
                                             f"at most {MAX_KEY_NUMBERS} numbers are kept")  # fmt: skip
            self._pad(order)
            section.children = [keyframes.write(key, order) for key in keys]
        kept = [child for child in self.root.children if child.children or child.attributes or child.tag == "worldbody"]
        self.root.children = kept
        return self.root

    def _set_aside(self, names: tree.Names) -> list[tuple[Element, list[Element]]]:
        """Remove what refers to a part with these names: by section, what is to be copied with it. `names` grows by theirs."""
        groups = []
        for section in (section for tag in tree.SECTIONS for section in self.root.all(tag)):
            copied, lost = tree.belonging(section, names)
            for element in lost:
                element.warn("relates a part that is replicated to something else, which copies cannot: it is left out")
            gone = {id(element) for element in (*copied, *lost)}
            section.children = [element for element in section.children if id(element) not in gone]
            groups.append((section, copied))
        return groups

    def _pad(self, order: keyframes.Layout) -> None:
        """Once a model is attached, keyframes of this one may be those that it has without."""
        for key in self._written if self._attached else ():
            keyframes.pad(key.element, order)

    def _keys_to_replicate(self) -> list[Keyframe]:
        """The keyframes to be copied with a part: those that fit the model with that part as it is, the first time one is copied.

        All others are for the complete model, or have been copied already.
        """
        if not self._fresh or not self._written:
            return []
        self._fresh = False
        order = layout(self.root)
        self._pad(order)
        found = [key for key in self._written if keyframes.fits(key.element, order)]
        self._written = [key for key in self._written if key not in found]
        for key in found:
            key.state = keyframes.take_apart(key.element, order)
        return found

    def _replicate_keys(self, keys: list[Keyframe], tellers: list[tree.Copies], steps: Sequence[Placement]) -> None:
        """Let keyframes follow the copies of a part: those that were taken apart before follow the first one."""
        if tellers:
            for key in self._told:
                key.state = keyframes.followed(key.state or {}, tellers[0], keep=True)
        for copies, step in zip(tellers, steps, strict=True):
            for key in keys:
                made = tree.copy_tree(key.element, {})
                made.attributes["name"] = key.element.get("name", "") + step.suffix
                self._told.append(Keyframe(made, keyframes.followed(key.state or {}, copies, keep=True)))
        for key in keys:
            key.state = keyframes.without(key.state or {}, tellers[0] if tellers else {})
        self._told += keys

    def _attach_keys(self, root: Element, copies: tree.Copies, namespace: tree.Namespace) -> None:
        """Take over the keyframes of another model."""
        self._attached = True
        of_root = [key for section in root.all("keyframe") for key in section.children]
        if not of_root:
            return
        order = layout(root)
        for key in of_root:
            if not keyframes.fits(key, order):
                raise key.error("does not have as many numbers as the model that it is written in")
            made = tree.copy_tree(key, {})
            made.attributes["name"] = namespace.name(key.get("name", ""))  # as in the reference, also if it has none
            self._told.append(Keyframe(made, keyframes.followed(keyframes.take_apart(key, order), copies, keep=False)))


def parts_with(root: Element, names: tree.Names) -> list[tuple[Element, list[Element]]]:
    """Elements that belong to a part of a model's tree with these names, by section: assets, and what refers to nothing else.

    root: of the model, all put together. `names` gets the names of what goes along.
    """
    parts: list[tuple[Element, list[Element]]] = []
    for section in _in_order(root):
        rule = tree.rule_of(section.tag)
        if section.tag == "extension":  # all instances, as all assets: who knows which are used
            for kind, found in tree.declared(section.children, rule).items():
                names.setdefault(kind, set()).update(found)
            parts.append((section, section.children))
        elif section.tag in ("asset", "deformable"):
            assets = [asset for asset in section.children if asset.tag in _ASSETS]
            for kind, found in tree.declared(assets, rule).items():
                names.setdefault(kind, set()).update(found)
            parts.append((section, tree.complete(replace(section, children=assets), names, rule)))
        else:
            parts.append((section, tree.complete(section, names, rule)))
    return parts


def _in_order(root: Element) -> list[Element]:
    """The sections of a model that go with its tree, each behind those that it refers to."""
    return [section for tag in ("extension", *tree.SECTIONS, "custom") for section in root.all(tag)]


def _frame(origin: Element, children: list[Element], at: Placement) -> Element:
    """A frame in a pose, in place of the element that asked for it."""
    values = {"pos": np.array(at.pos), "quat": np.array(at.quat)}
    return Element("frame", origin.where, values, frozenset(), children, settings=origin.settings)
