"""Random conditions: made by the grammar, with what does not belong there now and then, and changed as texts."""

import random

from tests.fuzz.mutate_bytes import mutant_bytes
from tests.fuzz.seed_files import all_conditions
from tumble.app.describe.expression import FUNCTIONS

_FIELDS = ("qpos", "qvel", "time", "contact.dist", "xpos", "ncon", "opt.timestep", "geom_friction", "nothing", "contact",
    "opt.gravity")
_PLACES = ("0", "swing", "ball, z", "-1", "99", "", ",", "\u00b3", "\u0665", "0, 0, 0", "1e9", "0x1", " 0 ", "9" * 30, "]",
    "floor, 1", "\x00")
_STRANGE = ("\u00b2", "\u00bd", "lambda: 0", "__import__('os')", "'x'", "[0]", "{}", "1_000", "0b1", "1j", "if", "**", "//", "@",
    "%", "~",
            "<<", ":=", "True", "None", "nan", "inf", "\u221e", "\n", "\t", "#", ";", "\\", "...", "=", "is", "in", "&",
            "\ud800")  # fmt: skip


def mutant_condition(rng: random.Random) -> bytes:
    """A condition, mostly a valid one."""
    kind = rng.random()
    if kind < 0.25:
        return mutant_bytes(rng, rng.choice(all_conditions()).encode())
    if kind < 0.35:
        return _chained(rng).encode("utf-8", "surrogatepass")
    return _condition(rng, rng.choice((1, 2, 3, 5))).encode("utf-8", "surrogatepass")


def _chained(rng: random.Random) -> str:
    """Many terms in a row, or in each other."""
    number, term = rng.choice((3, 90, 110, 310, 700, 1000, 2000)), rng.choice(("1", "time", "qpos[0]"))
    joint = rng.choice((" + ", " and ", " < ", " ^ ", " - -", " or not ", ", "))
    kind = rng.randrange(4)
    if kind == 0:
        return joint.join([term] * number)
    if kind == 1:
        return rng.choice(("(", "-", "not ", "abs(", "+ - ", "((")) * number + term + ")" * number
    if kind == 2:
        return f"max({', '.join([term] * number)})"
    return "0" * number + "1" * rng.choice((1, 400, 5000))


def _condition(rng: random.Random, depth: int) -> str:
    kind = rng.random()
    if depth <= 0 or kind < 0.5:
        return f"{_value(rng, depth)} {rng.choice(('<', '<=', '>', '>=', '==', '!=', '=', '<>'))} {_value(rng, depth)}"
    if kind < 0.6:
        return f"not {_condition(rng, depth - 1)}"
    return f"({_condition(rng, depth - 1)}) {rng.choice(('and', 'or', '+', ''))} {_condition(rng, depth - 1)}"


def _value(rng: random.Random, depth: int) -> str:
    kind = rng.random()
    if kind < 0.04:
        return rng.choice(_STRANGE)
    if depth <= 0 or kind < 0.2:
        return rng.choice(("0", "1", "2.5", "1e-3", ".5", "1e999", "9" * 320, "007", "1.", "0x1", "1e", f"{rng.gauss(0, 9):.3g}"))
    if kind < 0.5:
        field = rng.choice(_FIELDS)
        return field if rng.random() < 0.2 else f"{field}[{rng.choice(_PLACES)}]"
    if kind < 0.65:
        given = ", ".join(_value(rng, depth - 1) for _ in range(rng.choice((0, 1, 1, 1, 2, 3))))
        return f"{rng.choice(FUNCTIONS)}({given})"
    if kind < 0.72:
        return f"-{_value(rng, depth - 1)}"
    return f"{_value(rng, depth - 1)} {rng.choice('+-*/^')} {_value(rng, depth - 1)}"
