"""Keys of actions as changed by the user: stored in the settings, effective at once."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QAction, QKeySequence

from tumble.app.base import plain_json, settings
from tumble.app.base.settings import Settings
from tumble.app.look.actions import show_keys

log = logging.getLogger(__name__)

Keys = tuple[str, ...]  # in Qt's portable form


class KeyFileError(ValueError):
    """A text is no list of keys."""


class KeyMap(QObject):
    """changed: keys of some actions are different now."""

    changed = pyqtSignal()

    def __init__(self, actions: Mapping[str, QAction], store: Settings, parent: QObject | None = None) -> None:
        """actions: all that can have keys, by name; those they have now are the defaults."""
        super().__init__(parent)
        self._actions, self._store = dict(actions), store
        self._defaults = {name: _keys(action) for name, action in actions.items()}
        stored = store.get(settings.KEYS)
        if stored:
            self._take(_parsed(stored))

    @property
    def names(self) -> list[str]:
        """The names of the actions."""
        return list(self._actions)

    def action(self, name: str) -> QAction:
        """The action of a name."""
        return self._actions[name]

    def keys(self, name: str) -> Keys:
        """The present keys of an action."""
        return _keys(self._actions[name])

    def default(self, name: str) -> Keys:
        """The keys it has at first."""
        return self._defaults[name]

    def is_changed(self, name: str) -> bool:
        """True if its keys differ from those at first."""
        return self.keys(name) != self.default(name)

    def users(self, key: str, but: str = "") -> list[str]:
        """The actions that have a key, without one of them."""
        return [name for name in self._actions if name != but and key in self.keys(name)]

    def conflicts(self) -> dict[str, list[str]]:
        """Keys shared by several actions: such a key does nothing."""
        users: dict[str, list[str]] = {}
        for name in self._actions:
            for key in self.keys(name):
                users.setdefault(key, []).append(name)
        return {key: names for key, names in users.items() if len(names) > 1}

    def add(self, name: str, key: str) -> None:
        """Add a key to an action, and remove it from others."""
        for other in self.users(key, name):
            self._give(other, tuple(k for k in self.keys(other) if k != key))
        self._give(name, (*self.keys(name), key) if key not in self.keys(name) else self.keys(name))
        self._keep()

    def replace(self, name: str, key: str) -> None:
        """Make this the only key of an action, and remove it from others."""
        self._give(name, ())
        self.add(name, key)

    def clear(self, name: str) -> None:
        """Remove all keys of an action."""
        self._give(name, ())
        self._keep()

    def reset(self, names: Sequence[str]) -> None:
        """Reset actions to their default keys, and remove these from other actions."""
        for name in names:
            for key in self.default(name):
                for other in self.users(key, name):
                    self._give(other, tuple(k for k in self.keys(other) if k != key))
            self._give(name, self.default(name))
        self._keep()

    def reset_all(self) -> None:
        """Reset all actions to their default keys."""
        for name, keys in self._defaults.items():
            self._give(name, keys)
        self._keep()

    # ---- a file

    def to_text(self) -> str:
        """Keys that differ from the first ones, as JSON: {name: [key, ...]}."""
        changed = {name: list(self.keys(name)) for name in self._actions if self.is_changed(name)}
        return json.dumps({"tumble-keys": 1, "keys": changed}, indent=2) + "\n"

    def from_text(self, text: str) -> list[str]:
        """Apply the result of `to_text`; returns names of unknown actions. Raises KeyFileError, and then nothing changes."""
        try:
            stored = plain_json.read(text)["keys"]
            if not all(isinstance(keys, list) for keys in stored.values()):
                raise KeyFileError("this is not a file of keys")
            wanted = {str(name): tuple(_portable(str(key)) for key in keys) for name, keys in stored.items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise KeyFileError("this is not a file of keys") from error
        self._take(wanted)
        self._keep()
        return [name for name in wanted if name not in self._actions]

    def _take(self, wanted: Mapping[str, Keys]) -> None:
        """Set the keys of these actions, and the defaults of all others; of several with one key, the first gets it."""
        taken: set[str] = set()
        known = {name: keys for name, keys in wanted.items() if name in self._actions}
        others = {name: keys for name, keys in self._defaults.items() if name not in known}
        for name, keys in (known | others).items():
            free = tuple(dict.fromkeys(key for key in keys if key not in taken))
            if name in known and free != keys:
                log.warning("%s does not have all of its keys: another action has one of %s", name, ", ".join(keys))
            taken.update(free)
            if free != self.keys(name):
                self._give(name, free)

    def _give(self, name: str, keys: Keys) -> None:
        action = self._actions[name]
        action.setShortcuts([QKeySequence(key) for key in keys])
        show_keys(action)

    def _keep(self) -> None:
        lines = [[name, *self.keys(name)] for name in self._actions if self.is_changed(name)]
        self._store.put(settings.KEYS, lines)
        self.changed.emit()


def _keys(action: QAction) -> Keys:
    return tuple(key.toString(QKeySequence.SequenceFormat.PortableText) for key in action.shortcuts())


def _portable(key: str) -> str:
    """A key in Qt's portable form; raises ValueError if invalid."""
    portable = QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
    if not portable:
        raise ValueError(key)
    return portable


def _parsed(lines: Sequence[Sequence[str]]) -> dict[str, Keys]:
    """Names and keys; a line that is not understood is omitted."""
    parsed: dict[str, Keys] = {}
    for line in lines:
        try:
            name, *keys = line
            parsed[name] = tuple(_portable(key) for key in keys)
        except ValueError:
            log.warning("a stored key is not understood: %.80s", line)
    return parsed
