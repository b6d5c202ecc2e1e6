"""A patch of a model that gives a mesh geom its convex parts: new meshes, new geoms, and the whole one only for display."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.base.keys_in_text import with_keys
from tumble.app.decompose.parts import ConvexPart, DecomposeError, obj, part_names, tag
from tumble.app.editing.patch import FilePatch, PatchError, attribute_spans, read, require_mjcf
from tumble.physics.base.files import file_stem
from tumble.physics.compiler.assets.mesh.raw import MeshProblem
from tumble.physics.compiler.assets.mesh.read import contents, read_raw, triangles
from tumble.physics.compiler.compile import compile, outline
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.state.model import Model

if TYPE_CHECKING:
    from tumble.physics.compiler.draft import Geom
    from tumble.physics.mjcf.document import Document
    from tumble.physics.mjcf.spec import Element, Where

# What a part takes from its own elements; all else it has as the whole mesh and its geom have it.
_OF_MESH = frozenset({"name", "file", "content_type", "vertex", "face", "normal", "texcoord", "material", "builtin", "params"})
_OF_GEOM = frozenset({"name", "mesh", "type", "mass", "density", "material", "rgba", "group"})
PART_GROUP = 3  # where models keep what only collides, and which is not shown at first


class CutPatch(Struct, frozen=True):
    """Everything to be written. patches: of the model's text; files: of the parts, by path; left: remarks, a line each."""

    patches: list[FilePatch]
    files: dict[Path, bytes]
    left: list[str]


def mesh_of(path: Path, index: int) -> tuple[Document, Geom, Element]:
    """The document at `path`, its geom of that number, and the <mesh> it shows.

    Raises DecomposeError if it shows none, PatchError where the file does not load.
    """
    try:
        document = read_path(str(path))
        draft = outline(document)
    except PhysicsError as error:
        raise PatchError(f"the file no longer loads: {error}") from error
    require_mjcf(document)
    if not 0 <= index < len(draft.geoms):
        raise PatchError(with_keys("the file has changed since it was loaded: reload it (Ctrl+L)"))
    geom = draft.geoms[index]
    meshes = [mesh for section in document.root.all("asset") for mesh in section.all("mesh")]
    mesh = next((mesh for mesh in meshes if mesh.get("name") == geom.element.get("mesh")), None)
    if geom.element.get("type") != "mesh" or mesh is None:
        raise DecomposeError("only a geom whose type is mesh can be cut into parts: this one is a primitive shape")
    return document, geom, mesh


def triangles_of(document: Document, mesh: Element) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The vertices (n, 3), in the units of its file, and triangles (m, 3) of a <mesh>. Raises DecomposeError."""
    try:
        return triangles(read_raw(mesh, contents(document, mesh)))
    except (MeshProblem, PhysicsError) as error:
        raise DecomposeError(str(error)) from error


def cut(path: Path, index: int, parts: Sequence[ConvexPart]) -> CutPatch:
    """The change that makes geom `index` of the model at `path` collide by its parts.

    The parts are written into a folder of the mesh's name, in the folder of meshes. The changed text is compiled before
    anything is written, and must give the same model and the parts. Raises DecomposeError, PatchError.
    """
    document, geom, mesh = mesh_of(path, index)
    texts = {source: read(source) for source in document.sources}
    for element in (geom.element, mesh):
        if element.where.file not in texts or element.where.offset < 0:
            raise DecomposeError("this geom is made by another element of the file, in which its parts cannot be written")
    stem = str(mesh.get("name"))
    named = file_stem(stem)
    folder = os.path.join(mesh.settings.meshdir, f"{named}_parts")
    files = {
        Path(document.directory, mesh.settings.folder, folder, f"{name}.obj"): obj(part)
        for name, part in zip(part_names(named, len(parts)), parts, strict=True)
    }
    after = _written(texts, geom.element.where, mesh.where, stem, len(parts), stripped=mesh.settings.strippath)
    _require_loads(path, after, files, document, geom, len(parts))
    patches = [FilePatch(Path(file), texts[file], after[file]) for file in texts if after[file] != texts[file]]
    return CutPatch(patches, files, _remarks(document, geom))


def _written(
    texts: Mapping[str, bytes], geom: Where, mesh: Where, stem: str, count: int, *, stripped: bool
) -> dict[str, bytes]:
    """The texts with the new elements; from the end to the beginning of each file, so that places stay true."""
    after = dict(texts)
    for where in sorted((geom, mesh), key=lambda place: -place.offset):
        data = after[where.file]
        spans, _ = attribute_spans(data, where.offset)
        written = {name: unescape(data[start:stop].decode("utf-8")) for name, (start, stop) in spans.items()}
        names = part_names(stem, count)
        if where is mesh:
            kept = {name: value for name, value in written.items() if name not in _OF_MESH}
            place = "" if stripped else f"{file_stem(stem)}_parts/"
            paths = (f"{place}{file}.obj" for file in part_names(file_stem(stem), count))
            lines = [tag("mesh", {"name": name, "file": file} | kept) for name, file in zip(names, paths, strict=True)]
        else:
            kept = {name: value for name, value in written.items() if name not in _OF_GEOM}
            own = written.get("name", "")
            named = [{"name": name} if own else {} for name in part_names(own, count)]
            fixed = {"group": str(PART_GROUP), "mass": "0"}
            lines = [tag("geom", named[k] | {"type": "mesh", "mesh": names[k]} | kept | fixed) for k in range(count)]
        data = _inserted(data, where.offset, lines)
        if where is geom:
            data = _with_attributes(data, where.offset, {"contype": "0", "conaffinity": "0"})
        after[where.file] = data
    return after


def _inserted(data: bytes, start: int, lines: Sequence[str]) -> bytes:
    """Lines behind the element that begins at `start`, indented as it is."""
    end = _element_end(data, start)
    begin = data.rfind(b"\n", 0, start) + 1
    lead = data[begin:start]
    indent = lead[: len(lead) - len(lead.lstrip())].decode()
    newline = "\r\n" if b"\r\n" in data else "\n"
    return data[:end] + "".join(f"{newline}{indent}{line}" for line in lines).encode() + data[end:]


def _element_end(data: bytes, start: int) -> int:
    """Offset at which the element that begins at `start` ends; it must not contain its own kind."""
    _, at = attribute_spans(data, start)
    close = data.index(b">", at) + 1
    if data[at:close].strip() == b"/>":
        return close
    tag = data[start + 1 : at].split()[0].rstrip(b">")
    return data.index(b">", data.index(b"</" + tag, close)) + 1


def _with_attributes(data: bytes, start: int, values: Mapping[str, str]) -> bytes:
    spans, end = attribute_spans(data, start)
    edits = [(*spans[name], value) if name in spans else (end, end, f' {name}="{value}"') for name, value in values.items()]
    for first, last, value in sorted(edits, key=lambda edit: edit[0])[::-1]:
        data = data[:first] + value.encode() + data[last:]
    return data


def _require_loads(
    path: Path, after: Mapping[str, bytes], files: Mapping[Path, bytes], document: Document, geom: Geom, count: int
) -> None:
    """Raise PatchError unless the changed text loads and has the parts, once for each geom that the element stands for."""
    texts = dict(after) | {str(file): data for file, data in files.items()}
    try:
        before = compile(read_path(str(path)), Model)
        model = compile(read_path(str(path), texts), Model)
    except PhysicsError as error:
        raise PatchError(f"the changed file would not load: {error}") from error
    alike = sum(other.element.where == geom.element.where for other in outline(document).geoms)
    if model.ngeom != before.ngeom + alike * count or model.nmesh != before.nmesh + count:
        raise PatchError("the changed file would not give the present model with these parts")


def _remarks(document: Document, geom: Geom) -> list[str]:
    name = geom.element.get("name", "")
    pairs = [pair for section in document.root.all("contact") for pair in section.all("pair")]
    named = [pair for pair in pairs if name and name in (pair.get("geom1"), pair.get("geom2"))]
    return [f"{pair.where}: <pair> names this geom, which still collides there as a whole" for pair in named]

