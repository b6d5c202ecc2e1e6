"""Decimal numbers from text.

Up to 53 bits of digits times or divided by a power of ten up to 10^22 are rounded once, as both are exact: the result is the
number nearest to what is written (Clinger, How to read floating point numbers accurately, 1990). Longer words are left to Python.
"""

from physics.kernel import exact, query
from physics.kernel.function import INT
from physics.state.memory import f8_at, i8_at, u1_at

POWERS = 23  # of ten that are exact in double precision, from 0
_MOST = 900719925474098  # digits so far to which one more can be added within 53 bits
_PLUS, _MINUS, _POINT, _ZERO, _NINE, _E, _CAPITAL_E, _SPACE = 43, 45, 46, 48, 57, 101, 69, 32


@exact
def _is_space(letter):
    """Whether bytes.split() divides words here."""
    return letter == _SPACE or 9 <= letter <= 13


@exact
def _word(text, begin, end, whole, power):
    """The number that a word is, and whether it is one of the easy kind; whole: digits only."""
    at, sign = begin, 1.0
    if text[at] == _PLUS or text[at] == _MINUS:
        sign = -1.0 if text[at] == _MINUS else 1.0
        at += 1
    digits, value, scale, point = 0, 0, 0, False
    while at < end:
        letter = text[at]
        if letter == _POINT and not point and not whole:
            point = True
        elif _ZERO <= letter <= _NINE and value <= _MOST:
            value = 10 * value + (letter - _ZERO)
            digits += 1
            scale -= 1 if point else 0
        else:
            break
        at += 1
    if digits == 0:
        return 0.0, False
    if at < end and not whole and (text[at] == _E or text[at] == _CAPITAL_E):
        at += 1
        back, exponent, begin = False, 0, at
        if at < end and (text[at] == _PLUS or text[at] == _MINUS):
            back = text[at] == _MINUS
            at += 1
            begin = at
        while at < end and at < begin + 4 and _ZERO <= text[at] <= _NINE:
            exponent = 10 * exponent + (text[at] - _ZERO)
            at += 1
        if at == begin:
            return 0.0, False
        scale += -exponent if back else exponent
    if at < end or scale <= -POWERS or scale >= POWERS:
        return 0.0, False
    number = float(value)
    return sign * (number / power[-scale] if scale < 0 else number * power[scale]), True


@exact
def _read(text, length, whole, power, numbers, most, hard, counts):
    at, words, left = 0, 0, 0
    while words < most:
        while at < length and _is_space(text[at]):
            at += 1
        if at == length:
            break
        begin = at
        while at < length and not _is_space(text[at]):
            at += 1
        number, easy = _word(text, begin, at, whole, power)
        numbers[words] = number
        if not easy:
            hard[3 * left], hard[3 * left + 1], hard[3 * left + 2] = words, begin, at
            left += 1
        words += 1
    counts[0], counts[1] = words, left


@query(INT, INT, INT, INT, INT, INT, INT, INT)
def read_numbers(text, length, whole, powers, numbers, most, hard, counts):
    """numbers (most,) f8 <- the words of a text (length,) u1; counts (2,) i8 <- the number of words, and of those that are hard.

    whole: 1 if only digits are a number. powers: (POWERS,) f8 of ten. hard: (3 most,) i8 <- of each word that is not read here
    its number, and where it begins and ends.
    """
    _read(u1_at(text, length), length, whole != 0, f8_at(powers, POWERS), f8_at(numbers, most), most,
          i8_at(hard, 3 * most), i8_at(counts, 2))  # fmt: skip
