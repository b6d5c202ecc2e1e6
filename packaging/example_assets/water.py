"""What lives in the water: the skin of an eel over its bones, and blades of kelp, each a strip over a chain of bodies."""

from __future__ import annotations

import numpy as np
from files import Bone, skn
from solids import Solid, loft, tube

EEL = (0.0, -0.8, 0.4)  # where its nose is while it is bound
SEGMENTS, LENGTH = 12, 0.075
KELP, LEAVES, LEAF = 5, 5, 0.12  # blades, bodies in a blade, length of each


def weights(at: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """How much each bone moves points along a line: (points, bones), 1 in all, shared by the two bones nearest."""
    table = np.eye(len(centres))
    return np.column_stack([np.interp(at, centres, table[:, b]) for b in range(len(centres))])


def eel() -> bytes:
    """A skin file: a body that tapers to a tail, with a fin above and below where it is thin."""
    along = np.linspace(0, SEGMENTS * LENGTH, 49)
    share = along / along[-1]
    thick = 0.034 * np.interp(share, [0, 0.02, 0.08, 0.18, 0.5, 0.9, 1], [0.25, 0.55, 0.9, 1, 0.85, 0.3, 0.04])
    fin = thick + 0.028 * np.interp(share, [0, 0.3, 0.42, 0.85, 1], [0, 0, 0.7, 1, 0.1])
    path = np.column_stack([-along, 0 * along, 0.008 * np.sin(np.pi * np.clip(share / 0.15, 0, 1))])
    # from the tail to the nose: a tube's sections follow each other along +x
    n = 20
    solid = tube((path + EEL)[::-1], list(zip(thick, fin, strict=True))[::-1], n)
    angle = 2 * np.pi * np.arange(n) / n
    texcoord = np.array([(s, 0.5 + 0.5 * np.sin(a)) for s in share[::-1] for a in angle] + [(1, 0.5), (0, 0.5)])
    place = EEL[0] - solid.vertex[:, 0]
    share_of = weights(place, (np.arange(SEGMENTS) + 0.5) * LENGTH)
    bones = []
    for b in range(SEGMENTS):
        moved = np.flatnonzero(share_of[:, b] > 0.001)
        bones.append(Bone(f"eel{b}", (EEL[0] - b * LENGTH, EEL[1], EEL[2]), moved, share_of[moved, b]))
    return skn(solid, texcoord, bones)


def back(width: int = 64, height: int = 32) -> np.ndarray:
    """The eel's colours round its middle and along it, as indices of a palette of 32: dark bands, a light belly."""
    row, column = np.mgrid[:height, :width]
    belly = np.abs(row - height // 2) * 2 / height  # 0 at the flanks, 1 at back and belly
    band = (column * 5 + row * (column % 3)) % 29 < 11
    return np.clip(20 - 8 * band - 6 * belly + 4 * (row > height * 2 // 3), 0, 31).astype(np.uint8)


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{v:g}" for v in np.round(np.asarray(values, float).ravel(), 4) + 0.0)


def kelp() -> str:
    """Skins for the blades of kelp, in MJCF: a front and a back that taper, each bone moves what is near it."""
    height = LEAVES * LEAF
    at = np.linspace(0, 1, 2 * LEAVES + 1)
    width = 0.05 * np.sin(np.pi * (0.12 + 0.86 * at)) * (1 + 0.25 * (-1.0) ** np.arange(len(at)))
    lines = ["<!-- Made by packaging/example_assets: the skins of the kelp in eel.xml. -->", "<mujocoinclude>", "  <asset>"]
    centres = (np.arange(LEAVES) + 0.5) * LEAF
    share_of = np.tile(weights(np.repeat(at * height, 2), centres), (2, 1))
    k = 2 * np.arange(2 * LEAVES)[:, None]
    front = np.hstack([k, k + 1, k + 3, k, k + 3, k + 2]).reshape(-1, 3)
    face = np.vstack([front, front[:, ::-1] + 2 * len(at)])  # the back has vertices of its own, for its normals
    for blade in range(KELP):
        if blade == KELP - 2:  # skins stand among the assets or, as here, in a section of their own: it is the same
            lines += ["  </asset>", "  <deformable>"]
        turn = np.radians(72 * blade)
        x, y = 0.16 * np.cos(turn), 0.16 * np.sin(turn)
        side = np.array([-np.sin(turn), np.cos(turn)])
        vertex = [(x + s * w * side[0], y + s * w * side[1], z * height) for z, w in zip(at, width, strict=True) for s in (-1, 1)]
        lines.append(f'    <skin name="kelp{blade}" material="kelp" vertex="{_numbers(np.array(2 * vertex))}"')
        lines.append(f'          face="{_numbers(face)}">')
        quat = _numbers(np.array([np.cos(turn / 2), 0, 0, np.sin(turn / 2)]))
        for b in range(LEAVES):
            moved = np.flatnonzero(share_of[:, b] > 0.001)
            lines.append(f'      <bone body="leaf{b}_{blade}" bindpos="{_numbers(np.array([x, y, b * LEAF]))}" bindquat="{quat}"')
            lines.append(f'            vertid="{_numbers(moved)}" vertweight="{_numbers(share_of[moved, b])}"/>')
        lines.append("    </skin>")
    return "\n".join([*lines, "  </deformable>", "</mujocoinclude>", ""])


def rock() -> Solid:
    """A boulder: a ball with dents, flat below."""
    n, rows = 18, 10
    angle = 2 * np.pi * np.arange(n) / n
    loops = []
    for k in range(rows):
        high = -0.6 + 1.55 * k / (rows - 1)
        wide = np.sqrt(max(1 - high**2, 0.02))
        dent = 1 + 0.12 * np.cos(3 * angle + 2 * high) + 0.07 * np.cos(5 * angle - 4 * high + 1)
        loops.append(np.column_stack([wide * dent * np.cos(angle), 0.8 * wide * dent * np.sin(angle), np.full(n, 0.7 * high)]))
    return loft(loops)
