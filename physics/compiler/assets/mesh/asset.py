"""Mesh assets: which ones there are, where their data comes from, and what geoms of them look like."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct

from tumble.physics.compiler.assets.asset_files import file_name
from tumble.physics.compiler.assets.mesh import store
from tumble.physics.compiler.assets.mesh.hull import import_early
from tumble.physics.compiler.assets.mesh.polygons import Polygons
from tumble.physics.compiler.assets.mesh.process import MeshShape, Recipe, begin
from tumble.physics.compiler.assets.mesh.raw import MeshProblem, RawMesh
from tumble.physics.compiler.assets.mesh.read import contents, kind_of, problem_of, read_raw
from tumble.physics.compiler.assets.mesh.solid import SHELL
from tumble.physics.compiler.assets.sdf.isosurface import function_mesh
from tumble.physics.compiler.assets.sdf.octree import Octree
from tumble.physics.compiler.fill import lay_out
from tumble.physics.compiler.kernels import MESH_KERNELS
from tumble.physics.compiler.plugins import Instance, Plugins
from tumble.physics.compiler.pose import IDENTITY, ZERO, Vec, quat_unit, vec3
from tumble.physics.compiler.progress import HULLS, tell
from tumble.physics.compiler.workers import Job, Workers
from tumble.physics.errors import MjcfError
from tumble.physics.kernel.prepare import load
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.spec import Element, tree_of
from tumble.physics.state.model import Model

T = TypeVar("T")

Announce = Callable[[Element], None]

_AHEAD = 3  # meshes for each worker whose files are read before they are waited for


class MeshAsset(Struct, eq=False):
    """A mesh of the model; path: the file it came from, or "".

    finish: makes the shape with hull and trees, None where it has them; rest: the same at work. key: under which it is to be
    kept, or "".
    """

    element: Element
    shape: MeshShape
    finish: Callable[[], MeshShape] | None
    path: str
    key: str = ""
    rest: Job[MeshShape] | None = None

    @property
    def name(self) -> str:
        """The name by which geoms refer to it."""
        return str(self.element.get("name", ""))

    @property
    def size(self) -> Vec:
        """The furthest that it reaches from its centre, along each axis: what a geom of it has for a size."""
        x, y, z = (max(abs(low), abs(high)) for low, high in zip(self.shape.low, self.shape.high, strict=True))
        return x, y, z

    @property
    def bounds(self) -> tuple[float, ...]:
        """Centre and half lengths of the box along its axes that holds it."""
        pairs = list(zip(self.shape.low, self.shape.high, strict=True))
        return (*(0.5 * (low + high) for low, high in pairs), *(0.5 * (high - low) for low, high in pairs))

    @property
    def inertia_box(self) -> Vec:
        """Half lengths of the box of the same volume that has the same inertia."""
        a, b, c = self.shape.inertia
        x, y, z = (0.5 * math.sqrt(max(0.0, 6 * s / self.shape.amount)) for s in (b + c - a, a + c - b, a + b - c))
        return x, y, z


def read_meshes(
    document: Document, elements: Sequence[Element], announce: Announce, root: Element, plugins: Plugins, workers: Workers
) -> list[MeshAsset]:
    """All meshes of a model, as they are drawn; `finish_meshes` waits for the rest, on which the workers are by then.

    announce: called with each element whose mesh is waited for, in their order. plugins: those that make some of them. Raises
    MjcfError for the first mesh that is wrong, where errors are not gathered.
    """
    if elements:
        load(MESH_KERNELS)  # here, not by the workers
    hulls, fields = colliding(root), distance_fields(root)
    meshes: list[MeshAsset] = []
    waiting: deque[tuple[Element, Job[MeshAsset] | MjcfError]] = deque()

    def take() -> None:
        element, task = waiting.popleft()
        announce(element)
        with faults.tolerated():
            if isinstance(task, MjcfError):
                raise task
            meshes.append(_of(task, element))

    def go_on() -> None:
        for mesh in meshes:  # once all can be drawn: a hull must not come before a mesh that is still to be read
            mesh.rest = None if mesh.finish is None else workers.submit(mesh.finish)

    try:
        for element in elements:
            name = str(element.get("name", ""))
            try:
                waiting.append((element, workers.submit(_job(document, element, plugins, name in hulls, name in fields))))
            except MjcfError as error:
                waiting.append((element, error))
            if len(waiting) > _AHEAD * workers.count:
                take()
        while waiting:
            take()
    except MjcfError:
        go_on()
        finish_meshes(meshes)  # raises what is wrong with a mesh before
        raise
    go_on()
    return meshes


def finish_meshes(meshes: Sequence[MeshAsset]) -> None:
    """Wait for the hulls, polygons and trees of meshes, and keep what was made. Raises MjcfError for the first that has none."""
    todo = [mesh for mesh in meshes if mesh.rest is not None]
    for k, mesh in enumerate(todo):
        tell(k + 1, len(todo), mesh.path or mesh.name, HULLS)
        assert mesh.rest is not None
        with faults.tolerated():
            mesh.shape = _of(mesh.rest, mesh.element)
            mesh.finish = mesh.rest = None
    store.write_later([(mesh.key, mesh.shape) for mesh in todo if mesh.key and mesh.finish is None])


def _of(task: Job[T], element: Element) -> T:
    try:
        return task.result()
    except MeshProblem as problem:
        raise problem_of(element, problem) from None


def _job(document: Document, element: Element, plugins: Plugins, hull: bool, field: bool) -> Callable[[], MeshAsset]:
    """Loader of a mesh, without its hull. Raises MjcfError for an invalid element or file."""
    file = file_name(element)
    if not element.get("name"):
        raise element.error("needs a name, by which geoms refer to it, or a file, whose name it takes")
    if element.has("maxhullvert") and -1 != element.get("maxhullvert") < 4:
        raise element.error(f"maxhullvert must be 4 or more, or -1 for no limit, is {element.get('maxhullvert')}")
    asked, made = recipe(element, hull), plugins.of(element)
    if made >= 0:
        return lambda: _of_function(element, plugins.instances[made], asked)
    data = contents(document, element)
    return lambda: _of_file(element, file, data, asked._replace(octree=field))


def _of_function(element: Element, instance: Instance, asked: Recipe) -> MeshAsset:
    """The mesh of a signed distance function, in the function's frame. Raises MeshProblem."""
    if asked.scale != (1.0, 1.0, 1.0):
        raise MeshProblem("has a scale, which would take it from the function that it is made of; change the attributes of that")
    if asked.refpos != ZERO or asked.refquat != IDENTITY:
        element.warn("refpos and refquat are left out: the frame is that of the function that it is made of")
    raw, recipe = function_mesh(instance), asked._replace(refpos=ZERO, refquat=IDENTITY, fixed=True)
    source = b"".join(array.tobytes() for array in (raw.vertices, raw.faces, raw.normals))
    return _kept_or_begun(element, "", store.key(source, "function", recipe, ""), lambda: raw, recipe)


def _of_file(element: Element, file: str, data: bytes, asked: Recipe) -> MeshAsset:
    """The mesh of an element with or without a file, made here or kept from before. Raises MeshProblem."""
    added = [np.asarray(element.get(name, ())).tolist() for name in ("normal", "texcoord", "face", "vertex", "params")]
    kind = kind_of(element, file) if file else f"builtin {element.get('builtin', 'none')}"
    key = store.key(data, kind, asked, repr(added))
    return _kept_or_begun(element, file, key, lambda: read_raw(element, data), asked)


def _kept_or_begun(element: Element, file: str, key: str, raw: Callable[[], RawMesh], recipe: Recipe) -> MeshAsset:
    """The mesh that is kept under a key, or made of its source but for its hull; "": neither looked for nor kept."""
    kept = store.read(key)
    if kept is not None:
        return MeshAsset(element, kept, None, file)
    if recipe.hull:
        import_early()
    return MeshAsset(element, *begin(raw(), recipe), file, key)


def recipe(element: Element, hull: bool) -> Recipe:
    """Processing options of a mesh element."""
    inertia = str(element.get("inertia"))
    if element.get("builtin") == "plate":  # has no volume, so only its surface can have mass
        inertia = SHELL
    return Recipe(
        vec3(element.get("scale")), vec3(element.get("refpos")), quat_unit(element.get("refquat")),
        bool(element.get("smoothnormal")), int(element.get("maxhullvert")), inertia, hull,
    )  # fmt: skip


def colliding(root: Element) -> frozenset[str]:
    """The names of meshes whose hull can touch something: those of geoms that collide or that a contact pair names."""
    paired = {pair.get(name) for contact in root.all("contact") for pair in contact.all("pair") for name in ("geom1", "geom2")}
    found = set()
    for geom in _geoms(root):
        touches = geom.get("contype", 1) or geom.get("conaffinity", 1) or (geom.get("name") or None) in paired
        if geom.get("type") in ("mesh", "sdf") and geom.get("mesh") and touches:
            found.add(str(geom.get("mesh")))
    return frozenset(found)


def distance_fields(root: Element) -> frozenset[str]:
    """The names of meshes that geoms have as signed distance fields."""
    return frozenset(str(geom.get("mesh")) for geom in _geoms(root) if geom.get("type") == "sdf" and geom.get("mesh"))


def _geoms(root: Element) -> Iterator[Element]:
    return (element for world in root.all("worldbody") for element in tree_of(world) if element.tag == "geom")


# A row of the model for each row of the mesh: field, size, address and number, and where the mesh has it.
_ROWS = (
    ("vert", "nmeshvert", "vertices"), ("normal", "nmeshnormal", "normals"), ("texcoord", "nmeshtexcoord", "texcoords"),
    ("face", "nmeshface", "faces"), ("graph", "nmeshgraph", "graph"),
)  # fmt: skip


def mesh_sizes(meshes: Sequence[MeshAsset]) -> dict[str, int]:
    """The sizes of the model that meshes make; the nodes of their trees are among `nbvh`."""
    sizes = {size: sum(len(getattr(mesh.shape, name)) for mesh in meshes) for _, size, name in _ROWS}
    return sizes | {
        "noct": sum(len(mesh.shape.octree.depth) for mesh in meshes),
        "nmeshpoly": sum(len(mesh.shape.polygons.vertadr) for mesh in meshes),
        "nmeshpolyvert": sum(len(mesh.shape.polygons.vert) for mesh in meshes),
        "nmeshpolymap": sum(len(mesh.shape.polygons.map) for mesh in meshes),
    }


def fill_meshes(meshes: Sequence[MeshAsset], m: Model) -> None:
    """Write the meshes of a model, but for their trees and their files' names."""
    shapes = [mesh.shape for mesh in meshes]
    for i, (mesh, shape) in enumerate(zip(meshes, shapes, strict=True)):
        m.mesh_pos[i], m.mesh_quat[i], m.mesh_scale[i] = shape.pos, shape.quat, mesh.element.get("scale")
    begins = {}
    for kind, _, name in _ROWS:
        parts = [getattr(shape, name) for shape in shapes]
        number, empty = "" if kind == "graph" else f"mesh_{kind}num", -1 if kind in ("texcoord", "graph") else None
        begins[kind] = lay_out(m, list(map(len, parts)), f"mesh_{kind}adr", number, empty, **{f"mesh_{kind}": parts})
    for first, shape in zip(begins["face"], shapes, strict=True):
        faces = slice(first, first + len(shape.faces))
        m.mesh_facenormal[faces], m.mesh_facetexcoord[faces] = shape.face_normals, shape.face_texcoords
    _fill_polygons([shape.polygons for shape in shapes], begins["vert"], m)
    trees = [shape.octree for shape in shapes]
    arrays = {f"oct_{name}": [getattr(tree, name) for tree in trees] for name in Octree.__struct_fields__}
    lay_out(m, [len(tree.depth) for tree in trees], "mesh_octadr", "mesh_octnum", -1, **arrays)


def _fill_polygons(all_of: list[Polygons], vertices: np.ndarray, m: Model) -> None:
    """Write the polygons of hulls; vertices: where those of each mesh begin."""
    corners = lay_out(m, [len(one.vert) for one in all_of], "", mesh_polyvert=[one.vert for one in all_of])
    entries = lay_out(m, [len(one.map) for one in all_of], "", mesh_polymap=[one.map for one in all_of])
    lay_out(m, [len(one.vertadr) for one in all_of], "mesh_polyadr", "mesh_polynum",
            mesh_polynormal=[one.normal for one in all_of], mesh_polyvertnum=[one.vertnum for one in all_of],
            mesh_polyvertadr=[one.vertadr + begin for one, begin in zip(all_of, corners, strict=True)])  # fmt: skip
    for one, vertex, entry in zip(all_of, vertices, entries, strict=True):
        here = slice(vertex, vertex + len(one.mapadr))  # none of a mesh that is not finished
        m.mesh_polymapadr[here], m.mesh_polymapnum[here] = one.mapadr + entry, one.mapnum
