"""Object code is loaded wherever memory is left, and what cannot be loaded is an error, not the end of the process."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import llvmlite.binding as llvm
import pytest

from tumble.physics.kernel.digest import ROOT
from tumble.physics.kernel.load import load

# A function with a constant to look up, a call of the system's, and so many instructions behind it [bytes].
MODULE = """
module asm ".text"
module asm ".zero {size}"
@table = internal constant [4 x double] [double 1.0, double 2.0, double 4.0, double 8.0]
declare double @cos(double)
define double @looked_up(i64 %i) {{
  %place = getelementptr [4 x double], ptr @table, i64 0, i64 %i
  %value = load double, ptr %place
  %one = call double @cos(double 0.0)
  %sum = fadd double %value, %one
  ret double %sum
}}
"""
# Address space as a big model leaves it: 8 GiB of arrays, above them only gaps of fewer than two pages.
CROWDED = """
import ctypes, mmap
from tests.physics.kernel.test_load import looked_up
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
def reserve(size):
    return libc.mmap(None, size, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
looked_up(0)
arrays = reserve(8 << 30)
while reserve(2 * mmap.PAGESIZE) > arrays:
    pass
print([looked_up(100_000)(k) for k in range(4)])
"""


def object_code(size: int) -> bytes:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    machine = llvm.Target.from_default_triple().create_target_machine(reloc="pic")
    return bytes(machine.emit_object(llvm.parse_assembly(MODULE.format(size=size))))


def looked_up(size: int) -> ctypes._CFunctionType:
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(load(object_code(size), "looked_up"))


@pytest.mark.skipif(sys.platform != "linux", reason="maps memory as Linux does")
def test_code_is_loaded_where_arrays_lie_between_the_gaps_of_memory() -> None:
    """Where its parts were placed one by one, some were 8 GiB from others, and LLVM ended the process."""
    done = subprocess.run([sys.executable, "-c", CROWDED], cwd=ROOT.parent, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "[2.0, 3.0, 5.0, 9.0]"), done.stderr


def test_the_same_code_can_be_loaded_again() -> None:
    assert looked_up(0)(3) == looked_up(0)(3) == 9.0


@pytest.mark.parametrize("code", [b"", b"no object code", object_code(0)])
def test_code_without_the_function_is_an_error(code: bytes) -> None:
    with pytest.raises(RuntimeError, match=r"."):
        load(code, "another")
