"""JSON from untrusted sources: the various errors of Python's parser are raised as one."""

from __future__ import annotations

import base64
import json
import math
from typing import Any

from msgspec import Struct

_LARGEST = 2**63  # whole numbers below this fit everywhere; as a float, one of 400 digits raises in unexpected places


def read(text: str | bytes) -> Any:  # noqa: ANN401 - of JSON
    """The value of a JSON text. Raises ValueError for invalid JSON, deep nesting, or whole numbers beyond 64 bits."""
    try:
        return json.loads(text, parse_int=_whole)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _whole(digits: str) -> int:
    value = int(digits) if len(digits) < 25 else _LARGEST
    if not -_LARGEST <= value < _LARGEST:
        raise ValueError(f"{digits[:25]} is too large: whole numbers have 64 bits")
    return value


OPTIONAL = "?"  # ends the name of an entry that may be missing
EACH = "*"  # in place of a name: every entry, however many there are

# bool, int, float (also a whole number), str, list, dict: such a value; None: null; [form]: a list of such values;
# {name: form}: an object with at least these entries; (form, form): either; a function: those for which it returns True.
Form = Any


class Range(Struct, frozen=True):
    """Numbers from low to high; whole ones if low is."""

    low: float
    high: float

    def __call__(self, value: object) -> bool:
        """True if a value is in the range."""
        kinds = (int,) if isinstance(self.low, int) else (int, float)
        return type(value) in kinds and self.low <= value <= self.high  # type: ignore[operator]


class OneOf(Struct, frozen=True):
    """A text out of a given set."""

    values: tuple[str, ...]

    def __call__(self, value: object) -> bool:
        """True if a value is one of them."""
        return value in self.values


def fits(value: object, form: Form) -> bool:
    """True if a value, as `plain_json.read` returns it, has a form. Numbers have to be finite. Never raises."""
    if isinstance(form, tuple):
        return any(fits(value, one) for one in form)
    if isinstance(form, list):
        return isinstance(value, list) and all(fits(item, form[0]) for item in value)
    if isinstance(form, dict):
        return isinstance(value, dict) and all(_entry_fits(value, name, one) for name, one in form.items())
    if form is None:
        return value is None
    if isinstance(value, float) and not math.isfinite(value):
        return False
    if isinstance(form, type):
        return type(value) is form or (form is float and type(value) is int)
    return form(value) is True


def is_base64(value: object) -> bool:
    """True if a value is bytes, encoded as base64."""
    try:
        return isinstance(value, str) and base64.b64decode(value) is not None
    except ValueError:
        return False


def _entry_fits(value: dict[str, Any], name: str, form: Form) -> bool:
    if name == EACH:
        return all(fits(entry, form) for entry in value.values())
    plain = name.removesuffix(OPTIONAL)
    return fits(value[plain], form) if plain in value else plain != name
