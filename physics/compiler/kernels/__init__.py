"""The loops of the compiler over triangles, words and edges, as kernels: they run without Python's lock, on all cores.

Each rounds as its formula is written (`exact`), so that meshes, and the contacts that follow from them, do not depend on how
they were computed.
"""

from tumble.physics.compiler.kernels.boxes import split_boxes
from tumble.physics.compiler.kernels.normals import add_normals
from tumble.physics.compiler.kernels.obj import read_lines
from tumble.physics.compiler.kernels.outlines import group_normals, trace_outlines
from tumble.physics.compiler.kernels.triangles import describe_triangles, enclose_triangles, sum_moments
from tumble.physics.compiler.kernels.weld import weld_corners

MESH_KERNELS = (
    split_boxes, add_normals, read_lines, group_normals, trace_outlines, describe_triangles, enclose_triangles, sum_moments,
    weld_corners,
)  # fmt: skip

__all__ = [
    "MESH_KERNELS", "add_normals", "describe_triangles", "enclose_triangles", "group_normals", "read_lines", "split_boxes",
    "sum_moments", "trace_outlines", "weld_corners",
]  # fmt: skip
