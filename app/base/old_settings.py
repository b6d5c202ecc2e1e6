"""The settings file of earlier versions, which QSettings wrote: read once, where there is no newer one."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PyQt6.QtCore import QByteArray, QSettings

from tumble.app.base import plain_json

log = logging.getLogger(__name__)

_CAMERA, _LAYOUTS = "view/camera", "window/layouts"  # which had their own forms

# Qt takes the memory that an object in the file claims to need, and ends the process without it. Only lists of one text were
# written as objects.
_OTHER_OBJECT = re.compile(r"@Variant\((?!\\0\\0\\0\\t\\0\\0\\0\\x1\\0\\0\\0\\n\\0)")


def read(path: Path, declared: Mapping[str, tuple[object, object]]) -> dict[str, Any] | None:
    """The values of settings as they are in newer files, not checked; None for a file that is not understood.

    declared: default and form of each setting that is read, by key.
    """
    try:
        text = path.read_text("utf-8", "surrogateescape")
        with TemporaryDirectory() as folder:
            copy = Path(folder, path.name)
            copy.write_text(_OTHER_OBJECT.sub("Variant(", text), "utf-8", "surrogateescape")
            file = QSettings(str(copy), QSettings.Format.IniFormat)
            if file.status() != QSettings.Status.NoError:
                return None
            return {key: _converted(key, *kind, file.value(key)) for key, kind in declared.items() if file.contains(key)}
    except OSError as error:
        log.warning("%s: the settings cannot be read: %s", path, error)
        return None


def _converted(key: str, default: object, form: object, value: object) -> object:
    """The value in its new form: JSON is no longer within a text."""
    if isinstance(value, QByteArray):
        return bytes(value.toBase64().data()).decode("ascii")
    if value is None or isinstance(default, str | bytes):
        return value
    if key == _CAMERA:
        cameras = _plain(value)
        return cameras if isinstance(cameras, list) else [cameras]  # the oldest had one view
    if not isinstance(default, list):
        return _plain(value)
    texts = value if isinstance(value, list) else [value] if value else []  # Qt reads a list of one text as that text
    if form == [str]:
        return texts
    entries = [_plain(text) for text in texts]
    if key == _LAYOUTS:
        for layout in entries:
            if isinstance(layout, dict) and isinstance(layout.get("folded"), list):
                layout["folded"] = [_plain(side) for side in layout["folded"]]
    return entries


def _plain(text: Any) -> Any:  # noqa: ANN401 - of JSON
    """The value of a text; the text itself, which no such setting has, if it is not JSON."""
    try:
        return plain_json.read(text)
    except (ValueError, TypeError):
        return text
