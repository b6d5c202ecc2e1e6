"""A variant of a study as changes of the running model, and as a patch of its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.patch import FilePatch, Patch, read
from tumble.app.replay.bundle import Bundle, LoadError
from tumble.app.session.loader import read_compiled
from tumble.app.simulation.changes import Change
from tumble.app.study.attribute_path import Value
from tumble.app.study.model_file import model_file
from tumble.app.study.study_file import Study, StudyError
from tumble.app.study.variants import Variants
from tumble.physics import changes
from tumble.physics.model import MjData
from tumble.physics.state.fields import MODEL

if TYPE_CHECKING:
    from tumble.physics import MjModel

_GROUPS = ("opt", "stat", "vis", "tumble")  # structs of the model; their fields have dots where changes name them
_OF_VIEW = "stat_"  # what only the view reads


class Variant(Struct, frozen=True):
    """A variant: where its model's file is, the files with its values, its model, and changes that lead to it while a model runs.

    texts: the files that differ, by the names that the bundle gives them. changes: () where it can only be compiled.
    """

    path: Path
    bundle: Bundle
    texts: Mapping[str, bytes]
    model: MjModel
    changes: tuple[Change, ...]

    @property
    def changed_bundle(self) -> Bundle:
        """All files with the variant's values."""
        text = self.texts.get(self.bundle.main, self.bundle.text)
        return replace(self.bundle, text=text, files={**self.bundle.files, **self.texts})


def variant(study: Study, study_path: Path, values: Sequence[Value]) -> Variant:
    """A variant of the study's model as its files are now. Raises StudyError, LoadError."""
    path = model_file(study, study_path)
    bundle = read_compiled(path).bundle
    variants = Variants(bundle, study.parameters)
    model = variants.model(values)
    return Variant(path, bundle, variants.text(dict(enumerate(values))), model, live_changes(variants.base, model))


def live_changes(base: MjModel, other: MjModel) -> tuple[Change, ...]:
    """Changes that make one model of another while it runs, checked by making them; () where that cannot be."""
    needed: list[Change] = []
    for field in MODEL:
        before, after = _array(base, field.name), _array(other, field.name)
        if before.shape != after.shape:
            return ()
        if field.name.startswith(_OF_VIEW) or changes.rule(field.name).effect is changes.Effect.FIXED or _same(before, after):
            continue
        needed += _changes_of(field.name, before, after)
    return tuple(needed) if _lead_to(base, other, needed) else ()


def _changes_of(name: str, before: NDArray[np.generic], after: NDArray[np.generic]) -> list[Change]:
    group, _, rest = name.partition("_")
    if group in _GROUPS:
        return [Change(f"{group}.{rest}", None, tuple(map(float, after.ravel())))]
    rows = np.flatnonzero((before != after).reshape(len(before), -1).any(axis=1))
    return [Change(name, int(row), tuple(map(float, after[row].ravel()))) for row in rows]


def _lead_to(base: MjModel, other: MjModel, needed: Sequence[Change]) -> bool:
    """True if these changes are allowed, and make the one model the other."""
    fields = ((change.field, change.index) for change in needed)
    if any(changes.refusal(base, name, index) for name, index in fields if "." not in name):
        return False
    copy = base.twin()
    data = MjData(copy)
    for change in needed:
        change.make(copy, data)
    return all(_same(_array(copy, f.name), _array(other, f.name)) for f in MODEL if not f.name.startswith(_OF_VIEW))


def _array(model: MjModel, name: str) -> NDArray[np.generic]:
    return np.asarray(getattr(model, name))


def _same(one: NDArray[np.generic], other: NDArray[np.generic]) -> bool:
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def patch(path: Path, study: Study, study_path: Path, values: Sequence[Value]) -> Patch:
    """The patch that writes a variant's values to the files of its model. Raises PatchError."""
    try:
        chosen = variant(study, study_path, values)
        if chosen.path.resolve() != path.resolve():
            raise PatchError(f"the model that is open is {path.name}, the study's is {chosen.path.name}")
        checked = chosen.changed_bundle.compile()
    except (StudyError, LoadError) as error:
        raise PatchError(str(error)) from error
    if not all(_same(_array(checked, f.name), _array(chosen.model, f.name)) for f in MODEL if not f.name.startswith(_OF_VIEW)):
        raise PatchError("the changed file would give another model than the run had")
    return patch_of_texts(path, chosen.bundle, chosen.texts)


def patch_of_texts(path: Path, bundle: Bundle, texts: Mapping[str, bytes]) -> Patch:
    """The patch that gives files of a model other texts, by the names that the bundle gives them. Raises PatchError."""
    files = []
    for name, after in texts.items():
        file = path.parent / name  # absolute ones stay as they are
        before = read(str(file))
        if before != (bundle.text if name == bundle.main else bundle.files[name]):
            raise PatchError(f"{file.name} was changed by another program in the meantime")
        if before != after:
            files.append(FilePatch(file, before, after))
    return Patch(files, [], [])
