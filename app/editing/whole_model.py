"""A model as one MJCF text: includes in place, default classes resolved, with the changes made while it ran; differences."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble import __version__
from tumble.app.base import files
from tumble.app.describe.signals import Catalogue
from tumble.app.editing import keyframe_patch, patch
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.edits import EditPlace, Values
from tumble.app.editing.keyframe_patch import WantedKey
from tumble.app.editing.model_values import is_own
from tumble.app.editing.patch import Patch, read, write_whole
from tumble.app.replay.bundle import Bundle, LoadError
from tumble.physics.compiler.compile import compile
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.document import MJCF
from tumble.physics.mjcf.reader import read_path
from tumble.physics.mjcf.writer import write
from tumble.physics.model import MjModel
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL
from tumble.physics.state.model import Model

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.mjcf.document import Document

LISTED = 6  # elements of a field that are listed
LEFT_OUT = {f.name for f in MODEL_INTERNAL} | {"names", "names_map", "paths"}
_OF_KEYS = (
    *("nkey", "nnames", "nnames_map", "names", "name_keyadr", "key_time"),
    *(f"key_{name}" for name in keyframe_patch.ATTRIBUTES),
)
# An option beyond the reference is a <numeric>: one more where the running model has none.
_OF_OWN = (
    *("nnumeric", "nnumericdata", "nnames", "nnames_map", "names", "numeric_adr", "numeric_size", "numeric_data"),
    *(f"name_{kind}adr" for kind in ("numeric", "text", "tuple", "key", "plugin")),
)


class WholeModel(Struct, frozen=True):
    """text: of the model as it is; assets: contents of files that go with it; left: a line for each omission."""

    text: bytes
    assets: dict[Path, bytes]
    left: list[str]

    def save(self, output: Path) -> None:
        """Write it, each file whole or not at all. Raises FileError, PatchError where an asset would replace another file."""
        for path, data in self.assets.items():
            if path.exists() and path.read_bytes() != data:
                raise PatchError(f"{path} exists with other contents: choose another folder")
        for path, data in self.assets.items():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise PatchError(f"{path.parent}: cannot be created: {files.reason(error)}") from error
            files.write_whole(path, data)
        files.write_whole(output, self.text)


def canonical(path: Path, output: Path, held: Mapping[str, bytes] | None = None, *, moved: bool = True) -> tuple[bytes, Document]:
    """The text of a model as one file, to stand at `output`, and what was read. Raises LoadError.

    held: contents in place of files; moved: its assets stay where they are; else they go along, in the same folders.
    """
    try:
        document = read_path(str(path), held)
    except PhysicsError as error:
        raise LoadError(str(error)) from error
    head = f"<!-- Written by Tumble {__version__} -->\n"
    return (head + write(document, os.path.dirname(output) if moved else document.directory)).encode(), document


def differences_of_text(
    model: MjModel, output: Path, text: bytes, held: Mapping[str, bytes] | None = None, without: Sequence[str] = ()
) -> list[str]:
    """Differences of the model of a text at `output` from another, a line each; without: fields that may differ."""
    name = str(output)
    try:
        again = compile(read_path(name, {**(held or {}), name: text}), MjModel)
    except PhysicsError as error:
        return [str(error)]
    other = again.sizes()
    sizes = [f"{size}: {a} and {other[size]}" for size, a in model.sizes().items()
             if a != other[size] and size not in ("npaths", "ncollide", *without)]  # fmt: skip
    names = [] if "names" in without or model.names == again.names else ["names: the elements have other names"]
    return [*sizes, *names, *(line for line in differences(model, again) if not line.startswith(tuple(f"{w}:" for w in without)))]


def contents(path: Path, bundle: Bundle) -> dict[str, bytes]:
    """Files of a model other than its main file, by path."""
    return {os.path.join(path.parent, name): data for name, data in bundle.files.items()}


def as_it_is(
    path: Path,
    output: Path,
    model: MjModel,
    changes: Mapping[EditPlace, tuple[Values, Values]],
    keys: tuple[Sequence[str], Sequence[WantedKey]] | None = None,
    along: Mapping[str, bytes] | None = None,
) -> WholeModel:
    """A running model as one text for `output`; the text is compiled and compared with the model, number by number.

    changes: {place: (before, now)} since the file; keys: the names of the file's keyframes, and their new contents; along: files
    that the model was read from, by path, where its assets are to go along. Raises PatchError, LoadError.
    """
    texts: dict[str, bytes] = {}
    left: list[str] = []
    samples: dict[str, bytes] = {}  # of height fields, in new files
    if _format(path) != MJCF:  # changes go into the text of the whole model
        texts[str(path)] = canonical(path, path)[0]
    if changes:
        edited = patch.make(path, model, changes, texts)
        texts |= {str(file.path): file.after for file in edited.files}
        samples = {str(file.path): file.after for file in edited.files if file.asset}
        left += edited.left
    if keys is not None:
        texts |= {str(file.path): file.after for file in keyframe_patch.make(path, *keys, texts)[0].files}
    text, document = canonical(path, output, texts, moved=along is None)
    differing = (*(_OF_KEYS if keys else ()), *(_OF_OWN if any(map(is_own, changes)) else ()))
    if os.path.realpath(output) in map(os.path.realpath, document.all_sources()):
        raise PatchError(f"{output.name} is a file of the running model: choose another name, to keep it unchanged")
    along = None if along is None else {**along, **samples}
    assets = _assets(path, output, document, along or {})
    if along is None:
        assets |= {Path(name): data for name, data in samples.items()}
    # As the text calls them: "parts/../meshes/a.stl" where an attached model in parts/ does.
    folder = os.path.join(path.parent, "")
    there = {os.path.join(output.parent, name.removeprefix(folder)): data for name, data in (along or {}).items()}
    there |= {os.path.join(output.parent, os.path.relpath(name, output.parent)): data for name, data in samples.items()}
    return WholeModel(text, assets, left + differences_of_text(model, output, text, there, differing))


def _format(path: Path) -> str:
    try:
        return read_path(str(path)).format
    except PhysicsError as error:
        raise LoadError(str(error)) from error


def _assets(path: Path, output: Path, document: Document, along: Mapping[str, bytes]) -> dict[Path, bytes]:
    """The files of a model that its text names, where they are to be."""
    assets: dict[Path, bytes] = {}
    for name, data in along.items():
        if name in document.sources:
            continue
        below = os.path.relpath(name, path.parent)
        if below.startswith(os.pardir):
            raise PatchError(f"{name} is outside the model's folder: it cannot be saved with it")
        assets[output.parent / below] = data
    return assets


def save_copy(patch: Patch, source: Path, target: Path) -> None:
    """Write the main file `source` of a model, as the patch changes it, to `target`, whole or not at all.

    Raises PatchError if the copy would not load there, where changes are to be made in files that it includes, or where
    nothing can be written.
    """
    after = {file.path: file.after for file in patch.files if not file.asset}
    samples = {_beside(file.path, source, target): file.after for file in patch.files if file.asset}
    data = after.pop(source) if source in after else read(str(source))
    if after:
        names = ", ".join(path.name for path in after)
        raise PatchError(f"changes belong in {names}, which {source.name} includes: a copy would share them with it")
    try:
        compile(read_path(target, {str(target): data} | {str(path): contents for path, contents in samples.items()}), Model)
    except PhysicsError as error:
        raise PatchError(f"the copy would not load there; save it next to {source.name}, in {source.parent}: {error}") from error
    for path, contents in samples.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, contents)
    write_whole(target, data)


def _beside(path: Path, source: Path, target: Path) -> Path:
    """Path of a file for a copy of the model, seen from which it has the same name."""
    return target.parent / os.path.relpath(path, source.parent)


def differences(first: MjModel, second: MjModel) -> list[str]:
    """A line for each field of two models that differs, with the elements in which it does, by name."""
    catalogue, lines = Catalogue(first), []
    shown = {info.field.name: info for info in catalogue.fields.values() if not info.own}
    for f in MODEL:
        if f.name in LEFT_OUT or f.name in first.sizes():
            continue
        a, b = np.asarray(getattr(first, f.name)), np.asarray(getattr(second, f.name))
        if a.shape != b.shape:
            lines.append(f"{f.name}: {a.shape} and {b.shape}")
            continue
        index = np.flatnonzero(a.ravel() != b.ravel())
        if f.dtype.startswith("f"):
            index = index[~(np.isnan(a.ravel()[index]) & np.isnan(b.ravel()[index]))]
        if len(index) == 0:
            continue
        if f.name not in shown:
            lines.append(f"{f.name}: {len(index)} of {a.size} numbers")
            continue
        names = [signal.name for signal in catalogue.listed(shown[f.name])]
        for k in index[:LISTED]:
            name = names[k] if k < len(names) else f"{f.name}[{k}]"
            lines.append(f"{name}: {a.ravel()[k]:.10g} and {b.ravel()[k]:.10g}")
        if len(index) > LISTED:
            lines.append(f"{f.name}: and {len(index) - LISTED} more numbers")
    return lines
