"""Parts of a file that cannot be compiled yet: one error lists all of them, each at its place."""

from __future__ import annotations

import numpy as np

from physics.errors import MjcfError
from physics.mjcf.references import walk
from physics.mjcf.schema import ElementRule
from physics.mjcf.spec import Element

_MOST = 1e30  # of a length, mass, ... in any unit that makes sense
# Numbers of which no powers are taken: there, infinity means that there is no bound.
_FREE = frozenset({"user", "data", "range", "ctrlrange", "forcerange", "actrange", "actuatorfrcrange", "lengthrange", "cutoff"})
_SHOWN = 20  # parts that one message names


def check_supported(root: Element) -> None:
    """Raise MjcfError, which names all elements and attributes that ask for what there is not yet."""
    found: list[tuple[Element, str]] = []
    inside: set[int] = set()  # the contents of a refused element are not listed separately
    for element, rule in walk(root):
        refused = [] if id(element) in inside else _refused(element, rule)
        if refused or id(element) in inside:
            inside |= {id(child) for child in element.children}
        found += [(element, what) for what in refused]
        check_magnitudes(element)
    if found:
        raise _together(found)


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


def _together(found: list[tuple[Element, str]]) -> MjcfError:
    """One error of all parts; the file may open without them where all concern its looks alone."""
    errors = [element.error(what) for element, what in found]
    lines = [str(error) for error in errors[:_SHOWN]]
    if len(errors) > _SHOWN:
        lines.append(f"and {len(errors) - _SHOWN} more parts that are not supported yet")
    looks = tuple(place for error in errors for place in error.looks)
    return MjcfError("\n".join(lines), looks if len(looks) == len(errors) else ())


def check_magnitudes(element: Element) -> None:
    """Raise MjcfError for a number so large that its powers leave the range of floating point."""
    for name, value in element.attributes.items():
        if isinstance(value, float | np.ndarray) and name not in _FREE and np.size(value):
            # not a number: what a keyframe of a model that is put together does not say
            largest = float(np.max(np.abs(value), initial=0.0, where=~np.isnan(value)))
            if not largest <= _MOST:
                raise element.error(f"{name} must be at most {_MOST:g} in size, has {largest:g}")
