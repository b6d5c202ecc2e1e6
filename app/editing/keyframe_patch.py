"""Keyframes as a minimal patch of a model's files: added, renamed or removed; every other byte stays.

New ones stand after the last keyframe of the main model, or in a new <keyframe> at its end. Before a patch is shown, the patched
files are compiled, and must give exactly these keyframes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.app.base.keys_in_text import with_keys
from tumble.app.editing.attribute_text import PatchError, attribute_spans, margin, newline_of, spliced
from tumble.app.editing.patch import FilePatch, Patch, read, require_mjcf
from tumble.app.editing.text_places import before_end_tag, without_comments
from tumble.physics.compiler.compile import compile, outline
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.mjcf.source import parse
from tumble.physics.state.model import Model

if TYPE_CHECKING:
    from tumble.physics.mjcf.document import Document
    from tumble.physics.mjcf.spec import Element

Array = NDArray[np.float64]
ATTRIBUTES = ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")
ROUNDING = 1e-15  # by which a quaternion may change that is scaled to length 1 again
MOST_LINE = 120  # letters of a <key> on one line
CHANGED = with_keys("the file was changed since it was loaded: reload it (Ctrl+L)")
_KEY_END = re.compile(rb"\s*(?:/>|>\s*</key\s*>)")


class WantedKey(Struct, frozen=True, eq=False):
    """A keyframe. origin: its number in the file, None: it is new; values: by attribute, those that are not as at the start."""

    name: str
    time: float
    values: Mapping[str, Array]
    origin: int | None = None

    def text(self, indent: str, newline: str = "\n") -> str:
        """The element, with numbers that read back bit for bit."""
        parts = [f"name={quoteattr(self.name)}"] if self.name else []
        parts += [f'time="{_number(self.time)}"'] if self.time else []
        parts += [f'{name}="{" ".join(map(_number, self.values[name]))}"' for name in ATTRIBUTES if name in self.values]
        line = " ".join(["<key", *parts])
        return f"{line if len(line) <= MOST_LINE else f'{newline}{indent}     '.join(['<key ' + parts[0], *parts[1:]])}/>"


def start_values(model: Model) -> dict[str, Array]:
    """Values of a model's keyframe, by attribute."""
    mocap = np.flatnonzero(np.asarray(model.body_mocapid) >= 0)
    order = mocap[np.argsort(np.asarray(model.body_mocapid)[mocap])]
    return {
        "qpos": np.array(model.qpos0, float), "qvel": np.zeros(model.nv), "act": np.zeros(model.na), "ctrl": np.zeros(model.nu),
        "mpos": np.array(model.body_pos)[order].ravel(), "mquat": np.array(model.body_quat)[order].ravel(),
    }  # fmt: skip


def make(
    path: Path, known: Sequence[str], wanted: Sequence[WantedKey], texts: Mapping[str, bytes] | None = None
) -> tuple[Patch, list[str]]:
    """The patch that leaves a model's files with these keyframes, of those in them the ones that have an origin here, and the
    names of all in the order that they then have.

    known: the names of the file's keyframes as it was loaded; texts: in place of files, for changes that come first.
    Raises PatchError if the files are not those of the model, or a change breaks them.
    """
    try:
        document = read_path(path, texts)
        fresh = compile(read_path(path, texts), Model)
        keys = outline(document).keys
    except PhysicsError as error:
        raise PatchError(f"the file does not load any more: {error}") from error
    require_mjcf(document)
    if names_of(fresh)[: len(keys)] != list(known)[: len(keys)] or fresh.nkey != len(known):
        raise PatchError(CHANGED)
    written = _written(wanted, len(keys), fresh.nkey)
    held = texts or {}
    before = {source: held[source] if source in held else read(source) for source in document.all_sources()}
    after = _rewritten(before, document, keys, known, written)
    names = _required(path, {**held, **after}, written)
    files = [FilePatch(Path(file), before[file], after[file]) for file in before if after[file] != before[file]]
    return Patch(files, [], []), names


def _written(wanted: Sequence[WantedKey], count: int, nkey: int) -> list[WantedKey]:
    """Keyframes for the file: the first `count` have values, the others up to `nkey` are empty ones reserved by <size nkey>."""
    there = {key.origin for key in wanted}
    if any(number not in there for number in range(count, nkey)):
        raise PatchError(f"the file asks for {nkey} keyframes by <size nkey>, those without numbers too: change it in an editor")
    spare = [key for key in wanted if key.origin is not None and key.origin >= count]
    named = [replace(key, origin=None) for key in spare if key.name]
    return [*(key for key in wanted if key not in spare), *named]


def names_of(model: Model) -> list[str]:
    """The names of a model's keyframes, "" where one has none."""
    names = bytes(model.names)
    return [names[at : names.index(b"\0", at)].decode("utf-8", "replace") for at in np.asarray(model.name_keyadr).tolist()]


def _rewritten(
    before: Mapping[str, bytes], document: Document, keys: list[Element], known: Sequence[str], wanted: Sequence[WantedKey]
) -> dict[str, bytes]:
    edits: dict[str, list[tuple[int, int, bytes]]] = {source: [] for source in before}
    kept = {key.origin: key for key in wanted if key.origin is not None}
    for number, element in enumerate(keys):
        own = element.where.offset >= 0 and element.where.file in edits and _alone(element, keys)
        if number not in kept or kept[number].name != known[number]:
            if not own:
                raise PatchError(f"keyframe {known[number] or number} comes from a part that the file attaches or copies")
            data = before[element.where.file]
            change = _removed(data, element.where.offset) if number not in kept else _renamed(data, element, kept[number].name)
            edits[element.where.file].append(change)
    new = [key for key in wanted if key.origin is None]
    if new:
        file, start, stop, text = _placed(before, document, new)
        edits[file].append((start, stop, text))
    return {source: spliced(data, edits[source]) for source, data in before.items()}


def _alone(element: Element, keys: list[Element]) -> bool:
    return sum(key.where == element.where for key in keys) == 1


def _removed(data: bytes, offset: int) -> tuple[int, int, bytes]:
    """Span of an element, with its line if it is alone on it."""
    _, end = attribute_spans(data, offset)
    match = _KEY_END.match(data, end)
    if match is None:
        raise PatchError("a <key> of the file is not empty: remove its content in an editor")
    start, stop = data.rfind(b"\n", 0, offset) + 1, data.find(b"\n", match.end())
    stop = len(data) if stop < 0 else stop + 1
    alone = not data[start:offset].strip() and not data[match.end() : stop].strip()
    return (start, stop, b"") if alone else (offset, match.end(), b"")


def _renamed(data: bytes, element: Element, name: str) -> tuple[int, int, bytes]:
    spans, _ = attribute_spans(data, element.where.offset)
    if "name" in spans:
        start, stop = spans["name"]
        return start - 1, stop + 1, quoteattr(name).encode()
    at = element.where.offset + len(b"<key")
    return at, at, f" name={quoteattr(name)}".encode()


def _placed(before: Mapping[str, bytes], document: Document, new: Sequence[WantedKey]) -> tuple[str, int, int, bytes]:
    """Insertion of new keyframes: file, replaced range (start, stop), bytes."""
    sections = [(source, node) for source in document.sources for node in parse(before[source], source).children
                if node.tag == "keyframe"]  # fmt: skip
    file, node = sections[-1] if sections else (document.sources[0], None)
    data = before[file]
    newline = newline_of(data)
    plain = without_comments(data)
    if node is None:
        inner = "    "
        body = "".join(f"{newline}{inner}{key.text(inner, newline)}" for key in new)
        text = f"  <keyframe>{body}{newline}  </keyframe>{newline}"
        at = before_end_tag(data, plain, plain.rfind(b"</mujoco"), file, "a keyframe")
        return file, at, at, text.encode()
    _, end = attribute_spans(data, node.where.offset)
    outer = margin(data, node.where.offset)
    inner = margin(data, node.children[-1].where.offset) if node.children else outer + "  "
    lines = "".join(f"{inner}{key.text(inner, newline)}{newline}" for key in new)
    empty = re.match(rb"\s*/>", data[end:])
    if empty is not None:
        text = f">{newline}{lines}{outer}</keyframe>"
        return file, end, end + empty.end(), text.encode()
    at = before_end_tag(data, plain, plain.find(b"</keyframe", end), file, "a keyframe")
    return file, at, at, lines.encode()


def _required(path: Path, texts: Mapping[str, bytes], wanted: Sequence[WantedKey]) -> list[str]:
    """The names of the keyframes that the changed files give. Raises PatchError unless they are these, then empty ones if any."""
    try:
        model = compile(read_path(path, texts), Model)
    except PhysicsError as error:
        raise PatchError(f"the file would not load any more: {error}") from error
    names, start = names_of(model), start_values(model)
    count = len(wanted)
    if sorted(names[:count]) != sorted(key.name for key in wanted) or any(names[count:]):
        raise PatchError("the file would have other keyframes than these")
    for key in wanted:
        if not key.name or names.count(key.name) > 1:
            continue
        k = names.index(key.name)
        for name, values in start.items():
            target, there = key.values.get(name, values), np.asarray(getattr(model, f"key_{name}"))[k]
            if len(target) != len(there) or not np.allclose(target, there, rtol=0.0, atol=ROUNDING):
                raise PatchError(f"keyframe {key.name} would have other numbers: {name}")
    return names


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")
