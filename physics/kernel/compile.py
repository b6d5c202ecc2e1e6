"""Kernels to object code, by numba and LLVM.

numba compiles every function it meets to machine code and optimizes it again in each caller. Here a leaf is only lowered:
the stage that is wanted brings the code of all its leaves together, and that is optimized, once. Its object code depends on
nothing of this process, so that it can be kept in a file, linked into a library, and loaded without numba.
"""

from __future__ import annotations

import gc
import operator
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any, Protocol

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import typed_passes, typing, untyped_passes
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import AOTCodeLibrary, AOTCPUCodegen
from numba.core.compiler import Compiler, CompilerBase, Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUTarget
from numba.core.runtime.context import NRTContext
from numba.core.target_extension import CPU, dispatcher_registry, jit_registry, target_registry
from numba.np import arrayobj

from tumble.physics.kernel.library import symbol
from tumble.physics.kernel.target import ELF_ON_WINDOWS, EXCEPTION, FAST, RELAX, Target, checks_bounds, target
from tumble.physics.state.view import DataType, ModelType


class Leaf(Protocol):
    """A function that is compiled into its callers. fast: flags of its arithmetic."""

    function: Callable[..., Any]
    fast: tuple[str, ...]


class Callee(Protocol):
    """A function that is compiled on its own; key: module:name."""

    function: Callable[..., Any]
    arguments: tuple[str, ...]
    result: str
    key: str


_KINDS: dict[str, Any] = {"m": ModelType, "d": DataType, "int": types.int64, "float": types.float64, "void": types.void}
# External symbols that object code may use: the system's mathematics, and its copying of memory.
_SYSTEM = re.compile(
    r"mem(cpy|set|move|cmp)|(sin|cos|sincos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|exp2|expm1|log|log1p|log2|log10|pow|hypot"
    r"|sqrt|cbrt|fabs|floor|ceil|trunc|round|rint|nearbyint|fmod|ldexp|copysign|fma)f?"
)

# The instruction for a thread that only waits, by LLVM's name of the processor: its declaration, and a call. 1 is ARM's "yield".
_YIELD = "declare void @llvm.aarch64.hint(i32)", "call void @llvm.aarch64.hint(i32 1)"
_RELAXING = {
    "x86_64": ("declare void @llvm.x86.sse2.pause()", "call void @llvm.x86.sse2.pause()"), "aarch64": _YIELD, "arm64": _YIELD,
}  # fmt: skip

# Operators whose implementation does not depend on whether a number is a constant.
_OPERATORS = {
    getattr(operator, name)
    for name in "add sub mul truediv floordiv mod iadd isub imul itruediv and_ or_ xor lshift rshift lt le gt ge eq ne".split()
}


class _Library(AOTCodeLibrary):
    """The code of a function, as it was lowered; with that of all it calls only where that is asked for."""

    def add_ir_module(self, ir_module: Any) -> None:
        module = llvm.parse_assembly(normalize_ir_text(str(ir_module)))
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"  # several callers bring the same
        self._finalized = True

    def _called(self) -> dict[_Library, None]:
        """All that it calls, directly or not, in an order that follows from the code alone."""
        found: dict[_Library, None] = {}
        todo = [self]
        while todo:
            for library in todo.pop()._linking_libraries:
                if library not in found:
                    found[library] = None
                    todo.append(library)
        return found

    def whole(self, name: str) -> bytes:
        """LLVM bitcode of the function and all its callees, for any target; only one function is exported."""
        module = self._final_module
        for library in self._called():
            module.link_in(library._final_module, preserve=True)
        for value in (*module.functions, *module.global_variables):
            if not value.is_declaration and value.name != name:
                value.linkage = "internal"
        return bytes(module.as_bitcode())


@global_compiler_lock
def emit(bitcode: bytes, name: str, wanted: Target) -> bytes:
    """Optimized object code of what `lower` gave, for a target. Raises RuntimeError where it calls what no kernel may."""
    machine = _machine(wanted)
    module = llvm.parse_bitcode(bitcode)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    if any(function.name == RELAX for function in module.functions):
        declared, called = _RELAXING.get(machine.triple.partition("-")[0], ("", ""))
        relax = llvm.parse_assembly(f"{declared}\ndefine linkonce_odr void @{RELAX}() alwaysinline {{\n{called}\nret void\n}}")
        relax.triple, relax.data_layout = module.triple, module.data_layout
        module.link_in(relax)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    _clear(module, builder)
    allowed = {EXCEPTION} if checks_bounds() else set()
    strange = [f.name for f in module.functions if f.is_declaration and not _is_known(f.name) and f.name not in allowed]
    if strange:
        raise RuntimeError(f"{name} calls {', '.join(strange)}: kernels neither raise nor allocate")
    inner = [value for value in (*module.functions, *module.global_variables) if not value.is_declaration and value.name != name]
    for place, value in enumerate(inner):
        value.name = f"{name}.{place}"  # numba's names count what this process has compiled before
    return bytes(machine.emit_object(module))


@cache
def _machine(wanted: Target) -> Any:
    """LLVM's machine of a target, for position-independent code; on Windows for code that reaches all of memory (see load.py)."""
    host = wanted.cpu == "host"
    reloc, model = ("static", "large") if wanted is ELF_ON_WINDOWS else ("pic", "default")
    return llvm.Target.from_triple(wanted.triple or llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name() if host else wanted.cpu,
        features=llvm.get_host_cpu_features().flatten() if host else "",
        opt=3, reloc=reloc, codemodel=model,
    )  # fmt: skip


def _clear(module: Any, builder: Any) -> None:
    """Take out calls that the optimizer has found in its last passes never to be made: what is called then is looked at."""
    manager = llvm.create_new_module_pass_manager()
    manager.add_ipsccp_pass()
    manager.add_simplify_cfg_pass()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_strip_dead_prototype_pass()
    manager.run(module, builder)


def _is_known(name: str) -> bool:
    return name.startswith("llvm.") or _SYSTEM.fullmatch(name) is not None


class _Codegen(AOTCPUCodegen):
    """Code generator for numba's lowering; machine code is made by `emit`."""

    _library_class = _Library


class _TypingContext(typing.Context):
    """Typing that remembers which implementation a builtin operation on given types resolves to: numba looks through dozens."""

    def __init__(self) -> None:
        super().__init__()
        self._resolved: dict[Any, Any] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        if kws or not isinstance(func, types.Function):
            return super().resolve_function_type(func, args, kws)
        key = func, tuple(map(types.unliteral, args) if func.typing_key in _OPERATORS else args)
        found = self._resolved.get(key)
        if found is None:
            found = self._resolved[key] = super().resolve_function_type(func, key[1], kws)
        return found


class _NoCounts(NRTContext):
    """Kernels own nothing and allocate nothing: there are no references to count."""

    def incref(self, builder: Any, typ: Any, value: Any) -> None:
        pass

    def decref(self, builder: Any, typ: Any, value: Any) -> None:
        pass


class _TargetContext(CPUContext):
    """Lowering to our code, which is never run in this process."""

    @property
    def nrt(self) -> Any:
        return _NoCounts(self, self.enable_nrt)

    def init(self) -> None:
        super().init()
        self._internal_codegen = _Codegen("tumble")
        self._has_all = False
        self._internal: dict[frozenset[str], dict[Any, Any]] = {}

    def load_additional_registries(self) -> None:
        """Look for what was declared since; numba does so at every leaf, after fifty imports, which are needed once."""
        if not self._has_all:
            super().load_additional_registries()
            self._has_all = True
        for registry in tuple(self._registries):
            self.install_registry(registry)

    def compile_subroutine(self, *arguments: Any, **options: Any) -> Any:
        """Compile numba's own functions, such as powers: it would keep each with the first caller's arithmetic, fast or exact.

        Here each kind of caller has its own, or the numbers would depend on what was compiled before.
        """
        arithmetic: Any = self.fastmath
        kept = self._internal.setdefault(frozenset(arithmetic.flags if arithmetic else ()), {})
        return super(_TargetContext, self.subtarget(cached_internal_func=kept)).compile_subroutine(*arguments, **options)

    def add_dynamic_addr(self, builder: Any, intaddr: int, info: str) -> Any:
        """Null: no code needs the address that a function has in this process."""
        return ir.Constant(self.get_value_type(types.voidptr), None)

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        return [fndesc].append  # what numba knows a compiled function by: any built-in function will do


class _Target(CPUTarget):
    @cached_property
    def _toplevel_typing_context(self) -> Any:
        return _TypingContext()

    @cached_property
    def _toplevel_target_context(self) -> Any:
        return _TargetContext(self.typing_context, self._target_name)


class _Kernels(CPU):
    """Our kind of target among numba's: what it builds in is compiled for us as our own functions are."""


_TARGET = _Target("tumble")


class _Function(Dispatcher):
    """A function as numba's typing sees it: lowered for the types that a caller has."""

    targetdescr = _TARGET
    _compiler: Any

    def __init__(self, function: Any, options: dict[str, Any], compiler: type[CompilerBase] = Compiler) -> None:
        super().__init__(function, {}, options, compiler)
        self._compiler._customize_flags = _without_wrappers

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(tuple(map(_plain, args)), kws)


def _plain(kind: Any) -> Any:
    """The type as which a leaf takes an argument: integers as int64, and none as the constant that it may be.

    numba would lower a leaf for each constant and each width that a caller has, and in loops for the constant that a variable
    begins with, which is then thrown away. The optimizer knows the constants where it puts leaves into their callers.
    """
    kind = types.unliteral(kind)
    return types.int64 if kind in types.signed_domain else kind


target_registry["tumble"] = _Kernels
dispatcher_registry[_Kernels] = _Function
# numba's own maximum and the like are exact: left open, their arithmetic would be that of whoever calls them first.
jit_registry[_Kernels] = lambda **options: lambda function: _Function(function, {"nopython": True, "fastmath": False, **options})


_leaves: dict[Leaf, _Function] = {}  # numba's types hold them weakly


def leaf_type(leaf: Leaf) -> Any:
    """The numba type of a kernel as a callee."""
    if leaf not in _leaves:
        options = {"nopython": True, "nogil": True, "error_model": "numpy", "fastmath": set(leaf.fast) or False}
        _leaves[leaf] = _Function(leaf.function, options, KernelCompiler)
    return types.Dispatcher(_leaves[leaf])


def _without_wrappers(flags: Any) -> Any:
    """Leaves are not called from Python."""
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    return flags


def object_code(part: Callee) -> bytes:
    """The object code of a function for this computer, under the name `symbol(part.key)`; takes up to many seconds.

    Raises numba's errors if it is not one that can be compiled, RuntimeError where it raises or allocates.
    """
    return emit(lower(part), symbol(part.key), target())


def lower(part: Callee) -> bytes:
    """A function and all that it calls as LLVM's bitcode, which is for any target; raises numba's errors."""
    flags: Any = _without_wrappers(Flags())
    flags.error_model, flags.nrt, flags.fastmath = "numpy", True, set(FAST)
    context, name = _TARGET.target_context, symbol(part.key)
    arguments, result = tuple(_KINDS[kind] for kind in part.arguments), _KINDS[part.result]
    with global_compiler_lock, _no_collection(), _counting_from_zero():
        done = compile_extra(
            _TARGET.typing_context, context, part.function, arguments, result, flags, {}, pipeline_class=KernelCompiler
        )
        library = context.codegen().create_library(name)
        library.add_ir_module(_entry(context, done.fndesc, arguments, name))
        library.add_linking_library(done.library)
        return library.whole(name)


def _entry(context: Any, callee: Any, arguments: tuple[Any, ...], name: str) -> Any:
    """A module with a C function that calls numba's, which has a status to return and an exception to point at."""
    module = context.codegen()._create_empty_module(name)
    nothing = callee.restype == types.void
    returned = ir.VoidType() if nothing else context.get_value_type(callee.restype)
    entry = ir.Function(module, ir.FunctionType(returned, [context.get_value_type(kind) for kind in arguments]), name)
    builder = ir.IRBuilder(entry.append_basic_block())
    convention = context.call_conv
    inner = ir.Function(module, convention.get_function_type(callee.restype, callee.argtypes), callee.llvm_func_name)
    status, value = convention.call_function(builder, inner, callee.restype, callee.argtypes, list(entry.args))
    with builder.if_then(status.is_error):  # still there after optimizing where a kernel may raise: emit finds it
        builder.call(ir.Function(module, ir.FunctionType(ir.VoidType(), []), EXCEPTION), [])
    if nothing:
        builder.ret_void()
    else:
        builder.ret(value)
    return module


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python's collector from looking through numba's objects again and again: 15 % of the time to compile."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def _counting_from_zero() -> Iterator[None]:
    """Let indices count from the start of an array only: a test of the sign of each would take longer than the rest of a loop.

    No kernel counts from the end. Where bounds are checked, a negative index is as wrong as one beyond the end.
    """
    theirs = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = _plain_index
    try:
        yield
    finally:
        arrayobj.fix_integer_index = theirs


def _plain_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """In place of numba's function of these arguments, which adds the size to a negative index."""
    return context.cast(builder, index, kind, types.intp)


llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()


_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


class KernelCompiler(CompilerBase):
    """numba's compiler with fewer passes."""

    def define_pipelines(self) -> list[Any]:
        """The one pipeline, of the passes that kernels need; numba calls this."""
        manager = PassManager("kernel")
        for step in _PASSES:
            manager.add_pass(step, step.__name__)
        manager.finalize()
        return [manager]
