"""Meshes as arrays of the model."""

from __future__ import annotations

from collections.abc import Sequence

from tumble.physics.compiler.assets.mesh.asset import MeshAsset
from tumble.physics.state.model import Model

# A row of the model for each row of the mesh: field, size, address and number, and where the mesh has it.
_ROWS = (
    ("vert", "nmeshvert", "vertices"), ("normal", "nmeshnormal", "normals"), ("texcoord", "nmeshtexcoord", "texcoords"),
    ("face", "nmeshface", "faces"), ("graph", "nmeshgraph", "graph"),
)  # fmt: skip


def mesh_sizes(meshes: Sequence[MeshAsset]) -> dict[str, int]:
    """The sizes of the model that meshes make; the nodes of their trees are among `nbvh`."""
    sizes = {size: sum(len(getattr(mesh.shape, name)) for mesh in meshes) for _, size, name in _ROWS}
    return sizes | {
        "nmesh": len(meshes), "noct": sum(len(mesh.shape.octree.depth) for mesh in meshes),
        "nmeshpoly": sum(len(mesh.shape.polygons.vertadr) for mesh in meshes),
        "nmeshpolyvert": sum(len(mesh.shape.polygons.vert) for mesh in meshes),
        "nmeshpolymap": sum(len(mesh.shape.polygons.map) for mesh in meshes),
    }


def fill_meshes(meshes: Sequence[MeshAsset], m: Model) -> None:
    """Write the meshes of a model, but for their trees and their files' names."""
    at = dict.fromkeys(("vert", "normal", "texcoord", "face", "graph", "poly", "polyvert", "polymap", "oct"), 0)
    m.mesh_octadr = -1
    for i, mesh in enumerate(meshes):
        shape = mesh.shape
        for kind, _, name in _ROWS:
            rows = getattr(shape, name)
            getattr(m, f"mesh_{kind}")[at[kind] : at[kind] + len(rows)] = rows
            getattr(m, f"mesh_{kind}adr")[i] = at[kind] if len(rows) or kind not in ("texcoord", "graph") else -1
            if kind != "graph":
                getattr(m, f"mesh_{kind}num")[i] = len(rows)
        faces = slice(at["face"], at["face"] + len(shape.faces))
        m.mesh_facenormal[faces], m.mesh_facetexcoord[faces] = shape.face_normals, shape.face_texcoords
        m.mesh_pos[i], m.mesh_quat[i], m.mesh_scale[i] = shape.pos, shape.quat, mesh.element.get("scale")
        _fill_polygons(mesh, i, at, m)
        _fill_octree(mesh, i, at, m)
        for kind, _, name in _ROWS:
            at[kind] += len(getattr(shape, name))


def _fill_polygons(mesh: MeshAsset, i: int, at: dict[str, int], m: Model) -> None:
    polygons = mesh.shape.polygons
    count, corners, entries = len(polygons.vertadr), len(polygons.vert), len(polygons.map)
    m.mesh_polynum[i], m.mesh_polyadr[i] = count, at["poly"]
    here = slice(at["poly"], at["poly"] + count)
    m.mesh_polynormal[here] = polygons.normal
    m.mesh_polyvertadr[here], m.mesh_polyvertnum[here] = polygons.vertadr + at["polyvert"], polygons.vertnum
    m.mesh_polyvert[at["polyvert"] : at["polyvert"] + corners] = polygons.vert
    here = slice(at["vert"], at["vert"] + len(polygons.mapadr))  # none of a mesh that is not finished
    m.mesh_polymapadr[here], m.mesh_polymapnum[here] = polygons.mapadr + at["polymap"], polygons.mapnum
    m.mesh_polymap[at["polymap"] : at["polymap"] + entries] = polygons.map
    for kind, number in (("poly", count), ("polyvert", corners), ("polymap", entries)):
        at[kind] += number


def _fill_octree(mesh: MeshAsset, i: int, at: dict[str, int], m: Model) -> None:
    octree = mesh.shape.octree
    count = len(octree.depth)
    if count:
        here = slice(at["oct"], at["oct"] + count)
        m.mesh_octadr[i], m.mesh_octnum[i] = at["oct"], count
        m.oct_depth[here], m.oct_child[here] = octree.depth, octree.child
        m.oct_aabb[here], m.oct_coeff[here] = octree.aabb, octree.coeff
        at["oct"] += count
