"""Plugin instances: which plugin acts on an element, and its attributes.

The plugins are those of physics/state/plugins.py, and signed distance functions, by the reference's names or by those that a user
registered them under. Instances are numbered as in the reference: those of <extension>, then one for each <plugin> that names a
plugin itself: of meshes, actuators, sensors, then of bodies and geoms as they are written. The instances of cables that a
<composite> makes are among those of <extension>.
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
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtPluginCapabilityBit
from tumble.physics.state.model import Model
from tumble.physics.state.plugins import BUILT_IN, Plugin, plugin_number

UNKNOWN = "is unknown, and libraries of plugins are not loaded"  # in messages about one that is not registered

_SDF = mjtPluginCapabilityBit.mjPLUGIN_SDF
_USES = {
    mjtPluginCapabilityBit.mjPLUGIN_ACTUATOR: "actuators", mjtPluginCapabilityBit.mjPLUGIN_SENSOR: "sensors",
    mjtPluginCapabilityBit.mjPLUGIN_PASSIVE: "bodies", _SDF: "meshes and geoms",
}  # fmt: skip
_CAPABILITIES = {
    "mesh": _SDF, "geom": _SDF, "actuator": mjtPluginCapabilityBit.mjPLUGIN_ACTUATOR,
    "sensor": mjtPluginCapabilityBit.mjPLUGIN_SENSOR, "body": mjtPluginCapabilityBit.mjPLUGIN_PASSIVE,
}  # fmt: skip


class Instance(Struct, frozen=True, eq=False):
    """A plugin with its attributes. given: as written, by name; values: (mjMAXPLUGINPRM,) numbers."""

    name: str
    plugin: Plugin | SdfFunction
    given: dict[str, str]
    values: np.ndarray

    def text(self) -> bytes:
        """All attributes as the model has them: as written, "" where the default holds, each ended by a zero byte."""
        return b"".join(self.given.get(key, "").encode() + b"\0" for key in self.plugin.attributes)


class Plugins(Struct, eq=False):
    """The plugin instances of a model, and which of them acts on an element, by the element's id."""

    instances: list[Instance] = field(default_factory=list)
    users: dict[int, int] = field(default_factory=dict)

    def add(self, instance: Instance) -> int:
        """The number of an instance that is added."""
        self.instances.append(instance)
        return len(self.instances) - 1

    def of(self, element: Element) -> int:
        """The instance of a mesh, geom, body, actuator or sensor, -1 for none."""
        return self.users.get(id(element), -1)

    def values(self, element: Element) -> np.ndarray:
        """The attributes of the instance of an element that has one, as numbers (mjMAXPLUGINPRM,)."""
        return self.instances[self.users[id(element)]].values


def read_plugins(root: Element) -> Plugins:
    """All plugin instances but those of elements that are wrong. Raises MjcfError for an unknown plugin or attribute."""
    found = Plugins()
    numbers: dict[str, int] = {}
    announced: dict[str, Element] = {}
    for plugin in _announced(root):
        name = str(plugin.get("plugin"))
        for element in plugin.all("instance"):
            announced[str(element.get("name", ""))] = plugin
            if _find(name) is not None:  # what uses another is refused where it does
                with faults.tolerated():
                    numbers[str(element.get("name", ""))] = found.add(_instance(element, name, str(element.get("name", ""))))
    for kind, holder, element in _users(root):
        if not faults.has_fault(element if kind == "body" else holder):
            try:
                _read_user(found, numbers, announced, kind, holder, element)
            except MjcfError as error:
                faults.report(error)
                if kind == "mesh":  # it has no shape
                    faults.spoil(holder.where)
    return found


def _read_user(
    found: Plugins, numbers: dict[str, int], announced: dict[str, Element], kind: str, holder: Element, element: Element
) -> None:
    """Let an element have the instance that its <plugin> means. Raises MjcfError.

    numbers: of the instances of <extension>, by name; announced: the <plugin> around each of these, by the same.
    """
    if id(holder) in found.users:
        raise element.error(f"is one too many: a {kind} has at most one plugin")
    name = str(element.get("instance") or "")
    if name and name not in numbers:
        plugin = str(announced[name].get("plugin")) if name in announced else ""
        if plugin and _find(plugin) is None:
            raise _unknown(announced[name], plugin)
        faults.spoil(holder.where)  # there is none, or it is wrong, which was reported
        return
    plugin_name = str(element.get("plugin") or "")
    used = found.instances[numbers[name]].plugin if name else _find(plugin_name)
    if used is not None:
        _check_use(kind, element, used)
    found.users[id(holder)] = numbers[name] if name else found.add(_instance(element, plugin_name, ""))


def fill_plugins(plugins: Plugins, m: Model) -> None:
    """Write the instances of a model; their names are with the others."""
    texts = [np.frombuffer(one.text(), np.uint8) for one in plugins.instances]
    lay_out(m, list(map(len, texts)), "plugin_attradr", plugin_attr=texts)
    m.plugin = [plugin_number(one.plugin.name) for one in plugins.instances]


def _announced(root: Element) -> Iterator[Element]:
    plugins = (plugin for extension in root.all("extension") for plugin in extension.all("plugin"))
    return (plugin for plugin in plugins if not faults.has_fault(plugin))


def _users(root: Element) -> Iterator[tuple[str, Element, Element]]:
    """Kind of element, the element and its <plugin>, in the order of the instances that are made of them."""
    for asset in root.all("asset"):
        for mesh in asset.all("mesh"):
            yield from (("mesh", mesh, plugin) for plugin in mesh.all("plugin"))
    for kind in ("actuator", "sensor"):
        for section in root.all(kind):
            yield from ((kind, plugin, plugin) for plugin in section.all("plugin"))
    for world in root.all("worldbody"):
        yield from _users_in(world)


def _users_in(world: Element) -> Iterator[tuple[str, Element, Element]]:
    """The same of the bodies and geoms of a tree; what is in a frame belongs to the body around it."""
    pending = [(child, world) for child in reversed(world.children)]
    while pending:
        element, body = pending.pop()
        if element.tag == "plugin":
            yield "body", body, element
        elif element.tag == "geom":
            yield from (("geom", element, plugin) for plugin in element.all("plugin"))
        elif element.tag in ("body", "frame"):
            inside = element if element.tag == "body" else body
            pending += [(child, inside) for child in reversed(element.children)]


def _check_use(kind: str, element: Element, plugin: Plugin | SdfFunction) -> None:
    needed = _CAPABILITIES[kind]
    if plugin.capability != needed:
        valid = ", ".join(one.name for name in _names() if (one := _find(name)) is not None and one.capability == needed)
        raise element.error(f'plugin "{plugin.name}" acts on {_USES[plugin.capability]}, not on a {kind}; valid here: {valid}')


def _names() -> list[str]:
    return [*BUILT_IN, *registry.names()]


def _find(name: str) -> Plugin | SdfFunction | None:
    return BUILT_IN.get(name) or registry.find(name)


def _instance(element: Element, plugin_name: str, name: str) -> Instance:
    """The instance that an element describes with its <config>. Raises MjcfError."""
    plugin = _find(plugin_name)
    if plugin is None:
        raise _unknown(element, plugin_name)
    given: dict[str, str] = {}
    for config in element.all("config"):
        key = str(config.get("key"))
        if key in given:
            raise config.error(f'key "{key}" is given twice')
        given[key] = str(config.get("value"))
    try:
        return Instance(name, plugin, given, plugin.values(given))
    except ValueError as problem:
        raise element.error(str(problem)) from None


def _unknown(element: Element, name: str) -> MjcfError:
    if not name:
        return element.error("needs the name of a plugin, or of an instance of one")
    known = _names()
    likely = difflib.get_close_matches(name, known, 3)
    listed = ", ".join(likely + [one for one in known if one not in likely])
    return element.error(f'plugin "{name}" {UNKNOWN}; there are: {listed}. '
                         "A Python function becomes a signed distance function by physics.set_sdf")  # fmt: skip
