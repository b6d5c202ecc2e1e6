"""Contact pairs and exclusions: which bodies touch each other, and how."""

from __future__ import annotations

from tumble.physics.compiler.draft import Draft, fill
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.model import Model

_CONDIMS = (1, 3, 4, 6)


def pair_bodies(draft: Draft, element: Element, kind: str) -> tuple[int, int]:
    """The bodies that a <pair> or an <exclude> is about, the lower id first; kind: "geom" or "body"."""
    ids = [draft.required_id(element, f"{kind}{k}", kind) for k in (1, 2)]
    if kind == "geom":
        ids = [draft.geoms[i].body.id for i in ids]
    return min(ids), max(ids)


def sort_pairs(draft: Draft) -> None:
    """Bring pairs and exclusions into the order of their bodies, in which collision looks them up."""
    draft.pairs.sort(key=lambda element: pair_bodies(draft, element, "geom"))
    draft.excludes.sort(key=lambda element: pair_bodies(draft, element, "body"))


def signature(low: int, high: int) -> int:
    """Two bodies as one number of 32 bits, which is negative for bodies beyond 32767."""
    value = (low << 16) + high
    return value - (value >> 31 << 32)


def fill_pairs(draft: Draft, m: Model) -> None:
    """Write the contact pairs and the exclusions of a model."""
    fill(m, "pair_", draft.pairs, ("solref", "solreffriction", "solimp", "margin", "gap", "friction"))
    for i, element in enumerate(draft.pairs):
        first, second = (draft.required_id(element, f"geom{k}", "geom") for k in (1, 2))
        if draft.geoms[first].body.id > draft.geoms[second].body.id:
            first, second = second, first
        if element.get("condim") not in _CONDIMS:
            faults.report(element.error(f"condim must be 1, 3, 4 or 6, is {element.get('condim')}"))
        m.pair_dim[i], m.pair_geom1[i], m.pair_geom2[i] = element.get("condim"), first, second
        low, high = pair_bodies(draft, element, "geom")
        m.pair_signature[i] = signature(low, high)
    for i, element in enumerate(draft.excludes):
        low, high = pair_bodies(draft, element, "body")
        m.exclude_signature[i] = signature(low, high)
