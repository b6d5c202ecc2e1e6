"""Colliders by types of geoms, and the choice of those that a model needs.

`m.collide_fn` is a table of addresses: at place(t1, t2) the narrow phase of the types t1 <= t2, then the
two broad-phase stages. An entry is 0 while its stage is not compiled and -1 if there is none.
To collide, the caller runs

    for stage in prepare_collision(m):  # what this model needs now and is not compiled yet
        stage.address                   # compiles, or loads from the cache
    bind_collision(m)                   # candidate pairs and addresses go into the model
    collision(m, d)                     # or through collision.address

and after each step looks at two counts: d.needcon asks for room (`d.grow("maxcon", ...)`), d.needcollide
says that a pair met that could not meet when the model was bound (contype, conaffinity or the flag
filterparent were changed): `bind_collision(m)` again. In both cases the step is then redone, so that
no contact is ever lost. A change of geom_type, exclude_signature or pair_geom1/2 asks for `bind_collision` too.

Masks and flags may change between steps: the list of pairs remembers what it was made for, and the
stage remakes it when that differs. The list belongs to the model; several threads may step data of one model.
"""

from __future__ import annotations

import numpy as np

from tumble.physics.callback.colliders import ADDRESSES
from tumble.physics.collision.bvh import fill_bvh
from tumble.physics.collision.convex import pair
from tumble.physics.collision.convex.portal import convex_portal
from tumble.physics.collision.driver import REFILTER, SWEEP, collision
from tumble.physics.collision.filter import LISTED, TYPES, place, refilter
from tumble.physics.collision.flex.flex_table import GEOMS
from tumble.physics.collision.hit import user_collider
from tumble.physics.collision.pairs import box, capsule_box, hfield, plane, plane_mesh, sphere
from tumble.physics.collision.sdf.bind import bind_plugins, sdf_parts
from tumble.physics.collision.sdf.pair import plane_sdf, sdf_pair
from tumble.physics.collision.sweep import MOST_STRIPS, sweep
from tumble.physics.kernel import Compiled, Stage
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtDisableBit, mjtGeom
from tumble.physics.state.model import Model

__all__ = ["COLLIDERS", "bind_collision", "collider", "collision", "prepare_collision", "unsupported_pairs"]

_PLANE, _SPHERE, _CAPSULE = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE)
_ELLIPSOID, _CYLINDER, _BOX = int(mjtGeom.mjGEOM_ELLIPSOID), int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_BOX)
_MESH, _HFIELD, _SDF = int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_HFIELD), int(mjtGeom.mjGEOM_SDF)

COLLIDERS: dict[tuple[int, int], Stage] = {
    (_PLANE, _SPHERE): plane.plane_sphere,
    (_PLANE, _CAPSULE): plane.plane_capsule,
    (_PLANE, _ELLIPSOID): plane.plane_ellipsoid,
    (_PLANE, _CYLINDER): plane.plane_cylinder,
    (_PLANE, _BOX): plane.plane_box,
    (_SPHERE, _SPHERE): sphere.sphere_sphere,
    (_SPHERE, _CAPSULE): sphere.sphere_capsule,
    (_SPHERE, _CYLINDER): sphere.sphere_cylinder,
    (_SPHERE, _BOX): sphere.sphere_box,
    (_CAPSULE, _CAPSULE): capsule_box.capsule_capsule,
    (_CAPSULE, _BOX): capsule_box.capsule_box,
    (_BOX, _BOX): box.box_box,
    (_SPHERE, _ELLIPSOID): pair.convex_convex,
    (_CAPSULE, _ELLIPSOID): pair.convex_convex,
    (_CAPSULE, _CYLINDER): pair.convex_convex,
    (_ELLIPSOID, _ELLIPSOID): pair.convex_convex,
    (_ELLIPSOID, _CYLINDER): pair.convex_convex,
    (_ELLIPSOID, _BOX): pair.convex_convex,
    (_CYLINDER, _CYLINDER): pair.convex_convex,
    (_CYLINDER, _BOX): pair.convex_convex,
    (_PLANE, _MESH): plane_mesh.plane_mesh,
    (_SPHERE, _MESH): pair.convex_convex,
    (_CAPSULE, _MESH): pair.convex_convex,
    (_ELLIPSOID, _MESH): pair.convex_convex,
    (_CYLINDER, _MESH): pair.convex_convex,
    (_BOX, _MESH): pair.convex_convex,
    (_MESH, _MESH): pair.convex_convex,
    **{(_HFIELD, kind): hfield.hfield_convex for kind in (_SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH)},
    (_PLANE, _SDF): plane_sdf,
    **{(kind, _SDF): sdf_pair for kind in (_HFIELD, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH, _SDF)},
}

# What takes their place if the flag nativeccd is disabled.
LEGACY: dict[Stage, Stage] = {
    pair.convex_convex: convex_portal,
    hfield.hfield_convex: hfield.hfield_portal,
}

# Types that never collide with each other, in the reference too: neither can leave where it stands.
NEVER = {(_PLANE, _PLANE), (_PLANE, _HFIELD), (_HFIELD, _HFIELD)}

# With more geoms the list of all pairs is not worth its memory: such scenes are swept.
_MOST_LISTED = 600


def prepare_collision(m: Model) -> list[Compiled]:
    """The stages (besides `collision` itself) that the model needs with its present masks and flags."""
    pairs = _active(m, _pairs(m))
    codes = np.flatnonzero(np.bincount(_places(m, pairs)))
    narrow = [_collider(m, types) for c in codes if (types := divmod(int(c), TYPES)) in COLLIDERS or types in ADDRESSES]
    broad = [sweep] if len(pairs) > LISTED or m.ngeom > _MOST_LISTED else []
    return [refilter, *narrow, *_soft_stages(m).values(), *sdf_parts(m), *broad]


def bind_collision(m: Model) -> None:
    """Write the candidate pairs and the addresses of the needed stages into the model; compiles what is not ready."""
    swept = m.ngeom > _MOST_LISTED
    listed = np.empty((0, 4), np.int32) if swept else _pairs(m)
    if len(listed) != m.ncollide:  # a callback that binds leaves the memory to the kernel that called it
        m._grow("ncollide", len(listed))
    m._arrays["collide_list"][...] = listed
    m.collide_nactive = -1 if swept else 0
    m.collide_flags = -1  # no list of active pairs yet
    fill_bvh(m)
    m.collide_width = 1.01 * _strip_width(m)
    needed = prepare_collision(m)
    table = m._arrays["collide_fn"]
    table[:REFILTER] = -1
    own = m._arrays["collide_user"]
    own[:] = 0
    for t1, t2 in [*COLLIDERS, *ADDRESSES]:
        stage = _collider(m, (t1, t2))
        table[place(t1, t2)] = stage.address if stage in needed else 0
    for (t1, t2), address in ADDRESSES.items():
        own[place(t1, t2)] = address
        if address == 0:  # these never collide
            table[place(t1, t2)] = -1
    table[GEOMS:] = 0
    for at, stage in _soft_stages(m).items():
        table[at] = stage.address
    table[REFILTER] = refilter.address
    table[SWEEP] = sweep.address if sweep in needed else 0
    bind_plugins(m)
    refilter.on_model(m)


def _soft_stages(m: Model) -> dict[int, Stage]:
    """The stages that the model's flexes need, by their places in collide_fn."""
    if m.nflex == 0:
        return {}
    from tumble.physics.collision.flex.stages import soft_stages  # few models have flexes

    return soft_stages(m)


def _strip_width(m: Model) -> float:
    """Width of the sweep's strips [m] for fewest comparisons: a wider geom is compared with all."""
    alone = ((m.geom_contype != 0) | (m.geom_conaffinity != 0)) & (m.geom_type != _PLANE) & (m.collide_home < 0)
    widths = np.sort(2.0 * (m.geom_rbound + m.geom_margin)[alone])[::-1]
    if not len(widths):
        return 0.0
    extent = max(float(m.stat_extent), float(widths[0]), mjMINVAL)
    wider = np.arange(len(widths))
    part = np.clip(widths / extent, 1 / MOST_STRIPS, 1.0)  # of the others, that a geom which fits is compared with
    return float(widths[np.argmin(wider * len(widths) + (len(widths) - wider) ** 2 * part)])


def _collider(m: Model, types: tuple[int, int]) -> Stage:
    """The narrow phase of two types with the present flags: the user's, if there is one."""
    if types in ADDRESSES:
        return user_collider
    return _present(m, COLLIDERS[types])


def _present(m: Model, stage: Stage) -> Stage:
    """A narrow phase, or what takes its place with the present flags."""
    return LEGACY.get(stage, stage) if m.opt_disableflags & mjtDisableBit.mjDSBL_NATIVECCD else stage


def collider(m: Model, types: tuple[int, int]) -> Stage | None:
    """The narrow phase of two types of geoms, the lower one first, with the present flags; None: there is none."""
    return _collider(m, types) if types in COLLIDERS or types in ADDRESSES else None


def unsupported_pairs(m: Model) -> list[tuple[int, int]]:
    """Pairs of geoms that could collide, with the present masks, but for which there is no narrow phase yet.

    Of a scene with very many geoms, one pair of each kind.
    """
    pairs = _active(m, _pairs(m))
    known = [place(*types) for types in [*COLLIDERS, *ADDRESSES]]
    missing = pairs[~np.isin(_places(m, pairs), known)]
    return [(int(g1), int(g2)) for g1, g2 in missing[:, :2]]


def _places(m: Model, pairs: np.ndarray) -> np.ndarray:
    """Index in collide_fn of each geom pair's narrow phase."""
    return np.asarray(place(m.geom_type[pairs[:, 0]], m.geom_type[pairs[:, 1]]))


def _active(m: Model, pairs: np.ndarray) -> np.ndarray:
    """The pairs that the masks and the parent flag let collide."""
    g1, g2 = pairs[:, 0], pairs[:, 1]
    meet = (m.geom_contype[g1] & m.geom_conaffinity[g2]) | (m.geom_contype[g2] & m.geom_conaffinity[g1])
    apart = bool(m.opt_disableflags & mjtDisableBit.mjDSBL_FILTERPARENT)
    return pairs[(pairs[:, 2] >= 0) | ((meet != 0) & (apart | (pairs[:, 3] == 0)))]


def _pairs(m: Model) -> np.ndarray:
    """Every pair that structure and exclusions let collide, as rows of collide_list, in the order of contacts.

    The order is that of the bodies, then the explicit pairs before the others, then that of the geoms as the
    contact names them (lower type first), or as they are numbered if the flag midphase is disabled: the reference's order.
    Of more than _MOST_LISTED geoms, one pair for each kind of pair.
    """
    named = np.stack([m.pair_geom1, m.pair_geom2, np.arange(m.npair), np.zeros(m.npair, int)], axis=1)
    rows = np.concatenate([named, _kinds(m) if m.ngeom > _MOST_LISTED else _structural(m)]).astype(np.int32)
    numbered = rows[:, :2].copy()
    swap = m.geom_type[rows[:, 0]] > m.geom_type[rows[:, 1]]
    rows[swap, :2] = rows[swap, 1::-1]
    bodies = np.sort(m.geom_bodyid[rows[:, :2]], axis=1)
    dynamic = rows[:, 2] < 0
    by = numbered if m.opt_disableflags & mjtDisableBit.mjDSBL_MIDPHASE else rows
    first, second = np.where(dynamic, by[:, 0], rows[:, 2]), np.where(dynamic, by[:, 1], 0)
    rows = rows[np.lexsort((second, first, dynamic, bodies[:, 1], bodies[:, 0]))]
    return rows[~np.isin(_places(m, rows), [place(*types) for types in NEVER - ADDRESSES.keys()])]


def _structural(m: Model) -> np.ndarray:
    """The pairs that are not of one rigid body, excluded or explicit; the last column tells parent and child."""
    g1, g2 = np.triu_indices(m.ngeom, 1)
    b1, b2 = m.geom_bodyid[g1], m.geom_bodyid[g2]
    w1, w2 = m.body_weldid[b1], m.body_weldid[b2]
    p1, p2 = m.body_weldid[m.body_parentid[w1]], m.body_weldid[m.body_parentid[w2]]
    family = (w1 != 0) & (w2 != 0) & ((w1 == p2) | (w2 == p1))
    keep = (w1 != w2) & ~np.isin((b1 << 16) + b2, m.exclude_signature)
    low, high = np.minimum(m.pair_geom1, m.pair_geom2), np.maximum(m.pair_geom1, m.pair_geom2)
    keep &= ~np.isin(g1 * m.ngeom + g2, low.astype(np.int64) * m.ngeom + high)
    return np.stack([g1, g2, np.full_like(g1, -1), family], axis=1)[keep]


def _kinds(m: Model) -> np.ndarray:
    """One pair of geoms for each two of their kinds, by type, masks and being fixed: what the sweep may meet."""
    fixed = m.body_weldid[m.geom_bodyid] == 0
    traits = np.stack([m.geom_type, m.geom_contype, m.geom_conaffinity, fixed], axis=1)
    kinds, first = np.unique(traits, axis=0, return_index=True)
    i, j = np.triu_indices(len(kinds))
    keep = ~((kinds[i, 3] == 1) & (kinds[j, 3] == 1))
    g1, g2 = np.minimum(first[i], first[j])[keep], np.maximum(first[i], first[j])[keep]
    return np.stack([g1, g2, np.full_like(g1, -1), np.zeros_like(g1)], axis=1)
