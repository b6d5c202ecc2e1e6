"""Checks of elements by the schema: names of objects, the attributes that refer to them, and what cannot be compiled yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.schema import MUJOCO, Attribute, ElementRule
from tumble.physics.mjcf.spec import Element
from tumble.physics.mjcf.suggest import MODEL_NAMES, meant, with_article

# Elements that make others, with names of their own, when the compiler expands them.
GENERATORS = frozenset({"replicate", "composite", "flexcomp", "attach"})

# Kinds that another kind's names stand for.
ALIASES = {"xbody": "body", "dof": "joint"}

Names = dict[str, dict[str, Element]]


def walk(root: Element) -> Iterator[tuple[Element, ElementRule]]:
    """Every element below <mujoco> with its rule, in document order, but for those of <default>."""
    return each((section for section in root.children if section.tag != "default"), MUJOCO)


def each(elements: Iterable[Element], parent: ElementRule) -> Iterator[tuple[Element, ElementRule]]:
    """Elements and all below them with their rules, in document order; `parent` is the rule of what holds them."""
    pending = [(element, parent.children[element.tag]) for element in elements][::-1]
    while pending:
        element, rule = pending.pop()
        yield element, rule
        pending += [(child, rule.children[child.tag]) for child in reversed(element.children)]


def collect_names(root: Element) -> Names:
    """The named objects of a model: by kind (the schema's `names`), then by name.

    To be called when generating elements are expanded: names in them are not those that the model will have.
    Raises MjcfError, with both places, for a name that two objects of a kind have.
    """
    names: Names = {"body": {"world": next(root.all("worldbody"), root)}}
    for element, rule in walk(root):
        name = element.attributes.get("name", "") if rule.names else ""
        if not name:
            continue
        first = names.setdefault(rule.names, {}).setdefault(name, element)
        if first is not element:
            faults.report(_repeated(element, rule.names, name, first), again=True)
    return names


def is_complete(root: Element) -> bool:
    """True if no element is left that makes others."""
    return not any(element.tag in GENERATORS for element, _ in walk(root))


def check_references(root: Element) -> Names:
    """Check that every reference names an existing object; returns the names, by kind.

    To be called when generating elements are expanded: while one is left, a name that is missing may be still to come
    and is let pass. Raises MjcfError: `file:line:column: <motor> joint "kne" is not a joint; ... Valid: knee`.
    """
    names = collect_names(root)
    for element, rule in walk(root) if is_complete(root) else ():
        for attribute, kind, name in references(element, rule):
            if name not in names.get(kind, ()):
                known = names.get(kind, {})
                valid = meant(name, known, MODEL_NAMES) if known else f"the model has no {kind} with a name"
                error = element.error(f'{attribute.name} "{name}" is not {with_article(kind)}; {valid}')
                faults.report(error, (kind, name), again=True)
    return names


def references(element: Element, rule: ElementRule) -> Iterator[tuple[Attribute, str, str]]:
    """Iterate over what an element itself refers to: the attribute, kind and name. A blank name refers to nothing, on purpose."""
    for name, value in element.attributes.items():
        attribute = rule.attributes.get(name)
        if attribute is not None and attribute.refers:
            kind = kind_of(element, attribute)
            yield from ((attribute, kind, one) for one in (value if isinstance(value, tuple) else (value,)) if one)


def kind_of(element: Element, attribute: Attribute) -> str:
    """The kind of object that an attribute of `ref` or `refs` refers to, by another attribute where that tells."""
    kind = attribute.refers
    if kind.startswith("@"):
        kind = element.attributes.get(kind[1:], "")
    return ALIASES.get(kind, kind)


def _repeated(element: Element, kind: str, name: str, first: Element) -> MjcfError:
    if kind == "body" and name == "world":
        return element.error('name "world" is the name of the world itself; choose another')
    return element.error(f'name "{name}" is already the name of {with_article(kind)}, the <{first.tag}> at {first.where}; '
                         f"names of {kind} elements must differ")


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
