"""Passes that change the tree before it is numbered: what the settings discard, fuse or align."""

from __future__ import annotations

from physics.compiler import pose
from physics.compiler.draft import Body, Camera, Draft, Geom, Site
from physics.compiler.pose import IDENTITY, ZERO
from physics.state.enums import mjtJoint


def rewrite(draft: Draft) -> None:
    """Change the tree as the settings ask."""
    align_free(draft)


def align_free(draft: Draft) -> None:
    """Move the frames of free bodies without children to their inertial frames, which makes their inertia diagonal."""
    for body in draft.world.children:
        if body.children or len(body.joints) != 1 or body.joints[0].type != mjtJoint.mjJNT_FREE:
            continue
        align = body.joints[0].element.get("align", "auto")
        if align == "true" or (align == "auto" and draft.settings.alignfree):
            _move_frame(body)


def _move_frame(body: Body) -> None:
    """Give a body its inertial frame for a frame, and keep everything that is fixed to it where it is."""
    pos, quat = body.ipos, body.iquat
    body.pos, body.quat = pose.compose(body.pos, body.quat, pos, quat)
    items: list[Geom | Site | Camera] = [*body.geoms, *body.sites, *body.cameras]
    for item in items:
        item.pos, item.quat = pose.relative(pos, quat, item.pos, item.quat)
    for light in body.lights:
        light.pos, _ = pose.relative(pos, quat, light.pos, IDENTITY)
        light.dir = pose.rotate(pose.quat_inv(quat), light.dir)
    body.ipos, body.iquat = ZERO, IDENTITY
