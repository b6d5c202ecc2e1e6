"""Mesh assets: which ones there are, where their data comes from, and what geoms of them look like."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from physics.compiler.assets.files import file_name
from physics.compiler.assets.mesh import store
from physics.compiler.assets.mesh.process import MeshShape, Recipe, process
from physics.compiler.assets.mesh.raw import MeshProblem, RawMesh
from physics.compiler.assets.mesh.read import contents, kind_of, problem_of, read_raw
from physics.compiler.assets.mesh.solid import SHELL
from physics.compiler.assets.sdf.function_mesh import function_mesh
from physics.compiler.plugins import Instance, Plugins
from physics.compiler.pose import IDENTITY, ZERO, Vec, quat_unit, vec3
from physics.mjcf import faults
from physics.mjcf.document import Document
from physics.mjcf.spec import Element


@dataclass(slots=True, eq=False)
class MeshAsset:
    """A mesh of the model; path: the file it came from, or ""."""

    element: Element
    shape: MeshShape
    path: str

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


def read_meshes(document: Document, elements: Iterable[Element], root: Element, plugins: Plugins) -> list[MeshAsset]:
    """All meshes of a model. plugins: those that make some of them. Raises MjcfError if one is wrong."""
    hulls, fields = colliding(root), distance_fields(root)

    def read(element: Element) -> MeshAsset:
        name = str(element.get("name", ""))
        return _read(document, element, plugins, name in hulls, name in fields)

    return faults.each(read, elements)


def _read(document: Document, element: Element, plugins: Plugins, hull: bool, field: bool) -> MeshAsset:
    file = file_name(element)
    if not element.get("name"):
        raise element.error("needs a name, by which geoms refer to it, or a file, whose name it takes")
    if element.has("maxhullvert") and -1 != element.get("maxhullvert") < 4:
        raise element.error(f"maxhullvert must be 4 or more, or -1 for no limit, is {element.get('maxhullvert')}")
    asked, made = recipe(element, hull), plugins.of(element)
    data = contents(document, element) if made < 0 else b""
    try:
        if made >= 0:
            return MeshAsset(element, _of_function(element, plugins.instances[made], asked), "")
        return MeshAsset(element, _shape(element, file, data, asked._replace(octree=field)), file)
    except MeshProblem as problem:
        raise problem_of(element, problem) from None


def _of_function(element: Element, instance: Instance, asked: Recipe) -> MeshShape:
    """The mesh of a signed distance function, in the function's frame. Raises MeshProblem."""
    if asked.scale != (1.0, 1.0, 1.0):
        raise MeshProblem("has a scale, which would take it from the function that it is made of; change the attributes of that")
    if asked.refpos != ZERO or asked.refquat != IDENTITY:
        element.warn("refpos and refquat are left out: the frame is that of the function that it is made of")
    raw, recipe = function_mesh(instance), asked._replace(refpos=ZERO, refquat=IDENTITY, fixed=True)
    source = b"".join(array.tobytes() for array in (raw.vertices, raw.faces, raw.normals))
    return _kept_or_made(store.key(source, "function", recipe, ""), lambda: raw, recipe)


def _shape(element: Element, file: str, data: bytes, asked: Recipe) -> MeshShape:
    """The mesh, made here or kept from before. Raises MeshProblem."""
    added = [np.asarray(element.get(name, ())).tolist() for name in ("normal", "texcoord", "face", "vertex")]
    name = store.key(data, kind_of(element, file), asked, repr(added)) if file else ""
    return _kept_or_made(name, lambda: read_raw(element, data), asked)


def _kept_or_made(name: str, raw: Callable[[], RawMesh], recipe: Recipe) -> MeshShape:
    """The mesh that is kept under a key, or made of its source and then kept; "": neither looked for nor kept."""
    kept = store.read(name)
    if kept is None:
        kept = process(raw(), recipe)
        store.write(name, kept)
    return kept


def recipe(element: Element, hull: bool) -> Recipe:
    """How an element wants its mesh processed."""
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
    todo = list(root.all("worldbody"))
    while todo:
        element = todo.pop()
        yield from element.all("geom")
        todo += element.all("body", "frame")
