"""Conditions of breakpoints: each examines model and data after a step and reports a finding, or None."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.describe.expression import Expression
from tumble.app.describe.names import name_of
from tumble.app.describe.subject import NOTHING, Subject, contact_subject
from tumble.app.describe.warnings import describe
from tumble.app.simulation.autopsy import contact_name
from tumble.physics.observe.sample import iteration_limit
from tumble.physics.query.force import contact_velocities, normal_forces

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

    # Returns the present violation; None if the condition is false.
    Condition = Callable[[MjModel, MjData], "Held | None"]


class Held(Struct, frozen=True):
    """A condition that holds: a phrase, and its subject."""

    text: str
    subject: Subject = NOTHING




def expression(parsed: Expression) -> Condition:
    """An expression that is true."""
    return lambda m, d: Held(f"{parsed.text}  ({parsed.told(m, d)})") if parsed.holds(m, d) else None


def penetration(millimetres: float) -> Condition:
    """Two surfaces overlap by more."""

    def check(m: MjModel, d: MjData) -> Held | None:
        if d.ncon == 0:
            return None
        k = int(np.argmin(d.contact_dist))
        depth = -1e3 * float(d.contact_dist[k])
        if depth <= millimetres:
            return None
        text = f"penetration of {contact_name(m, d, k)} is {depth:.4g} mm > {millimetres:g} mm"
        return Held(text, contact_subject(d, k))

    return check


def normal_force(newtons: float) -> Condition:
    """A contact presses harder."""

    def check(m: MjModel, d: MjData) -> Held | None:
        if d.ncon == 0:
            return None
        force = normal_forces(d.efc_force, d.contact_efc_address, d.contact_dim, d.efc_type)
        k = int(np.argmax(force))
        most = float(force[k])
        if most <= newtons:
            return None
        return Held(f"normal force of {contact_name(m, d, k)} is {most:.5g} N > {newtons:g} N", contact_subject(d, k))

    return check


def slip(millimetres: float) -> Condition:
    """A contact that presses slides faster, in mm/s."""

    def check(m: MjModel, d: MjData) -> Held | None:
        if d.ncon == 0:
            return None
        sliding = _sliding(d)
        worst = int(np.argmax(sliding))
        speed = float(sliding[worst])
        if speed <= 1e-3 * millimetres:
            return None
        text = f"{contact_name(m, d, worst)} slips with {1e3 * speed:.4g} mm/s > {millimetres:g} mm/s"
        return Held(text, contact_subject(d, worst))

    return check


def _sliding(d: MjData) -> np.ndarray:
    """Sliding speed (ncon,) of each contact [m/s]; 0 of those that do not press, or have no friction."""
    rows = d.contact_efc_address, d.contact_dim, d.efc_type
    moving = contact_velocities(d.efc_vel, d.contact_efc_address, d.contact_dim, d.contact_friction, d.efc_type)
    speed = np.fmax(np.hypot(moving[:, 1], moving[:, 2]), 0.0)  # not-a-number does not count
    return np.asarray(np.where(normal_forces(d.efc_force, *rows) > 0, speed, 0.0))


def wakes() -> Condition:
    """A sleeping tree wakes."""
    before: list[np.ndarray] = []

    def check(m: MjModel, d: MjData) -> Held | None:
        now = np.array(d.tree_asleep)
        old = before.pop() if before else now
        before.append(now)
        woken = np.flatnonzero((old >= 0) & (now < 0))
        if len(woken) == 0:
            return None
        names = [name_of(m, physics.mjtObj.mjOBJ_BODY, int(m.tree_bodyadr[t])) for t in woken[:3]]
        text = f"woke up: {', '.join(names)}" + (f" and {len(woken) - 3} more" if len(woken) > 3 else "")
        return Held(text, Subject(body=int(m.tree_bodyadr[woken[0]])))

    return check


def islands_merge() -> Condition:
    """Trees of two islands are in one island a step later."""
    before: list[np.ndarray] = []

    def check(m: MjModel, d: MjData) -> Held | None:
        now = np.array(d.tree_island)
        old = before.pop() if before else now
        before.append(now)
        for island in range(int(d.nisland)):
            trees = np.flatnonzero(now == island)
            sources = np.unique(old[trees][old[trees] >= 0])
            if len(sources) > 1:
                firsts = [int(trees[np.flatnonzero(old[trees] == s)[0]]) for s in sources[:3]]
                names = [name_of(m, physics.mjtObj.mjOBJ_BODY, int(m.tree_bodyadr[t])) for t in firsts]
                return Held(f"islands merged: those of {' and '.join(names)}", Subject(body=int(m.tree_bodyadr[firsts[0]])))
        return None

    return check


def iteration_cap() -> Condition:
    """The solver stopped at its most iterations."""

    def check(m: MjModel, d: MjData) -> Held | None:
        if d.nefc == 0:
            return None
        most = int(iteration_limit(m))
        used = int(np.max(d.solver_niter))
        return Held(f"the solver used all {most} iterations") if used >= most > 0 else None

    return check


def any_warning() -> Condition:
    """The engine raised a warning."""
    before: list[np.ndarray] = []

    def check(m: MjModel, d: MjData) -> Held | None:
        now = np.array(d.warning_number)
        old = before.pop() if before else now
        before.append(now)
        new = np.flatnonzero(now > old)
        return Held(describe(m, int(new[0]), int(d.warning_lastinfo[new[0]]), float(d.time))) if len(new) else None

    return check


class Preset(Struct, frozen=True):
    """A condition that is always at hand: key; title as the user reads it; unit and first value of its limit, if it has one."""

    key: str
    title: str
    tip: str
    make: Callable[..., Condition]
    unit: str = ""
    first: float | None = None


PRESETS = (
    Preset("penetration", "Penetration over", "Two surfaces overlap by more than this", penetration, "mm", 1.0),
    Preset("force", "Normal force over", "A contact presses harder than this", normal_force, "N", 1000.0),
    Preset("slip", "Contact slips faster than", "A contact that carries a load slides faster than this", slip, "mm/s", 10.0),
    Preset("wake", "A tree wakes up", "A sleeping tree is awake again", wakes),
    Preset("merge", "Islands merge", "Trees of two islands are in one island a step later", islands_merge),
    Preset("cap", "Solver uses all iterations", "The solver reaches the limit of iterations in the options", iteration_cap),
    Preset("warning", "The engine warns", "Any warning: bad control, singular inertia, divergence …", any_warning),
)
