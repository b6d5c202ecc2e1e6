"""Mixing of contact parameters: priorities, solmix weights, the larger friction; in numbers and words.

The numbers come from the engine (physics/collision/contact.py), for the model as edited.

Source: MuJoCo documentation, Computation, Collision detection, Parameters; Modeling, Contact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.editing.edits import EditPlace, Values
from tumble.physics.collision.contact import OVERRIDE, first_share, times_mix
from tumble.physics.query.force import contact_parameters, explicit_pair

if TYPE_CHECKING:
    from tumble.physics import MjModel

Look = Callable[[EditPlace], Values]  # the numbers at a place: `Edits.value`


class Mixed(Struct, frozen=True):
    """The parameters of a contact of two geoms, as the engine mixes them.

    share: weight of the first geom in solimp, and in solref where times mix. decided: "override", "pair", "priority",
    "weights"; direct: whether a stiffness given directly (negative) decides solref, the stiffer winning.
    """

    condim: int
    friction: Values
    solref: Values
    solimp: Values
    share: float
    decided: str
    direct: bool = False
    pair: int = -1


def overrides(look: Look) -> bool:
    """True if the options override the parameters of all contacts."""
    return bool(int(look(EditPlace("opt.enableflags"))[0]) & OVERRIDE)


class _EditedField:
    """A field of the model as the engine's functions read it: by row, or by row and column."""

    def __init__(self, look: Look, name: str) -> None:
        self._look, self._name = look, name
        self._rows: dict[int, Values] = {}

    def __getitem__(self, at: int | tuple[int, int]) -> float:
        row, column = at if isinstance(at, tuple) else (at, 0)
        if row not in self._rows:
            self._rows[row] = self._look(EditPlace(self._name, row))
        return self._rows[row][column]


class EditedModel:
    """Stands in for the model when the engine mixes parameters: fields of geoms, pairs and options, as edited."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def __getattr__(self, name: str) -> _EditedField | Values | int:
        value: _EditedField | Values | int
        if name == "opt_enableflags":
            value = int(self._look(EditPlace("opt.enableflags"))[0])
        elif name.startswith("opt_"):
            value = self._look(EditPlace(f"opt.{name.removeprefix('opt_')}"))
        else:
            value = _EditedField(self._look, name)
        setattr(self, name, value)
        return value


def share_of(look: Look, first: int, second: int) -> float:
    """The weight of the first geom in the mixture."""
    return float(first_share(EditedModel(look), first, second))


def mix(model: MjModel, look: Look, first: int, second: int) -> Mixed:
    """The parameters of a contact of two geoms."""
    edited, pair = EditedModel(look), explicit_pair(model, first, second)
    combined = contact_parameters(edited, first, second, pair)
    numbers = combined.condim, combined.friction, combined.solref, combined.solimp
    if pair >= 0:
        return Mixed(*numbers, 0.5, "override" if overrides(look) else "pair", pair=pair)
    share = float(first_share(edited, first, second))
    if overrides(look):
        return Mixed(*numbers, share, "override")
    priority = look(EditPlace("geom_priority", first)) != look(EditPlace("geom_priority", second))
    return Mixed(*numbers, share, "priority" if priority else "weights", not times_mix(edited, first, second))


def look_at(model: MjModel) -> Look:
    """The numbers at a place of an unedited model."""

    def look(place: EditPlace) -> Values:
        owner, _, name = place.field.rpartition(".")
        value = getattr(getattr(model, owner) if owner else model, name)
        return tuple(float(x) for x in np.ravel(value if place.index is None else value[place.index]))

    return look


def mixture(model: MjModel, look: Look, first: int, second: int) -> str:
    """Origin of the effective solref of two geoms' contact, in words: 50 % left, 50 % plank."""
    mixed = mix(model, look, first, second)
    names = [name_of(model, physics.mjtObj.mjOBJ_GEOM, g) for g in (first, second)]
    if mixed.decided == "override":
        return "the global override"
    if mixed.decided == "pair":
        return f"the contact pair {name_of(model, physics.mjtObj.mjOBJ_PAIR, mixed.pair)}"
    if mixed.decided == "weights" and mixed.direct:
        own = [look(EditPlace("geom_solref", g)) for g in (first, second)]
        stiffer = [name for name, solref in zip(names, own, strict=True) if solref == mixed.solref]
        return f"the stiffer, {stiffer[0]}" if len(stiffer) == 1 else "the stiffer number of each geom" if not stiffer else "both"
    shares = [(mixed.share, names[0]), (1 - mixed.share, names[1])]
    if mixed.decided == "priority":
        return f"{max(shares)[1]} alone, by its priority"
    return ", ".join(f"{100 * share:.3g} % {name}" for share, name in shares)


def unmix(look: Look, geom: int, other: int, solref: Values) -> tuple[Values | None, str]:
    """The solref that `geom` needs so that its contact with `other` gets this one; or None, and why it cannot.

    Where the other geom decides, or would need a time that is not positive, there is no solution.
    """
    p, q = (look(EditPlace("geom_priority", g))[0] for g in (geom, other))
    theirs = look(EditPlace("geom_solref", other))
    if p < q:
        return None, "the other geom decides this contact by its priority: change it there, or raise the priority here"
    if p > q:
        return solref, ""
    share = share_of(look, geom, other)
    if solref[0] <= 0:
        if all(a <= b for a, b in zip(solref, theirs, strict=True)):
            return solref, ""
        return None, "the other geom is stiffer or more damped, and wins: change it there, or raise the priority here"
    if theirs[0] <= 0:
        return None, "the other geom has a direct stiffness, and wins: change it there, or raise the priority here"
    if share == 0:
        return None, "this geom has no weight in the contact: raise its solmix"
    wanted = tuple((a - (1 - share) * b) / share for a, b in zip(solref, theirs, strict=True))
    if min(wanted) <= 0:
        return None, f"out of reach when mixed with the other geom's solref ({theirs[0]:g} {theirs[1]:g}): use the direct form"
    return wanted, ""


def with_places(look: Look, values: dict[EditPlace, Values]) -> Look:
    """The numbers as they would be with some of them changed."""
    return lambda place: values[place] if place in values else look(place)


def loses(model: MjModel, look: Look, geom: int, other: int) -> str:
    """Reason why a contact ignores `geom`'s numbers, if a higher priority of it would help; else ""."""
    mixed = mix(model, look, geom, other)
    if mixed.decided in ("override", "pair"):
        return ""
    theirs = name_of(model, physics.mjtObj.mjOBJ_GEOM, other)
    p, q = (look(EditPlace("geom_priority", g))[0] for g in (geom, other))
    if p != q:
        return f"{theirs} wins by its priority {q:g}" if p < q else ""
    if mixed.direct and mixed.solref == look(EditPlace("geom_solref", other)) != look(EditPlace("geom_solref", geom)):
        return f"{theirs} wins: its solref is stiffer and given directly"
    same = all(look(EditPlace(f, geom)) == look(EditPlace(f, other)) for f in ("geom_solref", "geom_solimp", "geom_friction"))
    if same:
        return ""
    share = 1 - mixed.share
    return f"{theirs} decides {100 * share:.3g} % of it" if share > 0 else ""


def raised_priority(look: Look, geom: int, other: int) -> dict[EditPlace, Values]:
    """The change that lets `geom` decide its contact with `other`."""
    return {EditPlace("geom_priority", geom): (look(EditPlace("geom_priority", other))[0] + 1,)}


def explain(model: MjModel, look: Look, geom: int, other: int) -> list[str]:
    """Sources of the parameters of two geoms' contact and reasons, one line each."""
    mixed = mix(model, look, geom, other)
    mine, theirs = (name_of(model, physics.mjtObj.mjOBJ_GEOM, g) for g in (geom, other))
    if mixed.decided == "override":
        return ["The global override decides solref, solimp, friction and margin.", f"condim {mixed.condim} as without it."]
    if mixed.decided == "pair":
        name = name_of(model, physics.mjtObj.mjOBJ_PAIR, mixed.pair)
        return [f"The contact pair “{name}” decides everything: neither geom's numbers count."]
    if mixed.decided == "priority":
        (winner, high), (_, low) = sorted(
            ((mine, look(EditPlace("geom_priority", geom))[0]), (theirs, look(EditPlace("geom_priority", other))[0])),
            key=lambda x: -x[1],
        )
        return [f"{winner} decides everything: its priority {high:g} is above {low:g}."]
    return [_solref_line(look, mixed, geom, other, mine, theirs), *_larger_lines(look, geom, other, mine, theirs)]


def _solref_line(look: Look, mixed: Mixed, geom: int, other: int, mine: str, theirs: str) -> str:
    s1, s2 = (look(EditPlace("geom_solmix", g))[0] for g in (geom, other))
    parts = f"{100 * mixed.share:.3g} % {mine}, {100 - 100 * mixed.share:.3g} % {theirs}"
    weights = f"{parts} (equal priority, solmix {s1:g} to {s2:g})"
    if mixed.direct:
        return f"solref: the stiffer of the two, as one is given directly. solimp: {weights}."
    return f"solref and solimp: {weights}."


def _larger_lines(look: Look, geom: int, other: int, mine: str, theirs: str) -> list[str]:
    f1, f2 = (look(EditPlace("geom_friction", g)) for g in (geom, other))
    d1, d2 = (int(look(EditPlace("geom_condim", g))[0]) for g in (geom, other))
    words = ("sliding", "torsion", "rolling")
    who = [f"{word} {max(a, b):g} of {_larger(a, b, mine, theirs)}" for word, a, b in zip(words, f1, f2, strict=True)]
    return [f"friction, the larger: {', '.join(who)}.", f"condim, the larger: {max(d1, d2)} of {_larger(d1, d2, mine, theirs)}."]


def _larger(a: float, b: float, mine: str, theirs: str) -> str:
    return "both" if a == b else mine if a > b else theirs
