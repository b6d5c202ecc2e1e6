"""The way back of "Copy state": a <key> element, or lines of numbers, become the state, if it is one of this model."""

from __future__ import annotations

import math
import re

from PyQt6.QtCore import QMimeData
from PyQt6.QtGui import QGuiApplication

from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.numbers import moment
from tumble.app.session.session import Session
from tumble.app.simulation.commands import SetState
from tumble.app.simulation.snapshot import ATTRIBUTES, key_element, state_lines
from tumble.app.viewport.cameras import CameraTextError, camera_element, camera_lines, read_camera
from tumble.app.viewport.widget import Viewport

MOST_TEXT = 50_000_000  # letters: more is no state of a model that runs here

_LINE = re.compile(rf"^({'|'.join(['time', *ATTRIBUTES])}) = \[?([^\]\n]*)\]?$", re.MULTILINE)  # as `state_lines` writes them


class PasteError(Exception):
    """The clipboard holds no state of this model; the message gives the reason."""


def paste(session: Session, mime: QMimeData | None) -> str:
    """Pause, and set the state from the clipboard; returns a message. Raises PasteError, and then nothing has changed."""
    if session.model is None or session.snapshot is None:
        raise PasteError("no model is loaded")
    if mime is None or not mime.formats():
        raise PasteError("the clipboard is empty")
    if not mime.hasText() or not mime.text().strip():
        raise PasteError(with_keys("the clipboard holds no text; copy a state with Ctrl+C, or a <key> element of a model file"))
    values = parse(mime.text(), {name: getattr(session.snapshot, field).size for name, field in ATTRIBUTES.items()})
    session.set_paused(True)
    time = values.pop("time", None)
    if time is not None:
        session.send(SetState("time", 0, time))
    for name, numbers in values.items():
        session.send(SetState(ATTRIBUTES[name], 0, numbers))
    return "Pasted the state" if time is None else f"Pasted the state at {moment(time[0])}"


def parse(text: str, sizes: dict[str, int]) -> dict[str, tuple[float, ...]]:
    """The numbers of a <key> element by attribute; sizes: how many numbers each has in this model. Raises PasteError."""
    element = _element(text)
    unknown = [name for name in element if name not in (*ATTRIBUTES, "time", "name")]
    if unknown:
        raise PasteError(f"a <key> has no {unknown[0]}; it may have time, {', '.join(ATTRIBUTES)}")
    values = {name: _numbers(name, raw) for name, raw in element.items() if name != "name"}
    for name, numbers in values.items():
        size = 1 if name == "time" else sizes[name]
        if len(numbers) != size:
            raise PasteError(f"it is a state of another model: {name} has {len(numbers)} numbers there, {size} here")
    if not values:
        raise PasteError("the <key> on the clipboard has no numbers")
    return values


def _element(text: str) -> dict[str, str]:
    """The attributes of the first <key> in the text, which may be one alone, or several, or in <keyframe>; or of lines."""
    start = text.find("<key")
    if start < 0 and len(text) <= MOST_TEXT and (lines := _LINE.findall(text)):
        return {name: numbers.replace(",", " ") for name, numbers in lines}
    if start < 0 or len(text) > MOST_TEXT:
        raise PasteError(f"the clipboard has text, but no <key> element: {text.strip()[:30]!r}")
    from xml.etree import ElementTree  # few paste a state, and every start would import them
    from xml.parsers import expat

    try:
        root = ElementTree.fromstring(f"<all>{text.strip()}</all>")
    except (ElementTree.ParseError, expat.ExpatError, ValueError) as error:
        raise PasteError(f"the <key> on the clipboard is damaged: {error}") from error
    key = root.find(".//key")
    if key is None:
        raise PasteError("the clipboard has text, but no <key> element")
    return dict(key.attrib)


def _numbers(name: str, raw: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(word) for word in raw.split())
    except ValueError as error:
        raise PasteError(f"{name} has something that is not a number: {error}") from error
    if not all(math.isfinite(number) for number in numbers):
        raise PasteError(f"{name} has a number that is not finite")
    return numbers


class Clipboard:
    """Copied text is in a form that `paste` understands."""

    def __init__(self, session: Session, view: Viewport) -> None:
        self._session, self._view = session, view

    def copy_state(self, *, plain: bool = False) -> None:
        """Copy the state as a <key> element; plain: as lines of numbers."""
        if self._session.snapshot is not None:
            self._put((state_lines if plain else key_element)(self._session.snapshot))
            self._session.status.emit("Copied the state as text" if plain else "Copied the state as a <key> element")

    def copy_camera(self, *, plain: bool = False) -> None:
        """Copy the camera as a <camera> element; plain: as lines of numbers."""
        seen = self._view.view()
        if seen is not None:
            self._put(camera_lines(self._view.camera, seen) if plain else camera_element(seen))
            self._session.status.emit("Copied the camera as text" if plain else "Copied the camera as a <camera> element")

    def paste(self) -> None:
        """Set the state, or the camera, from the text on the clipboard."""
        clipboard = QGuiApplication.clipboard()
        mime = clipboard.mimeData() if clipboard is not None else None
        text = mime.text() if mime is not None else ""
        model = self._session.model
        try:
            if model is not None and (("<camera" in text and "<key" not in text) or text.lstrip().startswith("lookat =")):
                self._view.set_camera(read_camera(text, self._view.camera, model))
                self._session.status.emit("Pasted the camera")
            else:
                self._session.status.emit(paste(self._session, mime))
        except (PasteError, CameraTextError) as error:
            self._session.status.emit(f"Nothing pasted: {error}")

    def _put(self, text: str) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None:
            clipboard.setText(text)
