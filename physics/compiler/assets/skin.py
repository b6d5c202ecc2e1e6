"""Skins: triangles whose corners follow several bodies, their bones, each with a weight.

The binary file: four integers (vertices, texture coordinates, triangles, bones), then the vertices, the texture
coordinates and the triangles' corners, and for each bone 40 bytes of its body's name, its pose in which the skin was
bound, the number of its vertices, their indices and their weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.compiler.assets.asset_files import file_name, open_file
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.constants import mjMINVAL

_NAME = 40  # bytes of a body's name in a file
_GROUPS = 6

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


class Bone(Struct, eq=False):
    """One bone: the body it follows, its pose in the binding, and the vertices it pulls.

    element: where it is written; the skin, for a bone of a file. pos (3,) [m], quat (4,), vertid (n,), weight (n,).
    """

    element: Element
    body: str
    pos: Floats
    quat: Floats
    vertid: Ints
    weight: Floats


class Skin(Struct, eq=False):
    """One skin as the model stores it: vert (n, 3) [m], texcoord (n, 2) or (0, 2), face (k, 3); path: its file, or ""."""

    element: Element
    vert: Floats
    texcoord: Floats
    face: Ints
    bones: list[Bone]
    path: str


def read_skins(document: Document, elements: Iterable[Element]) -> list[Skin]:
    """All skins of a model. Raises MjcfError if one cannot be read."""
    return faults.each(partial(_read, document), elements)


def _read(document: Document, element: Element) -> Skin:
    if not 0 <= element.get("group") < _GROUPS:
        raise element.error(f"group must be 0 to {_GROUPS - 1}, is {element.get('group')}")
    file = file_name(element)
    written = [name for name in ("vertex", "texcoord", "face") if np.size(element.get(name, ()))]
    written += ["bones"] if element.children else []
    if file and written:
        raise element.error(f"has both a file and {', '.join(written)}: the file brings everything")
    skin = _from_file(document, element, file) if file else _inline(element)
    _check(skin)
    for bone in skin.bones:
        _bind(bone, len(skin.vert))
    _share(skin)
    return skin


def _inline(element: Element) -> Skin:
    arrays = []
    for name, width in (("vertex", 3), ("texcoord", 2), ("face", 3)):
        values = np.atleast_1d(np.asarray(element.get(name, ())))
        if values.size % width:
            raise element.error(f"{name} needs {width} numbers for each, has {values.size}")
        arrays.append(values.reshape(-1, width))
    vert, texcoord, face = arrays
    return Skin(element, vert.astype(np.float32), texcoord.astype(np.float32), face.astype(np.int32),
                [_bone(bone) for bone in element.all("bone")], "")  # fmt: skip


def _bone(element: Element) -> Bone:
    vertid, weight = np.atleast_1d(element.get("vertid")), np.atleast_1d(element.get("vertweight"))
    return Bone(element, str(element.get("body")), np.asarray(element.get("bindpos"), np.float32),
                np.asarray(element.get("bindquat"), np.float32), vertid.astype(np.int32), weight.astype(np.float32))  # fmt: skip


# ---------------------------------------------------------------- binary files


class _Reader:
    """Takes one array after the other out of a file's bytes."""

    def __init__(self, element: Element, file: str, data: bytes) -> None:
        self._element, self._file, self._data = element, file, data
        self.at = 0

    def take(self, what: str, dtype: str, *shape: int) -> np.ndarray:
        """The next numbers. Raises MjcfError, with the byte, if the file ends before."""
        count = int(np.prod(shape, dtype=object))
        size = count * np.dtype(dtype).itemsize
        if self.at + size > len(self._data):
            raise self.error(f"at byte {self.at}: needs {size} bytes of {what}, only {len(self._data) - self.at} are left")
        values = np.frombuffer(self._data, dtype, count, self.at).reshape(shape)
        self.at += size
        return values

    def error(self, what: str) -> Exception:
        """An error in the file, to be raised."""
        return self._element.error(f'file "{self._file}" {what}')


def _from_file(document: Document, element: Element, file: str) -> Skin:
    data = open_file(document, element, file, element.settings.meshdir)
    if not file.lower().endswith(".skn"):
        raise element.error(f'file "{file}" must have a name that ends in .skn')
    reader = _Reader(element, file, data)
    counts = [int(n) for n in reader.take("counts", "<i4", 4)]
    if min(counts) < 0:
        raise reader.error("at byte 0: has negative counts " + " ".join(map(str, counts)))
    nvert, ntexcoord, nface, nbone = counts
    vert = reader.take("vertices", "<f4", nvert, 3)
    texcoord = reader.take("texture coordinates", "<f4", ntexcoord, 2)
    face = reader.take("triangles", "<i4", nface, 3)
    bones = [_file_bone(reader, element, k) for k in range(nbone)]
    if reader.at != len(data):
        raise reader.error(f"has {len(data) - reader.at} bytes too many, from byte {reader.at}")
    return Skin(element, vert, texcoord, face, bones, file)


def _file_bone(reader: _Reader, element: Element, k: int) -> Bone:
    name = reader.take(f"the body of bone {k}", "u1", _NAME).tobytes()[: _NAME - 1].partition(b"\0")[0]
    pos, quat = reader.take(f"bone {k}", "<f4", 3), reader.take(f"bone {k}", "<f4", 4)
    count = int(reader.take(f"bone {k}", "<i4", 1)[0])
    if count < 1:
        raise reader.error(f"at byte {reader.at - 4}: bone {k} has {count} vertices; 1 is the least")
    vertid = reader.take(f"vertices of bone {k}", "<i4", count)
    weight = reader.take(f"weights of bone {k}", "<f4", count)
    return Bone(element, name.decode(errors="replace"), pos, quat, vertid, weight)


# ---------------------------------------------------------------- checks


def _check(skin: Skin) -> None:
    element = skin.element
    for name, values in (("vertex", skin.vert), ("face", skin.face), ("bone", skin.bones)):
        if not len(values):
            raise element.error(f"has no {name}: a skin needs vertices, faces and bones, written here or in a file")
    if len(skin.texcoord) not in (0, len(skin.vert)):
        raise element.error(f"has {len(skin.texcoord)} texture coordinates for {len(skin.vert)} vertices")
    for name, values in (("vertex", skin.vert), ("texcoord", skin.texcoord)):
        wild = np.flatnonzero(~np.isfinite(values).all(axis=1))
        if wild.size:
            raise element.error(f"{name} {wild[0]} is not a number, or not finite")
    wrong = np.flatnonzero(((skin.face < 0) | (skin.face >= len(skin.vert))).any(axis=1))
    if wrong.size:
        corners = " ".join(map(str, skin.face[wrong[0]].tolist()))
        raise element.error(f"face {wrong[0]} has the corners {corners}; there are the vertices 0 to {len(skin.vert) - 1}")


def _bind(bone: Bone, nvert: int) -> None:
    """Check a bone, and make its quaternion a unit one."""
    element = bone.element
    if bone.vertid.size != bone.weight.size:
        raise element.error(f"has {bone.vertid.size} vertid and {bone.weight.size} vertweight: there must be as many")
    wrong = bone.vertid[(bone.vertid < 0) | (bone.vertid >= nvert)]
    if wrong.size:
        raise element.error(f'vertid {wrong[0]} of the bone of body "{bone.body}" is not a vertex; there are 0 to {nvert - 1}')
    if not all(np.isfinite(values).all() for values in (bone.pos, bone.quat, bone.weight)):
        raise element.error(f'the bone of body "{bone.body}" has a pose or a weight that is not a finite number')
    length = float(np.linalg.norm(bone.quat.astype(float)))
    if length < mjMINVAL:
        element.warn("bindquat is all zeros: the vertices that this bone pulls go to where its body is")
    else:
        bone.quat = (bone.quat / length).astype(np.float32)


def _share(skin: Skin) -> None:
    """Scale the weights so that those of each vertex add up to 1."""
    total = np.zeros(len(skin.vert))
    for bone in skin.bones:
        np.add.at(total, bone.vertid, bone.weight.astype(float))
    lacking = np.flatnonzero(~(total > mjMINVAL))
    if lacking.size:
        raise skin.element.error(f"vertex {lacking[0]} follows no bone: its weights must add up to more than 0")
    for bone in skin.bones:
        bone.weight = (bone.weight / total[bone.vertid]).astype(np.float32)


def sizes(skins: Sequence[Skin]) -> dict[str, int]:
    """The sizes of a model that its skins determine."""
    bones = [bone for skin in skins for bone in skin.bones]
    return {"nskinvert": sum(len(s.vert) for s in skins),
            "nskintexvert": sum(len(s.texcoord) for s in skins), "nskinface": sum(len(s.face) for s in skins),
            "nskinbone": len(bones), "nskinbonevert": sum(bone.vertid.size for bone in bones)}  # fmt: skip
