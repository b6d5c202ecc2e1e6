"""A <flex>: its bodies, vertices, nodes and elements, and where all of them are in the configuration of the file."""

from __future__ import annotations

from itertools import product

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble.physics.compiler import pose
from tumble.physics.compiler.flex.topology import Topology, topology
from tumble.physics.compiler.options import unsaid
from tumble.physics.mjcf.spec import Element

Reals = NDArray[np.float64]
Ints = NDArray[np.int64]

NODES = "nodecoord"  # of an element made by <flexcomp> or a program; no file says it
_ORDERS = {0: 0, 8: 1, 27: 2}  # of interpolation, by the number of nodes
_MOST = 2**31 - 1  # of numbers in an array, whose addresses have 32 bits


class Flex(Struct, eq=False):
    """One flex being compiled.

    bodies: (n,) names, of vertices vert (n, 3) [m] in their frames; nodes: (k,) names, of nodes node (k, 3). elements
    (m, dim + 1); texcoord (t, 2), elemtexcoord (m, dim + 1) or empty. order: of the interpolation between nodes, 0 without.
    Once bodies have numbers: bodyid (n,), nodeid (k,), at (n, 3) and nodeat (k, 3) in the world, topology.
    """

    element: Element
    dim: int
    bodies: tuple[str, ...]
    vert: Reals
    nodes: tuple[str, ...]
    node: Reals
    elements: Ints
    texcoord: NDArray[np.float32]
    elemtexcoord: Ints
    bodyid: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    nodeid: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    at: Reals = field(default_factory=lambda: np.empty((0, 3)))
    nodeat: Reals = field(default_factory=lambda: np.empty((0, 3)))
    shape: Topology | None = None

    @property
    def topology(self) -> Topology:
        """Edges and all else that follows from the elements."""
        if self.shape is None:
            raise RuntimeError("the flex is not placed yet")
        return self.shape

    @property
    def order(self) -> int:
        """Order of the interpolation between nodes; 0: none."""
        return _ORDERS[len(self.nodes)]

    @property
    def rigid(self) -> bool:
        """True if all vertices belong to one body, and no nodes move them."""
        return not self.nodes and bool((self.bodyid == self.bodyid[0]).all())


def read_flex(element: Element) -> Flex:
    """A flex as it is written. Raises MjcfError for what makes none."""
    dim = int(element.get("dim"))
    if not 1 <= dim <= 3:
        raise element.error(f"dim must be 1, 2 or 3, is {dim}")
    bodies, nodes = tuple(element.get("body", ())), tuple(element.get("node", ()))
    vert = _rows(element, "vertex", 3, float)
    if not bodies or "" in bodies:
        raise element.error("body needs the name of a body for each vertex, or one for all")
    if len(bodies) == 1 and len(vert) > 1:
        bodies *= len(vert)
    if not len(vert):
        vert = np.zeros((len(bodies), 3))
    if len(vert) != len(bodies):
        raise element.error(f"vertex needs three numbers for each of {len(bodies)} bodies, has {vert.size}")
    if not np.isfinite(vert).all():
        raise element.error("vertex has numbers that are not finite")
    if len(nodes) not in _ORDERS:
        raise element.error(f"node needs the names of 8 or 27 bodies, has {len(nodes)}")
    node = _rows(element, NODES, 3, float)
    node = node if len(node) else _corners(bodies, vert, nodes)
    if len(node) != len(nodes):
        raise element.error(f"needs three coordinates for each of {len(nodes)} nodes, has {node.size}")
    elements = _rows(element, "element", dim + 1, np.int64).copy()
    _check(element, "element", elements, len(vert))
    texcoord = _rows(element, "texcoord", 2, np.float32)
    return Flex(element, dim, bodies, vert, nodes, node, elements, texcoord,
                _texture(element, texcoord, elements, len(vert)))  # fmt: skip


def _corners(bodies: tuple[str, ...], vert: Reals, nodes: tuple[str, ...]) -> Reals:
    """Nodes where no coordinates say it: in the origins of their bodies; a pinned one at its place in the vertices' box.

    A file cannot say where a node is in the body that holds the vertices too.
    """
    found = np.zeros((len(nodes), 3))
    if nodes and len(set(bodies)) == 1:
        low, high = vert.min(axis=0), vert.max(axis=0)
        order = _ORDERS[len(nodes)]
        for k, place in enumerate(product(range(order + 1), repeat=3)):
            if nodes[k] == bodies[0]:
                found[k] = low + (high - low) * np.array(place) / order
    return found


def _rows(element: Element, name: str, width: int, dtype: type) -> np.ndarray:
    values: np.ndarray = np.atleast_1d(np.asarray(element.get(name, ()), dtype))
    if values.size % width:
        raise element.error(f"{name} needs {width} numbers for each, has {values.size}")
    return values.reshape(-1, width)


def _check(element: Element, name: str, indices: Ints, number: int) -> None:
    if not len(indices):
        raise element.error(f"{name} is empty: a flex needs one or more")
    wrong = indices[(indices < 0) | (indices >= number)]
    if wrong.size:
        raise element.error(f"{name} has vertex {wrong[0]}; there are vertices 0 to {number - 1}")
    if number < indices.shape[1]:
        raise element.error(f"has {number} vertices; an element of dim {indices.shape[1] - 1} needs {indices.shape[1]}")


def _texture(element: Element, texcoord: NDArray[np.float32], elements: Ints, vertices: int) -> Ints:
    indices = _rows(element, "elemtexcoord", elements.shape[1], np.int64)
    if not len(texcoord):
        if len(indices):
            raise element.error("has elemtexcoord but no texcoord; valid: both, or texcoord alone")
        return indices
    if not len(indices):
        if len(texcoord) != vertices:
            raise element.error(f"texcoord needs two numbers for each of {vertices} vertices, has {texcoord.size}")
        return elements.copy()
    indices = indices.copy()
    if len(indices) != len(elements):
        width = elements.shape[1]
        raise element.error(f"elemtexcoord needs {width} numbers for each of {len(elements)} elements, has {indices.size}")
    wrong = indices[(indices < 0) | (indices >= len(texcoord))]
    if wrong.size:
        raise element.error(f"elemtexcoord has {wrong[0]}; there are texture coordinates 0 to {len(texcoord) - 1}")
    return indices


def check_material(flex: Flex) -> None:
    """Raise MjcfError for an elasticity that no material has."""
    material, contact = part(flex.element, "elasticity"), part(flex.element, "contact")
    _check_distinct(flex)
    if not 0 <= material.get("poisson") < 0.5:
        raise material.error(f"poisson must be 0 or more and less than 0.5, is {material.get('poisson'):g}")
    if flex.dim == 2 and material.get("elastic2d") != "none" and material.get("young") > 0 and material.get("thickness") <= 0:
        raise material.error(f"thickness must be positive for elastic2d, is {material.get('thickness'):g}")
    bends = flex.dim == 2 and material.get("elastic2d") in ("bend", "both") and material.get("young") > 0
    if bends and not flex.rigid and flex.vert.any():
        raise material.error(f'elastic2d "{material.get("elastic2d")}" needs all vertices in the origins of their own bodies, '
                         "none pinned or interpolated; valid: stretch")  # fmt: skip
    if flex.nodes and material.get("young") > 0 and 21 * len(flex.elements) < (3 * len(flex.nodes)) ** 2:
        least = -(-((3 * len(flex.nodes)) ** 2) // 21)
        raise material.error(f"young needs {least} or more elements in a flex of {len(flex.nodes)} nodes, "
                         f"has {len(flex.elements)}: the stiffness is stored with them")  # fmt: skip
    if flex.nodes and contact.get("selfcollide") != "none":
        raise contact.error(f'selfcollide must be "none" where nodes move the vertices, is "{contact.get("selfcollide")}"')
    if flex.nodes and contact.get("internal"):
        raise contact.error("internal must be false where nodes move the vertices")
    if flex.dim == 3 and contact.get("activelayers") < 1:
        raise contact.error(f"activelayers must be 1 or more, is {contact.get('activelayers')}")
    edge = part(flex.element, "edge")
    if edge.get("stiffness") > 0 and flex.dim > 1:
        raise edge.error("stiffness is for dim 1; surfaces and solids have elasticity")


def _check_distinct(flex: Flex) -> None:
    """Raise MjcfError for an element that has a vertex twice."""
    rows = np.sort(flex.elements, axis=1)
    twice = (rows[:, 1:] == rows[:, :-1]).any(axis=1)
    if twice.any():
        at = int(np.argmax(twice))
        raise flex.element.error(f"element {at} has a vertex twice: {' '.join(map(str, flex.elements[at]))}")


def place(flex: Flex, ids: dict[str, int], frames: tuple[Reals, Reals]) -> None:
    """Find where a flex is: ids: of bodies by name; frames: positions (nbody, 3) and rotations (nbody, 3, 3) in the world."""
    flex.bodyid = np.array([ids[name] for name in flex.bodies])
    flex.nodeid = np.array([ids[name] for name in flex.nodes], np.int64)
    flex.at, flex.nodeat = _placed(frames, flex.bodyid, flex.vert), _placed(frames, flex.nodeid, flex.node)
    if flex.dim == 3:
        _turn(flex)
    flex.shape = topology(flex.elements)
    if max(flex.elements.size, flex.shape.elemedge.size) > _MOST:
        raise flex.element.error("is too large: its indices do not fit in 32 bits")


def _placed(frames: tuple[Reals, Reals], body: Ints, local: Reals) -> Reals:
    pos, turn = frames
    return np.asarray(pos[body] + np.einsum("nij,nj->ni", turn[body], local))


def _turn(flex: Flex) -> None:
    """Let all tetrahedra have the same sense: from outside, the first three corners go round clockwise."""
    corners = flex.at[flex.elements]
    wrong = np.linalg.det(corners[:, 1:] - corners[:, :1]) > 0
    for indices in (flex.elements, flex.elemtexcoord):
        if len(indices):
            indices[wrong] = indices[wrong][:, [0, 2, 1, 3]]


def body_frames(poses: list[tuple[int, pose.Vec, pose.Quat]]) -> tuple[Reals, Reals]:
    """Positions and rotations in the world of bodies, parents first; poses: the parent of each, position and quaternion in it."""
    world: list[tuple[pose.Vec, pose.Quat]] = []
    for parent, pos, quat in poses:
        world.append(pose.compose(*world[parent], pos, quat) if world else (pos, quat))
    turns = np.array([pose.quat_mat(pose.quat_unit(quat)) for _, quat in world]).reshape(-1, 3, 3)
    return np.array([pos for pos, _ in world]), turns


def part(element: Element, tag: str) -> Element:
    """One of the children of a <flex>; what the schema says if there is none."""
    return next(element.all(tag), None) or unsaid(f"deformable/flex/{tag}", element.where, element.settings)
