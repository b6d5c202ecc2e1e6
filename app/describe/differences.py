"""The differences of two models, by field and element."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble.app.describe.signals import Catalogue
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL

if TYPE_CHECKING:
    from tumble.physics import MjModel

LISTED = 6  # elements of a field that are listed
LEFT_OUT = {f.name for f in MODEL_INTERNAL} | {"names", "names_map", "paths"}


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
