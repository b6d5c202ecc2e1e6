"""The formats that MJCF reads, written: STL, OBJ and MSH meshes, PNG images, binary height fields and skins.

All numbers are rounded before they are stored: sines differ in the last bit between processors, the files must not. Images
are stored without compression, whose bytes depend on the library; packages and git compress them anyway.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from solids import Polyhedron

_DIGITS = 6


def rounded(values: np.ndarray) -> np.ndarray:
    """Numbers as the files have them: little-endian single precision, without -0."""
    return (np.round(np.asarray(values, float), _DIGITS) + 0.0).astype("<f4")


def stl(solid: Polyhedron) -> bytes:
    """A binary STL file."""
    corner = rounded(solid.vertex)[solid.face]
    cross = np.cross(corner[:, 1].astype(float) - corner[:, 0], corner[:, 2].astype(float) - corner[:, 0])
    length = np.linalg.norm(cross, axis=1)
    corner, cross = corner[length > 0], cross[length > 0] / length[length > 0, None]
    record = np.zeros(len(corner), [("normal", "<f4", 3), ("corner", "<f4", (3, 3)), ("unused", "<u2")])
    record["normal"], record["corner"] = np.round(cross, 4) + 0.0, corner
    return b"Tumble".ljust(80) + struct.pack("<I", len(record)) + record.tobytes()


def obj(solid: Polyhedron, texcoord: np.ndarray | None = None) -> bytes:
    """An OBJ file, with one texture coordinate per vertex or none."""
    lines = ["v " + " ".join(f"{v:g}" for v in row) for row in np.round(solid.vertex, 5) + 0.0]
    mark = "{0}"
    if texcoord is not None:
        lines += ["vt " + " ".join(f"{v:g}" for v in row) for row in np.round(texcoord, 4) + 0.0]
        mark = "{0}/{0}"
    lines += ["f " + " ".join(mark.format(v + 1) for v in face) for face in solid.face]
    return ("\n".join(lines) + "\n").encode()


def msh(solid: Polyhedron, crease: float = 35.0) -> bytes:
    """A binary MSH file whose normals are smooth, save where the surface turns by more than `crease` degrees at once."""
    vertex, normal, face = _creased(solid, np.cos(np.radians(crease)))
    head = struct.pack("<4i", len(vertex), len(normal), 0, len(face))
    return head + rounded(vertex).tobytes() + rounded(normal).tobytes() + face.astype("<i4").tobytes()


def _creased(solid: Polyhedron, least: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The surface with a vertex for every normal: faces round a vertex share one where they are nearly parallel."""
    vertex, face = solid.vertex, solid.face
    cross = np.cross(vertex[face[:, 1]] - vertex[face[:, 0]], vertex[face[:, 2]] - vertex[face[:, 0]])
    length = np.linalg.norm(cross, axis=1)
    face, cross = face[length > 1e-12], cross[length > 1e-12]
    unit = cross / np.linalg.norm(cross, axis=1)[:, None]
    around: dict[int, list[int]] = {}
    for f, corners in enumerate(face.tolist()):
        for v in corners:
            around.setdefault(v, []).append(f)
    found: dict[tuple[int, tuple[float, ...]], int] = {}
    split = np.empty_like(face)
    for f, corners in enumerate(face.tolist()):
        for c, v in enumerate(corners):
            near = [g for g in around[v] if unit[g] @ unit[f] > least]
            normal = cross[near].sum(0)
            key = (v, tuple(np.round(normal / np.linalg.norm(normal), 3) + 0.0))
            split[f, c] = found.setdefault(key, len(found))
    return vertex[[v for v, _ in found]], np.array([n for _, n in found]), split


def png(image: np.ndarray, palette: np.ndarray | None = None) -> bytes:
    """A PNG file from (h, w) gray or palette indices, or (h, w, 3) colours, all of 8 bits; palette: (k, 3)."""
    height, width = image.shape[:2]
    kind = 3 if palette is not None else (2 if image.ndim == 3 else 0)
    rows = np.zeros((height, 1 + image.size // height), np.uint8)  # the first byte of a row: not filtered
    rows[:, 1:] = image.reshape(height, -1)
    parts = [(b"IHDR", struct.pack(">2I5B", width, height, 8, kind, 0, 0, 0))]
    if palette is not None:
        parts.append((b"PLTE", palette.astype(np.uint8).tobytes()))
    parts += [(b"IDAT", _stored(rows.tobytes())), (b"IEND", b"")]
    chunks = (struct.pack(">I", len(body)) + tag + body + struct.pack(">I", zlib.crc32(tag + body)) for tag, body in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _stored(raw: bytes) -> bytes:
    """A zlib stream of blocks that are not compressed."""
    most = 65535
    blocks = []
    for at in range(0, len(raw), most):
        piece = raw[at : at + most]
        blocks.append(struct.pack("<BHH", at + most >= len(raw), len(piece), most - len(piece)) + piece)
    return b"\x78\x01" + b"".join(blocks) + struct.pack(">I", zlib.adler32(raw))


def hfield(elevation: np.ndarray) -> bytes:
    """A binary height field from (rows, columns), of which the first row lies at the lowest y."""
    return struct.pack("<2i", *elevation.shape) + rounded(elevation).tobytes()


class SkinBone(Struct, frozen=True, eq=False):
    """A bone of a skin: the body, its position at binding (its axes are the world's), the vertices it moves, their weights."""

    body: str
    pos: Sequence[float]
    vertex: np.ndarray
    weight: np.ndarray


def skn(solid: Polyhedron, texcoord: np.ndarray, bones: Sequence[SkinBone]) -> bytes:
    """A skin file."""
    parts = [struct.pack("<4i", len(solid.vertex), len(texcoord), len(solid.face), len(bones))]
    parts += [rounded(solid.vertex).tobytes(), rounded(texcoord).tobytes(), solid.face.astype("<i4").tobytes()]
    for bone in bones:
        parts += [bone.body.encode().ljust(40, b"\0"), rounded(np.array([*bone.pos, 1, 0, 0, 0])).tobytes()]
        parts += [struct.pack("<i", len(bone.vertex)), bone.vertex.astype("<i4").tobytes(), rounded(bone.weight).tobytes()]
    return b"".join(parts)
