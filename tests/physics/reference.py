"""Puts both engines into one state: mirrors of the reference's models and data in our memory, and field comparison."""

from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from tumble import physics
from tumble.physics import MjModel
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model


def load_sdf_plugins() -> None:
    """Have the reference know its signed distance functions, which are plugins there; once or again."""
    mujoco.mj_loadPluginLibrary(str(Path(mujoco.__file__).parent / "plugin/libsdf_plugin.so"))


def mirror_model(reference: mujoco.MjModel, into: type[Model] = Model) -> Model:
    """A model of ours holding the reference model's constants: lets a stage be tested without our compiler."""
    given = {name: getattr(reference, name, None) for name in Model._struct.fields}
    model = into({name: int(size) for name, size in given.items() if name[0] == "n" and isinstance(size, int | np.integer)})
    for name, field in Model._struct.fields.items():
        if name.startswith(("opt_", "stat_", "vis_")):
            value = option(reference, name)
            if np.size(value):  # the reference's Python binding shows a few colours as empty arrays
                setattr(model, name, value)
        elif field.shape and given[name] is not None:
            value = np.asarray(given[name])
            if value.dtype.kind in "fiub" and value.size == model._arrays[name].size:
                model._arrays[name][...] = value.reshape(model._arrays[name].shape)
    model.names = reference.names
    return model


def option(reference: mujoco.MjModel, name: str) -> Any:
    """The reference's value of a grouped field of ours: `opt_timestep` is `opt.timestep`."""
    group, _, rest = name.partition("_")
    holder = getattr(reference, group)
    if group == "vis":
        section, _, rest = rest.partition("_")
        holder = getattr(holder, "global_" if section == "global" else section)
    return getattr(holder, rest)


def load(xml: str, engine: Any = physics) -> tuple[MjModel, Data]:
    """A model of a text, and its data: ours, or those of an engine with the same names."""
    m = engine.MjModel.from_xml_string(xml)
    return m, engine.MjData(m)


def posed(xml: str, engine: Any = physics) -> tuple[MjModel, Data]:
    """The same after forward dynamics."""
    m, d = load(xml, engine)
    engine.mj_forward(m, d)
    return m, d


def twins(xml: str) -> tuple[mujoco.MjModel, mujoco.MjData, MjModel, Data]:
    """Model and data of the reference, then ours."""
    return *load(xml, mujoco), *load(xml)


STATE = ("qpos", "qvel", "act", "history", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "qacc_warmstart",
         "eq_active", "userdata")


def put_state(target: Any, source: Any) -> None:
    """Copy the full integration state from one engine's data to another's."""
    for name in STATE:
        getattr(target, name)[:] = getattr(source, name)
    target.time = source.time


def copy_fields(d: Data, reference: mujoco.MjData, *names: str) -> None:
    """Give our data the reference's values, as the input of the one stage under test."""
    for name in names:
        target = d._arrays[name]
        target.reshape(-1)[: np.size(getattr(reference, name))] = np.ravel(getattr(reference, name))


def assert_close(ours: Any, theirs: Any, names: list[str] | tuple[str, ...], rtol: float = 1e-9, atol: float = 1e-9) -> None:
    """Every named field agrees; the message names the field."""
    for name in names:
        np.testing.assert_allclose(np.asarray(getattr(ours, name)), np.asarray(getattr(theirs, name)), rtol, atol, err_msg=name)
