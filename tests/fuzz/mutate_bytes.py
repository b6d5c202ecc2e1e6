"""Mutants of files, drawn from a seed: binary, PNG and text, which models bring in; JSON and lines, which windows keep.

Mutations know a little of what they change: numbers are replaced whole, the checks of a PNG image are made right again, and
its pixels changed before they are packed, so that many mutants get past the reader of the format.
"""

import json
import random
import struct
import zlib
from collections.abc import Callable
from typing import Any

_INTS = (0, 1, -1, 2, 3, 255, 65535, 65536, 2**31 - 1, -(2**31), 10**6, 10**9, 1 << 20, 0x7F800000, 0x7FC00000)
_FLOATS = (float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1e-45, 1e-30, 1e30, -1e38, 3e38, 1e-3, 1.0)
_WORDS = ("nan", "inf", "-inf", "1e999", "1e30", "1e-30", "0", "-1", "99999999999", "1/", "//", "1//1", "",
          "x", "0x1", "\u00e9", "1e", "-")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TEXT = (".obj", ".ascii.stl")

Op = Callable[[random.Random, bytearray], bytearray]


def mutant_file(rng: random.Random, name: str, data: bytes, others: list[bytes]) -> bytes:
    """One to four mutations of a file's bytes. others: files that parts may come from."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        if name.endswith(_TEXT) and rng.random() < 0.8:
            made = change_word(rng, made)
        elif made.startswith(_SIGNATURE) and rng.random() < 0.7:
            made = _change_png(rng, made)
        elif rng.random() < 0.04 and others:
            made = bytearray(rng.choice(others))
        elif made:
            made = rng.choices(list(WEIGHTED), list(WEIGHTED.values()))[0](rng, made)
    return bytes(made)


def set_integer(rng: random.Random, data: bytearray) -> bytearray:
    """Overwrite four bytes by an integer; often among the first, where sizes are written."""
    return _overwrite(rng, data, struct.pack("<i", rng.choice(_INTS) if rng.random() < 0.8 else rng.randint(-9, 99)))


def set_float(rng: random.Random, data: bytearray) -> bytearray:
    """Overwrite four bytes by a number in single precision."""
    return _overwrite(rng, data, struct.pack("<f", rng.choice(_FLOATS) if rng.random() < 0.7 else rng.gauss(0, 1)))


def _overwrite(rng: random.Random, data: bytearray, word: bytes) -> bytearray:
    at = rng.randrange(min(len(data), 96)) if rng.random() < 0.5 else rng.randrange(len(data))
    at -= at % 4 if rng.random() < 0.8 else 0
    data[at : at + 4] = word
    return data


def flip_bit(rng: random.Random, data: bytearray) -> bytearray:
    """Turn one bit round."""
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def cut(rng: random.Random, data: bytearray) -> bytearray:
    """End the file early."""
    return data[: rng.choice((0, 1, 7, rng.randrange(len(data) + 1), max(0, len(data) - rng.randint(1, 8))))]


def lengthen(rng: random.Random, data: bytearray) -> bytearray:
    """Put bytes at the end."""
    return data + rng.randbytes(rng.choice((1, 4, 12, 50, 5000)))


def drop_part(rng: random.Random, data: bytearray) -> bytearray:
    """Leave out some bytes."""
    at, number = rng.randrange(len(data)), rng.choice((1, 2, 4, 12, 50, 200))
    return data[:at] + data[at + number :]


def repeat_part(rng: random.Random, data: bytearray) -> bytearray:
    """Write some bytes twice, or many times."""
    at, number = rng.randrange(len(data)), rng.choice((1, 2, 4, 12, 50, 200))
    return data[:at] + data[at : at + number] * rng.choice((2, 2, 30)) + data[at + number :]


def fill_part(rng: random.Random, data: bytearray) -> bytearray:
    """Overwrite some bytes by zeros, or by any."""
    at, number = rng.randrange(len(data)), rng.choice((1, 4, 12, 50))
    held = len(data[at : at + number])
    data[at : at + number] = bytes(held) if rng.random() < 0.5 else rng.randbytes(held)
    return data


WEIGHTED: dict[Op, int] = {
    set_integer: 8, set_float: 6, flip_bit: 4, cut: 3, lengthen: 2, drop_part: 2, repeat_part: 2, fill_part: 2,
}  # fmt: skip


def change_word(rng: random.Random, data: bytearray) -> bytearray:
    """Change, drop or repeat a word or a line of a text."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    at = rng.randrange(len(lines))
    words = lines[at].split(" ")
    kind = rng.randrange(6)
    if kind < 3:
        words[rng.randrange(len(words))] = rng.choice(_WORDS) if rng.random() < 0.8 else f"{rng.gauss(0, 9):.3g}"
        lines[at] = " ".join(words)
    elif kind == 3:
        lines[at] = " ".join(words[: rng.randrange(len(words) + 1)])
    else:
        lines[at : at + 1] = [lines[at]] * rng.choice((0, 2, 40))
    return bytearray("\n".join(lines).encode("utf-8", "surrogateescape"))


# ---------------------------------------------------------------- PNG


def _change_png(rng: random.Random, data: bytearray) -> bytearray:
    """Change one chunk of an image: its bytes, its pixels before they are packed, its place; the checks are made right."""
    chunks = _chunks(bytes(data))
    if not chunks:
        return flip_bit(rng, data)
    kind = rng.randrange(8)
    wanted = b"IHDR" if kind < 2 else b"IDAT"
    same = [k for k, (name, _) in enumerate(chunks) if name == wanted]
    at = same[0] if same and kind < 5 else rng.randrange(len(chunks))
    name, held = chunks[at]
    if name == b"IHDR" and kind < 2:
        held = _header(rng, held)
    elif name == b"IDAT" and kind < 5:
        pixels = bytearray(_unpacked(held))
        change = rng.choice((set_integer, flip_bit, fill_part) if rng.random() < 0.7 else tuple(WEIGHTED))
        held = zlib.compress(bytes(change(rng, pixels) if pixels else pixels))
    elif kind == 5:
        name = rng.choice((name, b"PLTE", b"tRNS", b"sRGB", b"gAMA", b"iCCP", b"zTXt", b"acTL"))
        chunks[at:at] = [(name, rng.randbytes(rng.randint(0, 20)))]
        return _joined(chunks)
    elif kind == 6 and rng.random() < 0.4:
        del chunks[at]
        return _joined(chunks)
    elif held:
        held = bytes(rng.choice(list(WEIGHTED))(rng, bytearray(held)))
    chunks[at] = (name, held)
    return _joined(chunks)


def _header(rng: random.Random, held: bytes) -> bytes:
    """Another size, depth or kind of pixels."""
    fields = list(struct.unpack(">IIBBBBB", held[:13].ljust(13, b"\0")))
    at = rng.randrange(7)
    sizes, codes = (0, 1, 2, 3, 100_000, 2**31 - 1, 16384, 11585), (0, 1, 2, 3, 4, 6, 8, 16, 255)
    fields[at] = rng.choice(sizes if at < 2 else codes)
    return struct.pack(">IIBBBBB", *fields)


def _unpacked(held: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(held, 1 << 20)
    except zlib.error:
        return b""


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], len(_SIGNATURE)
    while at + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        found.append((name, data[at + 8 : at + 8 + size]))
        at += 12 + size
    return found


def _joined(chunks: list[tuple[bytes, bytes]]) -> bytearray:
    made = bytearray(_SIGNATURE)
    for name, held in chunks:
        made += struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))
    return made


# ---------------------------------------------------------------- JSON and lines


# What may stand where another value was.
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 1.5, -0.0, 1e300, float("nan"), float("inf"), 2**31, -(2**31) - 1, 2**63, 2**64, 10**400, "",
    " ", "x", "nan", "1", "\x00", "\u00e9\u4e16\U0001f600", "\ud800", "../../etc/passwd", "/dev/zero", "a" * 100_000, "%s{0}", [],
    {}, [None], [1, 2, 3], [[]], {"": None}, ["x"] * 1000, {"time": 0}, "qpos[0]", "<b>bold</b>", "\u202e",
)  # fmt: skip
_MOST_DEEP = 100_000


def mutant_json(rng: random.Random, data: bytes) -> bytes:
    """One to four changes of a JSON text; now and then of its bytes."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):  # of a mutant of before, nested too deep
        return mutant_bytes(rng, data)
    if rng.random() < 0.12:
        return mutant_bytes(rng, data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        value = _changed(rng, value)
    text = json.dumps(value)
    if rng.random() < 0.03:
        opening, closing = rng.choice((("[", "]"), ('{"a":', "}")))
        depth = rng.choice((1000, _MOST_DEEP))
        text = opening * depth + text + closing * depth
    return text.encode("utf-8", "surrogatepass")


def _changed(rng: random.Random, value: Any) -> Any:
    """The value with a change somewhere in it."""
    inside = isinstance(value, dict | list) and value and rng.random() < 0.85
    if not inside:
        return rng.choice(VALUES)
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    key, made = rng.choice(keys), value.copy()
    kind = rng.random()
    if kind < 0.15:
        del made[key]
    elif kind < 0.25 and isinstance(made, list):
        made[key:key] = [made[key]] * rng.choice((1, 1, 3, 2000))
    elif kind < 0.25:
        made[rng.choice(("", "x", "file", "time", "name", str(rng.choice(keys)) + " "))] = made[key]
    elif kind < 0.3:
        made[key] = made[rng.choice(keys)]
    else:
        made[key] = _changed(rng, made[key])
    return made


def mutant_lines(rng: random.Random, data: bytes) -> bytes:
    """One to four changes of the words or the lines of a text; now and then of its bytes."""
    if rng.random() < 0.15:
        return mutant_bytes(rng, data)
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        made = change_word(rng, made)
    return bytes(made)


def mutant_messages(rng: random.Random, data: bytes) -> bytes:
    """Changes of a JSON text in one line, or in several: of one, of their order, of their number."""
    lines = [line for line in data.split(b"\n") if line]
    at = rng.randrange(len(lines))
    if rng.random() < 0.1:
        rng.shuffle(lines)
    lines[at : at + 1] = [mutant_json(rng, lines[at])] * rng.choice((1, 1, 1, 2))
    return b"\n".join(lines) + b"\n"


def mutant_bytes(rng: random.Random, data: bytes) -> bytes:
    """One to three changes of any bytes."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        if made:
            made = rng.choices(list(WEIGHTED), list(WEIGHTED.values()))[0](rng, made)
    return bytes(made)
