"""What is bent in a picture: skins by their bones, flexes by their vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bent:
    """bones: the poses of each skin's, as `Bones.poses` gives them; none are needed if no skin is drawn.

    points: the vertices of all flexes (nflexvert, 3) [m], where they are first, then in each ghost; none if none are drawn.
    colours: (nflexelem, 4) 0..255 in which elements of flexes are drawn, in place of their paint; None: in their paint.
    """

    bones: Sequence[Floats] = ()
    points: Sequence[Floats] = ()
    colours: NDArray[np.uint8] | None = None
