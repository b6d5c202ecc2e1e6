"""Targets typed into the impedance lab (depth, stiffness, damping), and the solref that reaches them, or why none does."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble.app.describe.numbers import metric
from tumble.app.editing.edits import EditPlace, Values
from tumble.app.editing.impedance import (
    Spring,
    damping_for,
    direct_ref,
    rest_depth,
    rounded,
    spring_for,
    standard_ref,
    stiffest,
    stiffness_to_sink,
    with_ratio,
)
from tumble.app.editing.mixing import Look, mix, unmix
from tumble.app.editing.parameters import LARGEST, ParameterOwner
from tumble.app.panels.parameters.impedance_facts import EULER_LIKE, REFSAFE_OFF, ImpedanceReading

if TYPE_CHECKING:
    from tumble.physics import MjModel

NEAR = 0.02  # relative: a depth this near to the one wanted is that one


class LabWish(Struct, frozen=True):
    """One of depth [m or rad], stiffness [N/m] and damping [N s/m] as typed; of the row that carries most.

    direct: to be written as -stiffness, -damping; keep_ratio: the damping ratio stays where depth or stiffness changes.
    """

    depth: float | None = None
    stiffness: float | None = None
    damping: float | None = None
    direct: bool = False
    keep_ratio: bool = True


def solref_for(
    model: MjModel, reading: ImpedanceReading, look: Look, kind: ParameterOwner, index: int, wish: LabWish
) -> tuple[Values | None, str]:
    """Solref of the element for a target, with significant digits; or None and the reason."""
    why = _impossible(reading, wish)
    if why:
        return None, why
    spring = _spring(reading, wish)
    why = "" if reading.friction else _too_stiff(reading, look, spring, wish)
    if why:
        return None, why
    wanted = direct_ref(spring, reading.imp) if wish.direct else standard_ref(spring, reading.imp)
    if wanted is None:
        return None, "without damping there is no time constant: use the direct form"
    if not all(map(math.isfinite, wanted)) or max(map(abs, wanted)) > LARGEST:
        return None, "this is beyond what can be simulated"
    if reading.partner < 0:
        return _rounded(reading, look, lambda values: values, wanted), ""
    own, why = unmix(look, index, reading.partner, wanted)
    if own is None:
        return None, why
    place = EditPlace("geom_solref", index)

    def mixed(values: Values) -> Values:
        return mix(model, lambda p: values if p == place else look(p), index, reading.partner).solref

    return _rounded(reading, look, mixed, own), ""


def _impossible(reading: ImpedanceReading, wish: LabWish) -> str:
    """Reason why a target cannot be reached with any numbers; "" if it may."""
    if reading.hard:
        return "contacts are hard now (LCP): solref does not act on them"
    if reading.at < 0 or reading.now is None or reading.load <= 0:
        return "it carries no load now"
    if wish.depth is not None and wish.depth <= 0:
        return "a soft constraint sinks under a load: the depth must be above 0"
    if (wish.stiffness is not None and wish.stiffness <= 0) or (wish.damping is not None and wish.damping < 0):
        return "stiffness must be above 0, damping 0 or more"
    return ""


def _spring(reading: ImpedanceReading, wish: LabWish) -> Spring:
    """The spring for a target."""
    now, imp, weight = reading.now, reading.imp, reading.weight
    assert now is not None
    damping = now.damping if wish.damping is None else wish.damping
    if reading.friction:  # it has a damping only, at d0
        return Spring(reading.spring.K, damping_for(damping, weight, reading.d))
    if wish.depth is not None:
        K = stiffness_to_sink(wish.depth, reading.load * weight, imp)
        spring = Spring(K, damping_for(damping, weight, imp.d(wish.depth)))
    else:
        spring = spring_for(now.stiffness if wish.stiffness is None else wish.stiffness, damping, weight, reading.load, imp)
    ratio = reading.spring.damping_ratio
    keeps = wish.keep_ratio and wish.damping is None and 0 < ratio < math.inf
    return with_ratio(spring.K, ratio) if keeps else spring


def _too_stiff(reading: ImpedanceReading, look: Look, spring: Spring, wish: LabWish) -> str:
    """Reason why the time step cannot follow a spring or the load rests elsewhere, and what can be reached; "" if none."""
    h, imp = look(EditPlace("opt.timestep"))[0], reading.imp
    drive = reading.load * reading.weight
    refsafe = not int(look(EditPlace("opt.disableflags"))[0]) & REFSAFE_OFF
    ratio = spring.damping_ratio
    limited = "refsafe" if refsafe and not wish.direct and spring.time_constant(imp.high) < 2 * h * (1 - 1e-9) else ""
    if not limited and spring.step_share(imp.high, h) >= 1 and int(look(EditPlace("opt.integrator"))[0]) != EULER_LIKE:
        limited = "stability"
    if limited and 0 < ratio < math.inf:
        best = stiffest(ratio, imp, h, direct=limited == "stability")
        depth = metric(rest_depth(drive, best, imp), reading.length)
        shorter = metric(h * math.sqrt(best.K / spring.K), "s")
        if limited == "refsafe":
            constant = metric(spring.time_constant(imp.high), "s")
            return (f"it needs a time constant of {constant}, which refsafe raises to two time steps, {metric(2 * h, 's')}: "
                    f"{depth} is the least depth. Take a time step of at most {shorter}, or write solref directly")  # fmt: skip
        return (f"too stiff for a time step of {metric(h, 's')}, it would be unstable: {depth} is the least depth. "
                f"Take a time step of at most {shorter}")  # fmt: skip
    depth_at_rest = rest_depth(drive, spring, imp)
    if wish.depth is not None and abs(depth_at_rest - wish.depth) > NEAR * wish.depth:
        return f"with this solimp the load comes to rest at {metric(depth_at_rest, reading.length)} already: dwidth is below d0"
    return ""


def _rounded(reading: ImpedanceReading, look: Look, in_force: Callable[[Values], Values], own: Values) -> Values:
    """The element's solref with as few digits as keep what follows from it; in_force: what acts of it, of a contact mixed."""
    h = look(EditPlace("opt.timestep"))[0]
    drive = reading.load * reading.weight

    def effect(values: Values) -> tuple[float, float]:
        spring = Spring.of(in_force(values), reading.imp, h, refsafe=False)
        return 0.0 if reading.friction else rest_depth(drive, spring, reading.imp), spring.B

    return rounded(own, effect)
