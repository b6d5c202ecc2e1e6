"""From an attribute's text to its value, as the schema declares it and as the reference's parser takes it; and back."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from tumble.physics.mjcf.schema import Attribute
from tumble.physics.mjcf.suggest import meant

_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1
_BYTES = re.compile(r"\s*(\d{1,18})([KMGTPE]?)\s*", re.IGNORECASE | re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
# What C's strtod reads: Python's float also takes underscores and digits of other scripts.
_DECIMAL = r"(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_HEXADECIMAL = r"0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?"
# Numbers that no computation of ours reads: what is not a number there is the user's.
_OWN = frozenset({"user", "data"})
_REAL = re.compile(rf"[+-]?(?:{_DECIMAL}|{_HEXADECIMAL}|inf(?:inity)?)", re.IGNORECASE | re.ASCII)


class ValueProblem(Exception):
    """Why a text is not a value, in words for a message."""


def convert(attribute: Attribute, text: str) -> Any:
    """The value of `text`: float, int, bool, str, tuple of str, or a read-only float64 or int64 array.

    None when the text is blank and the reference takes that as not written. Lists of numbers are as long as written.
    Raises ValueProblem.
    """
    kind = attribute.kind
    if kind in ("name", "string", "file", "class", "ref"):
        return text
    if kind in ("int", "real"):
        return _numbers(attribute, text)
    if kind == "bool":
        return _keyword(attribute, text, ("true", "false")) == "true"
    if kind == "keys":
        return _keyword(attribute, text, attribute.words)
    if kind == "refs":
        return tuple(_split(text))
    if kind in ("flags", "set", "words"):
        return _words(attribute, text) or None
    if kind == "bytes":
        return _bytes(attribute, text)
    if not re.fullmatch(attribute.pattern, text):
        raise ValueProblem(f'{attribute.name} "{_short(text)}" is not valid; valid: {attribute.describe()}')
    return text


def text_of(value: Any) -> str:
    """The text of a value, as the reader takes it: numbers with all the digits that tell them from others."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, np.ndarray):
        return " ".join(text_of(v) for v in value.tolist())
    if isinstance(value, tuple):
        return " ".join(value)
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 and str(value) != "-0.0" else repr(value)
    return str(value)


def overlay(attribute: Attribute, value: Any, base: Any) -> Any:
    """A list of numbers laid over what it does not say: shorter than the most allowed, it leaves the rest of `base`."""
    if attribute.kind not in ("int", "real") or attribute.scalar or attribute.high is None:
        return value
    if attribute.fill and len(value) == 1:
        return _frozen(np.repeat(value, attribute.high))
    if base is None or len(value) >= len(base):
        return value
    whole = base.copy()
    whole[: len(value)] = value
    return _frozen(whole)


def _numbers(attribute: Attribute, text: str) -> Any:
    words = _split(text)
    if not words:
        if attribute.kind == "int" and attribute.scalar:
            raise ValueProblem(f"{attribute.name} needs {attribute.describe()}, is empty")
        return None
    if len(words) < attribute.low or (attribute.high is not None and len(words) > attribute.high):
        raise ValueProblem(f"{attribute.name} needs {attribute.describe()}, has {len(words)}")
    read = _int if attribute.kind == "int" else _real
    values = [read(attribute, word) for word in words]
    if attribute.scalar:
        return values[0]
    return _frozen(np.array(values, dtype=np.int64 if attribute.kind == "int" else np.float64))


def _split(text: str) -> list[str]:
    """The words of a list. Blanks are those of C: a no-break space is part of a word, and so an error."""
    return text.split() if text.isascii() else [word for word in re.split(r"[ \t\n\v\f\r]+", text) if word]


def _int(attribute: Attribute, word: str) -> int:
    if not _INTEGER.fullmatch(word):
        raise ValueProblem(f'{attribute.name} has "{_short(word)}", which is not an integer; valid: {attribute.describe()}')
    value = int(word)
    if not _INT_MIN <= value <= _INT_MAX:
        raise ValueProblem(f"{attribute.name} has {word}, which is out of range; valid: {_INT_MIN} to {_INT_MAX}")
    return value


def _real(attribute: Attribute, word: str) -> float:
    if attribute.name in _OWN and word.lower() == "nan":
        return math.nan
    if not _REAL.fullmatch(word):
        raise ValueProblem(f'{attribute.name} has "{_short(word)}", which is not a number; valid: {attribute.describe()}')
    try:
        value = float.fromhex(word) if "x" in word.lower() else float(word)
    except OverflowError:
        value = math.inf
    if math.isinf(value) and "n" not in word.lower():
        raise ValueProblem(f"{attribute.name} has {_short(word)}, which is too large; valid: up to 1.7e308")
    return value


def _keyword(attribute: Attribute, text: str, words: tuple[str, ...]) -> str:
    if text not in words:
        raise ValueProblem(f'{attribute.name} "{_short(text)}" is not valid; {meant(text, words)}')
    return text


def _words(attribute: Attribute, text: str) -> tuple[str, ...]:
    found = tuple(_split(text))
    for word in found:
        _keyword(attribute, word, attribute.words)
    if attribute.kind == "words":
        if len(found) > 3:
            raise ValueProblem(f"{attribute.name} needs {attribute.describe()}, has {len(found)}")
        return found
    places = [attribute.words.index(word) for word in found]
    if len(set(places)) < len(places) or (attribute.kind == "flags" and places != sorted(places)):
        raise ValueProblem(f'{attribute.name} "{_short(text)}" repeats or is out of order; valid: {attribute.describe()}')
    return found


def _bytes(attribute: Attribute, text: str) -> int:
    if text.strip() == "-1":
        return -1
    match = _BYTES.fullmatch(text)
    value = int(match[1]) << 10 * " KMGTPE".index(match[2].upper() or " ") if match else 2**63
    if value >= 2**63:
        raise ValueProblem(f'{attribute.name} "{_short(text)}" is not valid; valid: {attribute.describe()}')
    return value


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
