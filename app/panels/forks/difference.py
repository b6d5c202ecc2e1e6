"""Difference between a fork and the simulation, from the user's choice: settings, and words that name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from tumble.app.describe.integrators import NAMES as INTEGRATORS
from tumble.app.editing.option_table import CONES, SOLVERS, TIMESTEP
from tumble.app.editing.parameters import OVERRIDE, parse
from tumble.app.simulation.changes import Change
from tumble.physics import ForkSettings

if TYPE_CHECKING:
    from tumble.physics import SolveSettings

SAME = "as it is"
NO_SETTINGS: SolveSettings = {}
SOLVER_CHOICES: dict[str, SolveSettings] = {SAME: NO_SETTINGS, **SOLVERS}
CONE_CHOICES: dict[str, SolveSettings] = {
    name.replace("cone ", "").removesuffix(" cone"): chosen for name, chosen in CONES.items()
}
INTEGRATOR_CHOICES: dict[str, ForkSettings] = {SAME: {}, **{name: {"integrator": kind} for kind, name in INTEGRATORS.items()}}
DIVIDED, TIMES = "\N{DIVISION SIGN}", "\N{MULTIPLICATION SIGN}"
STEP_CHOICES = (SAME, *(f"{DIVIDED} {n}" for n in (2, 5, 10)), *(f"{TIMES} {n}" for n in (2, 5, 10)))
OF_FILE = "as in the file"
NUMBER_CHOICES = (SAME, OF_FILE)
SIGNS = {DIVIDED: DIVIDED, "/": DIVIDED, TIMES: TIMES, "x": TIMES, "*": TIMES}
CONTACT_NUMBERS = {p.attribute.removeprefix("o_"): p for p in OVERRIDE}
EXAMPLES = {"solref": "0.05 1", "solimp": "0.9 0.95 0.001 0.5 2"}


class ForkChoice(Struct, frozen=True):
    """The user's choice, as texts; empty and `as it is`: as the model has it. numbers: of its elements and options."""

    solver: str = SAME
    cone: str = SAME
    integrator: str = SAME
    step: str = SAME
    solref: str = ""
    solimp: str = ""
    numbers: str = SAME


class Difference(Struct, frozen=True):
    """Settings of a fork that differ, whether edits of the model are reverted, its name, and changes of the model's numbers."""

    settings: ForkSettings = field(default_factory=lambda: ForkSettings())
    from_file: bool = False
    name: str = ""
    changes: tuple[Change, ...] = ()


def difference(chosen: ForkChoice, timestep: float) -> Difference:
    """Difference for a choice, for a model with this time step [s].

    Raises ValueError with a message for the user for an invalid number.
    """
    settings: ForkSettings = {
        **SOLVER_CHOICES[chosen.solver], **CONE_CHOICES[chosen.cone], **INTEGRATOR_CHOICES[chosen.integrator]
    }  # fmt: skip
    parts = [text for text in (chosen.solver, chosen.cone, chosen.integrator) if text != SAME]
    step = _step(chosen.step, timestep)
    if step is not None:
        settings["timestep"] = step
        parts.append(f"step {step:.4g} s")
    if chosen.solref.strip():
        settings["solref"] = _numbers("solref", chosen.solref)
        parts.append(f"solref {' '.join(f'{v:g}' for v in settings['solref'])}")
    if chosen.solimp.strip():
        settings["solimp"] = _numbers("solimp", chosen.solimp)
        parts.append(f"solimp {' '.join(f'{v:g}' for v in settings['solimp'])}")
    if chosen.numbers != SAME:
        parts.append(chosen.numbers)
    return Difference(settings, chosen.numbers == OF_FILE, ", ".join(parts))


def _step(text: str, timestep: float) -> float | None:
    """The time step [s] of a text with seconds or a factor."""
    text = text.strip()
    if text in ("", SAME):
        return None
    sign = SIGNS.get(text[0])
    value = parse(text[1:] if sign else text)
    if value is None or value <= 0:
        raise ValueError(f"The time step {text!r} is neither seconds above 0, as 0.001 is, nor a factor, as / 2 or x 2")
    step = value if sign is None else timestep * value if sign == TIMES else timestep / value
    if why := TIMESTEP.problem((step,)):
        raise ValueError(why)
    return step


def _numbers(name: str, text: str) -> tuple[float, ...]:
    parameter = CONTACT_NUMBERS[name]
    need = len(parameter.parts)
    values = [parse(word) for word in text.replace(";", " ").split()]
    known = tuple(v for v in values if v is not None)
    if len(values) != need or len(known) != need:
        raise ValueError(f"{name} takes {need} numbers, as {EXAMPLES[name]}; {text.strip()!r} is not")
    if why := parameter.problem(known):
        raise ValueError(f"{name}: {why}")
    return known
