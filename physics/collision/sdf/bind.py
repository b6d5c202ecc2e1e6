"""Plugins of a model: the addresses of its signed distance functions, and the attributes of all as numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tumble.physics.callback.table import settle
from tumble.physics.collision.sdf.functions import SdfFunction
from tumble.physics.collision.sdf.registry import at, name_at
from tumble.physics.errors import ModelError
from tumble.physics.kernel import Compiled, Stage
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model
from tumble.physics.state.plugins import BUILT_IN, BY_NUMBER, Plugin


def used_functions(m: Model) -> dict[int, SdfFunction]:
    """The function of each plugin instance that a geom of type sdf has. Raises ModelError for one that is not there."""
    instances = sorted({*m.geom_plugin[m.geom_type == mjtGeom.mjGEOM_SDF].tolist()})
    if len(instances) and instances[-1] >= m.nplugin:
        raise ModelError(f"geom_plugin has {instances[-1]}; the model has {m.nplugin} plugin instances")
    return {i: at(int(m.plugin[i])) for i in instances if i >= 0}


def function_name(m: Model, geom: int) -> str:
    """The name of the signed distance function of a geom, "" if it has none that is known here."""
    instance = int(m.geom_plugin[geom])
    return name_at(int(m.plugin[instance])) if instance >= 0 else ""


def sdf_parts(m: Model) -> list[Compiled]:
    """Compiled functions among them."""
    return [function.part for function in used_functions(m).values() if function.part is not None]


def bind_plugins(m: Model) -> None:
    """Write addresses of functions and the attributes of all plugins, as numbers, into the model; compiles what is not ready.

    Raises ModelError for attributes that a plugin does not take, and for instances in use of plugins that do not exist.
    """
    for instance in _users(m):
        m._arrays["plugin_prm"][instance] = _values(m, instance, _built_in(int(m.plugin[instance])))
    for instance, function in used_functions(m).items():
        if m._arrays["sdf_fn"][instance] != function.address:
            m._arrays["plugin_prm"][instance] = _values(m, instance, function)
            m._arrays["sdf_fn"][instance] = function.address


def _users(m: Model) -> list[int]:
    """The plugin instances that bodies, actuators and sensors have."""
    named = np.concatenate([m.body_plugin, m.actuator_plugin, m.sensor_plugin])
    return sorted({*named[named >= 0].tolist()})


def _built_in(number: int) -> Plugin:
    if number not in BY_NUMBER:
        name = name_at(number)
        raise ModelError(f"plugin {name or number} is no plugin of a body, actuator or sensor; there are: {', '.join(BUILT_IN)}")
    return BY_NUMBER[number]


def _values(m: Model, instance: int, plugin: Plugin | SdfFunction) -> np.ndarray:
    """The attributes of an instance, from their texts."""
    given = plugin_texts(m, instance, plugin.attributes)
    try:
        return plugin.values(given)
    except ValueError as problem:
        raise ModelError(str(problem)) from None


def plugin_texts(m: Model, instance: int, attributes: Sequence[str]) -> dict[str, str]:
    """The attributes of an instance, as written, by name; "" where the default holds."""
    texts = m.plugin_attr[int(m.plugin_attradr[instance]) :].tobytes().split(b"\0")
    return {key: text.decode(errors="replace") for key, text in zip(attributes, texts, strict=False)}


def ask(query: Stage, m: Model, d: Data) -> None:
    """Run a query that may look at signed distance functions. Raises what one in Python raises."""
    if m.nplugin:
        bind_plugins(m.as_run)
    query(m, d)
    if d.failed:
        settle(d)
