"""The size of a model, computed before any of it is built: copies of copies, and parts of parts, can grow beyond all bounds."""

from __future__ import annotations

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
