"""Rules that a file silences, as a minimal patch: a <text> in <custom>; every other byte stays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from tumble.app.doctor.silence import SILENCE, silenced
from tumble.app.editing.attribute_text import PatchError, attribute_spans, margin
from tumble.app.editing.patch import FilePatch, Patch, read, require_mjcf
from tumble.app.editing.text_places import before_end_tag, without_comments
from tumble.physics.compiler.compile import compile
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.mjcf.source import parse
from tumble.physics.state.model import Model

if TYPE_CHECKING:
    from tumble.physics.mjcf.source import Node

_EMPTY = re.compile(rb"\s*/>")


def make(path: Path, rule: str) -> Patch:
    """The patch by which a model's file silences one more rule. Raises PatchError."""
    try:
        document = read_path(path)
        before = silenced(compile(read_path(path), Model))
    except PhysicsError as error:
        raise PatchError(f"the file does not load any more: {error}") from error
    require_mjcf(document)
    if rule in before:
        raise PatchError(f"the file silences {rule} already")
    texts = {source: read(source) for source in document.sources}
    file, start, stop, text = _placed(texts, document.sources, rule)
    after = texts | {file: texts[file][:start] + text.encode() + texts[file][stop:]}
    _require(path, after, before | {rule})
    return Patch([FilePatch(Path(file), texts[file], after[file])], [], [])


def _placed(texts: Mapping[str, bytes], sources: list[str], rule: str) -> tuple[str, int, int, str]:
    """The file, the range that is replaced, and by what."""
    sections = [(source, node) for source in sources for node in parse(texts[source], source).children if node.tag == "custom"]
    for source, section in sections:
        for node in section.children:
            if node.tag == "text" and node.attributes.get("name") == SILENCE:
                return _extended(texts[source], source, node, rule)
    if sections:
        return _inside(texts, *sections[-1], rule)
    file = sources[0]
    data = texts[file]
    newline, plain = _newline(data), without_comments(data)
    at = before_end_tag(data, plain, plain.rfind(b"</mujoco"), file, "<custom>")
    return file, at, at, f"  <custom>{newline}    {_element(rule)}{newline}  </custom>{newline}"


def _extended(data: bytes, file: str, node: Node, rule: str) -> tuple[str, int, int, str]:
    spans, end = attribute_spans(data, node.where.offset)
    start, stop = spans.get("data", (end, end))
    return (file, stop, stop, f" {escape(rule)}") if stop > start else (file, end, end, f' data="{escape(rule)}"')


def _inside(texts: Mapping[str, bytes], file: str, section: Node, rule: str) -> tuple[str, int, int, str]:
    """The last place in a <custom>."""
    data = texts[file]
    newline, outer = _newline(data), margin(data, section.where.offset)
    inner = margin(data, section.children[-1].where.offset) if section.children else outer + "  "
    _, end = attribute_spans(data, section.where.offset)
    empty = _EMPTY.match(data, end)
    if empty is not None:
        return file, end, empty.end(), f">{newline}{inner}{_element(rule)}{newline}{outer}</custom>"
    plain = without_comments(data)
    at = before_end_tag(data, plain, plain.find(b"</custom", end), file, "a <text>")
    return file, at, at, f"{inner}{_element(rule)}{newline}"


def _element(rule: str) -> str:
    return f'<text name="{SILENCE}" data="{escape(rule)}"/>'


def _newline(data: bytes) -> str:
    return "\r\n" if b"\r\n" in data else "\n"


def _require(path: Path, texts: Mapping[str, bytes], wanted: frozenset[str]) -> None:
    """Raise PatchError unless the changed files silence exactly these rules."""
    try:
        given = silenced(compile(read_path(path, texts), Model))
    except PhysicsError as error:
        raise PatchError(f"the changed file would not load: {error}") from error
    if given != wanted:
        raise PatchError("the file would silence other rules: add the rule in an editor")
