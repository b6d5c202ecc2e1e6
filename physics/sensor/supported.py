"""Features of a model's sensors that are not computed."""

from __future__ import annotations

import numpy as np

from tumble.physics.state.enums import mjtGeom, mjtSensor
from tumble.physics.state.model import Model

_UNFELT = (mjtGeom.mjGEOM_MESH, mjtGeom.mjGEOM_HFIELD)


def unsupported_sensors(m: Model) -> list[str]:
    """One line for each sensor that leaves something out."""
    found = []
    for s in range(m.nsensor):
        name = f"sensor {m.sensor(s).name or f'number {s}'}"
        if m.sensor_type[s] == mjtSensor.mjSENS_TACTILE:
            found += [f"{name}: {line}" for line in _untouched(m, s)]
    return found


def _untouched(m: Model, s: int) -> list[str]:
    """Objects that a tactile sensor ignores."""
    lines = []
    geoms = np.flatnonzero(np.isin(m.geom_type, _UNFELT) & ((m.geom_contype != 0) | (m.geom_conaffinity != 0)))
    others = [int(g) for g in geoms if g != m.sensor_refid[s]]
    if others:
        name = m.geom(others[0]).name or f"number {others[0]}"
        lines.append(f"meshes and height fields do not press on it, such as geom {name}")
    mesh = int(m.sensor_objid[s])
    if m.mesh_normalnum[mesh] != 3 * m.mesh_vertnum[mesh]:
        lines.append(f"mesh {m.mesh(mesh).name} has no three normals per vertex, so it feels no sliding")
    return lines
