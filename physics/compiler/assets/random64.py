"""The random numbers of builtin textures: a generator with a fixed seed, so that a file gives the same dots everywhere.

MT19937-64 of Matsumoto and Nishimura, "Tables of 64-bit Mersenne Twisters" (2000).
"""

from __future__ import annotations

import numpy as np

_WORDS, _MIDDLE = 312, 156
_TWIST = np.uint64(0xB5026F5AA96619E9)
_UPPER, _LOWER = np.uint64(0xFFFFFFFF80000000), np.uint64(0x7FFFFFFF)
_ONE, _SEED = np.uint64(1), 42


def uniform(n: int) -> np.ndarray:
    """n numbers between 0 and 1, the same ones on every call."""
    words = np.empty(_WORDS + _MIDDLE * -(-n // _MIDDLE), np.uint64)
    words[:_WORDS] = _seed(_SEED)
    x, odd = np.empty(_MIDDLE, np.uint64), np.empty(_MIDDLE, np.uint64)
    # Each word depends on those one round, one round less one, and half a round before it: half a round at a time is known.
    for k in range(0, len(words) - _WORDS, _MIDDLE):
        np.bitwise_and(words[k : k + _MIDDLE], _UPPER, out=x)
        np.bitwise_and(words[k + 1 : k + 1 + _MIDDLE], _LOWER, out=odd)
        np.bitwise_or(x, odd, out=x)
        np.bitwise_and(x, _ONE, out=odd)
        np.multiply(odd, _TWIST, out=odd)
        np.right_shift(x, _ONE, out=x)
        np.bitwise_xor(x, odd, out=x)
        np.bitwise_xor(x, words[k + _MIDDLE : k + _WORDS], out=words[k + _WORDS : k + _WORDS + _MIDDLE])
    return _temper(words[_WORDS : _WORDS + n]) / 2.0**64


def _seed(seed: int) -> np.ndarray:
    words = [seed]
    for i in range(1, _WORDS):
        words.append((6364136223846793005 * (words[-1] ^ (words[-1] >> 62)) + i) % 2**64)
    return np.array(words, np.uint64)


def _temper(words: np.ndarray) -> np.ndarray:
    x = words ^ ((words >> np.uint64(29)) & np.uint64(0x5555555555555555))
    x = x ^ ((x << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000))
    x = x ^ ((x << np.uint64(37)) & np.uint64(0xFFF7EEE000000000))
    return x ^ (x >> np.uint64(43))
