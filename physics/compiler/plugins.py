"""Plugin instances: which signed distance function a mesh or geom has, and its attributes.

The only plugins are signed distance functions, by the reference's names or by those that a user registered them under. Instances
are numbered as in the reference: those of <extension>, then one for each <plugin> that names a function itself.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

import numpy as np
from msgspec import Struct, field

from tumble.physics.collision.sdf import registry
from tumble.physics.collision.sdf.functions import SdfFunction
from tumble.physics.compiler.fill import lay_out
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.references import walk
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.model import Model

UNKNOWN = "is no signed distance function"  # said of one that is not registered


class Instance(Struct, frozen=True, eq=False):
    """A signed distance function with its attributes. given: as written, by name; values: (mjMAXSDFATTR,) numbers."""

    name: str
    function: SdfFunction
    given: dict[str, str]
    values: np.ndarray

    def text(self) -> bytes:
        """All attributes as the model has them: as written, "" where the default holds, each ended by a zero byte."""
        return b"".join(self.given.get(key, "").encode() + b"\0" for key in self.function.defaults)


class Plugins(Struct, eq=False):
    """The plugin instances of a model, and which of them each <plugin> in a mesh or geom means, by the element's id."""

    instances: list[Instance] = field(default_factory=list)
    meant: dict[int, int] = field(default_factory=dict)

    def of(self, element: Element) -> int:
        """The instance of a mesh or geom, -1 for none."""
        return next((self.meant[id(child)] for child in element.all("plugin")), -1)


def read_plugins(root: Element) -> Plugins:
    """All plugin instances but those of elements that are wrong. Raises MjcfError for an unknown function or attribute."""
    found = Plugins()
    numbers: dict[str, int] = {}
    announced: dict[str, Element] = {}
    for plugin in _announced(root):
        name = str(plugin.get("plugin"))
        for element in plugin.all("instance"):
            announced[str(element.get("name", ""))] = plugin
            if registry.find(name) is not None:  # what uses another is refused where it does
                numbers[str(element.get("name", ""))] = len(found.instances)
                found.instances.append(_instance(element, name))
    for holder in _holders(root):
        for element in holder.all("plugin"):
            name = str(element.get("instance") or "")
            if name in numbers:
                found.meant[id(element)] = numbers[name]
            elif name in announced:
                raise _unknown(announced[name], str(announced[name].get("plugin")))
            elif name:  # there is none, or it is wrong, which was reported
                faults.spoil(holder.where)
            else:
                found.meant[id(element)] = len(found.instances)
                found.instances.append(_instance(element, str(element.get("plugin") or "")))
    return found


def fill_plugins(plugins: Plugins, m: Model) -> None:
    """Write the instances of a model; their names are with the others."""
    texts = [np.frombuffer(one.text(), np.uint8) for one in plugins.instances]
    lay_out(m, list(map(len, texts)), "plugin_attradr", plugin_attr=texts)
    m.plugin = [registry.place(one.function.name) for one in plugins.instances]


def _announced(root: Element) -> Iterator[Element]:
    plugins = (plugin for extension in root.all("extension") for plugin in extension.all("plugin"))
    return (plugin for plugin in plugins if not faults.has_fault(plugin))


def _holders(root: Element) -> Iterator[Element]:
    """Each mesh, then each geom, in document order, but those that are wrong."""
    for tag in ("mesh", "geom"):
        yield from (element for element, _ in walk(root) if element.tag == tag and not faults.has_fault(element))


def _instance(element: Element, name: str) -> Instance:
    """The instance that an element describes with its <config>. Raises MjcfError."""
    function = registry.find(name)
    if function is None:
        raise _unknown(element, name)
    given: dict[str, str] = {}
    for config in element.all("config"):
        key = str(config.get("key"))
        if key in given:
            raise config.error(f'key "{key}" is given twice')
        given[key] = str(config.get("value"))
    try:
        return Instance(str(element.get("name", "")), function, given, function.values(given))
    except ValueError as problem:
        raise element.error(str(problem)) from None


def _unknown(element: Element, name: str) -> MjcfError:
    known = registry.names()
    likely = difflib.get_close_matches(name, known, 3)
    listed = ", ".join(likely + [one for one in known if one not in likely])
    return element.error(f'plugin "{name}" {UNKNOWN}, and others are not supported; there are: {listed}. '
                         "A Python function becomes one by physics.set_sdf")  # fmt: skip
