"""From names to numbers and back."""

from __future__ import annotations

from tumble.physics.state.arguments import checked
from tumble.physics.state.model import Model
from tumble.physics.state.named import KINDS, find, names_of


@checked
def mj_name2id(m: Model, type: int, name: str | bytes) -> int:
    """The id of the element of a kind (mjtObj) that has this name; -1 if there is none."""
    kind = KINDS.get(int(type))
    return -1 if kind is None else find(m, kind, as_text(name))


@checked
def mj_id2name(m: Model, type: int, id: int) -> str | None:
    """The name of element `id` of a kind (mjtObj); None if it has no name, or does not exist."""
    kind = KINDS.get(int(type))
    names = () if kind is None else names_of(m, kind)
    return names[id] or None if 0 <= id < len(names) else None


def as_text(word: str | bytes) -> str:
    """A word that may be given in bytes, as C has it; what is not UTF-8 is none that anything is called."""
    return word if isinstance(word, str) else bytes(word).decode("utf-8", "replace")
