"""Rays of a rangefinder and their ends, from its readings."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.sensor.geometry import lens, ray_width
from tumble.physics.state.enums import mjtObj, mjtRayDataField
from tumble.physics.state.model import Model


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
