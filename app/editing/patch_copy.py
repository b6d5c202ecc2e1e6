"""A patched model under another name; the original file is not changed."""

from __future__ import annotations

from pathlib import Path

from tumble.app.editing.patch import Patch, PatchError, read, write_whole
from tumble.physics.compiler.compile import compile
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.state.model import Model


def save_copy(patch: Patch, source: Path, target: Path) -> None:
    """Write the main file `source` of a model, as the patch changes it, to `target`, whole or not at all.

    Raises PatchError if the copy would not load there, where changes are to be made in files that it includes, or where
    nothing can be written.
    """
    after = {file.path: file.after for file in patch.files}
    data = after.pop(source) if source in after else read(str(source))
    if after:
        names = ", ".join(path.name for path in after)
        raise PatchError(f"changes belong into {names}, which {source.name} includes: a copy would share them with it")
    try:
        compile(read_path(target, {str(target): data}), Model)
    except PhysicsError as error:
        raise PatchError(f"the copy would not load there; save it next to {source.name}, in {source.parent}: {error}") from error
    write_whole(target, data)
