"""Mutants of archives and of arrays: members are unpacked, changed and packed again, so that every check sum holds.

What a program believes of a file is not the bytes that a check sum covers, but what stands in them: names, sizes, types, shapes.
"""

import io
import math
import random
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable

import numpy as np

from tests.fuzz.mutate import mutant
from tests.fuzz.mutate_bytes import mutant_bytes, mutant_file, mutant_json, mutant_lines

Members = list[tuple[str, bytes]]
Mend = Callable[[dict[str, bytes], dict[str, bytes]], dict[str, bytes]]

_NAMES = (
    "", "/", "../x.xml", "/tmp/x.xml", "a" * 5000, "a/" * 300 + "b", "C:\\x", "model.xml/", ".", "..", "\u00e9\u202e.xml",
    "a\x00b",
    "manifest.json", "model.xml", "con", "a//b", "./model.xml", "__MACOSX/model.xml", "x\n.xml",
)  # fmt: skip
_REPEATS = (2, 2, 5, 200, 3000)
_SHAPES = (
    "()", "(0,)", "(1,)", "(-1,)", "(3,)", "(2, 2)", "(0, 0)", "(1, 0, 5)", "(4294967296,)", "(9223372036854775807,)",
    "(1000000000000,)", "(2, -3)", "(True,)", "(1.5,)", "'x'", "None", "(0, 9223372036854775807)", "(1,) * 40", "[3]",
)  # fmt: skip
_TYPES = (
    "'<f8'", "'>f8'", "'<i8'", "'<i4'", "'|O'", "'<U5'", "'|S0'", "'<c16'", "'|V8'", "'<M8[s]'", "[('a', '<f8')]", "'x'", "None",
    "'<f2'", "'|b1'", "'(2,)f8'", "[('a', '|O')]", "'|u1'", "1",
)  # fmt: skip
_PLAIN = re.compile(r"\((\d{1,6}(, ?\d{1,6})*,?)?\)")
_NUMBERS = {"f": (np.nan, np.inf, -np.inf, 1e300, -1.0, 0.0, 1e-300, 0.5, 2.0**53),
            "i": (0, 1, -1, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 100, 7)}  # fmt: skip


def mutant_array(rng: random.Random, data: bytes) -> bytes:
    """One to three changes of a .npy file: of its header, which is made as long as it says, its numbers, or its length."""
    made = data
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        kind = rng.random()
        if kind < 0.35:
            made = _other_header(rng, made)
        elif kind < 0.85:
            made = _other_numbers(rng, made)
        else:
            made = mutant_bytes(rng, made)
    return made


def _split(data: bytes) -> tuple[str, bytes] | None:
    """Header and numbers of a .npy file of version 1."""
    if len(data) < 10 or not data.startswith(b"\x93NUMPY\x01"):
        return None
    size = struct.unpack_from("<H", data, 8)[0]
    return data[10 : 10 + size].decode("latin-1"), data[10 + size :]


def _packed(header: str, numbers: bytes) -> bytes:
    text = header.rstrip().encode("latin-1", "replace")
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) & 0xFFFF) + text + numbers


def _other_header(rng: random.Random, data: bytes) -> bytes:
    parts = _split(data)
    if parts is None:
        return mutant_bytes(rng, data)
    header, numbers = parts
    descr, order, shape = _declared(header)
    kind = rng.randrange(8)
    if kind < 3:
        shape = rng.choice(_SHAPES)
    elif kind < 5:
        descr = rng.choice(_TYPES)
    elif kind == 5:
        order = rng.choice(("True", "None", "1", "'x'"))
    elif kind == 6:
        return _packed(mutant_lines(rng, header.encode("latin-1", "replace")).decode("latin-1"), numbers)
    else:
        return _packed(rng.choice(("{}", "", "[" * 5000, "x", "{'descr': '<f8'}", "1" * 6000, "(" * 90 + ")" * 90)), numbers)
    return _packed(f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}", numbers)


def _declared(header: str) -> tuple[str, str, str]:
    """What stands for type, order and shape in a header as numpy writes it."""
    descr = header.partition("'descr': ")[2].partition(", 'fortran_order'")[0]
    order = header.partition("'fortran_order': ")[2].partition(", 'shape'")[0]
    return descr or "'<f8'", order or "False", header.partition("'shape': ")[2].partition(", }")[0] or "()"


def _other_numbers(rng: random.Random, data: bytes) -> bytes:
    """Another number, a row more or less: the header fits."""
    parts = _split(data)
    descr, _, shape = _declared(parts[0]) if parts else ("", "", "")
    sizes = [int(word) for word in shape.strip("(),").split(",") if word.strip()] if _PLAIN.fullmatch(shape) else [-1]
    if parts is None or descr not in _TYPES[:4] or min(sizes,
        default=0) < 0 or math.prod(sizes) * int(descr[-2]) != len(parts[1]):
        return mutant_bytes(rng, data)
    array = np.frombuffer(parts[1], np.dtype(descr.strip("'"))).reshape(sizes).copy()
    if array.ndim and rng.random() < 0.4:
        array = np.concatenate([array, *[array[-1:]] * rng.choice((1, 1, 100))]) if rng.random() < 0.5 else array[:-1]
    elif array.size and array.dtype.kind in _NUMBERS:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            for _ in range(rng.choice((1, 1, 3))):
                array.flat[rng.randrange(array.size)] = _number(rng, array.dtype)
    file = io.BytesIO()
    np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
    return file.getvalue()


def _number(rng: random.Random, kind: np.dtype) -> float | int:
    if rng.random() < 0.3:
        return rng.randint(0, 40)
    value = rng.choice(_NUMBERS[kind.kind])
    if kind.kind == "i":
        bounds = np.iinfo(kind)
        return min(max(int(value), int(bounds.min)), int(bounds.max))
    return float(value)


# ---------------------------------------------------------------- archives


def unpacked(data: bytes) -> dict[str, bytes] | None:
    """The members of an archive by name; None if it is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zlib.error):
        return None


def packed(members: Members) -> bytes:
    """An archive of members, of which several may have one name."""
    file = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(file, "w") as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return file.getvalue()


def mutant_archive(rng: random.Random, data: bytes, mend: Mend | None = None) -> bytes:
    """One to three changes of an archive. mend: makes members right that speak of each other, given those before and now."""
    held = unpacked(data)
    if not held or rng.random() < 0.08:
        return mutant_bytes(rng, data)
    made = dict(held)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        name = rng.choice(sorted(made))
        made[name] = mutant_member(rng, name, made[name])
    if mend is not None and rng.random() < 0.8:
        made = mend(held, made)
    members = list(made.items())
    if rng.random() < 0.2:
        members = _other_members(rng, members)
    packet = packed(members)
    kind = rng.random()
    if kind < 0.04:
        return _repeated(rng, packet)
    return _other_directory(rng, packet) if kind < 0.12 else packet


def mutant_member(rng: random.Random, name: str, data: bytes) -> bytes:
    """A member changed as what its name or its beginning says that it is."""
    if name.endswith(".npy"):
        return mutant_array(rng, data)
    if name.endswith(".json"):
        return mutant_json(rng, data)
    if data.lstrip()[:8].startswith((b"<mujoco", b"<?xml", b"<robot")) and len(data) < 200_000:
        try:
            return mutant(rng, data.decode()).encode("utf-8", "replace")
        except (SyntaxError, UnicodeDecodeError):
            return mutant_bytes(rng, data)
    return mutant_file(rng, name, data, []) if data else data


def _other_members(rng: random.Random, members: Members) -> Members:
    at, kind = rng.randrange(len(members)), rng.randrange(7)
    name, data = members[at]
    if kind == 0:
        return members[:at] + members[at + 1 :]
    if kind == 1:
        return [*members, (name, data if rng.random() < 0.5 else mutant_bytes(rng, data))]
    if kind == 2:
        return [*members[:at], (rng.choice(_NAMES), data), *members[at + 1 :]]
    if kind == 3:
        return [*members, (rng.choice(_NAMES), data)]
    if kind == 4:
        return [*members, (f"{name}/inside", data)]
    if kind == 5:
        other = rng.randrange(len(members))
        return [*members[:at], (name, members[other][1]), *members[at + 1 :]]
    return [*members[:at], (name, bytes(rng.choice((1, 1 << 20, 1 << 26)))), *members[at + 1 :]]  # which is packed to nothing


_ENTRY, _END = b"PK\x01\x02", b"PK\x05\x06"


def _directory(data: bytes) -> list[bytes]:
    """The entries of an archive's directory, which is at its end."""
    begin, end = data.find(_ENTRY), data.rfind(_END)
    parts = data[begin:end].split(_ENTRY)[1:] if 0 <= begin < end else []
    return [_ENTRY + part for part in parts]


def _with_directory(data: bytes, entries: list[bytes]) -> bytes:
    begin, end = data.find(_ENTRY), data.rfind(_END)
    held, directory = data[:begin], b"".join(entries)
    number = min(len(entries), 0xFFFF)
    return held + directory + struct.pack("<4sHHHHIIH", data[end : end + 4], 0, 0, number, number, len(directory), begin, 0)


def _repeated(rng: random.Random, data: bytes) -> bytes:
    """Many entries of the directory for the bytes of one member: under its name, or under names of their own."""
    entries = _directory(data)
    if not entries:
        return data
    chosen, number, named = rng.choice(entries), rng.choice(_REPEATS), rng.random() < 0.5
    copies = [chosen if not named else _renamed(chosen, f"x{k:06d}") for k in range(number)]
    return _with_directory(data, entries + copies)


def _renamed(entry: bytes, name: str) -> bytes:
    """An entry of the directory with another name."""
    size = struct.unpack_from("<H", entry, 28)[0]
    return entry[:28] + struct.pack("<H", len(name)) + entry[30:46] + name.encode() + entry[46 + size :]


def _other_directory(rng: random.Random, data: bytes) -> bytes:
    """A number of an entry: way of packing, flags, sizes, where it begins, what kind of file it is."""
    entries = _directory(data)
    if not entries:
        return data
    at = rng.randrange(len(entries))
    entry = bytearray(entries[at])
    offset, form = rng.choice(((8, "<H"), (10, "<H"), (16, "<I"), (20, "<I"), (24, "<I"), (28, "<H"), (30, "<H"), (38, "<I"), (42,
        "<I")))
    value = rng.choice((0, 1, 8, 9, 12, 14, 99, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 30, 0xA1ED0000, 100))
    struct.pack_into(form, entry, offset, value & (0xFFFF if form == "<H" else 0xFFFFFFFF))
    return _with_directory(data, [*entries[:at], bytes(entry), *entries[at + 1 :]])
