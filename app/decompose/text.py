"""Parts as OBJ files, and as the elements of MJCF that name them."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from tumble.app.decompose.parts import ConvexPart


def obj(part: ConvexPart) -> bytes:
    """A part as an OBJ file; numbers with the nine digits that a single-precision vertex has."""
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in part.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in part.faces.tolist()]
    return ("\n".join(lines) + "\n").encode()


def names(stem: str, count: int) -> list[str]:
    """A name for each part of a mesh, or of a geom: its own, and a number."""
    return [f"{stem}_{k}" for k in range(count)]


def tag(name: str, attributes: Mapping[str, str]) -> str:
    """An element without children; the values are plain texts, not yet escaped."""
    return f"<{name}" + "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items()) + "/>"
