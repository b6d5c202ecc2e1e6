"""A bundle for a bug report: one zip of plain data with a list of its contents. Nothing in it is ever run."""

from __future__ import annotations

import importlib.metadata
import io
import json
import os
import platform
import re
import sys
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath

from msgspec import Struct
from PyQt6.QtCore import PYQT_VERSION_STR, qVersion

from tumble import __version__
from tumble.app.base import files
from tumble.physics.base.files import home
from tumble.physics.base.system import processor

INDEX = "README.txt"
PACKAGES = ("numpy", "numba", "llvmlite", "moderngl", "PyQt6", "pyqtgraph", "Pillow")
_TEXTS = (".txt", ".json", ".xml", ".mjcf", ".csv")
_ABOUT = """A bundle for a bug report, made by Tumble {version} on {date}.

It holds data only, and nothing that runs. What is in it:

{contents}
"""


class ReportPart(Struct, frozen=True):
    """A file of the bundle, or a missing one: name; about: its description; data; missing: the reason."""

    name: str
    about: str
    data: bytes = b""
    missing: str = ""

    @property
    def is_text(self) -> bool:
        """True if it is readable text."""
        return self.name.lower().endswith(_TEXTS)


def name_for(now: datetime) -> str:
    """Name of a bundle made now."""
    return f"tumble-report-{now:%Y%m%d-%H%M%S}.zip"


def text_part(name: str, about: str, text: str) -> ReportPart:
    """A text; the user's folder is replaced by `~`, which hides the user's name."""
    return ReportPart(name, about, without_home(text).encode())


def json_part(name: str, about: str, value: object) -> ReportPart:
    """Numbers and words with names."""
    return text_part(name, about, json.dumps(value, indent=1, sort_keys=True, default=str))


def without_home(text: str, folder: Path | None = None) -> str:
    """The text with `~` for the folder of the user."""
    name = str(folder or home()).rstrip("/\\")
    return re.sub(rf"{re.escape(name)}(?=[/\\\s'\":,)]|$)", "~", text) if len(name) > 1 else text


def model_parts(main: str, text: bytes, others: dict[str, bytes]) -> list[ReportPart]:
    """The files of a model, in the folder `model`; a name that leads out of its folder leads to `model/elsewhere`."""
    named = {main: (text, "the model")} | {name: (data, "a file of the model") for name, data in others.items()}
    return [ReportPart(f"model/{_inside(name)}", about, data) for name, (data, about) in named.items()]


def _inside(name: str) -> str:
    """A path within a zip for a file that may be anywhere."""
    path = PurePosixPath(name.replace("\\", "/"))
    clean = [re.sub(r'[\x00-\x1f:*?"<>|]', "_", part) for part in path.parts if part not in ("/", ".", "..")]
    astray = path.is_absolute() or ".." in path.parts or re.match(r"^[A-Za-z]:", name)
    return "/".join((["elsewhere", clean[-1]] if astray else clean) if clean else ["unnamed"])


def system_text(graphics: str, more: Sequence[str] = ()) -> str:
    """Versions and the machine, a line each; graphics: the renderer that draws."""
    lines = [
        f"Tumble {__version__}{' (frozen)' if getattr(sys, 'frozen', False) else ''}",
        f"Python {platform.python_version()} ({platform.python_implementation()}, {platform.machine()})",
        f"Qt {qVersion()}, PyQt {PYQT_VERSION_STR}",
        *(f"{name} {_version(name)}" for name in PACKAGES),
        f"OpenGL renderer: {graphics or 'none'}",
        f"system: {_system()}",
        f"processor: {processor()}, {os.cpu_count()} threads",
    ]
    return "\n".join([*lines, *more]) + "\n"


def write(path: Path, parts: Sequence[ReportPart], now: datetime) -> None:
    """Write the bundle, whole or not at all. Raises FileError."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_dated(INDEX, now), contents(parts, now))
        taken = {INDEX}
        for part in parts:
            if not part.missing:
                archive.writestr(_dated(_unique(part.name, taken), now), part.data)
    files.write_whole(path, buffer.getvalue())


def _dated(name: str, now: datetime) -> zipfile.ZipInfo:
    """A member of the bundle. An unset clock gives 1970, which zip archives cannot hold."""
    info = zipfile.ZipInfo(name, max(now, datetime(1980, 1, 1)).timetuple()[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def contents(parts: Sequence[ReportPart], now: datetime) -> str:
    """List of contents of the bundle and of missing files."""
    lines = [f"  {part.name}: {f'missing: {part.missing}' if part.missing else part.about}" for part in parts]
    return _ABOUT.format(version=__version__, date=f"{now:%Y-%m-%d %H:%M}", contents="\n".join(lines))


def _unique(name: str, taken: set[str]) -> str:
    stem, dot, suffix = name.rpartition(".")
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{stem}-{number}.{suffix}" if dot else f"{name}-{number}"
    taken.add(candidate)
    return candidate


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # a frozen build has the modules alone
        module = sys.modules.get({"Pillow": "PIL"}.get(package, package))
        return str(getattr(module, "__version__", "unknown"))


def _system() -> str:
    try:
        return f"{platform.freedesktop_os_release().get('PRETTY_NAME', '')}, {platform.platform()}"
    except OSError:
        return platform.platform()
