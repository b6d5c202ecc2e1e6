"""The libraries of machines that cannot be had here: what a loader of each would read in them."""

import re

import lief
import llvmlite.binding as llvm
import pytest

from tumble.physics.kernel import library
from tumble.physics.kernel.compile import emit
from tumble.physics.kernel.function import symbol
from tumble.physics.kernel.target import ELF_ON_WINDOWS, TARGETS, Target

lief.disable_leak_warning()  # of what pytest holds at its end

OLDEST_GLIBC = 17  # of glibc 2: of 2012, what wheels call manylinux_2_17
OLDEST_MACOS = [11, 0, 0]
MACHINES = {
    "linux-x86-64-v3": lief.ELF.ARCH.X86_64,
    "linux-x86-64": lief.ELF.ARCH.X86_64,
    "linux-aarch64": lief.ELF.ARCH.AARCH64,
    "macos-arm64": lief.MachO.Header.CPU_TYPE.ARM64,
    "macos-x86-64": lief.MachO.Header.CPU_TYPE.X86_64,
    "windows-x86-64": lief.PE.Header.MACHINE_TYPES.AMD64,
}
# What each may ask of the system: its mathematics, its copying of memory.
LIBRARIES = {
    "linux": r"lib[cm]\.so\.6|ld-linux-\S+",
    "macos": r"/usr/lib/libSystem\.B\.dylib",
    "windows": r"api-ms-win-crt-[a-z]+-l1-1-0\.dll|KERNEL32\.dll|ntdll\.dll",
}


def parsed(target: Target) -> lief.Binary:
    packed = library.FOLDER / f"{target.name}{target.suffix}.xz"
    binary = lief.parse(library.unpacked(packed, library.contents().sha256[target.name]))
    assert binary is not None
    return binary


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_a_library_is_for_its_machine_and_holds_every_function(target: Target) -> None:
    binary = parsed(target)
    header = binary.header
    machine = {"linux": "machine_type", "macos": "cpu_type", "windows": "machine"}[target.name.partition("-")[0]]
    assert getattr(header, machine) == MACHINES[target.name]
    mangled = "_" if target.name.startswith("macos") else ""  # C's names have one there, which ctypes adds
    expected = {mangled + symbol(key) for key in library.contents().entries}
    assert expected == {function.name for function in binary.exported_functions} & expected


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_a_library_asks_for_nothing_but_the_system_of_its_time(target: Target) -> None:
    binary = parsed(target)
    libraries = [getattr(entry, "name", entry) for entry in binary.libraries]
    if isinstance(binary, lief.MachO.Binary):
        assert libraries.pop(0) == "@rpath/kernels.dylib"  # what it calls itself
    assert [name for name in libraries if not re.fullmatch(LIBRARIES[target.name.partition("-")[0]], name)] == []
    if isinstance(binary, lief.ELF.Binary):
        versions = [version.name for needed in binary.symbols_version_requirement for version in needed.get_auxiliary_symbols()]
        assert versions
        assert all(int(name.removeprefix("GLIBC_2.").split(".")[0]) <= OLDEST_GLIBC for name in versions)
        assert not binary.has(lief.ELF.DynamicEntry.TAG.TEXTREL)
    if isinstance(binary, lief.MachO.Binary):
        assert binary.build_version.platform == lief.MachO.BuildVersion.PLATFORMS.MACOS
        assert binary.build_version.minos == OLDEST_MACOS
        assert binary.has_code_signature or target.name != "macos-arm64"  # which runs nothing that is not signed, if ad hoc


TURNED = """
@table = internal constant [2 x double] [double 1.0, double 2.0]
declare double @sin(double)
declare double @cos(double)
define double @turned(i64 %i) {
  %place = getelementptr [2 x double], ptr @table, i64 0, i64 %i
  %angle = load double, ptr %place
  %sin = call double @sin(double %angle)
  %cos = call double @cos(double %angle)
  %sum = fadd double %sin, %cos
  ret double %sum
}
"""


def test_windows_objects_use_64_bit_relocations_for_libc() -> None:
    """Parts of it come to lie anywhere, and there is no sincos, which others make of the two."""
    binary = lief.parse(emit(llvm.parse_assembly(TURNED).as_bitcode(), "turned", ELF_ON_WINDOWS))
    assert isinstance(binary, lief.ELF.Binary)
    addresses = [relocation for relocation in binary.object_relocations if relocation.section.name.endswith("text")]
    assert {relocation.type for relocation in addresses} == {lief.ELF.Relocation.TYPE.X86_64_64}
    assert {relocation.symbol.name for relocation in addresses} >= {"sin", "cos"}
