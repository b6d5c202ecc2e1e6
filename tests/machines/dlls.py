"""DLLs of Windows that neither wine nor a wheel has, made here for extensions and Qt to find."""

import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.machines.machine import zig

TARGET = ("-target", "x86_64-windows-gnu", "-O2", "-s")
EMPTY = "int DllMainCRTStartup(void *module, unsigned reason, void *reserved) { return 1; }\n"
# What Qt asks Windows' ICU for. Only text in rare encodings needs it: opening a converter fails, nothing else is called then.
CONVERTERS = (
    "UCNV_FROM_U_CALLBACK_SUBSTITUTE", "UCNV_TO_U_CALLBACK_SUBSTITUTE", "ucnv_cbFromUWriteUChars", "ucnv_cbToUWriteUChars",
    "ucnv_close", "ucnv_countAvailable", "ucnv_fromUCountPending", "ucnv_fromUnicode", "ucnv_getAvailableName",
    "ucnv_getFromUCallBack", "ucnv_getMaxCharSize", "ucnv_getName", "ucnv_getStandardName", "ucnv_getToUCallBack",
    "ucnv_reset", "ucnv_setFromUCallBack", "ucnv_setToUCallBack", "ucnv_toUCountPending", "ucnv_toUnicode",
)  # fmt: skip
NO_FILE = 4  # ICU's U_FILE_ACCESS_ERROR


def make_start(program: Path, python: Path) -> None:
    """A python.exe that hands its arguments to Python's DLL."""
    source = f"""#include <windows.h>
    int wmain(int count, wchar_t **arguments)
    {{
        HMODULE python = LoadLibraryW(L"{python.name}");
        int (*run)(int, wchar_t **) = python ? (void *)GetProcAddress(python, "Py_Main") : 0;
        return run ? run(count, arguments) : 100;
    }}
    """
    _compile(program, source, "-municode")


def make_stable(library: Path, python: Path) -> None:
    """A python3.dll, as extensions for every Python 3 want it: all its functions are those of Python's DLL."""
    table = subprocess.run(["objdump", "-p", python], capture_output=True, text=True, check=True).stdout
    exports = re.findall(r"^\s*\[ *\d+\](?: \+base\[ *\d+\])? +(?:[\da-f]{4} )?(\w+)$", table, re.MULTILINE)
    lines = [f"{name}={python.stem}.{name}" for name in exports]
    with TemporaryDirectory() as folder:
        definitions = Path(folder, "python3.def")
        definitions.write_text("\n".join([f"LIBRARY {library.name}", "EXPORTS", *lines]))
        _compile(library, EMPTY, "-nostdlib", "-shared", definitions)


def make_icu(library: Path) -> None:
    """An icuuc.dll in which no converter can be opened."""
    opening = f"__declspec(dllexport) void *ucnv_open(const char *name, int *error) {{ *error = {NO_FILE}; return 0; }}\n"
    others = "".join(f"__declspec(dllexport) void *{name}(void) {{ return 0; }}\n" for name in CONVERTERS)
    _compile(library, EMPTY + opening + others, "-nostdlib", "-shared")


def _compile(out: Path, source: str, *options: str | Path) -> None:
    with TemporaryDirectory() as folder:
        file, made = Path(folder, "source.c"), Path(folder, out.name)
        file.write_text(source)
        zig("cc", *TARGET, *options, "-o", made, file)  # beside it lie things that are not needed
        out.write_bytes(made.read_bytes())
