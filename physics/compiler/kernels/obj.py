"""The lines of an OBJ file as numbers: `v`, `vt`, `vn`, and the `f` of the first group or object that has faces.

A file is gone through twice: once to count, once to write what was counted. Between words stand letters up to the space, or a
backslash at the end of a line that goes on; a comment ends its line.
"""

from tumble.physics.compiler.kernels.parse_numbers import POWERS, decimal, integer
from tumble.physics.kernel import exact, query
from tumble.physics.kernel.function import INT
from tumble.physics.state.memory import f8_at, i8_at, u1_at

VERT, TEXCOORD, NORMAL, FACE, CORNER, SIZES = range(6)  # what is counted, and how many counts there are
WIDTH = (3, 2, 3)  # numbers that are read of a vertex, a texture coordinate and a normal
SPARE = 2  # corners of a face that is none, written behind the others
UNREADABLE, TOO_LARGE = 1, 2  # what may be wrong with a corner
LARGEST = 2**31  # index
_GROUP, _OTHER = 10, 11
_NEWLINE, _RETURN, _SPACE, _HASH, _SLASH, _BACKSLASH = 10, 13, 32, 35, 47, 92
_F, _G, _N, _O, _T, _V = 102, 103, 110, 111, 116, 118
_MARK = 0xEF  # what a text may begin with that says how it is encoded: three letters


@exact
def _gap(text, at):
    """Number of separators here; 0 within a word and at the end of a line."""
    letter = text[at]
    if letter == _BACKSLASH:
        if text[at + 1] == _RETURN:
            return 3 if text[at + 2] == _NEWLINE else 2
        return 2 if text[at + 1] == _NEWLINE else 0
    return 1 if letter <= _SPACE and letter != _NEWLINE and letter != _RETURN else 0


@exact
def _ends(text, at):
    """True if a line has no more words."""
    return text[at] == _NEWLINE or text[at] == _RETURN or text[at] == _HASH


@exact
def _next_word(text, at):
    """Start of the next word, or the end of the line, and the number of lines skipped."""
    lines, gap = 0, _gap(text, at)
    while gap > 0:
        lines += 1 if gap > 1 else 0
        at += gap
        gap = _gap(text, at)
    return at, lines


@exact
def _word_end(text, at):
    while not _ends(text, at) and _gap(text, at) == 0:
        at += 1
    return at


@exact
def _next_line(text, at):
    """Start of the next line, and the number of lines skipped."""
    lines = 1
    while text[at] != _NEWLINE and text[at] != _RETURN:
        gap = _gap(text, at)
        lines += 1 if gap > 1 else 0
        at += max(gap, 1)
    return at + (2 if text[at] == _RETURN and text[at + 1] == _NEWLINE else 1), lines


@exact
def _kind(text, begin, end):
    """Kind of a line with this keyword."""
    first = text[begin]
    if end == begin + 1:
        if first == _V:
            return VERT
        if first == _F:
            return FACE
        if first == _G or first == _O:
            return _GROUP
    elif end == begin + 2 and first == _V:
        if text[begin + 1] == _T:
            return TEXCOORD
        if text[begin + 1] == _N:
            return NORMAL
    return _OTHER


@exact
def _read_corner(text, at, end, sizes, corner, slot):
    """Write the vertex, texture coordinate and normal of a word, counted from 0, -1: none; returns what is wrong with it, or 0.

    Those that are written count from 1, or backwards from the last one so far.
    """
    part = 0
    while True:
        index, digits = integer(text, at, end, LARGEST + 1)
        if part == 0 and (digits == 0 or index == 0):
            return UNREADABLE
        if abs(index) > LARGEST:
            return TOO_LARGE
        if part < 3:
            corner[slot + part] = index + sizes[part] if index < 0 else index - 1
        while at < end and text[at] != _SLASH:
            at += 1
        part += 1
        if at == end:
            break
        at += 1
    for missing in range(part, 3):
        corner[slot + missing] = -1
    return UNREADABLE if part > 3 else 0


@exact
def _read(text, length, fill, power, sizes, number, hard, corner, count, line, wrong):
    first_texcoord = WIDTH[VERT] * sizes[VERT]
    first_normal = first_texcoord + WIDTH[TEXCOORD] * sizes[TEXCOORD]
    for k in range(SIZES):
        sizes[k] = 0
    at, row, ended = 3 if text[0] == _MARK else 0, 1, False
    while at < length - 1:
        at, more = _next_word(text, at)
        row += more
        begin = at
        at = _word_end(text, at)
        kind = _kind(text, begin, at)
        if kind == _GROUP and sizes[FACE] > 0:
            ended = True
        if kind < FACE or (kind == FACE and not ended):
            width = WIDTH[TEXCOORD] if kind == TEXCOORD else WIDTH[VERT]
            first = 0 if kind == VERT else first_texcoord if kind == TEXCOORD else first_normal
            words, fault, bad, bad_end, here = 0, 0, 0, 0, row
            while True:
                at, more = _next_word(text, at)
                row += more
                if _ends(text, at):
                    break
                begin = at
                at = _word_end(text, at)
                if fill and kind == FACE and fault == 0:
                    fault = _read_corner(text, begin, at, sizes, corner, 3 * (sizes[CORNER] + words))
                    bad, bad_end = begin, at
                elif fill and kind != FACE and words < width:
                    slot = first + width * sizes[kind] + words
                    number[slot], easy = decimal(text, begin, at, power)
                    hard[slot] = 0 if easy else begin + 1
                words += 1
            if kind != FACE:
                sizes[kind] += 1
            elif words > 2:
                if fault != 0:
                    wrong[0], wrong[1], wrong[2], wrong[3] = fault, here, bad, bad_end
                    return
                if fill:
                    count[sizes[FACE]], line[sizes[FACE]] = words, here
                sizes[FACE] += 1
                sizes[CORNER] += words
        at, more = _next_line(text, at)
        row += more


@query(INT, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT)
def read_lines(text, length, fill, powers, sizes, total, number, hard, corner, count, line, wrong):
    """Count the lines of an OBJ file, or write what they hold; text: (length,) u1, which ends with two newlines.

    fill: 0 to count: then `number` and what follows it is left alone. powers: (POWERS,) f8 of ten. sizes: (SIZES,) i8 <- counts;
    before they are those found by counting, or 0. total: of all numbers. number: (total,) f8, 0 before <- those of vertices,
    texture coordinates and normals. hard: (total,) i8, 0 before <- where a word begins that is not read here, counted from 1.
    corner: (corners + SPARE, 3) i8 <- vertex, texture coordinate and normal, from 0, below 0 for none. count, line: (faces,) i8
    <- how many corners a face has, and its line, from 1. wrong: (4,) i8, 0 before <- what is wrong with a corner, its line,
    where its word begins and ends; then the rest is not read.
    """
    counts = i8_at(sizes, SIZES)
    faces, corners = counts[FACE], 3 * (counts[CORNER] + SPARE)
    _read(u1_at(text, length), length, fill != 0, f8_at(powers, POWERS), counts, f8_at(number, total), i8_at(hard, total),
          i8_at(corner, corners), i8_at(count, faces), i8_at(line, faces), i8_at(wrong, 4))  # fmt: skip
