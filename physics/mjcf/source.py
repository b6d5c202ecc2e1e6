"""From bytes to a tree of raw elements, each with its exact place.

The parser is expat: it tells line and column of every element, and refuses what could be used against us when its
handlers do. No document type, so no entity of any kind, is accepted; depth, elements and bytes are bounded, so that
no input can exhaust the process.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from xml.parsers import expat

from msgspec import Struct, field

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import notes
from tumble.physics.mjcf.spec import PlacedError, Where

# The reference stops at 500 levels too. A million elements are ten times the largest published models.
MAX_BYTES = 256 * 2**20
MAX_DEPTH = 500
MAX_ELEMENTS = 1_000_000
_ROBOT, _MOST_TEXT = "robot", 1000  # letters between tags that are kept, of a URDF

_JUNK = expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]
_EXPLAINED = {
    expat.errors.XML_ERROR_INVALID_TOKEN: 'is not well-formed here; valid: name="value", with < and & as &lt; and &amp;',
    expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE: "has an attribute twice; each may be written once",
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: "has an undefined entity; valid: &amp; &lt; &gt; &quot; &apos; and &#number;",
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "is followed by more text or elements; a file has one root element",
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: "has a tag or comment that is never closed with >",
}


# What is not one of XML's own entities is text to the reference. Expat needs another character in its place.
_STRAY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
_STAND_IN = b"\x7f"

# A value, and what follows it without a blank: to the reference the next attribute, to expat an error.
_VALUE = re.compile(rb"""=\s*(?:"[^"]*"|'[^']*')([A-Za-z_]?)""")
_CONTROL = bytes(c for c in range(32) if c not in b"\t\n\r")


class Node(Struct):
    """An element as written: texts, not values. text: between its tags, of a URDF alone, for MJCF has none."""

    tag: str
    where: Where
    attributes: dict[str, str]
    children: list[Node] = field(default_factory=list)
    text: str = ""

    def error(self, what: str) -> MjcfError:
        """An error at this element, to be raised."""
        return PlacedError(f"{self.where}: <{self.tag}> {what}", where=self.where)


def file_error(file: str, what: str, line: int = 1, column: int = 1) -> MjcfError:
    """An error of a whole file, for which the root element stands; to be raised."""
    return PlacedError(f"{file}:{line}:{column}: <mujoco> {what}", where=Where(file, line, column))


def parse(data: bytes, file: str) -> Node:
    """The root element of an XML text in UTF-8; `file` is its name in places and messages.

    Raises MjcfError for what is not well-formed, not UTF-8, empty, too large or too deep, or has a document type.
    """
    if len(data) > MAX_BYTES:
        raise file_error(file, f"file has {len(data)} bytes; at most {MAX_BYTES} are read")
    if not data.strip():
        raise file_error(file, "is missing: the file is empty; an MJCF file has one <mujoco> element")
    _require_utf8(data, file)
    data = tolerate(data)
    stray = None if _STAND_IN in data else _STRAY.search(data)
    if stray:
        line, column = _place(data, stray.start())
        notes.add(f"{file}:{line}:{column}: <mujoco> has an & that begins no entity: it is taken as it stands; write &amp;")
        data = _STRAY.sub(_STAND_IN, data)
    try:
        return _FileParser(file, bool(stray)).run(data)
    except MjcfError as problem:
        return _parse_mended(data, file, bool(stray), problem)


def _parse_mended(data: bytes, file: str, standing: bool, problem: MjcfError) -> Node:
    """As `parse`, of a text that expat refuses and the reference may read. Raises the problem where mending does not help."""
    mended, changes = _mend(data)
    if not changes:
        raise problem
    try:
        root = _FileParser(file, standing, changes).run(mended)
    except MjcfError:
        raise problem from None  # the problem is another one: report it for the original text
    line, column = _place(data, changes[0][0] - changes[0][1])
    notes.add(f"{file}:{line}:{column}: <mujoco> has a < in a value, or no blank after one: it is read all the same")
    return root


def _mend(data: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    """The text with a blank between attributes and no `<` in a value, and where in it how much longer it has become."""
    pieces: list[bytes] = []
    changes: list[tuple[int, int]] = []
    at = longer = 0
    for match in _VALUE.finditer(data):
        begin, end = match.start(1), match.end()
        value = data[match.start() : begin]
        new = value.replace(b"<", b"&lt;") + (b" " if begin < end else b"")
        if new != value:
            pieces += [data[at : match.start()], new]
            at, longer = begin, longer + len(new) - len(value)
            changes.append((begin + longer, longer))
    return b"".join([*pieces, data[at:]]), changes


def _place(data: bytes, position: int) -> tuple[int, int]:
    """Line and column of a byte."""
    begin = data.rfind(b"\n", 0, position) + 1
    return data.count(b"\n", 0, position) + 1, len(data[begin:position].decode("utf-8")) + 1


def _require_utf8(data: bytes, file: str) -> None:
    try:
        data.decode("utf-8")
        position = data.find(b"\0")
    except UnicodeDecodeError as problem:
        position = problem.start
    if position < 0:
        return
    line, column = _place(data, position)
    raise file_error(file, f"not found: byte 0x{data[position]:02x} is not UTF-8 text; MJCF is XML in UTF-8", line, column)


def tolerate(data: bytes) -> bytes:
    """The text without what strict XML forbids and published models have, every other byte in its place.

    These are a declaration after blank lines or of another encoding, control characters, `]]>` and `--` inside comments.
    """
    text = bytearray(data)
    start = len(data) - len(data.removeprefix(b"\xef\xbb\xbf").lstrip())
    if data.startswith((b"<?xml ", b"<?xml\t", b"<?xml\r", b"<?xml\n"), start):
        end = data.find(b"?>", start)
        if end >= 0:
            _blank(text, start, end + 2)
    for number in _CONTROL:
        if number in text:
            text = text.replace(bytes([number]), b" ")
    start = data.find(b"<!--")
    while start >= 0:
        end = data.find(b"-->", start + 4)
        if end < 0:
            break
        _blank(text, start + 4, end)
        start = data.find(b"<!--", end + 3)
    if b"<![CDATA[" not in text:
        text = text.replace(b"]]>", b"   ")
    return bytes(text)


def _blank(text: bytearray, start: int, end: int) -> None:
    lines = bytes(text[start:end]).split(b"\n")
    text[start:end] = b"\n".join(b" " * len(line) for line in lines)


class _FileParser:
    """One run of expat over one file; standing: whether a character stands for stray `&`; changes: those of `_mend`."""

    def __init__(self, file: str, standing: bool, changes: Sequence[tuple[int, int]] = ()) -> None:
        self._file = file
        self._changes = changes
        self._standing = standing
        self._root: Node | None = None
        self._open: list[Node] = []
        self._count = 0
        self._expat = expat.ParserCreate(encoding="utf-8")
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.StartDoctypeDeclHandler = self._doctype
        self._expat.EntityDeclHandler = self._entity

    def run(self, data: bytes) -> Node:
        try:
            self._expat.Parse(data, True)
        except expat.ExpatError as problem:
            if self._root is None or self._open or problem.code != _JUNK or not _is_markup(data, self._expat.ErrorByteIndex):
                raise self._malformed(problem, data) from None
            place = f"{self._file}:{problem.lineno}:{problem.offset + 1}"
            notes.add(f"{place}: <{self._root.tag}> ends before: what follows is not read")
        if self._root is None:
            raise file_error(self._file, "is missing; an MJCF file has one <mujoco> element")
        return self._root

    def _here(self) -> Where:
        expat_ = self._expat
        column, offset = expat_.CurrentColumnNumber, expat_.CurrentByteIndex
        if self._changes:
            longer = self._longer(offset)
            column, offset = column - longer + self._longer(offset - column), offset - longer
        return Where(self._file, expat_.CurrentLineNumber, column + 1, offset)

    def _longer(self, offset: int) -> int:
        """By how much the text has grown up to an offset."""
        k = bisect_right(self._changes, offset, key=lambda change: change[0])
        return self._changes[k - 1][1] if k else 0

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._standing:
            attributes = {name: text.replace("\x7f", "&") for name, text in attributes.items()}
        node = Node(tag, self._here(), attributes)
        self._count += 1
        if len(self._open) >= MAX_DEPTH:
            raise node.error(f"is nested too deeply; at most {MAX_DEPTH} levels are read")
        if self._count > MAX_ELEMENTS:
            raise node.error(f"is one element too many; at most {MAX_ELEMENTS} are read")
        if self._open:
            self._open[-1].children.append(node)
        else:
            self._root = node
            if tag == _ROBOT:
                self._expat.CharacterDataHandler = self._text
        self._open.append(node)

    def _end(self, tag: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        inner = self._open[-1]
        if len(inner.text) < _MOST_TEXT:
            inner.text += text

    def _doctype(self, name: str, system: str | None, public: str | None, has_internal: bool) -> None:
        """A document type that only names another file changes nothing: that file is not opened."""
        if has_internal:
            self._entity()

    def _entity(self, *_: object) -> None:
        where = self._here()
        what = "has a document type or an entity declaration, which is not read; remove the <!DOCTYPE ...>"
        raise file_error(self._file, what, where.line, where.column)

    def _malformed(self, problem: expat.ExpatError, data: bytes) -> MjcfError:
        """The error that expat found, in words, at the tag in which it stopped or else the innermost open element."""
        message = expat.ErrorString(problem.code)
        inner = self._open[-1] if self._open else self._root
        tag = _tag_at(data, self._expat.ErrorByteIndex) or (inner.tag if inner else "")
        what = _EXPLAINED.get(message, f"is not well-formed: {message}")
        if inner and message in (expat.errors.XML_ERROR_TAG_MISMATCH, expat.errors.XML_ERROR_NO_ELEMENTS):
            tag = inner.tag
            end = "the file ends" if message == expat.errors.XML_ERROR_NO_ELEMENTS else "another closing tag is"
            what = f"of line {inner.where.line}, column {inner.where.column}, is not closed: {end} here; expected </{tag}>"
        if not tag:
            tag, what = "mujoco", f"not found: this is not XML ({message}); MJCF is XML with root <mujoco>"
        where = Where(self._file, problem.lineno, problem.offset + 1)
        return PlacedError(f"{where}: <{tag}> {what}", where=where)


def _is_markup(data: bytes, position: int) -> bool:
    """True if a tag begins at a position: text after the root is an error for the reference too."""
    return data[position : position + 1] == b"<"


def _tag_at(data: bytes, position: int) -> str:
    """The tag that is being opened at a position, blank between tags."""
    begin = data.rfind(b"<", max(0, position - 10_000), position + 1)
    match = re.compile(rb"<([A-Za-z_][\w.-]{0,60})").match(data, begin) if begin >= 0 else None
    return match[1].decode("ascii") if match and b">" not in data[begin:position] else ""
