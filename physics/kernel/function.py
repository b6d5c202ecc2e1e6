"""Kernels and stages as they are declared: plain objects, which cost nothing until their machine code is needed."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any

import numpy as np

from tumble.physics.base.intrinsic import intrinsic
from tumble.physics.errors import ModelError
from tumble.physics.kernel import cache, library
from tumble.physics.kernel.digest import digest, is_ours
from tumble.physics.kernel.library import symbol
from tumble.physics.kernel.target import EXACT, FAST, target
from tumble.physics.state.data import Data, not_a_pair

if TYPE_CHECKING:
    from tumble.physics.state.block import Block
    from tumble.physics.state.data import Data
    from tumble.physics.state.model import Model

# The kinds of arguments and results, as compile.py knows them: a model, a data, an integer of 64 bits (an address too),
# a number, nothing.
M, D, INT, FLOAT, VOID = "m", "d", "int", "float", "void"

STAGES: dict[str, Compiled] = {}  # every function of ours that is compiled on its own, by module:name, as its module is imported


class Kernel:
    """A leaf: takes arrays and scalars (or m, d), and is compiled into the stages that call it.

    Called from Python it runs as the Python function that it is: slow, and good for a single look.
    watchers: by thread, what is told the arguments of each such call once it has returned.
    """

    def __init__(self, function: Callable[..., Any], fast: tuple[str, ...]) -> None:
        self.function = function
        self.fast = fast
        self.watchers: dict[int, Callable[..., None]] = {}
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """Run as plain Python."""
        result = self.function(*arguments)
        if self.watchers and (tell := self.watchers.get(threading.get_ident())) is not None:
            tell(*arguments)
        return result

    @cached_property
    def _numba_type_(self) -> Any:
        """The type that numba needs if a kernel calls another."""
        from tumble.physics.kernel.compile import leaf_type

        return leaf_type(self)


def kernel(function: Callable[..., Any]) -> Any:
    """A leaf: takes arrays and scalars (or m, d), and is compiled into the stages that call it."""
    return Kernel(function, FAST)


def exact(function: Callable[..., Any]) -> Any:
    """A kernel whose sums are rounded as they are written: where a sign at rounding level decides, as in collisions."""
    return Kernel(function, EXACT)


class Compiled:
    """A function compiled on its own to a pointer: its machine code is looked up, or made, when it is first wanted."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[str, ...], result: str = VOID) -> None:
        """arguments: their kinds, of M, D and INT; result: its kind, of INT, FLOAT and VOID."""
        self.function = function
        self.arguments = arguments
        self.result = result
        self.name = function.__name__
        self.key = f"{function.__module__}:{self.name}"
        self.__doc__ = function.__doc__
        self.seconds = 0.0
        self.cached = False
        if is_ours(function.__module__):
            STAGES[self.key] = self

    @cached_property
    def address(self) -> int:
        """The function pointer; the first read looks the code up, or compiles it here, which takes up to many seconds."""
        start = time.perf_counter()
        address = library.address(self.key, self.digest)
        if address is None:
            from tumble.physics.kernel.load import load

            code = cache.read(self.key, self.digest)
            self.cached = code is not None
            if code is None:
                code = self._compile()
                cache.write(self.key, self.digest, code)
            address = load(code, symbol(self.key))
        else:
            self.cached = True
        self.seconds = time.perf_counter() - start
        return address

    def _compile(self) -> bytes:
        """Compile its object code here. Raises ModelError without a compiler."""
        try:
            from tumble.physics.kernel.compile import object_code
        except ImportError as error:
            raise ModelError(
                f"no kernels for this computer came along ({target().name}), and numba, which compiles them, is not here: {error}"
            ) from error
        return object_code(self)

    @property
    def digest(self) -> str:
        """Digest of the sources of its code; "" if there are none: then it is not cached, except in the bundled library."""
        return digest(self.function.__module__) if is_ours(self.function.__module__) and not library.is_frozen() else ""

    @property
    def kept(self) -> bool:
        """True if the library or the cache holds it, so that nothing has to be compiled."""
        return library.holds(self.key, self.digest) or cache.read(self.key, self.digest) is not None

    @property
    def ready(self) -> bool:
        """True if the pointer is available."""
        return "address" in self.__dict__


class Stage(Compiled):
    """A part of the pipeline: `stage(m, d)` runs it, from Python or (through its address) from other stages."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, (M, D))

    def __call__(self, m: Model, d: Data) -> None:
        """Run the compiled stage on a model and its data, without Python's lock. ModelError, ArgumentError as `Data.take`."""
        if not isinstance(d, Data):
            raise not_a_pair(m, d)
        d.take(m)
        run = m.bound or m  # held until the call returns, whatever is bound meanwhile
        try:
            self.call(run.address, d.address)
        finally:
            d.give()

    @cached_property
    def call(self) -> Callable[[int, int], None]:
        """The compiled stage, of the addresses of a bound model and of data that were taken. It releases Python's lock."""
        return ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(self.address)

    def on_model(self, m: Model) -> None:
        """Run a stage that reads and writes the model alone: it is given no data."""
        self.call(m.address, m.address)

    def interpret(self, m: Block, d: Block) -> None:
        """Run it as the Python function that it is, without compiling: thousands of times slower, for small things once."""
        self.function(m, d)


_C_TYPES: dict[str, Any] = {M: ctypes.c_int64, D: ctypes.c_int64, INT: ctypes.c_int64, FLOAT: ctypes.c_double, VOID: None}


class Query(Compiled):
    """A function that Python calls without its lock, with numbers and addresses: of a model, data, and arrays as INT."""

    @cached_property
    def call(self) -> Callable[..., Any]:
        """The function; the first read looks the code up, or compiles it."""
        return ctypes.CFUNCTYPE(_C_TYPES[self.result], *[_C_TYPES[kind] for kind in self.arguments])(self.address)

    def run(self, *arguments: Any) -> Any:
        """The function of numbers and of contiguous arrays, each by its address."""
        return self.call(*[one.ctypes.data if isinstance(one, np.ndarray) else one for one in arguments])

    def on(self, m: Model, d: Data, *rest: float) -> Any:
        """The function of a model, its data and the rest. ModelError for data of other sizes: it would leave their memory."""
        if not isinstance(d, Data):
            raise not_a_pair(m, d)
        d.require(m)
        run = m.bound or m
        return self.call(run.address, d.address, *rest)


def query(*arguments: str) -> Callable[[Callable[..., Any]], Query]:
    """A function of these arguments that returns nothing, as `@query(M, D, INT)`."""
    return lambda function: Query(function, arguments)


def stage(function: Callable[..., Any]) -> Stage:
    """A part of the pipeline with the signature (m, d), returning nothing."""
    return Stage(function)


@intrinsic
def run(typing: Any, address: Any, m: Any, d: Any) -> Any:
    """`run(address, m, d)` inside a kernel: call a stage through its pointer."""
    from llvmlite import ir
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments[1:]])
        builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])
        return context.get_dummy_value()

    return types.void(types.int64, m, d), generate
