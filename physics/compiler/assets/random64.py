"""The random numbers of builtin textures: a generator with a fixed seed, so that a file gives the same dots everywhere.

MT19937-64 of Matsumoto and Nishimura, "Tables of 64-bit Mersenne Twisters" (2000).
"""

from __future__ import annotations

import numpy as np

from tumble.physics.compiler.progress import ask
from tumble.physics.kernel import kernel, query
from tumble.physics.kernel.function import FLOAT, INT
from tumble.physics.state.memory import i8_at, u1_at

_WORDS, _MIDDLE, _SEED = 312, 156, 42
_AT_ONCE = 4096 * _WORDS  # numbers between two questions whether the load goes on: the words of a state are used up then


def _signed(word: int) -> int:
    """The number that has the bits of an unsigned one: kernels count in signed numbers."""
    return word - 2**64 if word >= 2**63 else word


_TWIST, _UPPER, _LOWER = _signed(0xB5026F5AA96619E9), _signed(0xFFFFFFFF80000000), 0x7FFFFFFF
_MASKS = 0x5555555555555555, 0x71D67FFFEDA60000, _signed(0xFFF7EEE000000000)
_MASK29, _MASK17, _MASK37 = _MASKS
_HALF, _TWO32, _TWO64 = 0xFFFFFFFF, 2.0**32, 2.0**64


@kernel
def _shifted(x, count):
    """A word shifted to the right, zeros from the left."""
    return (x >> count) & ((1 << (64 - count)) - 1)


@query(INT, INT, INT, FLOAT, INT)
def _draw(state, out, count, chance, color):
    """Pixels at the address `out` get a colour (red + 256 green + 65536 blue) where the next number is below the chance.

    state: of _WORDS words.
    """
    words, pixels, at = i8_at(state, _WORDS), u1_at(out, 3 * count), _WORDS
    red, green, blue = color & 255, color >> 8 & 255, color >> 16
    for n in range(count):
        if at == _WORDS:
            for k in range(_WORDS):
                x = (words[k] & _UPPER) | (words[(k + 1) % _WORDS] & _LOWER)
                words[k] = words[(k + _MIDDLE) % _WORDS] ^ _shifted(x, 1) ^ (_TWIST if x & 1 else 0)
            at = 0
        x = words[at] + 0
        at += 1
        x ^= _shifted(x, 29) & _MASK29
        x ^= (x << 17) & _MASK17
        x ^= (x << 37) & _MASK37
        x ^= _shifted(x, 43)
        number = (_shifted(x, 32) * _TWO32 + (x & _HALF)) / _TWO64
        if number < chance:
            pixels[3 * n], pixels[3 * n + 1], pixels[3 * n + 2] = red, green, blue


def random_dots(pixels: np.ndarray, chance: float, color: np.ndarray) -> None:
    """Give a colour, (3,) u1, to those pixels, (n, 3) u1, whose number, the same one on every call, is below a chance."""
    state, (red, green, blue) = _seed(_SEED), color.tolist()
    for first in range(0, len(pixels), _AT_ONCE):
        ask()
        part = pixels[first : first + _AT_ONCE]
        _draw.call(state.ctypes.data, part.ctypes.data, len(part), chance, red + 256 * green + 65536 * blue)


def _seed(seed: int) -> np.ndarray:
    words = [seed]
    for i in range(1, _WORDS):
        words.append((6364136223846793005 * (words[-1] ^ (words[-1] >> 62)) + i) % 2**64)
    return np.array(words, np.uint64)
