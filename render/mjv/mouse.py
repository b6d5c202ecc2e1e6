"""The mouse: effect of drags on a camera, on the model in its room, and on a held body; selection of a body under it.

A drag is given in heights of the picture, x to the right and y down. It moves as far as the object under the mouse.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.algebra.quat import quat_axis_angle, quat_inv, quat_mul, quat_rot
from tumble.physics.errors import ModelError
from tumble.physics.query import motion
from tumble.physics.query.distances import mj_ray
from tumble.physics.state.enums import mjtCamera, mjtMouse, mjtPertBit, mjtVisFlag
from tumble.render.camera import axes_of, turned_angles, zoomed_distance
from tumble.render.frame import Frame
from tumble.render.mesh.skin import Bones, deformed, heaviest_bone
from tumble.render.mjv.cameras import aligned, mjv_averageCamera, mjv_frustumHeight, seen_in_model, seen_in_room, view_in
from tumble.render.mjv.lister import flex_parts, toward
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import MjvCamera, MjvOption, MjvPerturb
from tumble.render.options import RenderOptions, group_mask
from tumble.render.picking.rays import FlexHit, FlexPicker, Triangles

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Vec = NDArray[np.float64]

_TURN_V, _TURN_H, _MOVE_V, _MOVE_H, _ZOOM, _REL_V, _REL_H = (int(action) for action in mjtMouse if int(action))
_MODEL_TURN, _BODY_TURN = math.pi, 2.0 * math.pi  # of a drag over the height of the picture
_FLAT_SLOWNESS = 0.15  # a drag with an orthographic camera, against one with a perspective camera
_LIGHT = 1e-15


def mjv_moveCamera(m: MjModel, action: int, reldx: float, reldy: float, scn: MjvScene, cam: MjvCamera) -> None:
    """Move a camera with the mouse: orbit its target, move the target, or zoom.

    action: mjtMouse; reldx, reldy: in heights of the picture. Only a free camera moves, a fixed one does nothing.
    Raises ModelError for another action.
    """
    action = int(action)
    if not _TURN_V <= action <= _REL_H:
        raise ModelError(f"mjv_moveCamera: unexpected action {action}")
    if cam.type in (int(mjtCamera.mjCAMERA_FIXED), int(mjtCamera.mjCAMERA_USER)):
        return
    if action in (_TURN_V, _TURN_H):
        cam.azimuth, cam.elevation = turned_angles(cam.azimuth, cam.elevation, reldx, reldy)
    elif action == _ZOOM:
        cam.distance = zoomed_distance(cam.distance, float(m.stat.extent), reldy)
    elif cam.type == int(mjtCamera.mjCAMERA_FREE):
        if action in (_REL_V, _REL_H):
            ahead, up, right = axes_of(cam.azimuth, cam.elevation)
            cam.lookat += reldx * right + reldy * (up if action == _REL_V else ahead)
            return
        ahead, up, right = axes_of(cam.azimuth, 0.0)
        along = up if action == _MOVE_V else ahead
        scale = mjv_frustumHeight(scn) * cam.distance * (_FLAT_SLOWNESS if cam.orthographic else 1.0)
        cam.lookat += scale * (reldy * along - reldx * right)


def _drag(action: int, reldx: float, reldy: float, forward: Vec) -> Vec:
    """The way (3,) of a drag, in heights of the picture: in the vertical or the horizontal plane before the camera."""
    vertical = action in (_MOVE_V, _REL_V, _TURN_V)
    return aligned(np.array([reldx, 0.0, -reldy] if vertical else [reldx, -reldy, 0.0]), forward)


def _turn(action: int, reldx: float, reldy: float, forward: Vec, most: float) -> Vec:
    """The quaternion (4,) of a drag that turns: about the axis across it; most: by how much over the height of the picture."""
    vector = np.array([reldy, 0.0, reldx] if action == _TURN_V else [reldy, reldx, 0.0])
    axis = aligned(vector, forward)
    length = float(np.linalg.norm(axis))
    return np.array(quat_axis_angle(axis / length if length > _LIGHT else np.array([1.0, 0.0, 0.0]), most * length))


def mjv_moveModel(m: MjModel, action: int, reldx: float, reldy: float, roomup: Vec, scn: MjvScene) -> None:
    """Move the model in its room with the mouse: scn.translate, rotate or scale.

    action: mjtMouse; reldx, reldy: in heights of the picture; roomup: (3,) up direction of the room.
    Raises ModelError for another action.
    """
    action = int(action)
    if not _TURN_V <= action <= _REL_H:
        raise ModelError(f"mjv_moveModel: unexpected action {action}")
    _, forward, _ = seen_in_room(scn)
    if action == _ZOOM:
        scn.scale = min(100.0, max(0.01, scn.scale + math.log1p(scn.scale / 3.0) * 3.0 * reldy))
        return
    up = np.asarray(roomup, float)
    to_room = toward(up)
    ahead = to_room.T @ forward
    if action in (_TURN_V, _TURN_H):
        turn = _turn(action, reldx, reldy, ahead, _MODEL_TURN)
        axis = to_room @ turn[1:]
        turned = np.array(quat_mul(np.r_[turn[0], axis], np.asarray(scn.rotate, float)))
        scn.rotate = turned / max(float(np.linalg.norm(turned)), _LIGHT)
        return
    scn.translate += float(m.stat.extent) * (to_room @ _drag(action, reldx, reldy, ahead))


def mjv_movePerturb(m: MjModel, d: MjData, action: int, reldx: float, reldy: float, scn: MjvScene, pert: MjvPerturb) -> None:
    """Move or turn where a held body is wanted, with the mouse.

    action: mjtMouse; reldx, reldy: in heights of the picture. Raises ModelError for a model without a nearest depth.
    """
    action = int(action)
    _, forward, _ = seen_in_model(scn)
    if action in (_TURN_V, _TURN_H):
        turn = np.array(quat_mul(_turn(action, reldx, reldy, forward, _BODY_TURN), np.asarray(pert.refquat)))
        pert.refquat = _within_half_turn(turn / max(float(np.linalg.norm(turn)), _LIGHT), d, pert.select)
    elif action in (_MOVE_V, _MOVE_H):
        way = pert.scale * _drag(action, reldx, reldy, forward)
        pert.refpos += way
        pert.refselpos += way
    elif action in (_REL_V, _REL_H):
        # In the held thing's own axes: independent of the camera.
        own = np.array([0.0, reldx, reldy]) if action == _REL_V else np.array([reldy, reldx, 0.0])
        way = pert.scale * np.array(quat_rot(np.asarray(pert.refquat), own))
        pert.refpos += way
        pert.refselpos += way


def _within_half_turn(wanted: Vec, d: MjData, body: int) -> Vec:
    """An orientation no farther than a quarter turn from where the body is, so that the pull knows which way round."""
    if not 0 < body < len(d.xquat):
        return wanted
    now = np.asarray(d.xquat[body], float)
    apart = np.array(quat_mul(quat_inv(now), wanted))
    apart = apart if apart[0] >= 0 else -apart
    sine = float(np.linalg.norm(apart[1:]))
    angle = 2.0 * math.atan2(sine, float(apart[0]))
    if angle <= 0.5 * math.pi or sine < _LIGHT:
        return wanted
    return np.array(quat_mul(now, np.array(quat_axis_angle(apart[1:] / sine, 0.5 * math.pi))))


def mjv_initPerturb(m: MjModel, d: MjData, scn: MjvScene, pert: MjvPerturb) -> None:
    """Begin to hold the selected body as it is: its pose, the point held, its mass there, and how far a drag takes it."""
    body = pert.select
    if not 0 < body < m.nbody:
        return
    pos, quat = np.asarray(d.xpos[body], float), np.asarray(d.xquat[body], float)
    point = pos + np.array(quat_rot(quat, np.asarray(pert.localpos)))
    pert.refpos, pert.refquat, pert.refselpos = pos, quat, point
    pert.localmass = effective_mass(m, d, body, point)
    eye, forward, _ = seen_in_model(scn)
    height = mjv_frustumHeight(scn)
    # In the model's own lengths: the room shows it scaled.
    pert.scale = (
        height / (scn.scale if scn.enabletransform else 1.0)
        if scn.camera[0].orthographic
        else (height * float((point - eye) @ forward))
    )


def effective_mass(m: MjModel, d: MjData, body: int, point: Vec) -> float:
    """Mass [kg] that a force at a point of a body seems to push; 1 if it cannot be pushed.

    The mean over directions of the inverse inertia there, as its joints let the body move: w_t + 2/3 w_r |r|^2, and its inverse.
    """
    from tumble.physics.query.jacobian import mj_jac

    if not m.nv or int(m.body_weldid[body]) == 0 or not int(m.body_dofnum[int(m.body_weldid[body])]):
        return 1.0
    from tumble.physics.query.inertia import mj_solveM

    jacobian = np.zeros((3, m.nv))
    mj_jac(m, d, jacobian, None, point, body)
    solved = np.zeros((3, m.nv))
    mj_solveM(m, d, solved, jacobian)
    inverse = float(np.einsum("ij,ij->", jacobian, solved)) / 3.0
    return 1.0 / max(inverse, _LIGHT)


def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: MjvPerturb, flg_paused: int) -> None:
    """Put a held body where it is wanted: a mocap body always, one of a free tree while the simulation is paused.

    Writes mocap_pos and mocap_quat, or qpos; the caller runs the forward pass.
    """
    body = pert.select
    if not 0 < body < m.nbody or not (pert.active | pert.active2):
        return
    pose = np.asarray(pert.refpos), np.asarray(pert.refquat)
    if not motion.place_mocap(m, d, body, *pose) and flg_paused:
        motion.place_tree(m, d, body, *pose)


def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: MjvPerturb) -> None:
    """Pull a held body toward where it is wanted: write its row of xfrc_applied, as a spring and a damper have it.

    Reads xpos, xquat, xipos, cvel and subtree_com of the last forward pass. Nothing is written for a body that does not move.
    """
    body, active = pert.select, pert.active | pert.active2
    if not 0 < body < m.nbody or not active:
        return
    wrench = np.zeros(6)
    if active & int(mjtPertBit.mjPERT_TRANSLATE):
        point = np.asarray(d.xpos[body]) + np.array(quat_rot(d.xquat[body], np.asarray(pert.localpos)))
        stiffness, mass = float(m.vis.map.stiffness), float(pert.localmass)
        wrench = motion.pull(m, d, body, point, np.asarray(pert.refselpos), mass * stiffness, mass * math.sqrt(stiffness))
    if active & int(mjtPertBit.mjPERT_ROTATE):
        stiffness, inverse = float(m.vis.map.stiffnessrot), float(m.body_invweight0[body][1])
        inertia = 1.0 / inverse if inverse > 0 else 1.0
        wrench[3:] = motion.turn(d, body, np.asarray(pert.refquat), inertia * stiffness, inertia * math.sqrt(stiffness))
    d.xfrc_applied[body] = wrench




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
