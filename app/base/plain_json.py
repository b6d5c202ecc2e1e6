"""JSON that anybody may have written: what Python raises in several ways, or only where a number is used, is one error."""

from __future__ import annotations

import json
from typing import Any

_LARGEST = 2**63  # whole numbers below this fit everywhere; as a float, one of 400 digits raises where nobody expects it


def read(text: str | bytes) -> Any:  # noqa: ANN401 - of JSON
    """The value of a text. Raises ValueError for what is no JSON, is nested too deeply, or has a whole number beyond 64 bits."""
    try:
        return json.loads(text, parse_int=_whole)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _whole(digits: str) -> int:
    value = int(digits) if len(digits) < 25 else _LARGEST
    if not -_LARGEST <= value < _LARGEST:
        raise ValueError(f"{digits[:25]} is too large: whole numbers have 64 bits")
    return value
