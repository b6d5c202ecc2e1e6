"""Checks that all indices of a model refer to something that exists.

The compiler writes nothing else. A model that comes from a file of numbers is checked: kernels look nothing up twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.enums import mjtDyn, mjtEq, mjtGeom, mjtJoint, mjtObj, mjtSensor, mjtTrn, mjtWrap
from tumble.physics.state.fields import MODEL
from tumble.physics.state.history import buffer_of
from tumble.physics.state.named import KINDS

if TYPE_CHECKING:
    from tumble.physics.state.declared import ModelBlock

Ints = NDArray[np.int64]

# Fields of numbers of elements, by what is counted; "-": -1 is none.
_NUMBERS = {
    "nbody": "body_parentid body_rootid body_weldid jnt_bodyid dof_bodyid geom_bodyid site_bodyid cam_bodyid light_bodyid "
             "cam_targetbodyid- light_targetbodyid- flex_vertbodyid- skin_bonebodyid tree_bodyadr",
    "nmocap": "body_mocapid-", "ntree": "body_treeid- dof_treeid tendon_treeid-", "njnt": "dof_jntid body_jntadr-",
    "nv": "dof_parentid- jnt_dofadr body_dofadr- tree_dofadr B_colind M_colind D_colind", "nq": "jnt_qposadr",
    "nM": "dof_Madr mapM2M", "nC": "mapM2D-", "nD": "mapD2M",
    "nmat": "geom_matid- site_matid- flex_matid- skin_matid- tendon_matid-", "ntex": "mat_texid- light_texid-",
    "ngeom": "pair_geom1 pair_geom2 body_geomadr-", "noct": "mesh_octadr-", "npluginattr": "plugin_attradr",
    "nplugin": "geom_plugin- body_plugin- actuator_plugin- sensor_plugin-",
    "nnames": " ".join(f.name for f in MODEL if f.name.startswith("name_")),
    "npaths": "mesh_pathadr- skin_pathadr- hfield_pathadr- tex_pathadr-",
}  # fmt: skip

# Parts of arrays: where they begin, how many entries they have, and of what; a beginning of -1 is none, with no entries.
_PARTS = (
    ("body_jntadr", "body_jntnum", "njnt"), ("body_dofadr", "body_dofnum", "nv"), ("body_geomadr", "body_geomnum", "ngeom"),
    ("body_bvhadr", "body_bvhnum", "nbvh"), ("tree_bodyadr", "tree_bodynum", "nbody"), ("tree_dofadr", "tree_dofnum", "nv"),
    ("mesh_vertadr", "mesh_vertnum", "nmeshvert"), ("mesh_faceadr", "mesh_facenum", "nmeshface"),
    ("mesh_bvhadr", "mesh_bvhnum", "nbvh"), ("mesh_octadr", "mesh_octnum", "noct"),
    ("mesh_normaladr", "mesh_normalnum", "nmeshnormal"), ("mesh_texcoordadr", "mesh_texcoordnum", "nmeshtexcoord"),
    ("mesh_polyadr", "mesh_polynum", "nmeshpoly"), ("mesh_polyvertadr", "mesh_polyvertnum", "nmeshpolyvert"),
    ("mesh_polymapadr", "mesh_polymapnum", "nmeshpolymap"),
    ("skin_vertadr", "skin_vertnum", "nskinvert"), ("skin_faceadr", "skin_facenum", "nskinface"),
    ("skin_boneadr", "skin_bonenum", "nskinbone"), ("skin_bonevertadr", "skin_bonevertnum", "nskinbonevert"),
    ("tendon_adr", "tendon_num", "nwrap"), ("actuator_actadr", "actuator_actnum", "na"),
    ("sensor_adr", "sensor_dim", "nsensordata"), ("numeric_adr", "numeric_size", "nnumericdata"),
    ("text_adr", "text_size", "ntextdata"), ("tuple_adr", "tuple_size", "ntupledata"),
    ("B_rowadr", "B_rownnz", "nB"), ("M_rowadr", "M_rownnz", "nC"), ("D_rowadr", "D_rownnz", "nD"),
)  # fmt: skip

# Of a type of joint the coordinates and dofs; of other types the size that counts what they name.
_COORDINATES = {
    mjtJoint.mjJNT_FREE: (7, 6), mjtJoint.mjJNT_BALL: (4, 3), mjtJoint.mjJNT_SLIDE: (1, 1), mjtJoint.mjJNT_HINGE: (1, 1),
}  # fmt: skip
_WRAPPED = {
    mjtWrap.mjWRAP_JOINT: "njnt", mjtWrap.mjWRAP_SITE: "nsite", mjtWrap.mjWRAP_SPHERE: "ngeom",
    mjtWrap.mjWRAP_CYLINDER: "ngeom",
}  # fmt: skip
_MOVED = {
    mjtTrn.mjTRN_JOINT: "njnt", mjtTrn.mjTRN_JOINTINPARENT: "njnt", mjtTrn.mjTRN_SLIDERCRANK: "nsite",
    mjtTrn.mjTRN_TENDON: "ntendon", mjtTrn.mjTRN_SITE: "nsite", mjtTrn.mjTRN_BODY: "nbody",
}  # fmt: skip
_OF_FLEX = (mjtEq.mjEQ_FLEX, mjtEq.mjEQ_FLEXVERT)
_DIMENSIONS = (1, 3, 4, 6)


def strays(m: ModelBlock) -> Iterator[str]:
    """The fields that lead to what does not exist, each with what is wrong; none: all do."""
    for size, names in _NUMBERS.items():
        for name in names.split():
            if not _within(_numbers(m, name.rstrip("-")), -int(name.endswith("-")), getattr(m, size)):
                yield f"{name.rstrip('-')} leads beyond {size}={getattr(m, size)}"
    for address, count, size in _PARTS:
        if not _is_part(_numbers(m, address), _numbers(m, count), getattr(m, size)):
            yield f"{address} and {count} lead beyond {size}={getattr(m, size)}"
    for prefix in ("actuator", "sensor"):
        parts = np.array([buffer_of(m, prefix, i) for i in range(len(_numbers(m, f"{prefix}_historyadr")))]).reshape(-1, 2)
        if not _is_part(parts[:, 0], parts[:, 1], m.nhistory):
            yield f"{prefix}_historyadr and {prefix}_history lead beyond nhistory={m.nhistory}"
    yield from _trees(m)
    yield from _by_type(m)
    yield from _assets(m)
    yield from flex_strays(m)


def _numbers(m: ModelBlock, name: str) -> Ints:
    return m._arrays[name].astype(np.int64)


def _within(values: NDArray[np.integer[Any]], low: int, end: int) -> bool:
    return bool(((values >= low) & (values < end)).all())


def _is_part(begin: Ints, count: Ints, size: int) -> bool:
    """True if what begins there, with so many entries, lies in an array of a size; what has none may begin anywhere."""
    return bool(((count >= 0) & ((count == 0) | ((begin >= 0) & (begin + count <= size)))).all())


def _trees(m: ModelBlock) -> Iterator[str]:
    """Parents stand before their children: who goes up, or down a tree of boxes, arrives."""
    own, dofs = np.arange(m.nbody), np.arange(m.nv)
    for name, known in (("body_parentid", own), ("body_rootid", own), ("body_weldid", own), ("dof_parentid", dofs)):
        values = _numbers(m, name)
        late = values > known if name in ("body_rootid", "body_weldid") else values >= known
        if late[1:].any() or (name == "dof_parentid" and late[:1].any()) or (name != "dof_parentid" and values[:1].any()):
            yield f"{name} leads in a circle"
    yield from _inertia(m)
    yield from _square(m)
    for owner, kind in (("body", "bvh"), ("mesh", "bvh"), ("mesh", "oct")):
        for address, count in zip(_numbers(m, f"{owner}_{kind}adr"), _numbers(m, f"{owner}_{kind}num"), strict=True):
            child = getattr(m, f"{kind}_child")[max(0, address) : max(0, address) + max(0, count)].astype(np.int64)
            here = np.arange(len(child))[:, None]
            if ((child != -1) & ((child <= here) | (child >= count))).any():
                yield f"{kind}_child leads out of the tree of a {owner}, or in a circle"


def _inertia(m: ModelBlock) -> Iterator[str]:
    """A row of the inertia matrix ends with its diagonal and begins as the rows of its columns: see physics/algebra/sparse.py."""
    begin, count = _numbers(m, "M_rowadr"), _numbers(m, "M_rownnz")
    if not (_is_part(begin, count, m.nC) and (count >= 1).all() and _within(_numbers(m, "M_colind"), 0, m.nv)):
        yield "M_rownnz leads to rows without a diagonal"
        return
    rows = np.repeat(np.arange(m.nv), count)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    columns = m.M_colind[np.repeat(begin, count) + place]
    if (count[columns] != place + 1).any() or (columns[place + 1 == count[rows]] != np.arange(m.nv)).any():
        yield "M_colind leads to rows that do not begin alike, or not to the diagonal"


def _square(m: ModelBlock) -> Iterator[str]:
    """A row of the square pattern has the chain of dofs above, the dof, and those below: see physics/algebra/cholesky.py."""
    begin, count, diag = _numbers(m, "D_rowadr"), _numbers(m, "D_rownnz"), _numbers(m, "D_diag")
    if not (_is_part(begin, count, m.nD) and ((diag >= 0) & (diag < count)).all() and _within(_numbers(m, "D_colind"), 0, m.nv)):
        yield "D_diag leads to rows without a diagonal"
        return
    rows = np.repeat(np.arange(m.nv), count)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    columns, above = m.D_colind[np.repeat(begin, count) + place], place < diag[rows]
    i, j = rows[above], columns[above]
    follow = (columns - rows == place - diag[rows]) | above
    rising = (np.diff(columns) > 0) | (np.diff(rows) > 0)
    if not (follow.all() and rising.all() and (diag[j] == place[above]).all() and (i - j < (count - diag)[j]).all()):
        yield "D_colind leads to other dofs than those above and below"


def _by_type(m: ModelBlock) -> Iterator[str]:
    """Numbers whose meaning another field tells."""
    counted: dict[int, int] = {kind: getattr(m, known.count) for kind, known in KINDS.items()} | {int(mjtObj.mjOBJ_DOF): m.nv}

    def reach(kinds: Ints, ids: Ints, sizes: dict[int, int]) -> bool:
        ends = np.array([sizes.get(int(kind), 0) for kind in kinds], np.int64)
        return bool(((ids >= -1) & ((ids < ends) | (ids == -1))).all())

    for j, kind in enumerate(m.jnt_type.tolist()):
        if kind not in _COORDINATES:
            yield f"jnt_type has {kind}"
        elif m.jnt_qposadr[j] + _COORDINATES[kind][0] > m.nq or m.jnt_dofadr[j] + _COORDINATES[kind][1] > m.nv:
            yield "jnt_qposadr or jnt_dofadr leaves no room for the joint's coordinates"
    for name in ("geom_condim", "pair_dim"):
        if not np.isin(_numbers(m, name), _DIMENSIONS).all():
            yield f"{name} has something other than {_DIMENSIONS}"
    coupled = {int(mjtEq.mjEQ_JOINT): m.njnt, int(mjtEq.mjEQ_TENDON): m.ntendon} | {int(kind): m.nflex for kind in _OF_FLEX}
    tied = np.isin(_numbers(m, "eq_type"), list(coupled))
    for name in ("eq_obj1id", "eq_obj2id"):
        ids, kinds = _numbers(m, name), np.where(tied, _numbers(m, "eq_type"), _numbers(m, "eq_objtype"))
        if not (reach(kinds[tied], ids[tied], coupled) and reach(kinds[~tied], ids[~tied], counted)):
            yield f"{name} leads beyond the elements of its type"
    if (m.eq_obj1id < 0).any() or (m.actuator_trnid[:, 0] < 0).any():
        yield "eq_obj1id or actuator_trnid leads to nothing"
    slides = m.actuator_trntype == mjtTrn.mjTRN_SLIDERCRANK
    if (m.actuator_trnid[slides, 1] < 0).any() or (m.wrap_objid[np.isin(m.wrap_type, list(_WRAPPED))] < 0).any():
        yield "actuator_trnid or wrap_objid leads to nothing"
    if not _within(_numbers(m, "eq_type"), 0, max(mjtEq) + 1) or not _within(_numbers(m, "actuator_trntype"), 0, len(mjtTrn) - 1):
        yield "eq_type or actuator_trntype has an unknown type"
    if not _is_part(np.arange(m.nv), _numbers(m, "dof_simplenum"), m.nv):
        yield f"dof_simplenum leads beyond nv={m.nv}"
    if (m.actuator_actnum[m.actuator_dyntype != mjtDyn.mjDYN_NONE] < 1).any():
        yield "actuator_dyntype needs an activation, which the actuator does not have"
    if not reach(_numbers(m, "wrap_type"), _numbers(m, "wrap_objid"), {int(k): getattr(m, n) for k, n in _WRAPPED.items()}):
        yield "wrap_objid leads beyond the elements of its type"
    moved = {int(k): getattr(m, n) for k, n in _MOVED.items()}
    for k in range(2):
        if not reach(_numbers(m, "actuator_trntype"), _numbers(m, "actuator_trnid")[:, k], moved):
            yield "actuator_trnid leads beyond the elements of its type"
    for kind, name in (("sensor_objtype", "sensor_objid"), ("sensor_reftype", "sensor_refid"), ("tuple_objtype", "tuple_objid")):
        if not reach(_numbers(m, kind), _numbers(m, name), counted):
            yield f"{name} leads beyond the elements of its type"
    if not _within(_numbers(m, "sensor_type"), 0, max(mjtSensor) + 1):
        yield "sensor_type has an unknown type"


def _assets(m: ModelBlock) -> Iterator[str]:
    """Indices of meshes, textures and skins into their own arrays."""
    kinds, data = _numbers(m, "geom_type"), _numbers(m, "geom_dataid")
    if not _within(kinds, 0, mjtGeom.mjNGEOMTYPES):
        yield "geom_type has an unknown type"
    field = kinds == mjtGeom.mjGEOM_HFIELD
    if not (_within(data[field], 0, m.nhfield) and _within(data[~field], -1, m.nmesh)):
        yield "geom_dataid leads beyond the meshes or height fields"
    elif not (data[np.isin(kinds, (mjtGeom.mjGEOM_MESH, mjtGeom.mjGEOM_SDF))] >= 0).all():
        yield "geom_dataid of a mesh leads to none"
    elif not (m.mesh_octnum[data[(kinds == mjtGeom.mjGEOM_SDF) & (m.geom_plugin < 0)]] > 0).all():
        yield "geom_dataid of a signed distance field leads to a mesh without"
    samples = _numbers(m, "hfield_nrow") * _numbers(m, "hfield_ncol")
    if (m.hfield_nrow < 1).any() or (m.hfield_ncol < 1).any() or not _is_part(_numbers(m, "hfield_adr"), samples, m.nhfielddata):
        yield "hfield_adr leads beyond its samples"
    pixels = _numbers(m, "tex_height") * _numbers(m, "tex_width") * _numbers(m, "tex_nchannel")
    if any((getattr(m, f"tex_{n}") < 0).any() for n in ("height", "width", "nchannel")) or not _is_part(
        _numbers(m, "tex_adr"), pixels, m.ntexdata
    ):
        yield "tex_adr leads beyond its pixels"
    for mesh in range(m.nmesh):
        yield from _mesh(m, mesh)
    for skin in range(m.nskin):
        faces = m.skin_face[m.skin_faceadr[skin] : m.skin_faceadr[skin] + m.skin_facenum[skin]]
        bones = range(int(m.skin_boneadr[skin]), int(m.skin_boneadr[skin] + m.skin_bonenum[skin]))
        pulled = [m.skin_bonevertid[m.skin_bonevertadr[b] : m.skin_bonevertadr[b] + m.skin_bonevertnum[b]] for b in bones]
        if not all(_within(part.astype(np.int64), 0, int(m.skin_vertnum[skin])) for part in (faces, *pulled)):
            yield f"skin_face or skin_bonevertid leads beyond the vertices of skin {skin}"


def _mesh(m: ModelBlock, mesh: int) -> Iterator[str]:
    """Triangles, polygons and the hull of one mesh."""

    def part(name: str, adr: str, num: str) -> Ints:
        begin = int(m._arrays[f"mesh_{adr}"][mesh])
        return _numbers(m, f"mesh_{name}")[begin : begin + int(m._arrays[f"mesh_{num}"][mesh])]

    vertices, polygons = int(m.mesh_vertnum[mesh]), int(m.mesh_polynum[mesh])
    checks = {
        "mesh_face": (part("face", "faceadr", "facenum"), vertices),
        "mesh_facenormal": (part("facenormal", "faceadr", "facenum"), int(m.mesh_normalnum[mesh])),
    }
    if m.mesh_texcoordadr[mesh] >= 0:
        checks["mesh_facetexcoord"] = (part("facetexcoord", "faceadr", "facenum"), int(m.mesh_texcoordnum[mesh]))
    corners = zip(part("polyvertadr", "polyadr", "polynum"), part("polyvertnum", "polyadr", "polynum"), strict=True)
    maps = zip(part("polymapadr", "vertadr", "vertnum"), part("polymapnum", "vertadr", "vertnum"), strict=True)
    checks["mesh_polyvert"] = (_gathered(m.mesh_polyvert, list(corners)), vertices)
    checks["mesh_polymap"] = (_gathered(m.mesh_polymap, list(maps)), polygons)
    nodes = slice(int(m.mesh_bvhadr[mesh]), int(m.mesh_bvhadr[mesh] + m.mesh_bvhnum[mesh]))
    if not _within(m.bvh_nodeid[nodes].astype(np.int64), -1, int(m.mesh_facenum[mesh])):
        yield f"bvh_nodeid leads beyond the triangles of mesh {mesh}"
    for name, (values, end) in checks.items():
        if not _within(values, 0, end):
            yield f"{name} of mesh {mesh} leads beyond {end}"
    if m.mesh_graphadr[mesh] >= 0 and not _is_hull(_numbers(m, "mesh_graph")[int(m.mesh_graphadr[mesh]) :], vertices):
        yield f"mesh_graph of mesh {mesh} is not a hull"


def _gathered(values: NDArray[np.int32], parts: list[tuple[int, int]]) -> Ints:
    """The entries of some parts of an array, one after the other."""
    found = [values[begin : begin + count] for begin, count in parts]
    return np.concatenate(found).astype(np.int64) if found else np.zeros(0, np.int64)


def _is_hull(graph: Ints, vertices: int) -> bool:
    """True if numbers begin with a hull of a mesh of so many vertices: see physics/compiler/assets/mesh/hull.py."""
    if len(graph) < 2:
        return False
    n, faces = int(graph[0]), int(graph[1])
    linked = n + 3 * faces  # each vertex's neighbours, closed by -1: an edge counts in both its triangles, once a corner
    if n < 1 or faces < 1 or 2 + 2 * n + linked + 3 * faces > len(graph):
        return False
    begin, corners = graph[2 : 2 + n], graph[2 + n : 2 + 2 * n]
    edges, triangles = graph[2 + 2 * n : 2 + 2 * n + linked], graph[2 + 2 * n + linked : 2 + 2 * n + linked + 3 * faces]
    return bool(
        _within(begin, 0, linked) and _within(corners, 0, vertices) and _within(triangles, 0, vertices)
        and _within(edges, -1, n) and edges[-1] == -1
    )  # fmt: skip


_EDGES = (0, 1, 3, 6)  # of an element, by its dimensions
_ORDERS = (0, 1, 2)  # of the interpolation between nodes
# What a flex has: where it begins, how many, and of what size.
_FLEX_PARTS = (
    ("nodeadr", "nodenum", "nflexnode"), ("vertadr", "vertnum", "nflexvert"), ("edgeadr", "edgenum", "nflexedge"),
    ("elemadr", "elemnum", "nflexelem"), ("evpairadr", "evpairnum", "nflexevpair"), ("bvhadr", "bvhnum", "nbvh"),
)  # fmt: skip


def flex_strays(m: ModelBlock) -> Iterator[str]:
    """The fields of flexes that lead to what does not exist, each with what is wrong; none: all do."""
    for flex in range(m.nflex):
        yield from _flex(m, flex)
    rows = (("flexedge", "nJfe"), ("flexvert", "nJfv"))
    for name, size in rows if m.nflex else ():
        begin, count = (m._arrays[f"{name}_J_{part}"].astype(np.int64).ravel() for part in ("rowadr", "rownnz"))
        columns, end = m._arrays[f"{name}_J_colind"], getattr(m, size) * (2 if name == "flexvert" else 1)
        if not ((count >= 0) & ((count == 0) | ((begin >= 0) & (begin + count <= end)))).all():
            yield f"{name}_J_rowadr and {name}_J_rownnz lead beyond {size}={getattr(m, size)}"
        if not _within(columns, 0, max(1, m.nv)):
            yield f"{name}_J_colind leads beyond nv={m.nv}"


def _flex(m: ModelBlock, flex: int) -> Iterator[str]:
    def number(name: str) -> int:
        return int(m._arrays[f"flex_{name}"][flex])

    def part(name: str, begin: str, count: int) -> NDArray[np.int32]:
        first = number(begin)
        return m._arrays[f"flex_{name}"][first : first + count] if count else m._arrays[f"flex_{name}"][:0]

    dim = number("dim")
    if dim not in (1, 2, 3) or number("interp") not in _ORDERS:
        yield f"flex_dim or flex_interp of flex {flex} is unknown"
        return
    for begin, count, size in _FLEX_PARTS:
        if number(count) < 0 or (number(count) and not 0 <= number(begin) <= getattr(m, size) - number(count)):
            yield f"flex_{begin} and flex_{count} lead beyond {size}={getattr(m, size)}"
            return
    elements, edges, vertices = number("elemnum"), number("edgenum"), number("vertnum")
    counts = {"elem": elements * (dim + 1), "elemedge": elements * _EDGES[dim], "shell": max(0, number("shellnum")) * dim}
    starts = {"elem": "elemdataadr", "elemedge": "elemedgeadr", "shell": "shelldataadr"}
    for name, total in counts.items():
        if total and not 0 <= number(starts[name]) <= len(m._arrays[f"flex_{name}"]) - total:
            yield f"flex_{starts[name]} leads beyond flex_{name}"
            return
    pairs = part("evpair", "evpairadr", number("evpairnum"))
    lead = (
        ("elem", part("elem", "elemdataadr", counts["elem"]), 0, vertices),
        ("elemedge", part("elemedge", "elemedgeadr", counts["elemedge"]), 0, edges),
        ("shell", part("shell", "shelldataadr", counts["shell"]), 0, vertices),
        ("edge", part("edge", "edgeadr", edges), 0, vertices),
        ("edgeflap", part("edgeflap", "edgeadr", edges), -1, vertices),
        ("evpair", pairs[:, 0], 0, elements),
        ("evpair", pairs[:, 1], 0, vertices),
        ("vertbodyid", part("vertbodyid", "vertadr", vertices), -1 if number("interp") else 0, m.nbody),
        ("nodebodyid", part("nodebodyid", "nodeadr", number("nodenum")), 0, m.nbody),
    )
    for name, values, low, end in lead:
        if not _within(values, low, end):
            yield f"flex_{name} of flex {flex} leads beyond {end}"
    nodes = slice(number("bvhadr"), number("bvhadr") + number("bvhnum")) if number("bvhnum") else slice(0)
    child, here = m._arrays["bvh_child"][nodes], np.arange(number("bvhnum"))[:, None]
    if ((child != -1) & ((child <= here) | (child >= number("bvhnum")))).any():
        yield f"bvh_child leads out of the tree of flex {flex}, or in a circle"
    if not _within(m._arrays["bvh_nodeid"][nodes], -1, elements):
        yield f"bvh_nodeid leads beyond the elements of flex {flex}"
