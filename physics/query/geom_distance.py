"""The distance between two geoms."""

from __future__ import annotations

from tumble.physics.collision.convex.distance import gap_query
from tumble.physics.collision.sdf.bind import ask
from tumble.physics.query.argument_checks import Array, index, output
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model


@checked
def mj_geomDistance(m: Model, d: Data, geom1: int, geom2: int, distmax: float, fromto: Array | None = None) -> float:
    """Signed distance [m] of two geoms, negative where they overlap; distmax if it is not less.

    fromto: (6,), where given, receives the nearest points of the first and the second geom [m], or zeros beyond distmax.
    Reads geom_xpos, geom_xmat: call mj_forward first. UnknownIndexError for a geom that does not exist.
    """
    query, result = d._arrays["gap_query"], d._arrays["gap_result"]
    query[:] = index(geom1, "geom1", m.ngeom), index(geom2, "geom2", m.ngeom), distmax
    ask(gap_query, m, d)
    if fromto is not None:
        output(fromto, "fromto", (6,))[:] = result[1:]
    return float(result[0])
