"""Signed distance functions of a model, and their addresses in it."""

from __future__ import annotations

import numpy as np

from tumble.physics.callback.table import settle
from tumble.physics.collision.sdf.functions import SdfFunction
from tumble.physics.collision.sdf.registry import at, name_at
from tumble.physics.errors import ModelError
from tumble.physics.kernel import Compiled, Stage
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model


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


def bind_sdf(m: Model) -> None:
    """Write their addresses into the model, and the attributes as numbers where they are not yet; compiles what is not ready.

    Raises ModelError for attributes that the function does not take.
    """
    for instance, function in used_functions(m).items():
        if m._arrays["sdf_fn"][instance] != function.address:
            m._arrays["sdf_attr"][instance] = _values(m, instance, function)
            m._arrays["sdf_fn"][instance] = function.address


def _values(m: Model, instance: int, function: SdfFunction) -> np.ndarray:
    """The attributes of an instance, from their texts."""
    texts = m.plugin_attr[int(m.plugin_attradr[instance]) :].tobytes().split(b"\0")
    given = {key: text.decode(errors="replace") for key, text in zip(function.defaults, texts, strict=False)}
    try:
        return function.values(given)
    except ValueError as problem:
        raise ModelError(str(problem)) from None


def ask(query: Stage, m: Model, d: Data) -> None:
    """Run a query that may look at signed distance functions. Raises what one in Python raises."""
    if m.nplugin:
        bind_sdf(m.as_run)
    query(m, d)
    if d.failed:
        settle(d)
