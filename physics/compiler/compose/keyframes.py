"""Keyframes of models that are put together: what a keyframe says of each joint, actuator and mocap body.

A keyframe is one list of numbers for the whole model, so it loses its meaning when bodies are added. Here it is taken
apart by the elements that the numbers are about, follows them wherever they are copied, and is written again when the
tree is complete; for what it does not say it holds not-a-number, which stands for the value at the start.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct

from tumble.physics.compiler.compose.composed_elements import Copies
from tumble.physics.compiler.relations.actuators import activation_number
from tumble.physics.mjcf.spec import Element

VECTORS = ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")
_NQ = {"free": 7, "ball": 4}
_NV = {"free": 6, "ball": 3}

State = dict[tuple[str, int], tuple[float, ...]]  # by the vector, and the identity of the element
Layout = dict[str, list[tuple[Element, int]]]  # of each vector: whose numbers follow one another, and how many


class Keyframe(Struct):
    """A keyframe, and what it says of each element; None while it is as it was written."""

    element: Element
    state: State | None = None


def layout(root: Element) -> Layout:
    """The order of the numbers in the keyframes of a model."""
    found: Layout = {name: [] for name in VECTORS}
    for body, items in _bodies(item for world in root.all("worldbody") for item in world.children):
        for joint in (item for item in items if item.tag in ("joint", "freejoint")):
            kind = "free" if joint.tag == "freejoint" else joint.get("type", "hinge")
            found["qpos"].append((joint, _NQ.get(kind, 1)))
            found["qvel"].append((joint, _NV.get(kind, 1)))
        if body is not None and body.get("mocap", False):
            found["mpos"].append((body, 3))
            found["mquat"].append((body, 4))
    for actuator in (actuator for section in root.all("actuator") for actuator in section.children):
        found["act"].append((actuator, activation_number(actuator)))
        found["ctrl"].append((actuator, 1))
    return found


def _bodies(contents: Iterable[Element]) -> Iterator[tuple[Element | None, list[Element]]]:
    """Every body with all that it holds, itself or in frames; the world, None, first; in the order of the model."""
    pending: list[tuple[Element | None, Iterable[Element]]] = [(None, contents)]
    while pending:
        body, held = pending.pop()
        items, rest = [], list(held)[::-1]
        while rest:
            item = rest.pop()
            if item.tag == "frame":
                rest += reversed(item.children)
            else:
                items.append(item)
        yield body, items
        pending += [(item, item.children) for item in reversed(items) if item.tag == "body"]


def total(order: list[tuple[Element, int]]) -> int:
    """Length of a vector."""
    return sum(number for _, number in order)


def fits(key: Element, order: Layout) -> bool:
    """True if every vector that a keyframe says has as many numbers as the model needs."""
    return all(np.size(key.get(name)) == total(order[name]) for name in VECTORS if key.has(name))


def take_apart(key: Element, order: Layout) -> State:
    """The values of a matching keyframe for each element."""
    state: State = {}
    for name in VECTORS:
        if key.has(name):
            values, at = np.atleast_1d(key.get(name)).tolist(), 0
            for owner, number in order[name]:
                state[name, id(owner)] = tuple(values[at : at + number])
                at += number
    return state


def followed(state: State, copies: Copies, *, keep: bool) -> State:
    """The keyframe's values of the originals, for their copies; keep: also its values of all other elements."""
    moved = {(name, id(copies[owner])): values for (name, owner), values in state.items() if owner in copies}
    return {place: values for place, values in state.items() if place[1] not in copies} | moved if keep else moved


def without(state: State, copies: Copies) -> State:
    """The keyframe's values of all elements but these originals."""
    return {place: values for place, values in state.items() if place[1] not in copies}


def pad(key: Element, order: Layout) -> None:
    """Let a keyframe, a copy, that is too short for the model say nothing of the rest."""
    for name in VECTORS:
        if key.has(name):
            values = np.atleast_1d(key.get(name))
            lacking = total(order[name]) - len(values)
            if lacking > 0:
                key.attributes[name] = np.concatenate([values, np.full(lacking, math.nan)])


def write(key: Keyframe, order: Layout) -> Element:
    """The element of a keyframe with its numbers in the order of the complete model."""
    if key.state is None:
        return key.element
    said = {name for name, _ in key.state}
    for name in VECTORS:
        key.element.attributes.pop(name, None)
        if name in said:
            values = [v for owner, n in order[name] for v in key.state.get((name, id(owner)), (math.nan,) * n)]
            if values:
                key.element.attributes[name] = np.array(values)
    return key.element
