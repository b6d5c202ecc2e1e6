"""Pictures for textures, made of whole numbers: they tile, and are the same everywhere."""

from __future__ import annotations

import numpy as np


def noise(size: int, blur: int, seed: int) -> np.ndarray:
    """Soft noise in 0 to 1 that goes on over the edges. Whole numbers until the end: sums are exact in any order."""
    value = np.random.default_rng(seed).integers(0, 256, (size, size))
    for axis in (0, 1):
        value = sum(np.roll(value, shift, axis) for shift in range(-blur, blur + 1))
    low, high = int(value.min()), int(value.max())
    return (value - low) / (high - low)


def palette(*colours: tuple[int, int, int], steps: int = 32) -> np.ndarray:
    """A palette (steps, 3) that runs through these colours."""
    at, corners = np.linspace(0, len(colours) - 1, steps), np.array(colours, float)
    columns = [np.interp(at, np.arange(len(colours)), corners[:, c]) for c in range(3)]
    return np.round(np.column_stack(columns)).astype(np.uint8)


def sand(size: int = 192, steps: int = 32) -> np.ndarray:
    """Ground seen from above, coarse and fine grain, as indices of a palette."""
    mixed = 0.45 * noise(size, 9, 1) + 0.3 * noise(size, 3, 2) + 0.25 * noise(size, 0, 4)
    low, high = mixed.min(), mixed.max()
    return np.minimum((mixed - low) / (high - low) * steps, steps - 1).astype(np.uint8)


def cells(across: int = 6, down: int = 4, size: int = 20) -> np.ndarray:
    """A solar panel: cells with lines between them. 0 line, 1 to 3 cell."""
    row, column = np.mgrid[: down * size, : across * size]
    line = (row % size < 1) | (column % size < 1) | (column % size == size // 2)
    return np.where(line, 0, 1 + (row // size * 5 + column // size * 3) % 3).astype(np.uint8)


def bricks(size: int = 96) -> tuple[np.ndarray, np.ndarray]:
    """A wall: indices of a palette (0 to 7 joint, 8 to 31 brick) and, as colours, the direction of its surface."""
    row, column = np.mgrid[:size, :size]
    course = row // (size // 6)
    shifted = (column + course % 2 * (size // 6)) % size
    u, v = row % (size // 6), shifted % (size // 3)
    joint = (u < 2) | (v < 2)
    grain = (noise(size, 1, 5) * 8).astype(int)
    brick = 8 + (course * 7 + shifted // (size // 3) * 5) % 3 * 6 + grain // 2
    height = np.where(joint, 0, 3)
    slope_x, slope_y = (np.roll(height, -1, axis) - np.roll(height, 1, axis) for axis in (1, 0))
    normal = np.stack([128 - 24 * slope_x, 128 + 24 * slope_y, np.full((size, size), 255)], 2)
    return np.where(joint, grain, brick).astype(np.uint8), np.clip(normal, 0, 255).astype(np.uint8)


def dice(size: int = 32) -> dict[str, np.ndarray]:
    """The six faces of a die by their side of the cube, 0 white and 1 a pip."""
    spots = {"right": [4], "left": [0, 2, 3, 5, 6, 8], "up": [0, 8], "down": [0, 2, 4, 6, 8], "front": [0, 4, 8],
             "back": [0, 2, 6, 8]}  # fmt: skip
    row, column = np.mgrid[:size, :size]
    faces = {}
    for side, places in spots.items():
        centre = [((2 * (p // 3) + 2) * size / 8, (2 * (p % 3) + 2) * size / 8) for p in places]
        pip = [(row + 0.5 - y) ** 2 + (column + 0.5 - x) ** 2 < (size / 11) ** 2 for y, x in centre]
        faces[side] = np.any(pip, axis=0).astype(np.uint8)
    return faces


def crate(size: int = 48) -> np.ndarray:
    """One side of a wooden crate: boards, a frame and a brace, as indices of a palette of 32."""
    row, column = np.mgrid[:size, :size]
    grain = np.repeat((noise(size, 1, 6)[:, :1] * 8), size, 1) + noise(size, 0, 7) * 4
    edge = np.minimum(np.minimum(row, size - 1 - row), np.minimum(column, size - 1 - column))
    frame, brace = edge < size // 8, np.abs(row - column) < size // 12
    board = 6 + grain + row // (size // 4) % 2 * 3
    value = np.where(frame | brace, 17 + grain, board)
    dark = (edge == size // 8) | (~frame & (np.abs(row - column) == size // 12)) | (row % (size // 4) == 0) & ~frame & ~brace
    return np.where(dark, 1, value).astype(np.uint8)


def globe(size: int = 40) -> np.ndarray:
    """Land and sea on the six faces of a cube, in a grid of 3 rows and 4 columns: indices of a palette of 32."""
    at = (np.arange(size) + 0.5) / size * 2 - 1
    u, v = np.meshgrid(at, -at)
    one = np.ones_like(u)
    # the direction of each pixel: right is +x, up is +y, and the eye in front looks along -z
    faces = {(0, 1): (u, one, -v), (1, 0): (-one, v, u), (1, 1): (u, v, one), (1, 2): (one, v, -u), (1, 3): (-u, v, -one),
             (2, 1): (u, -one, v)}  # fmt: skip
    picture = np.zeros((3 * size, 4 * size), np.uint8)
    for (row, column), (x, y, z) in faces.items():
        r = np.sqrt(x * x + y * y + z * z)
        x, y, z = x / r, y / r, z / r
        height = np.cos(3.1 * x + 1.3 * y + 0.5) + np.cos(2.7 * y - 2.2 * z + 1.9) + np.cos(3.6 * z + 2.4 * x - 0.8)
        height += 0.4 * np.cos(7 * x - 5 * y + 6 * z) + 0.25 * np.cos(13 * x + 11 * y - 9 * z + 1)
        value = np.where(height < 0.2, 6 + 2.5 * height, 14 + 5 * height)
        value = np.where(np.abs(y) > 0.86 + 0.03 * np.cos(9 * x), 31, np.clip(value, 0, 28))
        picture[row * size : (row + 1) * size, column * size : (column + 1) * size] = np.round(value)
    return picture


def gingham(checks: int = 7, size: int = 8) -> np.ndarray:
    """A checked cloth: 0 where no thread is dyed, 1 where one way's are, 2 where both are."""
    dyed = np.arange(2 * checks * size) // size % 2
    return (dyed[:, None] + dyed).astype(np.uint8)


def stripes(widths: tuple[int, ...] = (10, 4, 3, 5, 3, 6), colours: tuple[int, ...] = (0, 1, 0, 2, 1, 3)) -> np.ndarray:
    """A striped cloth, the same from both hems, as indices of its colours."""
    half = np.repeat(colours, widths)
    across = np.concatenate([half, half[::-1]])
    return np.tile(np.tile(across, 2)[:, None], (1, 8)).astype(np.uint8)
