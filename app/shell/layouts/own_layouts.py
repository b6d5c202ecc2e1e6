"""Layouts that the user has saved by name."""

from __future__ import annotations

import base64
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from tumble.app.base import settings
from tumble.app.base.settings import Settings


class OwnLayout(Struct, frozen=True):
    """state: of docks and toolbars, as Qt saves it; folded: sides, from `Sides.to_json`; views: from `views_to`."""

    name: str
    state: bytes
    folded: list[dict[str, Any]] = field(default_factory=list)
    views: dict[str, Any] = field(default_factory=dict)


class OwnLayouts:
    """The saved layouts, in order of saving. Names are unique."""

    def __init__(self, store: Settings) -> None:
        self._store = store

    def all(self) -> list[OwnLayout]:
        """Every layout in the settings."""
        return [_read(entry) for entry in self._store.get(settings.OWN_LAYOUTS)]

    def names(self) -> list[str]:
        """Names of the layouts."""
        return [layout.name for layout in self.all()]

    def get(self, name: str) -> OwnLayout | None:
        """The layout of a name."""
        return next((layout for layout in self.all() if layout.name == name), None)

    def save(self, layout: OwnLayout) -> None:
        """Save a layout; one of the same name is replaced."""
        kept = self.all()
        at = next((k for k, other in enumerate(kept) if other.name == layout.name), len(kept))
        self._put([*kept[:at], layout, *kept[at + 1 :]])

    def rename(self, name: str, new: str) -> None:
        """Call a layout otherwise. Raises ValueError, with a message for the user, if that cannot be."""
        if not new.strip():
            raise ValueError("A layout needs a name")
        if new != name and new in self.names():
            raise ValueError(f"There is a layout called {new} already")
        self._put([replace(o, name=new if o.name == name else o.name) for o in self.all()])

    def delete(self, name: str) -> None:
        """Discard a layout."""
        self._put([layout for layout in self.all() if layout.name != name])

    def _put(self, layouts: list[OwnLayout]) -> None:
        self._store.put(settings.OWN_LAYOUTS, [_written(layout) for layout in layouts])


def _written(layout: OwnLayout) -> dict[str, Any]:
    return asdict(layout) | {"state": base64.b64encode(layout.state).decode()}


def _read(entry: dict[str, Any]) -> OwnLayout:
    return OwnLayout(entry["name"], base64.b64decode(entry["state"]), entry["folded"], entry.get("views", {}))
