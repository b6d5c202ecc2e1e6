"""Copies of specs: every element once more, with all that it refers to among the copies."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tumble.physics.spec.elements.tree import HELD
from tumble.physics.spec.settings import MjsCompiler

if TYPE_CHECKING:
    from tumble.physics.spec.default import MjsDefault
    from tumble.physics.spec.spec import MjSpec


class Copier:
    """Copies one spec; twins: the copy of each element, class and compiler, by the identity of the original."""

    def __init__(self, spec: MjSpec) -> None:
        self.spec = spec
        self.made = type(spec)()
        self.twins: dict[int, Any] = {}

    def run(self) -> MjSpec:
        """The copy."""
        spec, made = self.spec, self.made
        made._values = dict(spec._values)
        self.twins[id(spec._compiler)] = made._compiler
        made._compiler._take(spec._compiler)
        made._settings = copy.deepcopy(spec._settings)
        made._assets = dict(spec._assets)
        made._source, made._copies, made.override_assets = spec._source, spec._copies, spec.override_assets
        made._plugins_active = list(spec._plugins_active)
        self._classes()
        self._tree()
        for kind, held in spec._lists.items():
            made._lists[kind] = [self._twin(element) for element in held]
        made._key_states = {
            self.twins[key]: {(name, self.twins[owner]): values for (name, owner), values in state.items() if owner in self.twins}
            for key, state in ((id(key), state) for key, state in spec._key_states.items())
        }
        made._names = None
        made._signature, made._compiled = spec._signature, spec._compiled
        return made

    def _classes(self) -> None:
        made = self.made
        made._main._name, made._defaults = self.spec._main._name, {self.spec._main._name: made._main}
        pending: list[tuple[MjsDefault, MjsDefault]] = [(self.spec._main, made._main)]
        while pending:
            original, twin = pending.pop(0)
            self.twins[id(original)] = twin
            for kind, part in twin._parts.items():
                part._values = {}
                part._take(original._parts[kind])
                self.twins[id(original._parts[kind])] = part
            pending += [(child, made.add_default(child._name, twin)) for child in original._children]

    def _tree(self) -> None:
        top = self.made._world
        self._fill(self.spec._world, top)
        for body in self.spec._world.walk():
            twin = self.twins[id(body)]
            for kind in HELD:
                for item in body._held[kind]:
                    other = self._twin(item)
                    other._body = twin
                    twin._held[kind].append(other)
            for kind in HELD:
                for item in body._held[kind]:
                    self.twins[id(item)]._frame = self.twins[id(item._frame)] if item._frame is not None else None

    def _twin(self, original: Any) -> Any:
        twin = type(original)(self.made)
        self._fill(original, twin)
        return twin

    def _fill(self, original: Any, twin: Any) -> None:
        twin._take(original)
        twin._name, twin._id, twin._said_in = original._name, original._id, original._said_in
        twin._class = self.twins.get(id(original._class))
        if id(original._compiler) not in self.twins:
            made = MjsCompiler()
            made._take(original._compiler)
            self.twins[id(original._compiler)] = made
        twin._compiler = self.twins[id(original._compiler)]
        self.twins[id(original)] = twin
