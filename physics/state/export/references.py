"""Checks that all indices of a model refer to something that exists.

The compiler writes nothing else. A model that comes from a file of numbers, or that a program has written to, is checked: kernels
look nothing up twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

import numpy as np

from tumble.physics.state.enums import mjtDyn, mjtEq, mjtGeom, mjtJoint, mjtObj, mjtSensor, mjtTrn, mjtWrap
from tumble.physics.state.export.flex_references import flex_strays
from tumble.physics.state.export.places import Ints, is_part, outside, within, wrong_at
from tumble.physics.state.fields import MODEL
from tumble.physics.state.history import buffer_of
from tumble.physics.state.named import KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tumble.physics.state.declared import ModelBlock

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


def strays(m: ModelBlock, changed: Collection[str] | None = None) -> Iterator[str]:
    """The fields that lead to what does not exist, each with what is wrong and the first place where it is; none: all do.

    changed: the only fields that can be wrong, or make others so; None: all.
    """
    for size, names in _NUMBERS.items():
        for name in names.split():
            field = name.rstrip("-")
            if (changed is None or field in changed) and (
                at := outside(field, _numbers(m, field), -int(name.endswith("-")), getattr(m, size))
            ):
                yield f"{field} leads beyond {size}={getattr(m, size)}{at}"
    for address, count, size in _PARTS:
        if changed is None or address in changed or count in changed:
            yield from _part(m, address, count, size)
    for fields, check in _CHECKS:
        if changed is None or any(map(re.compile(fields).fullmatch, changed)):
            yield from check(m)


def _numbers(m: ModelBlock, name: str) -> Ints:
    return m._arrays[name].astype(np.int64)


def _part(m: ModelBlock, address: str, count: str, size: str) -> Iterator[str]:
    begins, counts = _numbers(m, address), _numbers(m, count)
    wrong = ~is_part(begins, counts, getattr(m, size))
    if at := wrong_at(address, begins, wrong):
        yield f"{address} and {count} lead beyond {size}={getattr(m, size)}{at}, with {counts[wrong][0]}"


def _histories(m: ModelBlock) -> Iterator[str]:
    for prefix in ("actuator", "sensor"):
        parts = np.array([buffer_of(m, prefix, i) for i in range(len(_numbers(m, f"{prefix}_historyadr")))]).reshape(-1, 2)
        if at := wrong_at(f"{prefix}_historyadr", parts[:, 0], ~is_part(parts[:, 0], parts[:, 1], m.nhistory)):
            yield f"{prefix}_historyadr and {prefix}_history lead beyond nhistory={m.nhistory}{at}"


def _trees(m: ModelBlock) -> Iterator[str]:
    """Parents stand before their children: who goes up arrives."""
    own, dofs = np.arange(m.nbody), np.arange(m.nv)
    for name, known in (("body_parentid", own), ("body_rootid", own), ("body_weldid", own), ("dof_parentid", dofs)):
        values = _numbers(m, name)
        late = values > known if name in ("body_rootid", "body_weldid") else values >= known
        if name != "dof_parentid":
            late[:1] = values[:1] != 0
        if at := wrong_at(name, values, late):
            yield f"{name} leads in a circle{at}"


def _boxes(m: ModelBlock) -> Iterator[str]:
    """Boxes stand before those within them, each in one: who goes down a tree of boxes arrives, and at each once."""
    for owner, kind in (("body", "bvh"), ("mesh", "bvh"), ("mesh", "oct"), ("flex", "bvh")):
        begins, counts = _numbers(m, f"{owner}_{kind}adr"), _numbers(m, f"{owner}_{kind}num")
        for i, (begin, count) in enumerate(zip(begins.tolist(), counts.tolist(), strict=True)):
            if count:
                yield from _tree(m, f"a {owner}", i, kind, max(0, begin), count)


def _tree(m: ModelBlock, owner: str, i: int, kind: str, begin: int, count: int) -> Iterator[str]:
    child = m._arrays[f"{kind}_child"][begin : begin + count].astype(np.int64)
    here, inner = np.arange(len(child))[:, None], child >= 0
    wrong = (child < -1) | (inner & ((child <= here) | (child >= count)))
    if at := wrong_at(f"{kind}_child", child, wrong, begin):
        yield f"{kind}_child leads out of the tree of {owner}, or in a circle{at}"
        return
    order = np.argsort(child, axis=None, kind="stable")
    again = np.zeros(child.size, bool)
    again[order[1:]] = (np.diff(child.ravel()[order]) == 0) & inner.ravel()[order[1:]]
    if at := wrong_at(f"{kind}_child", child, again.reshape(child.shape), begin):
        yield f"{kind}_child leads to a box twice{at}"
    if kind == "bvh":
        ends = m.bvh_nodeid[begin : begin + count] >= 0
        if at := wrong_at("bvh_child", child, inner == ends[:, None], begin):
            yield f"bvh_child of a box with something in it leads on, or of one without nowhere{at}, in the tree of {owner} {i}"


def _inertia(m: ModelBlock) -> Iterator[str]:
    """A row of the inertia matrix ends with its diagonal and begins as the rows of its columns: see physics/algebra/sparse.py."""
    begin, count = _numbers(m, "M_rowadr"), _numbers(m, "M_rownnz")
    if at := wrong_at("M_rownnz", count, (count < 1) | ~is_part(begin, count, m.nC)):
        yield f"M_rownnz leads to rows without a diagonal{at}"
        return
    if at := wrong_at("M_rowadr", begin, begin != np.cumsum(count) - count):
        yield f"M_rowadr leads to rows that do not follow one another{at}"
        return
    if not within(_numbers(m, "M_colind"), 0, m.nv):
        return  # which was reported
    rows = np.repeat(np.arange(m.nv), count)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    columns = m.M_colind[np.repeat(begin, count) + place]
    wrong = (count[columns] != place + 1) | ((place + 1 == count[rows]) & (columns != rows))
    if wrong.any():
        k = int(np.argmax(wrong))
        where = f"M_colind[{begin[rows[k]] + place[k]}] is {columns[k]}"
        yield f"M_colind leads to rows that do not begin alike, or not to the diagonal: {where}"
    elif at := wrong_at("M_colind", m.M_colind, _leaves_tree(m, np.repeat(np.arange(m.nv), count), m.M_colind)):
        yield f"M_colind leads to another tree{at}"


def _leaves_tree(m: ModelBlock, dofs: Ints, others: Ints) -> NDArray[np.bool_]:
    """Where two dofs belong to different trees: an island holds whole trees, and what leads out of it leaves its arrays."""
    tree = _numbers(m, "dof_treeid")
    return np.asarray(tree[dofs] != tree[others])


def _tree_dofs(m: ModelBlock) -> Iterator[str]:
    """Trees have the dofs one after the other, and parents of dofs are in their tree."""
    tree, begin, count, parent = (_numbers(m, name) for name in ("dof_treeid", "tree_dofadr", "tree_dofnum", "dof_parentid"))
    if at := wrong_at("tree_dofadr", begin, (count < 0) | (begin != np.cumsum(count) - count)):
        yield f"tree_dofadr leads to dofs that do not follow one another{at}"
    elif count.sum() != m.nv:
        yield f"tree_dofnum counts {count.sum()} dofs of nv={m.nv}"
    elif at := wrong_at("dof_treeid", tree, tree != np.repeat(np.arange(m.ntree), count)):
        yield f"dof_treeid leads to another tree than tree_dofadr and tree_dofnum{at}"
    elif at := wrong_at("dof_parentid", parent, (parent >= 0) & _leaves_tree(m, np.arange(m.nv), np.minimum(parent, m.nv - 1))):
        yield f"dof_parentid leads to another tree{at}"


def _square(m: ModelBlock) -> Iterator[str]:
    """A row of the square pattern has the chain of dofs above, the dof, and those below: see physics/algebra/cholesky.py."""
    begin, count, diag = _numbers(m, "D_rowadr"), _numbers(m, "D_rownnz"), _numbers(m, "D_diag")
    if at := wrong_at("D_diag", diag, (diag < 0) | (diag >= count) | ~is_part(begin, count, m.nD)):
        yield f"D_diag leads to rows without a diagonal{at}"
        return
    if not within(_numbers(m, "D_colind"), 0, m.nv):
        return  # which was reported
    rows = np.repeat(np.arange(m.nv), count)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    columns, above = m.D_colind[np.repeat(begin, count) + place], place < diag[rows]
    i, j = rows[above], columns[above]
    follow = (columns - rows == place - diag[rows]) | above
    rising = (np.diff(columns) > 0) | (np.diff(rows) > 0)
    alike = (diag[j] == place[above]).all() and (i - j < (count - diag)[j]).all() and not _leaves_tree(m, rows, columns).any()
    if not (follow.all() and rising.all() and alike):
        yield "D_colind leads to other dofs than those above and below"


def _joints(m: ModelBlock) -> Iterator[str]:
    for j, kind in enumerate(_numbers(m, "jnt_type").tolist()):
        if kind not in _COORDINATES:
            yield f"jnt_type has no such type: jnt_type[{j}] is {kind}"
        elif m.jnt_qposadr[j] + _COORDINATES[kind][0] > m.nq or m.jnt_dofadr[j] + _COORDINATES[kind][1] > m.nv:
            yield f"jnt_qposadr or jnt_dofadr leaves no room for the coordinates of joint {j}: jnt_type[{j}] is {kind}"


def _dofs(m: ModelBlock) -> Iterator[str]:
    values = _numbers(m, "dof_simplenum")
    if at := wrong_at("dof_simplenum", values, ~is_part(np.arange(m.nv), values, m.nv)):
        yield f"dof_simplenum leads beyond nv={m.nv}{at}"


def _dimensions(m: ModelBlock) -> Iterator[str]:
    for name in ("geom_condim", "pair_dim"):
        values = _numbers(m, name)
        if at := wrong_at(name, values, ~np.isin(values, _DIMENSIONS)):
            yield f"{name} has something other than {_DIMENSIONS}{at}"


def _of_kinds(m: ModelBlock, name: str, kind: str, sizes: dict[int, int], column: int | None = None) -> Iterator[str]:
    """Numbers of elements whose kinds another field has, -1 for none. sizes: how many of each kind there are."""
    kinds, ids = _numbers(m, kind), _numbers(m, name)
    within = slice(None) if column is None else (slice(None), column)
    ends = np.array([sizes.get(int(one), 0) for one in kinds], np.int64)
    wrong = np.zeros(ids.shape, bool)
    wrong[within] = (ids[within] < -1) | (ids[within] >= np.maximum(ends, 0))
    if at := wrong_at(name, ids, wrong):
        yield f"{name} leads beyond the elements of its type{at}"


def _counted(m: ModelBlock) -> dict[int, int]:
    """Number of elements by kind (mjtObj)."""
    return {kind: getattr(m, known.count) for kind, known in KINDS.items()} | {int(mjtObj.mjOBJ_DOF): m.nv}


def _equalities(m: ModelBlock) -> Iterator[str]:
    kinds, counted = _numbers(m, "eq_type"), _counted(m)
    if at := outside("eq_type", kinds, 0, max(mjtEq) + 1):
        yield f"eq_type has an unknown type{at}"
    coupled = {int(mjtEq.mjEQ_JOINT): m.njnt, int(mjtEq.mjEQ_TENDON): m.ntendon} | {int(kind): m.nflex for kind in _OF_FLEX}
    objects = _numbers(m, "eq_objtype").tolist()
    ends = [coupled.get(kind, counted.get(obj, 0)) for kind, obj in zip(kinds.tolist(), objects, strict=True)]
    for name, low in (("eq_obj1id", 0), ("eq_obj2id", -1)):
        values = _numbers(m, name)
        if at := wrong_at(name, values, (values < low) | (values >= np.array(ends, np.int64))):
            yield f"{name} leads beyond the elements of its type, or to nothing{at}"


def _actuators(m: ModelBlock) -> Iterator[str]:
    kinds, ids = _numbers(m, "actuator_trntype"), _numbers(m, "actuator_trnid")
    if at := outside("actuator_trntype", kinds, 0, len(mjtTrn) - 1):
        yield f"actuator_trntype has an unknown type{at}"
    slides = kinds == mjtTrn.mjTRN_SLIDERCRANK
    if at := wrong_at("actuator_trnid", ids, (ids < 0) & np.stack((np.ones_like(slides), slides), 1)):
        yield f"actuator_trnid leads to nothing{at}"
    for k in range(2):
        yield from _of_kinds(m, "actuator_trnid", "actuator_trntype", {int(n): getattr(m, size) for n, size in _MOVED.items()}, k)
    counts = _numbers(m, "actuator_actnum")
    if at := wrong_at("actuator_actnum", counts, (_numbers(m, "actuator_dyntype") != mjtDyn.mjDYN_NONE) & (counts < 1)):
        yield f"actuator_dyntype needs an activation, which the actuator does not have{at}"


def _wraps(m: ModelBlock) -> Iterator[str]:
    ids = _numbers(m, "wrap_objid")
    if at := wrong_at("wrap_objid", ids, (ids < 0) & np.isin(_numbers(m, "wrap_type"), list(_WRAPPED))):
        yield f"wrap_objid leads to nothing{at}"
    yield from _of_kinds(m, "wrap_objid", "wrap_type", {int(kind): getattr(m, size) for kind, size in _WRAPPED.items()})


def _sensors(m: ModelBlock) -> Iterator[str]:
    for kind, name in (("sensor_objtype", "sensor_objid"), ("sensor_reftype", "sensor_refid")):
        yield from _of_kinds(m, name, kind, _counted(m))
    if at := outside("sensor_type", _numbers(m, "sensor_type"), 0, max(mjtSensor) + 1):
        yield f"sensor_type has an unknown type{at}"


def _tendons(m: ModelBlock) -> Iterator[str]:
    trees, counts = _numbers(m, "tendon_treeid"), _numbers(m, "tendon_treenum")
    if at := wrong_at("tendon_treenum", counts, (counts < 0) | ((trees < 0) & (np.arange(2) < counts[:, None])).any(1)):
        yield f"tendon_treenum counts trees that tendon_treeid does not have{at}"


def _tuples(m: ModelBlock) -> Iterator[str]:
    yield from _of_kinds(m, "tuple_objid", "tuple_objtype", _counted(m))


def _geoms(m: ModelBlock) -> Iterator[str]:
    """Meshes and height fields of geoms."""
    kinds, data = _numbers(m, "geom_type"), _numbers(m, "geom_dataid")
    if at := outside("geom_type", kinds, 0, mjtGeom.mjNGEOMTYPES):
        yield f"geom_type has an unknown type{at}"
    field = kinds == mjtGeom.mjGEOM_HFIELD
    shaped = np.isin(kinds, (mjtGeom.mjGEOM_MESH, mjtGeom.mjGEOM_SDF))
    sdf = (kinds == mjtGeom.mjGEOM_SDF) & (_numbers(m, "geom_plugin") < 0)
    if at := wrong_at("geom_dataid", data, (data < field - 1) | (data >= np.where(field, m.nhfield, m.nmesh))):
        yield f"geom_dataid leads beyond the meshes or height fields{at}"
    elif at := wrong_at("geom_dataid", data, shaped & (data < 0)):
        yield f"geom_dataid of a mesh leads to none{at}"
    elif (m.mesh_octnum[data[sdf]] <= 0).any():
        wrong = sdf.copy()
        wrong[sdf] = m.mesh_octnum[data[sdf]] <= 0
        yield f"geom_dataid of a signed distance field leads to a mesh without{wrong_at('geom_dataid', data, wrong)}"


def _fields_and_pictures(m: ModelBlock) -> Iterator[str]:
    """Samples of height fields, pixels of textures."""
    rows, columns, begin = (_numbers(m, f"hfield_{name}") for name in ("nrow", "ncol", "adr"))
    if at := wrong_at("hfield_adr", begin, (rows < 1) | (columns < 1) | ~is_part(begin, rows * columns, m.nhfielddata)):
        yield f"hfield_adr leads beyond its samples{at}"
    high, wide, channels, begin = (_numbers(m, f"tex_{name}") for name in ("height", "width", "nchannel", "adr"))
    negative = (high < 0) | (wide < 0) | (channels < 0)
    if at := wrong_at("tex_adr", begin, negative | ~is_part(begin, high * wide * channels, m.ntexdata)):
        yield f"tex_adr leads beyond its pixels{at}"


def _meshes(m: ModelBlock) -> Iterator[str]:
    for mesh in range(m.nmesh):
        yield from _mesh(m, mesh)


def _skins(m: ModelBlock) -> Iterator[str]:
    for skin in range(m.nskin):
        vertices, begin, bones = (int(m._arrays[f"skin_{name}"][skin]) for name in ("vertnum", "faceadr", "boneadr"))
        faces = m.skin_face[begin : begin + m.skin_facenum[skin]].astype(np.int64)
        at = outside("skin_face", faces, 0, vertices, begin)
        for b in range(bones, bones + int(m.skin_bonenum[skin])):
            begin = int(m.skin_bonevertadr[b])
            pulled = m.skin_bonevertid[begin : begin + m.skin_bonevertnum[b]].astype(np.int64)
            at = at or outside("skin_bonevertid", pulled, 0, vertices, begin)
        if at:
            yield f"skin_face or skin_bonevertid leads beyond the vertices of skin {skin}{at}"


def _mesh(m: ModelBlock, mesh: int) -> Iterator[str]:
    """Triangles, polygons and the hull of one mesh."""

    def number(name: str) -> int:
        return int(m._arrays[f"mesh_{name}"][mesh])

    def part(name: str, adr: str, num: str) -> Ints:
        return m._arrays[f"mesh_{name}"][number(adr) : number(adr) + number(num)].astype(np.int64)

    vertices, faces = number("vertnum"), number("faceadr")
    checks = {
        "mesh_face": (part("face", "faceadr", "facenum"), vertices, faces),
        "mesh_facenormal": (part("facenormal", "faceadr", "facenum"), number("normalnum"), faces),
    }
    if m.mesh_texcoordadr[mesh] >= 0:
        checks["mesh_facetexcoord"] = (part("facetexcoord", "faceadr", "facenum"), number("texcoordnum"), faces)
    nodes = slice(number("bvhadr"), number("bvhadr") + number("bvhnum"))
    if at := outside("bvh_nodeid", m._arrays["bvh_nodeid"][nodes], -1, number("facenum"), nodes.start):
        yield f"bvh_nodeid leads beyond the triangles of mesh {mesh}{at}"
    for name, (values, end, begin) in checks.items():
        if at := outside(name, values, 0, end, begin):
            yield f"{name} of mesh {mesh} leads beyond {end}{at}"
    lists = (("polyvert", "polyadr", "polynum", vertices), ("polymap", "vertadr", "vertnum", number("polynum")))
    for name, adr, num, end in lists:
        begins, counts = part(f"{name}adr", adr, num), part(f"{name}num", adr, num)
        if (place := _first_outside(m, f"mesh_{name}", begins, counts, end)) is not None:
            yield f"mesh_{name} of mesh {mesh} leads beyond {end}: mesh_{name}[{place}] is {m._arrays[f'mesh_{name}'][place]}"
    if m.mesh_graphadr[mesh] >= 0 and not _is_hull(_numbers(m, "mesh_graph")[number("graphadr") :], vertices):
        yield f"mesh_graph of mesh {mesh} is not a hull"


def _first_outside(m: ModelBlock, name: str, begins: Ints, counts: Ints, end: int) -> int | None:
    """Index of the first entry, in some parts of an array, that is not from 0 to end - 1; None: all are."""
    places = np.repeat(begins - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    values = m._arrays[name][places]
    wrong = (values < 0) | (values >= end)
    return int(places[np.argmax(wrong)]) if wrong.any() else None


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
        within(begin, 0, linked) and within(corners, 0, vertices) and within(triangles, 0, vertices)
        and within(edges, -1, n) and edges[-1] == -1
    )  # fmt: skip


# Checks of what several fields say together, by a pattern of the names of all fields that they read.
_CHECKS: tuple[tuple[str, Callable[[ModelBlock], Iterator[str]]], ...] = (
    ("(actuator|sensor)_history(adr)?|sensor_dim", _histories), ("body_(parent|root|weld)id|dof_parentid", _trees),
    ("dof_(tree|parent)id|tree_dof.*", _tree_dofs), ("M_.*|dof_treeid", _inertia), ("D_.*|dof_treeid", _square),
    ("(body|mesh|flex)_(bvh|oct).*|(bvh|oct)_.*", _boxes), ("jnt_.*", _joints),
    ("dof_simplenum", _dofs), ("geom_condim|pair_dim", _dimensions), ("eq_.*", _equalities), ("actuator_.*", _actuators),
    ("wrap_.*", _wraps), ("tendon_tree.*", _tendons), ("sensor_.*", _sensors), ("tuple_.*", _tuples),
    ("geom_(type|dataid|plugin)|mesh_octnum", _geoms), ("(hfield|tex)_.*", _fields_and_pictures),
    ("mesh_.*|bvh_nodeid", _meshes), ("skin_.*", _skins), ("flex.*|bvh_.*", flex_strays),
)  # fmt: skip
