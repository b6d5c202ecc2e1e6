"""Passes that change the tree before it is numbered: what the settings discard, fuse or align."""

from __future__ import annotations

from tumble.physics.compiler import pose
from tumble.physics.compiler.bodies.inertia import merge_inertia
from tumble.physics.compiler.draft import Body, Draft, OnBody
from tumble.physics.compiler.pose import IDENTITY, ZERO
from tumble.physics.mjcf.references import references, walk
from tumble.physics.state.enums import mjtJoint

Referred = dict[str, set[str]]


def rewrite(draft: Draft) -> None:
    """Change the tree as the settings ask, once every body has its inertia."""
    if draft.root.settings.discardvisual:
        discard_visual(draft)
    if draft.root.settings.fusestatic:
        fuse_static(draft)
    align_free(draft)


def referred(draft: Draft) -> Referred:
    """The names that any element refers to, by kind."""
    names: Referred = {}
    for element, rule in walk(draft.root):
        for _, kind, name in references(element, rule):
            names.setdefault(kind, set()).add(name)
    return names


def discard_visual(draft: Draft) -> None:
    """Drop all materials and textures, the geoms that touch nothing and that nothing refers to, and meshes without use.

    The bodies keep the mass and inertia that these geoms gave them.
    """
    names = referred(draft).get("geom", set())
    for body in draft.world.walk():
        body.geoms = [g for g in body.geoms if g.element.get("contype") or g.element.get("conaffinity") or _name(g) in names]
    shown = {id(geom.mesh) for body in draft.world.walk() for geom in body.geoms}
    felt = {sensor.get("mesh") for sensor in draft.sensors if sensor.has("mesh")}
    draft.assets.meshes = [mesh for mesh in draft.assets.meshes if id(mesh) in shown or mesh.name in felt]
    draft.textures, draft.assets.textures, draft.materials, draft.discarded = [], [], [], True


def _name(item: OnBody | Body) -> str:
    return str(item.element.get("name", ""))


def fuse_static(draft: Draft) -> None:
    """Make bodies without joints a part of their parents, unless something refers to them.

    A force or torque sensor measures between a body and its parent, so it too keeps its site's body.
    """
    names = referred(draft).get("body", set())
    names |= {bone.body for skin in draft.assets.skins for bone in skin.bones}
    measured = {sensor.get("site") for sensor in draft.sensors if sensor.tag in ("force", "torque")}
    for body in list(draft.world.walk())[1:]:
        if not (body.joints or body.mocap or _name(body) in names or any(_name(site) in measured for site in body.sites)):
            _fuse(body)


def _fuse(body: Body) -> None:
    """Hand all that a body holds to its parent, the children in its place."""
    parent = body.parent
    assert parent is not None
    for child in body.children:
        child.pos, child.quat = pose.compose(body.pos, body.quat, child.pos, child.quat)
        child.parent = parent
    for item in (*body.geoms, *body.sites, *body.cameras):
        item.pos, item.quat = pose.compose(body.pos, body.quat, item.pos, item.quat)
        item.body = parent
    for light in body.lights:
        light.pos, _ = pose.compose(body.pos, body.quat, light.pos, IDENTITY)
        light.dir, light.body = pose.rotate(body.quat, light.dir), parent
    parent.geoms += body.geoms
    parent.sites += body.sites
    parent.cameras += body.cameras
    parent.lights += body.lights
    if parent.parent is not None:
        merge_inertia(parent, body)
    at = parent.children.index(body)
    parent.children[at : at + 1] = body.children


def align_free(draft: Draft) -> None:
    """Move the frames of free bodies without children to their inertial frames, which makes their inertia diagonal."""
    for body in draft.world.children:
        if body.children or len(body.joints) != 1 or body.joints[0].type != mjtJoint.mjJNT_FREE:
            continue
        align = body.joints[0].element.get("align", "auto")
        if align == "true" or (align == "auto" and body.element.settings.alignfree):
            _move_frame(body)


def _move_frame(body: Body) -> None:
    """Give a body its inertial frame for a frame, and keep everything that is fixed to it where it is."""
    pos, quat = body.ipos, body.iquat
    body.pos, body.quat = pose.compose(body.pos, body.quat, pos, quat)
    for item in (*body.geoms, *body.sites, *body.cameras):
        item.pos, item.quat = pose.relative(pos, quat, item.pos, item.quat)
    for light in body.lights:
        light.pos, _ = pose.relative(pos, quat, light.pos, IDENTITY)
        light.dir = pose.rotate(pose.quat_inv(quat), light.dir)
    body.ipos, body.iquat = ZERO, IDENTITY
