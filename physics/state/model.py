"""The memory of a compiled model: `MjModel` without the ways to load one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from physics.state.block import Group
from physics.state.constants import SPARSE_FROM
from physics.state.enums import mjtJacobian
from physics.state.fields import MODEL, Field
from physics.state.fields.assets import ASSET
from physics.state.fields.internal import MODEL_INTERNAL
from physics.state.layout import MODEL_LAYOUT
from physics.state.named import ModelNames
from physics.state.own import DEFAULTS
from physics.state.stages import Entry

if TYPE_CHECKING:
    from physics.state.declared import ModelBlock
    from physics.state.declared import groups as declared
else:
    from physics.state.block import Block as ModelBlock

# Fields that never change while a model runs, and can be large.
_SHARED = {f.name for f in ASSET}
_SIZE_NAMES = tuple(f.name for f in MODEL if f.shape == () and f.name.startswith("n"))
# Where the sizes are that data depend on: not those of what a model makes for itself when it is bound.
_DATA_SIZES = [MODEL_LAYOUT.slot[name] for name in _SIZE_NAMES if name not in {f.name for f in MODEL_INTERNAL}]


class Model(ModelNames, ModelBlock, struct=MODEL_LAYOUT):
    """All constants of a model, by MuJoCo's names and shapes; `opt`, `stat` and `vis` are groups of them, `tumble` is ours."""

    _bound: bytes  # the options that the stage table was bound for: see dispatch/program.py
    _called = 0  # the version of the callbacks that it was bound for
    _colliders: dict[tuple[int, int], int] | None = None  # the colliders of the user that it was bound for
    _source: Model  # of a shadow or twin: the model whose arrays it shares

    def __init__(self, sizes: Mapping[str, int]) -> None:
        """Zeroed memory; sizes: by name ("nq", "nbody", ...), 0 if not given."""
        unknown = sorted(set(sizes) - set(_SIZE_NAMES))
        if unknown:
            raise ValueError(f"not a size of a model: {', '.join(unknown)}")
        self._allocate(dict.fromkeys(_SIZE_NAMES, 0) | dict(sizes) | {"nstage": len(Entry)})
        self._group()
        for name, value in DEFAULTS.items():
            setattr(self, name, value)

    def _group(self) -> None:
        """The options and statistics under their short names."""
        self.opt: declared.Option = Group.of(self, "opt_")
        self.stat: declared.Statistic = Group.of(self, "stat_")
        self.vis = Visual(self)
        self.tumble: declared.TumbleOption = Group.of(self, "tumble_")

    @property
    def sparse(self) -> bool:
        """Whether the Jacobian is sparse, as the option `jacobian` says; auto: from SPARSE_FROM dofs on."""
        choice = int(self.opt_jacobian)
        return choice == mjtJacobian.mjJAC_SPARSE or (choice == mjtJacobian.mjJAC_AUTO and self.nv >= SPARSE_FROM)

    def __reduce__(self) -> tuple[Any, ...]:
        """For copy.copy, copy.deepcopy and pickle: a model of its own, with the same values."""
        return type(self), (self.sizes(),), self._values()

    def shadow(self) -> Self:
        """A model that shares this one's arrays but has options, and what is bound to them, of its own."""
        return self._beside([f for f in MODEL_INTERNAL if f.shape])

    def twin(self) -> Self:
        """A model that shares this one's meshes, height fields, textures and skins, and has all else of its own."""
        return self._beside([f for f in self._struct.fields.values() if f.shape and f.name not in _SHARED])

    def _beside(self, own: list[Field]) -> Self:
        """A model with scalars and these arrays of its own, the others shared."""
        made = type(self).__new__(type(self))
        made._slots, made._arrays = self._slots.copy(), dict(self._arrays)
        made._register()
        made._group()
        made._source = self
        for f in own:
            array = made._zeros(f, self._arrays[f.name].shape)
            array[...] = self._arrays[f.name]
            made._place(f, array)
        return made

    def follow(self, other: Model) -> None:
        """For a shadow: take the options and numbers that the model it is a shadow of has now."""
        own = {f.name for f in MODEL_INTERNAL}
        for f in self._struct.fields.values():
            if f.shape == () and f.name not in own:
                at = self._struct.slot[f.name]
                self._slots[at] = other._slots[at]

    def sizes(self) -> dict[str, int]:
        """Every size by name."""
        return {name: getattr(self, name) for name in _SIZE_NAMES}

    def has_sizes_of(self, other: Model) -> bool:
        """Whether data of the other model fit this one too."""
        return bool((self._slots[_DATA_SIZES] == other._slots[_DATA_SIZES]).all())

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
        self.global_: declared.VisualGlobal = Group.of(model, "vis_global_")
        self.quality: declared.VisualQuality = Group.of(model, "vis_quality_")
        self.headlight: declared.VisualHeadlight = Group.of(model, "vis_headlight_")
        self.map: declared.VisualMap = Group.of(model, "vis_map_")
        self.scale: declared.VisualScale = Group.of(model, "vis_scale_")
        self.rgba: declared.VisualRgba = Group.of(model, "vis_rgba_")
