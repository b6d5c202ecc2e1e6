"""Copies of specs: every element once more, with all that it refers to among the copies."""

from __future__ import annotations

import copy
from typing import Any

from tumble.physics.spec.compiler import MjsCompiler
from tumble.physics.spec.elements.tree import HELD, MjsBody
from tumble.physics.spec.part import Owner, become


class Copier:
    """Copies one spec; twins: the copy of each element, class and compiler, by the identity of the original."""

    def __init__(self, spec: Owner) -> None:
        self.spec = spec
        self.made = type(spec)()
        self.twins: dict[int, Any] = {}

    def run(self) -> Owner:
        """The copy."""
        become(self.made, self.spec)
        old, new = self.spec.contents, self.made.contents
        self.twins[id(old.compiler)] = new.compiler
        become(new.compiler, old.compiler)
        new.settings = copy.deepcopy(old.settings)
        new.assets, new.plugins = dict(old.assets), list(old.plugins)
        new.source, new.copies, self.made.override_assets = old.source, old.copies, self.spec.override_assets
        self.twins |= new.defaults.copy(old.defaults)
        self._tree(old.world, new.world)
        for kind, held in old.lists.items():
            new.lists[kind] = [self._twin(element) for element in held]
        new.key_states = {
            self.twins[id(key)]: {
                (name, self.twins[owner]): values for (name, owner), values in state.items() if owner in self.twins
            }
            for key, state in old.key_states.items()
        }
        new.changed()
        new.signature, new.compiled = old.signature, old.compiled
        return self.made

    def _tree(self, world: MjsBody, top: MjsBody) -> None:
        self._fill(world, top)
        for body in world.walk():
            twin = self.twins[id(body)]
            for kind in HELD:
                for item in body.entry.held[kind]:
                    other = self._twin(item)
                    other.entry.body = twin
                    twin.entry.held[kind].append(other)
            for kind in HELD:
                for item in body.entry.held[kind]:
                    self.twins[id(item)].entry.frame = self.twins[id(item.entry.frame)] if item.entry.frame is not None else None

    def _twin(self, original: Any) -> Any:
        twin = type(original)(self.made)
        self._fill(original, twin)
        return twin

    def _fill(self, original: Any, twin: Any) -> None:
        become(twin, original)
        old, new = original.entry, twin.entry
        new.name, new.id, new.where = old.name, old.id, old.where
        new.default = self.twins.get(id(old.default))
        if id(old.compiler) not in self.twins:
            compiler = self.twins[id(old.compiler)] = MjsCompiler()
            become(compiler, old.compiler)
        new.compiler = self.twins[id(old.compiler)]
        self.twins[id(original)] = twin
