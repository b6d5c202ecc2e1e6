"""Structs whose fields are in a block once, under a prefix: `m.opt.timestep` is `opt_timestep` of the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from tumble.physics.errors import ArgumentError, quoted
from tumble.physics.state.block import Block, extent
from tumble.physics.state.fields import Field
from tumble.physics.state.guard import guarded
from tumble.physics.state.layout import Layout
from tumble.physics.state.structs.struct import StructView, to_dtype, write

W = TypeVar("W", bound=Callable[[Any], None])

_BEGINNINGS: dict[type, Callable[[Any], None]] = {}


def begins(*kinds: type[Group]) -> Callable[[W], W]:
    """Decorates what writes the first values of structs of these kinds that are made alone; they are zeros before."""

    def register(write: W) -> W:
        _BEGINNINGS.update(dict.fromkeys(kinds, write))
        return write

    return register


class Group(StructView):
    """Fields of a block that share a prefix, under their short names; or, made alone, the same fields with memory of their own.

    A view reads the memory that kernels read. It holds that memory and not its owner.
    """

    __slots__ = ("_arrays", "_reals", "_words")
    _fields: ClassVar[tuple[Field, ...]] = ()
    _first: ClassVar[int]  # slot of the first of them

    _arrays: dict[str, np.ndarray]
    _words: np.ndarray  # the slots of the fields, as whole numbers ...
    _reals: np.ndarray  # ... and as the others

    def __init_subclass__(cls, layout: Layout | None = None, prefix: str = "", **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if layout is None:
            return
        cls._fields = tuple(f for f in layout.fields.values() if f.name.startswith(prefix))
        cls._first = min(layout.slot[f.name] for f in cls._fields)
        for f in cls._fields:
            setattr(cls, f.name.removeprefix(prefix), _array(f) if f.shape else _scalar(f, layout.slot[f.name] - cls._first))
        cls._names = tuple(f.name.removeprefix(prefix) for f in cls._fields)

    def __init__(self) -> None:
        """With the values that hold where nothing is said."""
        self._hold(np.zeros(sum(f.slots for f in self._fields), np.int64), {})
        self._arrays.update({f.name: np.zeros([extent(n, {}) for n in f.shape], f.dtype) for f in self._fields if f.shape})
        for kind in type(self).__mro__:
            if kind in _BEGINNINGS:
                _BEGINNINGS[kind](self)

    @classmethod
    def of(cls, block: Block) -> Self:
        """The view into a block."""
        if not isinstance(block, Block):
            raise ArgumentError(f"{cls.__name__} is a view into a model, not into {quoted(block)}")
        view = cls.__new__(cls)
        view._hold(block._slots[cls._first :], block._arrays)
        return view

    def _hold(self, words: np.ndarray, arrays: dict[str, np.ndarray]) -> None:
        self._words, self._reals, self._arrays = words, words.view(np.float64), arrays


def _scalar(f: Field, at: int) -> property:
    cast, valid = to_dtype(f.dtype), f.valid
    if f.dtype == "f8":

        def get(self: Group) -> Any:
            return self._reals.item(at)

        def put(self: Group, value: Any) -> None:
            number = cast(value)
            if valid is not None:
                f.require(number)
            self._reals[at] = number

    else:

        def get(self: Group) -> Any:
            return self._words.item(at)

        def put(self: Group, value: Any) -> None:
            number = cast(value)
            if valid is not None:
                f.require(number)
            self._words[at] = number

    return property(get, put, doc=f"{f.doc} [{f.unit}]")


def _array(f: Field) -> property:
    name, require = f.name, None if f.valid is None else f.require

    def get(self: Group) -> np.ndarray:
        return guarded(self._arrays, name)

    def put(self: Group, value: Any) -> None:
        write(self._arrays[name], value, name, require)

    return property(get, put, doc=f"{f.doc} [{f.unit}], shape {f.shape}")
