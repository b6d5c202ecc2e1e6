"""Flexes as arrays of the model."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.compiler.bvh import Tree, tree
from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.fill import fill, lay_out
from tumble.physics.compiler.flex.material import ELASTIC_2D, STRETCHES, part_of, set_elasticity
from tumble.physics.compiler.flex.read import Flex, body_frames, check_material, part, place
from tumble.physics.compiler.flex.topology import edges_of
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtFlexSelf
from tumble.physics.state.model import Model


def place_flexes(draft: Draft) -> None:
    """Find where the flexes of a model are, whose bodies have their numbers. Raises MjcfError for what no flex can be."""
    if draft.flexes:
        frames = body_frames([(b.parent.id if b.parent else 0, b.pos, b.quat) for b in draft.bodies])
        for flex in draft.flexes:
            place(flex, draft.ids["body"], frames)
            check_material(flex)


def flex_sizes(draft: Draft) -> dict[str, int]:
    """The sizes of a model that its flexes determine."""
    flexes = draft.flexes
    shapes = [flex.topology for flex in flexes]
    patterns = flex_patterns(draft)
    return {
        "nflexnode": sum(len(f.node) for f in flexes), "nflexvert": sum(len(f.vert) for f in flexes),
        "nflexedge": sum(len(s.edge) for s in shapes), "nflexelem": sum(len(f.elements) for f in flexes),
        "nflexelemdata": sum(f.elements.size for f in flexes), "nflexelemedge": sum(s.elemedge.size for s in shapes),
        "nflexshelldata": sum(s.shell.size for s in shapes), "nflexevpair": sum(len(s.evpair) for s in shapes),
        "nflextexcoord": sum(len(f.texcoord) for f in flexes), "nJfe": patterns.edge_room, "nJfv": patterns.vertex_room,
    }  # fmt: skip


def flex_tree(flex: Flex) -> Tree:
    """The hierarchy over the elements of a flex that can collide; its boxes move."""
    active = np.flatnonzero(active_elements(flex))
    corners = flex.at[flex.elements[active]]
    return tree(corners.min(axis=1), corners.max(axis=1), active.astype(np.int32))


def active_elements(flex: Flex) -> np.ndarray:
    """Mask (nelem,) of elements that can collide: in a solid, those of the active layers."""
    layer = flex.topology.layer
    return np.asarray(layer < part(flex.element, "contact").get("activelayers")) if flex.dim == 3 else np.ones(len(layer), bool)


def fill_flexes(draft: Draft, m: Model) -> None:
    """Write the flexes of a model."""
    if not draft.flexes:
        return
    elements = [flex.element for flex in draft.flexes]
    fill(m, "flex_", elements, ("group", "radius", "rgba", "flatskin", "dim"))
    contacts = [part(element, "contact") for element in elements]
    fill(m, "flex_", contacts, ("contype", "conaffinity", "condim", "priority", "solmix", "solref", "solimp", "friction",
                                "margin", "gap", "internal", "activelayers", "passive"))  # fmt: skip
    m.flex_selfcollide = [mjtFlexSelf[f"mjFLEXSELF_{contact.get('selfcollide').upper()}"] for contact in contacts]
    fill(m, "flex_edge", [part(element, "edge") for element in elements], ("stiffness", "damping"))
    fill(m, "flex_", [part(element, "elasticity") for element in elements], ("damping",))
    m.flex_matid = [draft.id(element, "material", "material") for element in elements]
    m.flex_interp = [flex.order for flex in draft.flexes]
    m.flex_rigid = [flex.rigid for flex in draft.flexes]
    m.flex_centered = [not (flex.node if flex.nodes else flex.vert).any() for flex in draft.flexes]
    m.flex_edgeequality = [edge_equality(draft, flex) for flex in draft.flexes]
    _lay_out(draft.flexes, m)
    for i, flex in enumerate(draft.flexes):
        _fill_vertices(flex, i, m)
        _fill_elements(flex, i, m)
        _fill_elastic(flex, i, m)
    fill_flex_patterns(flex_patterns(draft), m)


def _lay_out(flexes: list[Flex], m: Model) -> None:
    """Start of each flex's arrays."""
    shapes = [flex.topology for flex in flexes]
    for name, lengths, empty in (
        ("node", [len(f.node) for f in flexes], None), ("vert", [len(f.vert) for f in flexes], None),
        ("edge", [len(s.edge) for s in shapes], None), ("elem", [len(f.elements) for f in flexes], None),
        ("evpair", [len(s.evpair) for s in shapes], -1),
    ):  # fmt: skip
        lay_out(m, lengths, f"flex_{name}adr", f"flex_{name}num", empty)
    m.flex_shellnum = [len(s.shell) for s in shapes]
    lay_out(m, [f.elements.size for f in flexes], "flex_elemdataadr")
    lay_out(m, [s.elemedge.size for s in shapes], "flex_elemedgeadr")
    lay_out(m, [s.shell.size for s in shapes], "flex_shelldataadr", empty=-1)
    lay_out(m, [len(f.texcoord) for f in flexes], "flex_texcoordadr", empty=-1)


def _fill_vertices(flex: Flex, i: int, m: Model) -> None:
    vert, node = part_of(m, i, "vert"), part_of(m, i, "node")
    m.flex_vertbodyid[vert], m.flex_vert[vert] = -1 if flex.nodes else flex.bodyid, flex.vert
    m.flex_nodebodyid[node], m.flex_node[node], m.flex_node0[node] = flex.nodeid, flex.node, flex.nodeat
    m.flex_size[i] = box_around(flex)[1]
    m.flex_vert0[vert] = in_box(flex)
    if len(flex.texcoord):
        m.flex_texcoord[part_of(m, i, "texcoord", len(flex.texcoord))] = flex.texcoord
    if m.flex_edgeequality[i] == 2 and flex.dim == 2 and not flex.nodes and not flex.rigid:
        _fill_neighbours(flex, i, m)


def box_around(flex: Flex) -> tuple[np.ndarray, np.ndarray]:
    """Centre and half sizes [m] of the box around the vertices in the world, to the last bit as the reference rounds them."""
    radius = float(flex.element.get("radius"))
    corners = flex.at[flex.elements]
    low, high = corners.min(axis=1), corners.max(axis=1)
    centre, half = 0.5 * (low + high), 0.5 * (high - low) + radius
    low, high = (centre - half).min(axis=0), (centre + half).max(axis=0)
    return 0.5 * (low + high), 0.5 * (high - low) - radius


def in_box(flex: Flex) -> np.ndarray:
    """Vertices (n, 3) in coordinates of the box around them, from 0 to 1; 0.5 along an axis in which it is flat."""
    centre, half = box_around(flex)
    wide = np.broadcast_to(half > mjMINVAL, flex.at.shape)
    return np.asarray(np.divide(flex.at - centre, 2 * half, out=np.zeros_like(flex.at), where=wide) + 0.5)


def _fill_neighbours(flex: Flex, i: int, m: Model) -> None:
    """The edges of every vertex of a cloth whose strains are held; the shape around it follows from masses (flex_constants)."""
    edge = flex.topology.edge
    number, incident = edges_of(edge, len(flex.vert))
    vert = part_of(m, i, "vert")
    begin = m.flex_vertedgenum[: vert.start].sum()  # those of flexes without such a constraint are left out
    m.flex_vertedgenum[vert], m.flex_vertedgeadr[vert] = number, begin + np.cumsum(number) - number
    m.flex_vertedge.reshape(-1)[begin : begin + incident.size] = incident.ravel()
    if np.ptp(flex.at[:, 2]) > 1e-9:
        raise flex.element.error("is not in a plane z = constant, which a <flexvert> constraint needs")


def _fill_elements(flex: Flex, i: int, m: Model) -> None:
    shape = flex.topology
    elem, edge = part_of(m, i, "elem"), part_of(m, i, "edge")
    data = part_of(m, i, "elemdata", flex.elements.size)
    m.flex_elem[data] = flex.elements.ravel()
    m.flex_elemtexcoord[data] = (flex.elemtexcoord if len(flex.elemtexcoord) else flex.elements).ravel()
    m.flex_elemedge[part_of(m, i, "elemedge", shape.elemedge.size)] = shape.elemedge.ravel()
    m.flex_elemlayer[elem] = shape.layer
    m.flex_shell[part_of(m, i, "shelldata", shape.shell.size)] = shape.shell.ravel()
    m.flex_evpair[part_of(m, i, "evpair")] = shape.evpair
    m.flex_edge[edge] = shape.edge
    m.flexedge_length0[edge] = np.linalg.norm(flex.at[shape.edge[:, 1]] - flex.at[shape.edge[:, 0]], axis=1)
    weld = m.body_weldid[flex.bodyid[shape.edge]]
    m.flexedge_rigid[edge] = weld[:, 0] == weld[:, 1] if not flex.nodes else False


def _fill_elastic(flex: Flex, i: int, m: Model) -> None:
    material = part(flex.element, "elasticity")
    kind, young = ELASTIC_2D.index(material.get("elastic2d")), float(material.get("young"))
    poisson, thickness = float(material.get("poisson")), float(material.get("thickness"))
    m.flex_edgeflap[part_of(m, i, "edge")] = -1
    m.flex_young[i], m.flex_poisson[i], m.flex_thickness[i] = young, poisson, thickness
    if young > 0 and flex.dim > 1:
        kind = STRETCHES if flex.dim == 3 or flex.nodes else kind & STRETCHES if flex.rigid else kind
        m.flex_elastic[i] = kind
        set_elasticity(m, i, flex.at, (young, poisson, thickness), kind)


Ints = NDArray[np.int64]
Chain = tuple[int, ...]


class FlexPatterns(Struct, eq=False):
    """Room for the columns of all rows: of each edge, and of each vertex; None: not used."""

    edges: list[Chain]
    vertices: list[Chain | None]
    edge_room: int
    vertex_room: int


def flex_patterns(draft: Draft) -> FlexPatterns:
    """The patterns of all flexes; there is room for edges and vertices that no force needs, as in the reference."""
    found = FlexPatterns([], [], 0, 0)
    chains = _chains(draft) if draft.flexes else []
    for flex in draft.flexes:
        kind = edge_equality(draft, flex)
        moves = not flex.rigid and not flex.nodes
        shape = flex.topology
        edges = [_union(chains, flex.bodyid[list(ends)]) if moves else () for ends in shape.edge.tolist()]
        number, incident = edges_of(shape.edge, len(flex.vert))
        stops = np.cumsum(number)
        vertices: list[Chain] = []
        for v, (stop, many) in enumerate(zip(stops, number, strict=True)):
            near = np.unique(np.append(shape.edge[incident[stop - many : stop]].ravel(), v))
            vertices.append(_union(chains, flex.bodyid[near]) if moves else ())
        found.edge_room += sum(map(len, edges))
        found.vertex_room += sum(map(len, vertices))
        found.edges += edges
        found.vertices += vertices if moves and kind == 2 and flex.dim == 2 else [None] * len(vertices)
    return found


def edge_equality(draft: Draft, flex: Flex) -> int:
    """Target of a flex's first equality constraint: 0 none, 1 edges, 2 vertex neighbourhoods."""
    name = flex.element.get("name", "")
    kinds = {"flex": 1, "flexvert": 2}
    return next((kinds[e.tag] for e in draft.equalities if e.tag in kinds and e.get("flex") == name and name), 0)


def fill_flex_patterns(patterns: FlexPatterns, m: Model) -> None:
    """Write the patterns of a model."""
    _write_edges(patterns.edges, m)
    at = 0
    columns = m.flexvert_J_colind.reshape(-1)
    for row, chain in enumerate(patterns.vertices):
        if chain is not None:
            for side in (0, 1):  # two rows for each vertex, one behind the other
                m.flexvert_J_rownnz[row, side], m.flexvert_J_rowadr[row, side] = len(chain), at
                columns[at : at + len(chain)] = chain
                at += len(chain)


def lay_out_edges(m: Model) -> None:
    """Write which edges have a row in the Jacobian, after damping or stiffness of a flex was changed: there is room for all."""
    above: list[Chain] = [()] * m.nbody
    for body in range(1, m.nbody):
        first = int(m.body_dofadr[body])
        above[body] = (*above[m.body_parentid[body]], *range(first, first + int(m.body_dofnum[body])))
    bodies = m.flex_vertbodyid[m.flex_edge + np.repeat(m.flex_vertadr, m.flex_edgenum)[:, None]]
    still = np.repeat((m.flex_rigid != 0) | (m.flex_interp != 0), m.flex_edgenum)
    _write_edges([() if rest else _union(above, pair) for rest, pair in zip(still, bodies, strict=True)], m)


def _write_edges(chains: list[Chain], m: Model) -> None:
    """The rows of edges of flexes whose edges are kept in length, resist or are damped."""
    spring = (m.flex_edgestiffness > 0) | (m.flex_edgedamping > 0) | (m.flex_damping > 0)
    used = np.repeat((m.flex_rigid == 0) & (m.flex_interp == 0) & ((m.flex_edgeequality > 0) | spring), m.flex_edgenum)
    number, begin, columns = (m._arrays[f"flexedge_J_{name}"] for name in ("rownnz", "rowadr", "colind"))
    for array in (number, begin, columns):
        array.fill(0)
    at = 0
    for row in np.flatnonzero(used):
        chain = chains[row]
        number[row], begin[row] = len(chain), at
        columns[at : at + len(chain)] = chain
        at += len(chain)


def _chains(draft: Draft) -> list[Chain]:
    """The dofs that move each body, rising."""
    chains: list[Chain] = []
    for body in draft.bodies:
        above = chains[body.parent.id] if body.parent else ()
        own = [i for joint in body.joints for i in range(joint.dofadr, joint.dofadr + joint.ndof)]
        chains.append((*above, *own))
    return chains


def _union(chains: list[Chain], bodies: Ints) -> Chain:
    return tuple(sorted(set().union(*(chains[b] for b in set(bodies.tolist())))))
