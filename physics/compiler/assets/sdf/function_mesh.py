"""Meshes made of signed distance functions: the surface where the distance is 0, found on a grid."""

from __future__ import annotations

import numpy as np

from tumble.physics.compiler.assets.mesh.raw import MeshProblem, RawMesh
from tumble.physics.compiler.assets.mesh.solid import cross_rows, unit_rows
from tumble.physics.compiler.assets.sdf.isosurface import isosurface
from tumble.physics.compiler.bvh import Ints, Reals
from tumble.physics.compiler.plugins import Instance

_POINTS = 300  # of the grid, along the three axes together: the reference's


def function_mesh(instance: Instance) -> RawMesh:
    """The mesh of a function, in the frame that the function is given in. Raises MeshProblem if it has no surface."""
    function, values = instance.function, instance.values
    try:
        half = function.bounds(values)
    except ValueError as problem:
        raise MeshProblem(str(problem)) from None
    except (Exception, SystemExit) as error:  # bounds may be a function of the user's
        raise MeshProblem(f"is made of {function.name}, whose bounds raised {type(error).__name__}: {error}") from error
    count = np.floor(_POINTS / half.sum() * half).astype(int) + 1
    if count.min() < 2:
        raise MeshProblem(f"is made of {function.name} with bounds {half}: one side is too small for the others")
    axes = [(2 * half[k] * np.arange(n) / (n - 1) - half[k]) for k, n in enumerate(count)]
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    try:
        distance = function.sample(np.stack((x.ravel(), y.ravel(), z.ravel()), axis=1), values).reshape(x.shape)
    except (Exception, SystemExit) as error:  # the user's function: what it says belongs to the mesh that asked for it
        raise MeshProblem(f"is made of {function.name}, which raised {type(error).__name__}: {error}") from error
    if not np.isfinite(distance).all():
        raise MeshProblem(f"is made of {function.name}, whose distance is not a number somewhere within its bounds")
    vertices, faces = isosurface(distance)
    if not len(faces):
        raise MeshProblem(f"is made of {function.name}, which has no surface within its bounds")
    placed = (2 * half * vertices.astype(np.float64) / (count - 1) - half).astype(np.float32)
    return RawMesh(placed, faces, _normals(vertices, faces))


def _normals(vertices: Reals, faces: Ints) -> Reals:
    """Normals of vertices, by the areas of their triangles in steps of the grid, as in the reference."""
    a, b, c = (vertices[faces[:, k]].astype(np.float64) for k in range(3))
    across = cross_rows(b - a, c - a)
    number = faces.ravel()
    sums = np.stack([np.bincount(number, across[:, k].repeat(3), len(vertices)) for k in range(3)], axis=1)
    return unit_rows(sums)[0].astype(np.float32)
