"""The mouse: effect of drags on a camera, on the model in its room, and on a held body.

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
from tumble.physics.state.enums import mjtCamera, mjtMouse, mjtPertBit
from tumble.render.camera import axes_of, turned_angles, zoomed_distance
from tumble.render.mjv.cameras import mjv_frustumHeight
from tumble.render.mjv.lister import toward
from tumble.render.mjv.room import aligned, seen_in_model, seen_in_room
from tumble.render.mjv.scene import MjvScene
from tumble.render.mjv.structs import MjvCamera, MjvPerturb

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
