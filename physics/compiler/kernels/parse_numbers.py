"""Decimal numbers from text.

Up to 53 bits of digits times or divided by a power of ten up to 10^22 are rounded once, as both are exact: the result is the
number nearest to what is written (Clinger, How to read floating point numbers accurately, 1990). Longer words are left to Python.
"""

from tumble.physics.kernel import exact

POWERS = 23  # of ten that are exact in double precision, from 0
_MOST = 900719925474098  # digits so far to which one more can be added within 53 bits
_PLUS, _MINUS, _POINT, _ZERO, _NINE, _E, _CAPITAL_E = 43, 45, 46, 48, 57, 101, 69


@exact
def decimal(text, begin, end, power):
    """The number that a word is, and whether it is one of the easy kind; power: (POWERS,) of ten."""
    at, sign = begin, 1.0
    if text[at] == _PLUS or text[at] == _MINUS:
        sign = -1.0 if text[at] == _MINUS else 1.0
        at += 1
    digits, value, scale, point = 0, 0, 0, False
    while at < end:
        letter = text[at]
        if letter == _POINT and not point:
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
    if at < end and (text[at] == _E or text[at] == _CAPITAL_E):
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
def integer(text, begin, end, most):
    """The whole number that a word begins with, at most `most` either way, and how many digits it has."""
    at, sign = begin, 1
    if at < end and (text[at] == _PLUS or text[at] == _MINUS):
        sign = -1 if text[at] == _MINUS else 1
        at += 1
    digits, value = 0, 0
    while at < end and _ZERO <= text[at] <= _NINE:
        value = min(10 * value + (text[at] - _ZERO), most)
        digits += 1
        at += 1
    return sign * value, digits
