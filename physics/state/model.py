"""The memory of a compiled model: `MjModel` without the ways to load one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from physics.state.block import Block, Group
from physics.state.constants import SPARSE_FROM
from physics.state.enums import mjtJacobian
from physics.state.fields import MODEL
from physics.state.named import ModelNames
from physics.state.own import DEFAULTS
from physics.state.view import ModelType

STAGES = 48  # entries of the stage table; step/program.py assigns them

_SIZE_NAMES = tuple(f.name for f in MODEL if f.shape == () and f.name.startswith("n"))


class Model(ModelNames, Block, struct=ModelType):
    """All constants of a model, by MuJoCo's names and shapes; `opt`, `stat` and `vis` are groups of them, `tumble` is ours."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        """Zeroed memory; sizes: by name ("nq", "nbody", ...), 0 where not given."""
        unknown = sorted(set(sizes) - set(_SIZE_NAMES))
        if unknown:
            raise ValueError(f"not a size of a model: {', '.join(unknown)}")
        self._allocate(dict.fromkeys(_SIZE_NAMES, 0) | dict(sizes) | {"nstage": STAGES})
        self.opt = Group(self, "opt_")
        self.stat = Group(self, "stat_")
        self.vis = Visual(self)
        self.tumble = Group(self, "tumble_")
        for name, value in DEFAULTS.items():
            setattr(self, name, value)

    @property
    def sparse(self) -> bool:
        """Whether the Jacobian is sparse, as the option `jacobian` says; auto: from SPARSE_FROM dofs on."""
        choice = int(self.opt_jacobian)
        return choice == mjtJacobian.mjJAC_SPARSE or (choice == mjtJacobian.mjJAC_AUTO and self.nv >= SPARSE_FROM)

    def __reduce__(self) -> tuple[Any, ...]:
        """For copy.copy, copy.deepcopy and pickle: a model of its own, with the same values."""
        return type(self), (self.sizes(),), self._values()

    def sizes(self) -> dict[str, int]:
        """Every size by name."""
        return {name: getattr(self, name) for name in _SIZE_NAMES}

    @property
    def names(self) -> bytes:
        """All names, each ended by a zero byte; the first is the model's."""
        return self._arrays["names"].tobytes()

    @names.setter
    def names(self, value: bytes) -> None:
        self._arrays["names"][...] = np.frombuffer(value, np.uint8)

    @property
    def paths(self) -> bytes:
        """All asset paths, each ended by a zero byte."""
        return self._arrays["paths"].tobytes()

    @paths.setter
    def paths(self, value: bytes) -> None:
        self._arrays["paths"][...] = np.frombuffer(value, np.uint8)


class Visual:
    """Visual settings by section: `m.vis.headlight.ambient`, `m.vis.global_.fovy`."""

    def __init__(self, model: Model) -> None:
        self.global_ = Group(model, "vis_global_")
        self.quality = Group(model, "vis_quality_")
        self.headlight = Group(model, "vis_headlight_")
        self.map = Group(model, "vis_map_")
        self.scale = Group(model, "vis_scale_")
        self.rgba = Group(model, "vis_rgba_")
