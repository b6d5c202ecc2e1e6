"""Keyframes go into the model's file: the change is shown as a patch, and saved when the user wants it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PyQt6.QtWidgets import QWidget

from tumble.app.editing import keyframe_patch
from tumble.app.editing.keyframes import Keyframes
from tumble.app.editing.patch import Patch
from tumble.app.session.session import Session
from tumble.app.widgets.patch_writing import PatchSubject, PatchWriting


class KeyframeWriting(PatchWriting):
    """Writes the keyframes of a session."""

    def __init__(self, session: Session, keyframes: Keyframes, parent: QWidget) -> None:
        super().__init__(session, parent, "keyframe patch")
        self._keyframes = keyframes

    def ask(self, then: Callable[[bool], None] | None = None) -> None:
        """Show the patch; then: called at the end with whether it was saved."""
        keyframes, known, wanted = self._keyframes, [*self._keyframes.known], self._keyframes.wanted()
        names: list[str] = []

        def make(path: Path) -> Patch:
            patch, names[:] = keyframe_patch.make(path, known, wanted)
            return patch

        self.propose(make, PatchSubject("keyframes", lambda: keyframes.written(names), keyframes.copied), then)
