"""Selection by the mouse: a ray from the scene's camera against what the options show."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.query.distances import mj_ray
from tumble.physics.state.enums import mjtVisFlag
from tumble.render.frame import Frame
from tumble.render.mesh.skin import Bones, deformed, heaviest_bone
from tumble.render.mjv.cameras import mjv_averageCamera
from tumble.render.mjv.lister import flex_parts
from tumble.render.mjv.room import view_in
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import MjvOption
from tumble.render.options import RenderOptions, group_mask
from tumble.render.picking.rays import FlexHit, FlexPicker, Triangles

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Vec = NDArray[np.float64]


def mjv_select(
    m: MjModel,
    d: MjData,
    vopt: MjvOption,
    aspectratio: float,
    relx: float,
    rely: float,
    scn: MjvScene,
    selpnt: Vec,
    geomid: NDArray[np.int32],
    flexid: NDArray[np.int32],
    skinid: NDArray[np.int32],
) -> int:
    """The body under a place in the picture, -1 if missing.

    aspectratio: width over height; relx, rely: in [0, 1] from the left and from below. selpnt (3,) receives the point in the
    world [m]; geomid, flexid, skinid, one number each, what was hit, -1 otherwise. The body of a skin is its bone's, of a flex
    that of the nearest vertex.
    """
    seen = view_in(scn, mjv_averageCamera(scn.camera[0], scn.camera[1]), float(aspectratio))
    eye, direction = seen.ray(float(relx), 1.0 - float(rely), 1, 1)
    for output in (geomid, flexid, skinid):
        if output is not None:
            output[...] = -1
    hit = np.full(1, -1, np.int32)
    near = mj_ray(m, d, eye, direction, vopt.geomgroup, int(vopt.flags[mjtVisFlag.mjVIS_STATIC]), -1, hit)
    near = near if near >= 0 else math.inf
    skin, far, bone = _nearest_skin(m, d, vopt, eye, direction)
    soft = _nearest_flex(m, d, vopt, eye, direction)
    if soft is not None and soft.distance < min(near, far):
        if selpnt is not None:
            selpnt[...] = eye + soft.distance * direction
        if flexid is not None:
            flexid[...] = soft.flex
        return soft.body
    if not min(near, far) < math.inf:
        return -1
    if selpnt is not None:
        selpnt[...] = eye + min(near, far) * direction
    if far < near:
        if skinid is not None:
            skinid[...] = skin
        return bone
    if geomid is not None:
        geomid[...] = hit[0]
    return int(m.geom_bodyid[hit[0]])


def _nearest_flex(m: MjModel, d: MjData, vopt: MjvOption, eye: Vec, direction: Vec) -> FlexHit | None:
    """The nearest shown flex on a ray."""
    if not m.nflex:
        return None
    vert, edge, face, skin = flex_parts(vopt)
    options = RenderOptions(flex_vert=vert, flex_edge=edge, flex_face=face, flex_skin=skin, flex_layer=int(vopt.flex_layer))
    points, picker = (np.asarray(d.flexvert_xpos), np.asarray(d.xpos)), FlexPicker(m)
    shown = np.flatnonzero(group_mask(m.flex_group, vopt.flexgroup))
    hits = [picker.hit(*points, int(flex), options, eye, direction) for flex in shown]
    return min((hit for hit in hits if hit is not None), key=lambda hit: hit.distance, default=None)


def _nearest_skin(m: MjModel, d: MjData, vopt: MjvOption, eye: Vec, direction: Vec) -> tuple[int, float, int]:
    """The nearest shown skin on a ray, its distance (infinite: none), and the body that pulls it there."""
    nearest = (-1, math.inf, -1)
    if not m.nskin or not vopt.flags[mjtVisFlag.mjVIS_SKIN]:
        return nearest
    frame = Frame(xpos=np.asarray(d.xpos), xmat=np.asarray(d.xmat))
    for i in map(int, np.flatnonzero(group_mask(m.skin_group, vopt.skingroup))):
        bones = Bones(m, i)
        points, faces = deformed(m, i, bones.poses(frame))
        distance, face = Triangles(points[faces]).hit(eye, direction)
        if distance < nearest[1]:
            nearest = (i, distance, int(bones.body[heaviest_bone(m, i, faces[face])]))
    return nearest
