"""The random numbers of builtin textures: a generator with a fixed seed, so that a file gives the same dots everywhere.

MT19937-64 of Matsumoto and Nishimura, "Tables of 64-bit Mersenne Twisters" (2000).
"""

from __future__ import annotations

import numpy as np

_WORDS, _MIDDLE = 312, 156
_TWIST = np.uint64(0xB5026F5AA96619E9)
_UPPER, _LOWER = np.uint64(0xFFFFFFFF80000000), np.uint64(0x7FFFFFFF)
_SEED = 42


def uniform(n: int) -> np.ndarray:
    """n numbers between 0 and 1, the same ones on every call."""
    state = _seed(_SEED)
    blocks = []
    for _ in range(-(-n // _WORDS)):
        state = _next_state(state)
        blocks.append(_temper(state))
    return np.concatenate(blocks)[:n] / 2.0**64 if blocks else np.zeros(0)


def _seed(seed: int) -> np.ndarray:
    words = [seed]
    for i in range(1, _WORDS):
        words.append((6364136223846793005 * (words[-1] ^ (words[-1] >> 62)) + i) % 2**64)
    return np.array(words, np.uint64)


def _next_state(old: np.ndarray) -> np.ndarray:
    """The next words: each depends on itself, the next and the one half a round ahead, which for the second half is new."""
    new = old.copy()
    following = np.roll(old, -1)
    for start, stop in ((0, _MIDDLE), (_MIDDLE, _WORDS - 1), (_WORDS - 1, _WORDS)):
        ahead = np.roll(new, -_MIDDLE)[start:stop]
        if stop == _WORDS:
            following[-1] = new[0]
        x = (old[start:stop] & _UPPER) | (following[start:stop] & _LOWER)
        new[start:stop] = ahead ^ (x >> np.uint64(1)) ^ np.where(x & np.uint64(1), _TWIST, np.uint64(0))
    return new


def _temper(words: np.ndarray) -> np.ndarray:
    x = words ^ ((words >> np.uint64(29)) & np.uint64(0x5555555555555555))
    x = x ^ ((x << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000))
    x = x ^ ((x << np.uint64(37)) & np.uint64(0xFFF7EEE000000000))
    return x ^ (x >> np.uint64(43))
