"""Who decides the parameters of a contact: priorities, solmix weights, the larger friction; in numbers and in words.

Source: MuJoCo documentation, Computation, Collision detection, Parameters; Modeling, Contact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import physics
from app.describe.names import name_of
from app.editing.edits import EditPlace, Values
from physics import MjModel

TINY = 1e-15  # mjMINVAL: a solmix below it is none
LEAST_FRICTION = 1e-5  # mjMINMU
OVERRIDE = int(physics.mjtEnableBit.mjENBL_OVERRIDE)

Look = Callable[[EditPlace], Values]  # the numbers at a place: `Edits.value`


@dataclass(frozen=True, slots=True)
class Mixed:
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
    """Whether the options override the parameters of all contacts."""
    return bool(int(look(EditPlace("opt.enableflags"))[0]) & OVERRIDE)


def pair_of(model: MjModel, first: int, second: int) -> int:
    """The explicit pair of two geoms, -1 where there is none."""
    for i in range(model.npair):
        if {int(model.pair_geom1[i]), int(model.pair_geom2[i])} == {first, second}:
            return i
    return -1


def share_of(look: Look, first: int, second: int) -> float:
    """The weight of the first geom in what is mixed."""
    p1, p2 = (look(EditPlace("geom_priority", g))[0] for g in (first, second))
    if p1 != p2:
        return 1.0 if p1 > p2 else 0.0
    s1, s2 = (look(EditPlace("geom_solmix", g))[0] for g in (first, second))
    if s1 >= TINY and s2 >= TINY:
        return s1 / (s1 + s2)
    return 0.5 if s1 < TINY and s2 < TINY else float(s1 >= TINY)


def mix(model: MjModel, look: Look, first: int, second: int) -> Mixed:
    """The parameters of a contact of two geoms."""
    pair = pair_of(model, first, second)
    if pair >= 0:
        found = _explicit(look, pair)
    else:
        found = _dynamic(look, first, second)
    if overrides(look):
        friction = tuple(max(LEAST_FRICTION, f) for f in look(EditPlace("opt.o_friction")))
        solref, solimp = look(EditPlace("opt.o_solref")), look(EditPlace("opt.o_solimp"))
        return Mixed(found.condim, friction, solref, solimp, found.share, "override", pair=pair)
    return found


def _explicit(look: Look, pair: int) -> Mixed:
    friction = tuple(max(LEAST_FRICTION, f) for f in look(EditPlace("pair_friction", pair)))
    solref, solimp = look(EditPlace("pair_solref", pair)), look(EditPlace("pair_solimp", pair))
    return Mixed(int(look(EditPlace("pair_dim", pair))[0]), friction, solref, solimp, 0.5, "pair", pair=pair)


def _dynamic(look: Look, first: int, second: int) -> Mixed:
    p1, p2 = (look(EditPlace("geom_priority", g))[0] for g in (first, second))
    dims = [int(look(EditPlace("geom_condim", g))[0]) for g in (first, second)]
    share = share_of(look, first, second)

    def blend(name: str) -> Values:
        pairs = zip(look(EditPlace(name, first)), look(EditPlace(name, second)), strict=True)
        return tuple(share * a + (1 - share) * b for a, b in pairs)

    f1, f2 = (look(EditPlace("geom_friction", g)) for g in (first, second))
    if p1 == p2:
        condim, slide = max(dims), tuple(map(max, f1, f2))
    else:
        condim, slide = (dims[0], f1) if p1 > p2 else (dims[1], f2)
    friction = tuple(max(LEAST_FRICTION, slide[i]) for i in (0, 0, 1, 2, 2))
    r1, r2 = (look(EditPlace("geom_solref", g)) for g in (first, second))
    direct = p1 == p2 and not (r1[0] > 0 and r2[0] > 0)
    solref = tuple(map(min, r1, r2)) if direct else blend("geom_solref")
    return Mixed(condim, friction, solref, blend("geom_solimp"), share, "priority" if p1 != p2 else "weights", direct)


def unmix(look: Look, geom: int, other: int, solref: Values) -> tuple[Values | None, str]:
    """The solref that `geom` needs so that its contact with `other` gets this one; or None, and why it cannot.

    Where the other geom decides, or would need a time that is not positive, there is none.
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


def explain(model: MjModel, look: Look, geom: int, other: int) -> list[str]:
    """Who decides the contact of two geoms and why, a line each."""
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
