"""What a file may hold and cannot be compiled yet: said at its place, never skipped in silence."""

from __future__ import annotations

from physics.mjcf.spec import Element

_ANYWHERE = frozenset({
    "attach", "replicate", "composite", "flexcomp", "plugin", "mesh", "hfield", "skin", "model", "flex", "spatial", "muscle",
    "adhesion", "tactile",
})  # fmt: skip
_EQUALITIES = frozenset({"connect", "weld", "joint", "tendon", "flex", "flexvert"})


def check_supported(root: Element) -> None:
    """Raise MjcfError at the first element or attribute that asks for what there is not yet."""
    todo = [(child, root) for child in reversed(root.children)]
    while todo:
        element, parent = todo.pop()
        if element.tag == "default":
            continue
        if element.tag in _ANYWHERE or (parent.tag == "equality" and element.tag in _EQUALITIES):
            raise element.error("is not supported yet")
        if parent.tag in ("actuator", "sensor") and (element.get("nsample", 0) or element.get("delay", 0.0)):
            raise element.error("delay and nsample, the history of a signal, are not supported yet")
        if parent.tag == "sensor" and element.has("interval"):
            raise element.error("interval is not supported yet")
        todo += [(child, element) for child in reversed(element.children)]
