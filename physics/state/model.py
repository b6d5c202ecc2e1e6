"""The memory of a compiled model: `MjModel` without the ways to load one."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tumble.physics.errors import ArgumentError, LaidOutError, MisfitError, ModelError, quoted
from tumble.physics.state.constants import SPARSE_FROM
from tumble.physics.state.enums import mjtJacobian
from tumble.physics.state.fields import MODEL, Field
from tumble.physics.state.fields.asset_fields import ASSET
from tumble.physics.state.fields.internal import MODEL_INTERNAL
from tumble.physics.state.guard import Arrays
from tumble.physics.state.layout import MODEL_LAYOUT
from tumble.physics.state.lending import Lender
from tumble.physics.state.named import ModelNames
from tumble.physics.state.own import DEFAULTS
from tumble.physics.state.stages import Entry
from tumble.physics.state.structs.option_groups import MjOption, MjStatistic, MjVisual, TumbleOptions

if TYPE_CHECKING:
    from tumble.physics.state.declared import ModelBlock
else:
    from tumble.physics.state.block import Block as ModelBlock

# Fields that never change while a model runs, and can be large.
_SHARED = {f.name for f in ASSET}
_STRUCTURE = ("body_parentid", "jnt_type", "jnt_bodyid", "geom_bodyid", "site_bodyid", "cam_bodyid", "light_bodyid",
              "tendon_num", "actuator_trntype", "sensor_type", "eq_type", "names")  # fmt: skip
_SIZE_NAMES = tuple(f.name for f in MODEL if f.shape == () and f.name.startswith("n"))
# What a model makes for itself when it is bound.
_BINDING = frozenset(f.name for f in MODEL_INTERNAL)
# Where the sizes are that data depend on.
_DATA_SIZES = [MODEL_LAYOUT.slot[name] for name in _SIZE_NAMES if name not in _BINDING]


# What kernels follow without looking: lent to programs from the time when the model is made.
_LOCKED = frozenset(f.name for f in MODEL if f.laid_out)


class Model(ModelNames, ModelBlock, struct=MODEL_LAYOUT, locked=_LOCKED):
    """All constants of a model, by MuJoCo's names and shapes; `opt`, `stat` and `vis` are groups of them, `tumble` is ours."""

    lock: Lender
    _lock = Lender
    bound: Model | None = None  # what kernels run: this model with the options that held when a call began (run/program.py)
    binding: Any  # of such a one: what it was bound for
    _size_fields = tuple(name for name in _SIZE_NAMES if name not in _BINDING)
    told_of_gaps = False  # whether what is missing for it was logged, or was for the model it is made of
    _of: weakref.ref[Model] | None = None  # of such a one: the model that it is made of
    _names = _paths = b""  # as they were last read
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
        self._opt, self._stat = MjOption.of(self), MjStatistic.of(self)
        self._vis, self._tumble = MjVisual.of(self), TumbleOptions.of(self)

    @property
    def opt(self) -> MjOption:
        """Physics options."""
        return self._opt

    @property
    def stat(self) -> MjStatistic:
        """Statistics of the model as a whole."""
        return self._stat

    @property
    def vis(self) -> MjVisual:
        """Visual settings by section."""
        return self._vis

    @property
    def tumble(self) -> TumbleOptions:
        """Options beyond the reference."""
        return self._tumble

    @property
    def signature(self) -> int:
        """A number that tells its structure: which elements it has, their names, and how they hang together."""
        text = hashlib.blake2b(digest_size=8)
        for name in _STRUCTURE:
            text.update(self._arrays[name].tobytes())
            text.update(b"|")
        return int.from_bytes(text.digest(), "little") >> 1

    @property
    def sparse(self) -> bool:
        """True if the Jacobian is sparse, as the option `jacobian` says; auto: from SPARSE_FROM dofs on."""
        choice = int(self.opt_jacobian)
        return choice == mjtJacobian.mjJAC_SPARSE or (choice == mjtJacobian.mjJAC_AUTO and self.nv >= SPARSE_FROM)

    def _beginning(self) -> tuple[Any, ...]:
        return (self.sizes(),)

    def _fits(self, f: Field, values: Mapping[str, Any]) -> bool:
        return values[f.name] == getattr(self, f.name) if f.name in _SIZE_NAMES else super()._fits(f, values)

    def _take(self, values: Mapping[str, Any]) -> None:
        super()._take(values)
        self.seal()

    def seal(self) -> None:
        """End the making of the model: what programs write to its layout is checked from now on."""
        self.lock.closed = True
        self.lock.take_back()

    def settle(self) -> None:
        """Check what programs have written to the layout, and have kernels follow it from now on.

        Called before anything runs on the model if `lock.due`. Raises ModelError, which names field and index, for what leads
        nowhere; all is then as it was before. Also raises it in a block of `unlocked`.
        """
        if self.lock.changing:
            raise ModelError("the model is being changed: leave the block of `with m.unlocked()` first")
        self._accept()

    def _accept(self) -> None:
        written = self.lock.changes()
        if not written:
            return
        trial, run = self._beside([]), self.bound
        for name, content in written.items():
            f, shape = self._struct.fields[name], self._arrays[name].shape
            trial._place(f, self._zeros(f, shape))
            trial._arrays[name][...] = np.frombuffer(content, f.dtype).reshape(shape)
        wrong = next(trial.strays(written.keys()), "")
        if wrong:
            self.lock.take_back()
            raise ModelError(f"the model cannot be laid out so: {wrong}; it is as it was before")
        for name in written:
            self._place(self._struct.fields[name], trial._arrays[name])
            self.lock.replace(name, trial._arrays[name])
        self.views.clear()
        if run is not None:  # kernels of other threads may be at work on it: it goes on with the arrays that it has
            self.bound = run
            self.bound, self.bound.binding = self.latched(), run.binding
            run.binding.key = b""

    def strays(self, changed: Collection[str] | None = None) -> Iterator[str]:
        """Faults of the layout, each with a field and a place. changed: only these fields may be wrong; None: all."""
        from tumble.physics.state.export.references import strays  # here, not above: only who changes such things waits for it

        yield from strays(self, changed)

    @contextmanager
    def unlocked(self) -> Iterator[Self]:
        """Write several fields of the layout, such as kinds and numbers of elements, in `with m.unlocked():`.

        At the end everything is checked, and ModelError tells what leads nowhere; all is then as it was before, as it is if the
        block raises. Meanwhile no function runs on the model. What follows from a change, as a bounding box from another shape,
        is not made: write it too, or call mj_setConst.
        """
        if not self.lock.closed or self.lock.changing:  # while it is made, or within another one
            yield self
            return
        self._accept()
        self.lock.changing = self.lock.due = True
        try:
            yield self
        except BaseException:
            self.lock.take_back()
            raise
        finally:
            self.lock.changing = False
        self._accept()

    def _values(self) -> dict[str, Any]:
        """Every value by name, but for what is bound: a copy is bound by itself."""
        if self.lock.due:
            self.settle()
        return {name: value for name, value in super()._values().items() if name not in _BINDING}

    @property
    def owner(self) -> Model:
        """The model that callers know: itself, or what it is bound for."""
        return (None if self._of is None else self._of()) or self

    @property
    def as_run(self) -> Model:
        """Model that kernels receive: this one as last bound, or itself."""
        return self.bound or self

    def latched(self) -> Self:
        """A model as this one is now, to be bound: its options do not change any more, what kernels keep in it is its own.

        Its other arrays are those of this model: numbers in them may change while a kernel runs, addresses may not.
        """
        made = self._beside([f for f in MODEL_INTERNAL if f.shape], self.as_run)
        made._of = weakref.ref(self)
        return made

    def shadow(self) -> Self:
        """A model that shares this one's arrays but has options, and what is bound to them, of its own."""
        if self.lock.due:
            self.settle()
        made = self._beside([f for f in MODEL_INTERNAL if f.shape])
        made._source, made.lock.closed = self, self.lock.closed
        return made

    def twin(self) -> Self:
        """A model that shares this one's meshes, height fields, textures and skins, and has all else of its own."""
        if self.lock.due:
            self.settle()
        made = self._beside([f for f in self._struct.fields.values() if f.shape and f.name not in _SHARED])
        made._source, made.lock.closed = self, self.lock.closed
        return made

    def _beside(self, own: list[Field], binding: Model | None = None) -> Self:
        """A model with scalars and these arrays of its own, the others shared; binding: the one whose binding it takes."""
        made = type(self).__new__(type(self))
        made._slots, made._arrays = self._slots.copy(), Arrays(self._arrays)
        if binding is not None:
            for f in MODEL_INTERNAL:
                if f.shape == ():
                    made._slots[self._struct.slot[f.name]] = binding._slots[self._struct.slot[f.name]]
                else:
                    made._arrays[f.name] = binding._arrays[f.name]
        made._register()
        made._group()
        made.told_of_gaps = True
        made._renew(own)
        return made

    def _place(self, f: Field, array: np.ndarray) -> None:
        """Make an array the memory of a field; what was bound before has the old one."""
        super()._place(f, array)
        self.bound = None

    def follow(self, other: Model) -> None:
        """For a shadow: take the options and numbers that the model it is a shadow of has now."""
        for f in self._struct.fields.values():
            if f.shape == () and f.name not in _BINDING:
                at = self._struct.slot[f.name]
                self._slots[at] = other._slots[at]

    def sizes(self) -> dict[str, int]:
        """Every size by name."""
        return {name: getattr(self, name) for name in _SIZE_NAMES}

    @property
    def _sizes(self) -> np.ndarray:
        """Every size (int64), in the order of `_size_fields`, under the names that the reference's package has for them."""
        return np.array([getattr(self, name) for name in self._size_fields], np.int64)

    def has_sizes_of(self, other: Model) -> bool:
        """True if data of the other model fit this one too."""
        return bool((self._slots[_DATA_SIZES] == other._slots[_DATA_SIZES]).all())

    @property
    def names(self) -> bytes:
        """All names, each ended by a zero byte; the first is the model's."""
        self._names = _same(self._names, self._arrays["names"])
        return self._names

    @names.setter
    def names(self, value: bytes) -> None:
        _write_texts(self._arrays["names"], value, "names")
        self.views.clear()

    @property
    def paths(self) -> bytes:
        """All asset paths, each ended by a zero byte."""
        self._paths = _same(self._paths, self._arrays["paths"])
        return self._paths

    @paths.setter
    def paths(self, value: bytes) -> None:
        _write_texts(self._arrays["paths"], value, "paths")


def _write_texts(array: np.ndarray, value: bytes, name: str) -> None:
    """Write texts that end with a zero byte each. Raises ArgumentError, MisfitError for others, and for more or fewer bytes."""
    if not isinstance(value, bytes | bytearray):
        raise ArgumentError(f"{name} should be bytes, not {quoted(value)}")
    if len(value) != array.size or value[-1:] not in (b"\0", b""):
        raise MisfitError(f"{name} has {array.size} bytes, of which the last is zero; {quoted(value)} has {len(value)}")
    array[...] = np.frombuffer(value, np.uint8)


def _same(known: bytes, array: np.ndarray) -> bytes:
    """The bytes of an array; the object that is known, where it has them."""
    now = array.tobytes()
    return known if now == known else now


def _only_read(name: str) -> property:
    """The property of a size: kernels trust it, so it is given when memory is made, and is only read afterwards."""
    own = getattr(Model, name)

    def refuse(self: Model, value: Any) -> None:
        raise AttributeError(f"{name} is a size of the model, which its arrays have: it cannot be set")

    return property(own.fget, refuse, doc=own.__doc__)


def _of_binding(name: str) -> property:
    """The property of what kernels keep in a model: it is in what they run."""
    own, is_array = getattr(Model, name), MODEL_LAYOUT.fields[name].shape != ()

    def get(self: Model) -> Any:
        value = own.fget(self.as_run)
        return self.lock.reading(name, value) if is_array else value

    def put(self: Model, value: Any) -> None:
        if self.lock.closed:
            raise LaidOutError(f"{name} is what the engine makes of the model for itself: it can be read only")
        own.fset(self.as_run, value)

    return property(get, put, doc=own.__doc__)


for _name in _BINDING:
    setattr(Model, _name, _of_binding(_name))
for _name in _SIZE_NAMES:
    setattr(Model, _name, _only_read(_name))
