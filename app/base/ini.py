"""The text of a settings file, in the format of Qt's QSettings, read and written without Qt: no such file may end the program.

    [files]
    recent=/a/x.xml, "/b/y, z.xml"
    [window]
    geometry=@ByteArray(\\x1\\xd9)

Qt reads `@Variant(...)` as any object that it knows, of the size that the object claims: for a list of four billion entries it
asks for the memory, and nothing can catch what follows. A value here is a text, a list of texts, or bytes. It is read when it
is asked for, so that what this version does not understand stays in the file as it is.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import cast

Value = str | list[str] | bytes | None

_LINE = re.compile(r"\r\n|\n|\r")
_KEY_ESCAPE = re.compile(r"%(?:U([0-9A-Fa-f]{4})|([0-9A-Fa-f]{2}))")
_KEY_ODD = re.compile(r"[^A-Za-z0-9_.\u0100-\U0010ffff-]")
# An escape by digits or a letter, a quotation mark, a comma, the beginning of a comment, spaces, and all else.
_TOKEN = re.compile(r"\\(?:x([0-9A-Fa-f]+)|([0-7]+)|(.?))|(\")|(,)|(;)|([ \t]+)|[^\\\",; \t]+")
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", '"': '"', "?": "?", "'": "'", "\\": "\\"}
# What is written by its digits; a digit behind it has to be as well, or it would be read as one more of them.
_CONTROL, _BYTE = re.compile(r"[\x00-\x1f\x7f][0-9A-Fa-f]*"), re.compile(r"[\x00-\x1f\x7f-\xff][0-9A-Fa-f]*")
_QUOTED = re.compile(r"[;,=]|^[ \t]|[ \t]$|^$")
_GENERAL = "General"  # the section of keys that are in none
_LIST, _TEXT, _TEXTS, _NULL = 9, 10, 11, 2**32 - 1  # kinds of Qt's objects, and the size of a text that is none


def split(text: str) -> tuple[dict[str, str], int]:
    """The values as written, by `section/name`, and how many lines are no settings: no value is looked into."""
    values, strays, section = {}, 0, ""
    for line in map(str.strip, _LINE.split(text)):
        if line.startswith("[") and line.endswith("]"):
            section = _plain_key(line[1:-1])
            continue
        name, mark, value = line.partition("=")
        if mark and name.strip() and not line.startswith(";"):
            key = _plain_key(name.strip())
            values[f"{section}/{key}" if section not in ("", _GENERAL) else key] = value.strip(" \t")
        elif line and not line.startswith(";"):
            strays += 1
    return values, strays


def joined(values: Mapping[str, str]) -> str:
    """The text of a file with these values as written, by `section/name`."""
    sections: dict[str, list[str]] = {}
    for key, value in sorted(values.items()):
        section, mark, name = key.partition("/")
        section, name = (section, name) if mark else (_GENERAL, key)
        sections.setdefault(section, []).append(f"{_written_key(name)}={value}")
    return "\n".join("\n".join([f"[{_written_key(name)}]", *lines, ""]) for name, lines in sorted(sections.items()))


def read(written: str) -> Value:
    """The value that is written, None for what Qt calls invalid. Raises ValueError for an object that is none of these."""
    items, listed = _items(written)
    values = [_object(item) for item in items]
    if not listed:
        return values[0]
    if not all(isinstance(value, str) for value in values):
        raise ValueError("a list with more than texts")
    return cast("list[str]", values)


def write(value: object) -> str:
    """A value as it is written, for `read`: a list of texts, bytes, and all else as its text.

    A list of one text is read as that text, an empty list as None.
    """
    if isinstance(value, list):
        return ", ".join(write(str(item)) for item in value) if value else "@Invalid()"
    if isinstance(value, bytes):
        return _escaped(f"@ByteArray({value.decode('latin-1')})", _BYTE)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return _escaped(f"@{text}" if text.startswith("@") else text, _CONTROL)


def _items(written: str) -> tuple[list[str], bool]:
    """The texts between commas, without quotation marks and escapes; whether there are any commas."""
    items, now, firm, quoted, listed = list[str](), "", 0, False, False  # firm: letters of it that are no spaces at its end
    for token in _TOKEN.finditer(written):
        digits, octal, letter, mark, comma, comment, space = token.groups()
        if mark:
            quoted, firm = not quoted, len(now)
        elif comma and not quoted:
            items.append(now[:firm] + now[firm:].rstrip(" \t"))
            now, firm, listed = "", 0, True
        elif comment and not quoted:
            break
        elif not (space and not quoted and not now):
            escape = token[0].startswith("\\")
            now += _letter(digits, octal, letter) if escape else token[0]
            firm = len(now) if escape or quoted else firm
    items.append(now[:firm] + now[firm:].rstrip(" \t"))
    return [_paired(item) for item in items], listed


def _object(text: str) -> Value:
    """What a text stands for that begins with the mark of objects, else the text."""
    for kind, make in _OBJECTS.items():
        if text.startswith(kind) and text.endswith(")"):
            return make(text[len(kind) : -1])
    return text[1:] if text.startswith("@@") else text


def _letter(digits: str | None, octal: str | None, letter: str | None) -> str:
    """What an escape stands for; nothing for one that there is not."""
    if digits is not None:
        return chr(int(digits[-4:], 16))
    return chr(int(octal[-6:], 8) & 0xFFFF) if octal is not None else _LETTERS.get(letter or "", "")


def _paired(text: str) -> str:
    """Halves of letters beyond 16 bits, which Qt writes one by one, put together; a half alone is no letter."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _escaped(text: str, odd: re.Pattern[str]) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    text = odd.sub(lambda found: "".join(f"\\x{ord(letter):x}" for letter in found[0]), text)
    return f'"{text}"' if _QUOTED.search(text) else text


def _plain_key(written: str) -> str:
    """A key without escapes; Qt writes the slash between its parts as a backslash."""
    return _KEY_ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), written.replace("\\", "/"))


def _written_key(key: str) -> str:
    return "\\".join(_KEY_ODD.sub(lambda odd: f"%{ord(odd[0]):02X}", part) for part in key.split("/"))


def _texts(text: str) -> list[str]:
    """The texts of a list as Qt 4 streams it: of one text alone, a list is written so. Raises ValueError for any other object."""
    data = text.encode("latin-1")
    try:
        kind, count = struct.unpack_from(">II", data)
        if kind not in (_LIST, _TEXTS) or count * 4 > len(data):
            raise ValueError("an object of Qt that is no list of texts")
        return [text for _, text in zip(range(count), _streamed(data, 8, kind == _LIST), strict=False)]
    except struct.error:
        raise ValueError("an object of Qt that is cut off") from None


def _streamed(data: bytes, at: int, typed: bool) -> Iterator[str]:
    """Texts one behind the other, each with its size, and its kind before if they are typed."""
    while True:
        kind, size = struct.unpack_from(">II", data, at) if typed else (_TEXT, *struct.unpack_from(">I", data, at))
        at += 8 if typed else 4
        size = 0 if size == _NULL else size
        if kind != _TEXT or at + size > len(data):
            raise ValueError("an object of Qt with more than texts")
        yield data[at : at + size].decode("utf-16-be", "replace")
        at += size


_OBJECTS: dict[str, Callable[[str], Value]] = {
    "@Invalid(": lambda _: None, "@ByteArray(": lambda text: text.encode("latin-1"), "@String(": lambda text: text,
    "@Variant(": _texts,
}  # fmt: skip
