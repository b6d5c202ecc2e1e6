"""Attributes in the text of a file: their places there, and other values written, so that every other byte stays."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct, field

from tumble.app.base.keys_in_text import with_keys
from tumble.app.editing.parameters import shown

if TYPE_CHECKING:
    from tumble.app.editing.edits import Values
    from tumble.physics.mjcf.spec import Where

_BLANKS = b" \t\r\n"
_ATTRIBUTE = re.compile(rb"""(\s*)([^\s=/>]+)(\s*=\s*)("[^"]*"|'[^']*')""")
_TAG = re.compile(rb"<[^\s/>]+")


class PatchError(Exception):
    """Why no patch can be made or saved, in words for the user."""


class Writing(Struct):
    """Changes of one element, or a new child of it: attribute -> (values before, values wanted as text; none: remove it).

    child: a tag to be put inside, if it does not exist yet; inside: elements in that one, by tag and attributes.
    """

    where: Where
    child: str = ""
    values: dict[str, tuple[Values | None, list[str]]] = field(default_factory=dict)
    inside: list[tuple[str, dict[str, str]]] = field(default_factory=list)


def rewritten(data: bytes, writings: list[Writing]) -> bytes:
    """A file's bytes with values written, from the end to the beginning, so that places stay true."""
    for writing in sorted(writings, key=lambda w: (-w.where.offset, w.child == "")):
        data = _with_child(data, writing) if writing.child else _with_values(data, writing)
    return data


def attribute_spans(data: bytes, start: int) -> tuple[dict[str, tuple[int, int]], int]:
    """The attributes of the tag that begins at `start`, by name the span of the value without quotes, and where they end."""
    head = _TAG.match(data, start)
    if head is None:
        raise PatchError(with_keys("the file has changed since it was loaded: reload it (Ctrl+L)"))
    spans, at = {}, head.end()
    while match := _ATTRIBUTE.match(data, at):
        spans[match[2].decode("utf-8")] = (match.start(4) + 1, match.end(4) - 1)
        at = match.end()
    return spans, at


def spliced(data: bytes, edits: Iterable[tuple[int, int, bytes]]) -> bytes:
    """The bytes with some spans (start, stop) replaced; insertions at one place keep their order."""
    for start, stop, text in sorted(edits, key=lambda edit: edit[0])[::-1]:
        data = data[:start] + text + data[stop:]
    return data


def newline_of(data: bytes) -> str:
    """End of the lines of a text."""
    return "\r\n" if b"\r\n" in data else "\n"


def margin(data: bytes, offset: int) -> str:
    """Blanks at the beginning of the line of an element."""
    begin = data.rfind(b"\n", 0, offset) + 1
    match = re.match(rb"[ \t]*", data[begin:offset])
    return match[0].decode() if match else ""


def _with_values(data: bytes, writing: Writing) -> bytes:
    spans, end = attribute_spans(data, writing.where.offset)
    edits = []
    for name, (before, texts) in writing.values.items():
        if name in spans and not texts:
            start, stop = spans[name]
            edits.append((len(data[: data.rindex(name.encode(), 0, start)].rstrip(_BLANKS)), stop + 1, b""))
        elif name in spans:
            start, stop = spans[name]
            edits.append((start, stop, _merged(data[start:stop].decode("utf-8"), before, texts).encode()))
        elif texts:
            edits.append((end, end, f' {name}="{" ".join(texts)}"'.encode()))
    return spliced(data, edits)


def _merged(old: str, before: Values | None, texts: list[str]) -> str:
    """An attribute's text with only the numbers exchanged that differ; more of them only where those not written change."""
    words = [(m.start(), m.end()) for m in re.finditer(r"[^\s]+", old)]
    plain = before is not None and "&" not in old and 0 < len(words) <= len(texts)
    if not plain or before is None or [shown(v) for v in before[len(words) :]] != texts[len(words) :]:
        return " ".join(texts)
    for (start, stop), text, value in reversed(list(zip(words, texts, before, strict=False))):
        if text != shown(value):
            old = old[:start] + text + old[stop:]
    return old


def _with_child(data: bytes, writing: Writing) -> bytes:
    """A new child, such as <option>, right behind the start tag of its parent, indented a little more than that."""
    _, end = attribute_spans(data, writing.where.offset)
    close = data.index(b">", end) + 1
    newline, indent = newline_of(data), margin(data, writing.where.offset)
    text = _start(writing.child, {name: " ".join(texts) for name, (_, texts) in writing.values.items()})
    inside = [f"{_start(tag, attributes)}/>" for tag, attributes in writing.inside]
    if len(inside) > 1:
        inside = [f"{newline}{indent}    {line}" for line in inside] + [f"{newline}{indent}  "]
    text += f">{''.join(inside)}</{writing.child}>" if inside else "/>"
    empty = data[end:close].strip() == b"/>"
    line = f"{newline}{indent}  {text}"
    if not empty:
        return data[:close] + line.encode() + data[close:]
    tag = _TAG.match(data, writing.where.offset)
    assert tag is not None
    closing = f"{newline}{indent}</{tag[0][1:].decode()}>"
    return data[:end] + b">" + line.encode() + closing.encode() + data[close:]


def _start(tag: str, attributes: dict[str, str]) -> str:
    return "".join([f"<{tag}", *(f' {name}="{value}"' for name, value in attributes.items())])
