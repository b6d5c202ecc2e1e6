"""Mutants of JSON, of settings files and of lines of text, drawn from a seed: what windows and commands keep and read."""

import json
import random
from typing import Any

from tests.fuzz.mutate_bytes import WEIGHTED, change_word

# What may stand where another value was.
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 1.5, -0.0, 1e300, float("nan"), float("inf"), 2**31, -(2**31) - 1, 2**63, 2**64, 10**400, "",
    " ", "x", "nan", "1", "\x00", "\u00e9\u4e16\U0001f600", "\ud800", "../../etc/passwd", "/dev/zero", "a" * 100_000, "%s{0}", [],
    {}, [None], [1, 2, 3], [[]], {"": None}, ["x"] * 1000, {"time": 0}, "qpos[0]", "<b>bold</b>", "\u202e",
)  # fmt: skip
_MOST_DEEP = 100_000


def mutant_json(rng: random.Random, data: bytes) -> bytes:
    """One to four changes of a JSON text; now and then of its bytes."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):  # of a mutant of before, nested too deep
        return mutant_bytes(rng, data)
    if rng.random() < 0.12:
        return mutant_bytes(rng, data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        value = _changed(rng, value)
    text = json.dumps(value)
    if rng.random() < 0.03:
        opening, closing = rng.choice((("[", "]"), ('{"a":', "}")))
        depth = rng.choice((1000, _MOST_DEEP))
        text = opening * depth + text + closing * depth
    return text.encode("utf-8", "surrogatepass")


def _changed(rng: random.Random, value: Any) -> Any:
    """The value with a change somewhere in it."""
    inside = isinstance(value, dict | list) and value and rng.random() < 0.85
    if not inside:
        return rng.choice(VALUES)
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    key, made = rng.choice(keys), value.copy()
    kind = rng.random()
    if kind < 0.15:
        del made[key]
    elif kind < 0.25 and isinstance(made, list):
        made[key:key] = [made[key]] * rng.choice((1, 1, 3, 2000))
    elif kind < 0.25:
        made[rng.choice(("", "x", "file", "time", "name", str(rng.choice(keys)) + " "))] = made[key]
    elif kind < 0.3:
        made[key] = made[rng.choice(keys)]
    else:
        made[key] = _changed(rng, made[key])
    return made


def mutant_lines(rng: random.Random, data: bytes) -> bytes:
    """One to four changes of the words or the lines of a text; now and then of its bytes."""
    if rng.random() < 0.15:
        return mutant_bytes(rng, data)
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        made = change_word(rng, made)
    return bytes(made)


def mutant_messages(rng: random.Random, data: bytes) -> bytes:
    """Changes of a JSON text in one line, or in several: of one, of their order, of their number."""
    lines = [line for line in data.split(b"\n") if line]
    at = rng.randrange(len(lines))
    if rng.random() < 0.1:
        rng.shuffle(lines)
    lines[at : at + 1] = [mutant_json(rng, lines[at])] * rng.choice((1, 1, 1, 2))
    return b"\n".join(lines) + b"\n"


def mutant_bytes(rng: random.Random, data: bytes) -> bytes:
    """One to three changes of any bytes."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        if made:
            made = rng.choices(list(WEIGHTED), list(WEIGHTED.values()))[0](rng, made)
    return bytes(made)
