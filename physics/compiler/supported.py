"""What a file may hold and cannot be compiled yet: said at its place, never skipped in silence."""

from __future__ import annotations

import numpy as np

from physics.mjcf.spec import Element

_ANYWHERE = frozenset({
    "flexcomp", "plugin", "flex", "tactile",
})  # fmt: skip
_EQUALITIES = frozenset({"flex", "flexvert"})
_MOST = 1e30  # of a length, mass, ... in any unit that makes sense
_FREE = frozenset({"user", "data", "range", "ctrlrange", "forcerange", "actrange", "actuatorfrcrange", "lengthrange"})


def check_supported(root: Element) -> None:
    """Raise MjcfError at the first element or attribute that asks for what there is not yet."""
    todo = [(child, root) for child in reversed(root.children)]
    while todo:
        element, parent = todo.pop()
        if element.tag == "default":
            continue
        if parent.tag == "equality" and element.tag in _EQUALITIES:
            raise element.error("is not supported yet as an equality constraint")
        if element.tag in _ANYWHERE:
            raise element.error("is not supported yet")
        check_magnitudes(element)
        if parent.tag in ("actuator", "sensor") and (element.get("nsample", 0) or element.get("delay", 0.0)):
            raise element.error("delay and nsample, the history of a signal, are not supported yet")
        if parent.tag == "sensor" and element.has("interval"):
            raise element.error("interval is not supported yet")
        todo += [(child, element) for child in reversed(element.children)]


def check_magnitudes(element: Element) -> None:
    """Raise MjcfError for a number so large that its powers leave the range of floating point."""
    for name, value in element.attributes.items():
        if isinstance(value, float | np.ndarray) and name not in _FREE and np.size(value):
            # not a number: what a keyframe of a model that is put together does not say
            largest = float(np.max(np.abs(value), initial=0.0, where=~np.isnan(value)))
            if not largest <= _MOST:
                raise element.error(f"{name} must be at most {_MOST:g} in size, has {largest:g}")
