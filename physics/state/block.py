"""Python's side of a struct: it owns the arrays and the slots that kernels read."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

import numpy as np

from tumble.physics.errors import LaidOutError, ModelError
from tumble.physics.state.fields import Field
from tumble.physics.state.guard import Arrays, Lock
from tumble.physics.state.layout import Layout
from tumble.physics.state.structs.struct import real, whole, write

ADDRESS = "address"  # the unit of fields that hold addresses

# Bytes of a model, or of its data. More is a mistyped number or a scene that no step could be fast with, and asking the
# system for it may end the process, or all others, rather than fail.
MOST_BYTES = 2 * 2**30


# Every block by the address of its slots, which is how kernels know it.
BY_ADDRESS: WeakValueDictionary[int, Block] = WeakValueDictionary()

# Bytes from the end of an array to whatever lies behind it. A compiled loop that writes one array and reads another asks
# first whether they are apart, by at least the bytes it does at once: if not it goes number by number, and sums round
# otherwise. Closer neighbours would make results depend on where the system happens to place arrays.
_GAP = 512
_LINE = 64  # arrays begin with a cache line
_SMALL = 2**16  # bytes of an array at most that lies in one piece of memory with others: a larger one can be given back
_POINT = 24  # bytes of three numbers
_ITEM = {kind: np.dtype(kind).itemsize for kind in ("f8", "f4", "i8", "i4", "u1")}


class Spans:
    """Pieces of memory. address: of their table, a row of address and bytes each; count: of rows; sizes: the bytes of all."""

    __slots__ = ("_table", "address", "count", "sizes")

    def __init__(self, table: np.ndarray) -> None:
        """table: (count, 2)."""
        self._table, self.address, self.count = table, table.ctypes.data, len(table)
        self.sizes = table[:, 1].tobytes()


class Block:
    """The memory of a model or of its data.

    Attributes are those of the table: scalars are numbers, arrays are writable views; assigning
    copies into place, so that addresses hold and every view stays true. Their types are declared in physics/state/declared,
    which `make docs` writes from the table.
    """

    _struct: ClassVar[Layout]
    _locked: ClassVar[frozenset[str]] = frozenset()
    _lock: ClassVar[type[Lock]] = Lock
    _slots: np.ndarray
    _reals: np.ndarray  # the same memory, where slots hold real numbers
    _arrays: Arrays
    lock: Lock
    _spans: dict[Collection[str], Spans]  # what `spans` has found, until an array is replaced
    address: int
    calling = 0  # callbacks that were given this block and have not returned: kernels are at work on its memory
    views: dict[tuple[int, str | int], Any]  # of elements, that were asked for by name or number: of named.py
    moved = 0  # how often memory was replaced or emptied while that was so, as far as it matters to those kernels
    _left: list[np.ndarray]  # memory that was replaced meanwhile, which they still know

    def __init_subclass__(
        cls, struct: Layout | None = None, locked: Collection[str] = (), counts: Collection[str] = (), **rest: Any
    ) -> None:
        """locked: fields that the block's lock guards; counts: numbers that can only become less while it is closed."""
        super().__init_subclass__(**rest)
        if struct is None:
            return
        cls._struct, cls._locked = struct, frozenset(locked)
        for f in struct.fields.values():
            if f.name in cls.__dict__:
                continue
            at = struct.slot[f.name]
            if f.shape:
                setattr(cls, f.name, _array(f))
            elif f.name in locked or f.name in counts:
                setattr(cls, f.name, _kept(f, at, lower=f.name in counts))
            else:
                setattr(cls, f.name, _scalar(f, at))

    @property
    def inner(self) -> Inner:
        """The fields as the engine writes them, whatever is locked for programs."""
        return Inner(self)

    def _allocate(self, sizes: Mapping[str, int]) -> None:
        """Zeroed memory for these sizes; a size that is a scalar of this block is stored in it too.

        Raises ModelError, naming the largest parts, if that would be more than MOST_BYTES or than there is.
        """
        struct, plan = self._struct, _arrangement(self._struct, self._locked, tuple(sizes.items()))
        if plan.size > MOST_BYTES:
            self._require({f.name: _bytes(f, [extent(n, sizes) for n in f.shape]) for f in struct.fields.values()})
        self._slots = np.zeros(struct.nslot, np.int64)
        self._arrays = Arrays()
        self._register()
        for name, value in sizes.items():
            if name in struct.fields:
                self._slots[struct.slot[name]] = value
        self._furnish(plan)

    def _furnish(self, plan: _Arrangement) -> None:
        """Give fields of a new block zeroed memory."""
        memory = {locked: _room(size, "small arrays") for locked, size in plan.rooms.items()}
        for f, shape, at in plan.parts:
            if at is None:
                self._place(f, self._zeros(f, shape))
            else:
                self._arrays[f.name] = np.ndarray(shape, f.dtype, memory[f.name in self._locked], at)
        begin = np.array([memory[False].ctypes.data, memory[True].ctypes.data, 0])
        self._slots[plan.slots] = plan.values + begin[plan.pieces]
        self._spans = {}

    def _renew(self, fields: Sequence[Field]) -> None:
        """Give fields of a new block, which has arrays of another, memory of their own with the same in it."""
        arrays = {f.name: self._arrays[f.name] for f in fields}
        self._furnish(_Arrangement(self._struct, self._locked, ((f, arrays[f.name].shape) for f in fields)))
        for name, array in arrays.items():
            self._arrays[name][...] = array

    def _require(self, parts: Mapping[str, int]) -> None:
        """Raise ModelError if the parts, in bytes by field, are too much."""
        total = sum(parts.values())
        if total > MOST_BYTES:
            raise ModelError(f"{self._memory(parts)}; {gigabytes(MOST_BYTES)} are the most")

    def _memory(self, parts: Mapping[str, int]) -> str:
        largest = sorted(parts, key=lambda name: -parts[name])[:3]
        named = ", ".join(f"{name} {_shape(self._struct.fields[name])} {gigabytes(parts[name])}" for name in largest)
        kind = "the data need" if "time" in self._struct.fields else "the model needs"
        return f"{kind} {gigabytes(sum(parts.values()))} of memory, among it {named}"

    def _zeros(self, f: Field, shape: Sequence[int]) -> np.ndarray:
        return np.ndarray(shape, f.dtype, _room(_bytes(f, shape), f"{f.name} {_shape(f)}"))

    def _register(self) -> None:
        """Let the block be found by the address of its slots."""
        self.address, self._reals = self._slots.ctypes.data, self._slots.view(np.float64)
        BY_ADDRESS[self.address] = self
        self.views = {}
        self.lock = self._lock()
        if isinstance(self._arrays, Arrays):
            self._arrays.lock, self._arrays.locked, self._arrays.views = self.lock, self._locked, {}

    @property
    def owner(self) -> Block:
        """The block that callers know: itself, but for what a model is bound as."""
        return self

    @property
    def _address(self) -> int:
        """The address, under the name that the reference's package has for it."""
        return self.address

    def _place(self, f: Field, array: np.ndarray) -> None:
        """Make an array the memory of a field."""
        at = self._struct.slot[f.name]
        if self.calling:
            self.moved += 1
            self.__dict__.setdefault("_left", []).append(self._arrays[f.name])
        self._arrays[f.name] = array
        self._arrays.views.pop(f.name, None)
        self._spans = {}
        self._slots[at] = array.ctypes.data
        for offset, k in enumerate(_opened(f), start=at + 1):
            self._slots[offset] = array.shape[k]

    def _grow(self, capacity: str, value: int) -> None:
        """Make the extent `capacity` of every field that has it `value`, keeping what fits of what they hold.

        Raises ModelError, and changes nothing, if that would be more than MOST_BYTES or than there is.
        """
        grown = [f for f in self._struct.fields.values() if capacity in f.shape]
        shapes = {f.name: self._extents(f, {capacity: value}) for f in grown}
        new_bytes = {f.name: _bytes(f, shapes[f.name]) for f in grown}
        self._require({name: array.nbytes for name, array in self._arrays.items()} | new_bytes)
        made = [(f, self._zeros(f, shapes[f.name])) for f in grown]
        for f, new in made:
            old = self._arrays[f.name]
            kept = tuple(map(slice, map(min, zip(old.shape, new.shape, strict=True))))
            new[kept] = old[kept]
            self._place(f, new)
        self._slots[self._struct.slot[capacity]] = value

    def _extents(self, f: Field, changed: Mapping[str, int]) -> tuple[int, ...]:
        """The shape that an array would have if some of its extents were changed."""
        return tuple(changed.get(str(n), old) for n, old in zip(f.shape, self._arrays[f.name].shape, strict=True))

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays together."""
        return sum(a.nbytes for a in self._arrays.values()) + self._slots.nbytes

    def put_number(self, name: str, value: float) -> None:
        """Set a number, also one that can only be read as an attribute; faster than by `inner`."""
        (self._reals if self._struct.fields[name].dtype == "f8" else self._slots)[self._struct.slot[name]] = value

    def place(self, name: str, row: int) -> int:
        """Address of a row of an array of three numbers each."""
        return self._slots.item(self._struct.slot[name]) + _POINT * row

    def spans(self, names: frozenset[str]) -> Spans:
        """Memory of those arrays, in the order of the table; behind each are _GAP bytes that nothing reads."""
        if names not in self._spans:
            slots, slot = self._slots.tolist(), self._struct.slot
            rows = [(slots[slot[name]], array.nbytes) for name, array in self._arrays.items() if name in names]
            self._spans[names] = Spans(np.array(rows, np.int64).reshape(-1, 2))
        return self._spans[names]

    def _copy_from(self, other: Block) -> None:
        """Take all values of another block of the same kind."""
        self._take(other._values())

    def _values(self) -> dict[str, Any]:
        """Every value by name, but for addresses, which hold in one process only."""
        fields = (f for f in self._struct.fields.values() if f.unit != ADDRESS)
        return {f.name: getattr(self, f.name) if f.shape == () else self._arrays[f.name] for f in fields}

    def _beginning(self) -> tuple[Any, ...]:
        """Arguments with which the class makes another block of these sizes."""
        raise NotImplementedError

    def __copy__(self) -> Self:
        made = type(self)(*self._beginning())
        made._take(self._values())
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made = memo[id(self)] = type(self)(*deepcopy(self._beginning(), memo))
        made._take(self._values())
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the values, and a digest without which they are not taken."""
        values = self._values()
        return type(self), self._beginning(), (values, _digest(values))

    def __setstate__(self, state: tuple[Mapping[str, Any], bytes]) -> None:
        """Take the values of a pickle. Raises ModelError for others than `__reduce__` gave for a block of these sizes.

        Kernels follow the whole numbers among them without looking, so they are taken as they were or not at all.
        """
        own = self._values()
        try:
            values, digest = state
            good = values.keys() == own.keys() and _digest(values) == digest
            good = good and all(self._fits(self._struct.fields[name], values) for name in own)
        except (AttributeError, TypeError, ValueError):
            good = False
        if not good:
            raise ModelError(f"this is not the state of {type(self).__name__} as pickled: it is damaged, or of another version")
        self._take(values)

    def _fits(self, f: Field, values: Mapping[str, Any]) -> bool:
        """True if the value of a field has its shape in a block of these sizes, in which what grows has grown so far."""
        return f.shape == () or values[f.name].shape == self._extents(f, values)

    def _take(self, values: Mapping[str, Any]) -> None:
        """Take values of a block of the same kind by name."""
        for name, value in values.items():
            f = self._struct.fields[name]
            if f.shape == ():
                self.put_number(name, value)
            elif self._arrays[name].shape == value.shape:
                self._arrays[name][...] = value
            else:  # its capacity has grown
                self._place(f, self._zeros(f, value.shape))
                self._arrays[name][...] = value
        for f in self._struct.fields.values():  # addresses are not among the values, but grow with them
            if f.unit == ADDRESS and f.shape != () and self._arrays[f.name].shape != (shape := self._extents(f, values)):
                self._place(f, self._zeros(f, shape))


class Inner:
    """The fields of a block for the engine: numbers to set, arrays whole and writable."""

    __slots__ = ("_block",)
    _block: Block

    def __init__(self, block: Block) -> None:
        object.__setattr__(self, "_block", block)

    def __getattr__(self, name: str) -> np.ndarray:
        return self._block._arrays[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._block._arrays:
            self._block._arrays[name][...] = value
        else:
            self._block.put_number(name, value)


class _Arrangement:
    """Allocation of arrays: small ones share a piece of memory, which is much faster.

    Those that are locked have a piece of their own, which is the base of no array that can be written.
    """

    def __init__(self, struct: Layout, locked: Collection[str], wanted: Iterable[tuple[Field, tuple[int, ...]]]) -> None:
        self.parts: list[tuple[Field, tuple[int, ...], int | None]] = []  # with the place in that piece; None: memory of its own
        self.rooms = {False: 0, True: 0}  # bytes of the pieces: whether they are locked
        self.size = 0  # bytes of all arrays
        slots = []  # what they are to hold, and in which piece that is a place; 2: it is none
        for f, shape in wanted:
            size, piece = math.prod(shape) * _ITEM[f.dtype], f.name in locked
            self.size += size
            self.parts.append((f, shape, self.rooms[piece] if size <= _SMALL else None))
            if size > _SMALL:
                continue
            at = struct.slot[f.name]
            slots.append((at, self.rooms[piece], int(piece)))
            slots += [(offset, shape[k], 2) for offset, k in enumerate(_opened(f), start=at + 1)]
            self.rooms[piece] += -(-(size + _GAP) // _LINE) * _LINE
        self.slots, self.values, self.pieces = np.array(slots, np.int64).reshape(-1, 3).T.copy()


@lru_cache(maxsize=32)  # a model is compiled, its data made, and both copied
def _arrangement(struct: Layout, locked: frozenset[str], sizes: tuple[tuple[str, int], ...]) -> _Arrangement:
    """For all arrays of a block of these sizes."""
    known = dict(sizes)
    shaped = (f for f in struct.fields.values() if f.shape != ())
    return _Arrangement(struct, locked, ((f, tuple([extent(n, known) for n in f.shape])) for f in shaped))


def _digest(values: Mapping[str, Any]) -> bytes:
    """A digest of names, types and shapes of the values of a block, and of all numbers that could lead a kernel astray.

    Real numbers of arrays cannot, and are most of it. Raises TypeError for what is no number.
    """
    text = hashlib.blake2b(digest_size=16)
    forms: list[tuple[Any, ...]] = []
    for name, value in values.items():
        if isinstance(value, int | float):
            forms.append((name, value))
            continue
        kind = value.dtype
        if kind.hasobject or not kind.isnative:
            raise TypeError(f"{name} is no array of numbers of this computer's")
        forms.append((name, kind.char, value.shape))
        if kind.kind != "f":
            text.update(np.ascontiguousarray(value).data)
    text.update(repr(forms).encode())
    return text.digest()


def _opened(f: Field) -> list[int]:
    """Dimensions of a field that depend on the sizes."""
    return [k for k, n in enumerate(f.shape) if isinstance(n, str)]


def extent(n: int | str, sizes: Mapping[str, int]) -> int:
    """The number a dimension of the table stands for: 3, "nv" or "3*nmocap"."""
    if isinstance(n, int):
        return n
    factor, _, name = n.rpartition("*")
    return (int(factor) if factor else 1) * sizes[name]


def _bytes(f: Field, shape: Sequence[int]) -> int:
    return math.prod(shape) * _ITEM[f.dtype] if f.shape else 8


def _room(size: int, what: str) -> np.ndarray:
    """Zero bytes from the beginning of a cache line, with _GAP more behind them. Raises ModelError, naming what they are for."""
    try:
        memory = np.zeros(size + _LINE + _GAP, np.uint8)
    except MemoryError as error:
        raise ModelError(f"this computer has no {gigabytes(size)} of memory left for {what}") from error
    return memory[-memory.ctypes.data % _LINE :]


def _shape(f: Field) -> str:
    return f"({', '.join(map(str, f.shape))})"


def gigabytes(count: int) -> str:
    """Bytes in words for a message."""
    return f"{count / 2**30:.2g} GB" if count >= 2**29 else f"{count / 2**20:.2g} MB"


def _scalar(f: Field, at: int) -> property:
    valid = f.valid
    if f.dtype == "f8":

        def get(self: Block) -> Any:
            return self._reals.item(at)

        def put(self: Block, value: Any) -> None:
            number = real(value)
            if valid is not None:
                f.require(number)
            self._reals[at] = number

    else:

        def get(self: Block) -> Any:
            return self._slots.item(at)

        def put(self: Block, value: Any) -> None:
            number = whole(value)
            if valid is not None:
                f.require(number)
            self._slots[at] = number

    return property(get, put, doc=f"{f.doc} [{f.unit}]")


def _kept(f: Field, at: int, *, lower: bool) -> property:
    """A number that the engine keeps; lower: programs may make it less."""

    def get(self: Block) -> Any:
        return self._slots.item(at)

    def put(self: Block, value: Any) -> None:
        number, now = whole(value), self._slots.item(at)
        if not self.lock.closed or number == now or (lower and 0 <= number < now):
            self._slots[at] = number
            return
        valid = f"it can become less than it is, {now}, and no more" if lower else "it can be read only"
        raise LaidOutError(f"{f.name} is kept by the engine, which follows it without looking: {valid}")

    return property(get, put, doc=f"{f.doc} [{f.unit}]")


def _array(f: Field) -> property:
    name, used, require = f.name, f.used, None if f.valid is None else f.require
    get: Callable[[Block], np.ndarray]
    if used:

        def get(self: Block) -> np.ndarray:
            rows = self._arrays.guarded(name)[: getattr(self, used)]
            return rows if rows.size else rows.copy()  # what has no rows is a view of nothing, as the reference says of it

    else:

        def get(self: Block) -> np.ndarray:
            known = self._arrays.views.get(name)
            return self._arrays.guarded(name) if known is None else known

    def put(self: Block, value: Any) -> None:
        write(get(self), value, name, require)

    return property(get, put, doc=f"{f.doc} [{f.unit}], shape {f.shape}")
