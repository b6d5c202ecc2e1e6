"""Trees of bounding volumes: the boxes of one depth, of the geoms of bodies, the faces of meshes, the elements of flexes.

As in the reference: leaves above that depth are drawn too, so that the boxes of every depth hold all there is. The tree of a
body has its geoms as leaves; a box of several lies in the frame of the body's inertia.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtGeom
from tumble.render.camera import View
from tumble.render.drawlist import DrawList
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions
from tumble.render.scene.contact_legend import height_at
from tumble.render.scene.strokes import strokes

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_BOXES = 4000  # in a picture; a tree with more is drawn at a lesser depth
_WIDTH = 0.0013  # half a line's, in heights of the picture
_ENDLESS = 1e6  # extents of the model: a plane's box
_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_EDGES = np.array([[a, b] for a in range(8) for b in range(a + 1, 8) if (_SIGNS[a] != _SIGNS[b]).sum() == 1])
_MESHES = (int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_SDF))


class Boxes:
    """n boxes: node (n,) of the model's trees; pos (n, 3) [m], mat (n, 3, 3), half (n, 3) [m]."""

    def __init__(self, node: Ints, pos: Vec, mat: Vec, half: Vec) -> None:
        self.node, self.pos, self.mat, self.half = node, pos, mat, half

    def __len__(self) -> int:
        return len(self.node)

    def lines(self) -> tuple[Vec, Vec]:
        """(12 n, 3) the beginnings and ends of their edges."""
        corners = self.pos[:, None] + np.einsum("nij,kj,nj->nki", self.mat, _SIGNS, self.half)
        return corners[:, _EDGES[:, 0]].reshape(-1, 3), corners[:, _EDGES[:, 1]].reshape(-1, 3)


def deepest(model: MjModel) -> int:
    """The greatest depth of the model's trees."""
    return int(np.max(model.bvh_depth)) if model.nbvh else 0


def volumes(model: MjModel, frame: Frame, view: View, options: RenderOptions) -> list[DrawList]:
    """The boxes of the trees that the options ask for, as far as the frame has poses for them."""
    complete = len(frame.xipos) == len(frame.ximat) == model.nbody and len(frame.geom_xpos) == model.ngeom
    if not (options.body_tree or options.mesh_tree) or not complete or not model.nbvh:
        return []
    boxes_of = [body_boxes(model, frame, options.tree_depth)] if options.body_tree else []
    if options.mesh_tree:
        boxes_of += [mesh_boxes(model, frame, options.tree_depth), flex_boxes(model, frame, options.tree_depth)]
    rgba = np.asarray(model.vis.rgba.bv, float)
    return [_drawn(boxes, view, rgba) for boxes in boxes_of if len(boxes)]


def _drawn(boxes: Boxes, view: View, rgba: Vec) -> DrawList:
    start, end = boxes.lines()
    return strokes(start, end, _WIDTH * height_at(view, 0.5 * (start + end)), rgba, view)


def _nodes(model: MjModel, first: Ints, count: Ints, depth: int) -> tuple[Ints, Ints]:
    """Nodes of a depth, and leaves above it, of trees with these starts and lengths: their owners and indices."""
    owner = np.repeat(np.arange(len(first)), count)
    node = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)
    level, leaf = np.asarray(model.bvh_depth, np.int64)[node], np.asarray(model.bvh_child)[node, 0] < 0
    while True:
        chosen = (level == depth) | (leaf & (level < depth))
        if depth <= 0 or np.count_nonzero(chosen) <= MOST_BOXES:
            return owner[chosen], node[chosen]
        depth -= 1


def body_boxes(model: MjModel, frame: Frame, depth: int, *, endless: bool = False) -> Boxes:
    """Boxes of the trees of bodies over their geoms; those of planes, which are infinite, only on request."""
    first, count = np.asarray(model.body_bvhadr, np.int64), np.asarray(model.body_bvhnum, np.int64)
    body, node = _nodes(model, first, np.where(first >= 0, count, 0), depth)
    geom = np.asarray(model.bvh_nodeid, np.int64)[node]
    leaf = geom >= 0
    box = np.array(model.bvh_aabb)[node]
    pos, mat = frame.xipos[body], frame.ximat[body].reshape(-1, 3, 3)
    if leaf.any():
        box[leaf] = np.asarray(model.geom_aabb).reshape(-1, 6)[geom[leaf]]
        pos[leaf], mat[leaf] = frame.geom_xpos[geom[leaf]], frame.geom_xmat[geom[leaf]].reshape(-1, 3, 3)
    kept = np.flatnonzero(endless | np.all(np.abs(box) < _ENDLESS * float(model.stat.extent), axis=1))
    return _placed(node[kept], box[kept], pos[kept], mat[kept])


def mesh_boxes(model: MjModel, frame: Frame, depth: int) -> Boxes:
    """Boxes of the trees of meshes over their faces, for each geom that shows one."""
    data = np.asarray(model.geom_dataid, np.int64)
    geoms = np.flatnonzero(np.isin(np.asarray(model.geom_type), _MESHES) & (data >= 0)) if model.nmesh else np.zeros(0, np.int64)
    first, count = (np.asarray(values, np.int64)[data[geoms]] for values in (model.mesh_bvhadr, model.mesh_bvhnum))
    which, node = _nodes(model, first, np.where(first >= 0, count, 0), depth)
    geom = geoms[which]
    return _placed(node, np.asarray(model.bvh_aabb)[node], frame.geom_xpos[geom], frame.geom_xmat[geom].reshape(-1, 3, 3))


def flex_boxes(model: MjModel, frame: Frame, depth: int) -> Boxes:
    """Boxes of the trees of flexes over their elements, aligned with the world's axes."""
    if not model.nflex or len(frame.bvh_aabb_dyn) != model.nbvhdynamic:
        return _placed(np.zeros(0, np.int64), np.zeros((0, 6)), np.zeros((0, 3)), np.zeros((0, 3, 3)))
    first, count = np.asarray(model.flex_bvhadr, np.int64), np.asarray(model.flex_bvhnum, np.int64)
    _, node = _nodes(model, first, np.where(first >= 0, count, 0), depth)
    box = frame.bvh_aabb_dyn[node - int(model.nbvhstatic)]
    return _placed(node, box, np.zeros((len(node), 3)), np.broadcast_to(np.eye(3), (len(node), 3, 3)))


def _placed(node: Ints, box: Vec, pos: Vec, mat: Vec) -> Boxes:
    """Boxes (n, 6) in frames: centre, half sizes."""
    return Boxes(node, pos + np.einsum("nij,nj->ni", mat, box[:, :3]), mat, box[:, 3:])
