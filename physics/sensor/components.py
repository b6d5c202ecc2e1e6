"""Names and units of a sensor's numbers, for sensors with different ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.collision.sdf.bind import plugin_texts
from tumble.physics.sensor.geometry import lens, ray_width
from tumble.physics.sensor.kinds import BY_TYPE, OF_CONTACT, OF_RAY, Asked
from tumble.physics.state.enums import mjtGeom, mjtJoint, mjtObj, mjtRayDataField, mjtSensor
from tumble.physics.state.model import Model
from tumble.physics.state.plugins import GRID_X, GRID_Y, TOUCH_GRID

_TAXEL = (("pressure", ""), ("slide1", "m/s"), ("slide2", "m/s"))

_CHANNELS = (("normal", "N"), ("tangent x", "N"), ("tangent y", "N"),
             ("torsion", "N m"), ("rolling x", "N m"), ("rolling y", "N m"))  # fmt: skip


class SensorNumber(NamedTuple):
    """One number of a sensor: its name within the sensor, and its unit, "" if it has none or it is not known."""

    name: str
    unit: str


def part(m: Model, s: int, k: int) -> SensorNumber:
    """Label of number k of sensor s: `force x`, or `2 force x` of several contacts; `5` if all are of one kind."""
    kind = BY_TYPE[mjtSensor(int(m.sensor_type[s]))]
    fields = int(m.sensor_intprm[s, 0])
    if kind.type == mjtSensor.mjSENS_CONTACT:
        return _slotted(OF_CONTACT, fields, k, several=int(m.sensor_intprm[s, 2]) > 1)
    if kind.type == mjtSensor.mjSENS_RANGEFINDER and fields != 1 << mjtRayDataField.mjRAYDATA_DIST:
        return _slotted(OF_RAY, fields, k, several=m.sensor_objtype[s] == mjtObj.mjOBJ_CAMERA)
    if kind.type == mjtSensor.mjSENS_TACTILE:
        block, taxel = divmod(k, max(1, int(m.sensor_dim[s]) // len(_TAXEL)))
        return SensorNumber(f"{_TAXEL[block][0]} {taxel}", _TAXEL[block][1])
    if kind.type == mjtSensor.mjSENS_PLUGIN:
        columns, rows = grid_shape(m, s)
        channel, pixel = divmod(k, columns * rows)
        return SensorNumber(f"{_CHANNELS[channel][0]} {pixel % columns}, {pixel // columns}", _CHANNELS[channel][1])
    if kind.type == mjtSensor.mjSENS_GEOMFROMTO:
        return SensorNumber(f"{('from', 'to')[k // 3]} {'xyz'[k % 3]}", "m")
    unit = kind.unit
    if isinstance(unit, tuple):
        unit = unit[int(m.jnt_type[m.sensor_objid[s]] == mjtJoint.mjJNT_HINGE)]
    return SensorNumber(str(k), unit)


def grid_shape(m: Model, s: int) -> tuple[int, int]:
    """Columns and rows of the images of touch grid s."""
    given = plugin_texts(m, int(m.sensor_plugin[s]), TOUCH_GRID.attributes)
    values = TOUCH_GRID.values(given)
    return int(values[GRID_X]), int(values[GRID_Y])


def _slotted(table: Asked, fields: int, k: int, several: bool) -> SensorNumber:
    """Number k of sensors that give the same fields for one slot after the other."""
    names = [
        SensorNumber(f"{name} {'xyz'[axis]}" if width == 3 else name, unit)
        for field, (name, unit, width) in enumerate(table) if fields >> field & 1 for axis in range(width)
    ]  # fmt: skip
    slot, k = divmod(k, len(names))
    return SensorNumber(f"{slot} {names[k].name}", names[k].unit) if several else names[k]


def measured_rays(m: Model, sensor: int, pos: ArrayLike, mat: ArrayLike, values: ArrayLike) -> NDArray[np.float64]:
    """(n, 2, 3) begin and end [m] of the rays that met something; none where the sensor was not asked for distances.

    pos (3,), mat (9,): of the sensor's site or camera; values: what it has measured, as in sensordata. Rows of a camera's image
    come one after the other, from the top.
    """
    if not int(m.sensor_intprm[sensor, 0]) >> mjtRayDataField.mjRAYDATA_DIST & 1:
        return np.zeros((0, 2, 3))
    origin, axes = np.asarray(pos, float), np.asarray(mat, float).reshape(3, 3)
    if int(m.sensor_objtype[sensor]) == mjtObj.mjOBJ_SITE:
        starts, along = origin[None], axes[:, 2][None]
    else:
        starts, along = _of_pixels(m, int(m.sensor_objid[sensor]), origin, axes)
    width = int(ray_width(m, sensor))
    distance = np.asarray(values, float)[: len(starts) * width : width]
    starts, along = starts[: len(distance)], along[: len(distance)]
    met = distance >= 0.0
    return np.stack([starts, starts + distance[:, None] * along], axis=1)[met]


def _of_pixels(m: Model, camera: int, pos: NDArray[np.float64], axes: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """(n, 3) where the rays through the pixels of a camera begin, and their unit directions."""
    fx, fy, cx, cy = lens(m, camera)
    columns, rows = (int(n) for n in m.cam_resolution[camera])
    y, x = np.meshgrid(-(np.arange(rows) + 0.5 - cy) / fy, (np.arange(columns) + 0.5 - cx) / fx, indexing="ij")
    x, y = x.ravel(), y.ravel()
    if m.cam_projection[camera]:
        starts = pos + x[:, None] * axes[:, 0] + y[:, None] * axes[:, 1]
        return starts, np.broadcast_to(-axes[:, 2], starts.shape)
    along = np.stack([x, y, np.full(len(x), -1.0)], axis=1) @ axes.T
    return np.broadcast_to(pos, along.shape), along / np.linalg.norm(along, axis=1, keepdims=True)


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
