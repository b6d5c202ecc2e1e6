"""Parts of a file that cannot be compiled yet: an error for each, at its place."""

from __future__ import annotations

import numpy as np

from tumble.physics.mjcf import faults
from tumble.physics.mjcf.references import walk
from tumble.physics.mjcf.schema import ElementRule
from tumble.physics.mjcf.spec import Element

_MOST = 1e30  # of a length, mass, ... in any unit that makes sense
# Numbers of which no powers are taken: there, infinity means that there is no bound.
_FREE = frozenset({"user", "data", "range", "ctrlrange", "forcerange", "actrange", "actuatorfrcrange", "lengthrange", "cutoff"})


def check_supported(root: Element) -> None:
    """Report elements and attributes that ask for what there is not yet, and numbers that are too large."""
    inside: set[int] = set()  # the contents of a refused element are not listed separately
    for element, rule in walk(root):
        refused = [] if id(element) in inside else _refused(element, rule)
        if refused or id(element) in inside:
            inside |= {id(child) for child in element.children}
        for what in refused:
            faults.report(element.error(what), again=True)
        with faults.tolerated():
            check_magnitudes(element)


def _refused(element: Element, rule: ElementRule) -> list[str]:
    """The refused parts of an element, in words."""
    if rule.status.level == "refused":
        return [f"is not supported yet{_because(rule.status.why)}"]
    refused = []
    for name, value in element.attributes.items():
        attribute = rule.attributes.get(name)
        if attribute is not None and attribute.refuses(value):
            word = f' "{value}"' if attribute.words else ""
            refused.append(f"{name}{word} is not supported yet{_because(attribute.status.why)}")
    return refused


def _because(why: str) -> str:
    return f": {why}" if why else ""


def check_magnitudes(element: Element) -> None:
    """Raise MjcfError for a number so large that its powers leave the range of floating point."""
    for name, value in element.attributes.items():
        if isinstance(value, float | np.ndarray) and name not in _FREE and np.size(value):
            # not a number: what a keyframe of a model that is put together does not say
            largest = float(np.max(np.abs(value), initial=0.0, where=~np.isnan(value)))
            if not largest <= _MOST:
                raise element.error(f"{name} must be at most {_MOST:g} in size, has {largest:g}")
