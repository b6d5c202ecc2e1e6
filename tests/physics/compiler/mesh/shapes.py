"""Small meshes of the tests, and files of them."""

import struct

import numpy as np

BOX = np.array([(x, y, z) for z in (0.0, 1) for y in (0.0, 1) for x in (0.0, 1)])
BOX_FACES = np.array([(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6),
                      (0, 6, 2), (1, 3, 7), (1, 7, 5)])  # fmt: skip


def lumpy(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """A closed mesh that is not convex, of no symmetry, its faces outward; vertices fit 32 bits."""
    rng = np.random.default_rng(seed)
    vertices = (BOX * (2.0, 1.0, 0.5) + rng.uniform(-0.1, 0.1, BOX.shape) + (1.0, 2.0, -3.0)).astype(np.float32)
    middle = vertices[[4, 5, 7, 6]].mean(axis=0, dtype=np.float32) - np.float32((0, 0, 0.2))  # a dent in its upper side
    faces = [face for face in BOX_FACES.tolist() if face not in ([4, 5, 7], [4, 7, 6])]
    faces += [[4, 5, 8], [5, 7, 8], [7, 6, 8], [6, 4, 8]]
    return np.vstack([vertices, middle]).astype(np.float64), np.array(faces)


def numbers(array: np.ndarray) -> str:
    """Numbers as an attribute has them."""
    return " ".join(repr(float(v)) if v % 1 else str(int(v)) for v in np.asarray(array).ravel())


def stl(corners: np.ndarray, count: int | None = None, more: bytes = b"") -> bytes:
    """A binary STL file of triangles, (n, 3, 3)."""
    records = np.zeros(len(corners), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    records["corners"] = corners
    return b"\0" * 80 + struct.pack("<I", len(corners) if count is None else count) + records.tobytes() + more


def stl_text(corners: np.ndarray) -> bytes:
    """The same in text."""
    facets = ("facet normal 0 0 0\n outer loop\n" + "".join("  vertex {!r} {!r} {!r}\n".format(*map(float, c)) for c in corner)
              + " endloop\nendfacet\n" for corner in corners)  # fmt: skip
    return ("solid lump\n" + "".join(facets) + "endsolid lump\n").encode()


def obj(vertices: np.ndarray, faces: list[tuple[int, ...]] | np.ndarray, more: str = "") -> str:
    """An OBJ file of polygons, whose corners are counted from 0."""
    lines = ["v {!r} {!r} {!r}".format(*map(float, vertex)) for vertex in vertices]
    return "\n".join([*lines, more, *("f " + " ".join(str(v + 1) for v in face) for face in faces)]) + "\n"


def msh(vertices: np.ndarray, normals: object, texcoords: object, faces: object, counts: list[int] | None = None) -> bytes:
    """An MSH file."""
    parts = [np.asarray(part, kind) for part, kind in ((vertices, "<f4"), (normals, "<f4"), (texcoords, "<f4"), (faces, "<i4"))]
    head = np.array(counts or [len(part) for part in parts], "<i4").tobytes()
    return head + b"".join(part.tobytes() for part in parts)
