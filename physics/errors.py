"""The exceptions that physics raises: one root, and every message says where and what is valid."""

from __future__ import annotations

import reprlib

_MOST_LETTERS = 80
_MOST_BITS = 256  # of a whole number that is quoted by its digits


class PhysicsError(Exception):
    """Root of everything physics raises on purpose."""


class MjcfError(PhysicsError, ValueError):
    """A model file that cannot be read or compiled: `file:line:column: <element> what is wrong, what is valid`.

    looks: the places, `file:line:column`, of elements without which the file may open, and which change only how it looks.
    element, what: the element that is wrong, and what is, without its place; None and "" where it is not about one element.
    """

    def __init__(self, message: str, looks: tuple[str, ...] = (), element: object = None, what: str = "") -> None:
        super().__init__(message)
        self.looks, self.element, self.what = looks, element, what


class FatalError(PhysicsError):
    """FatalError of the reference: a call that cannot be answered."""


class UnexpectedError(PhysicsError):
    """Error of the reference's own failures, for programs that catch it; never raised here."""


class ModelError(FatalError):
    """A call that does not fit the model: a wrong size, an unknown name, an option out of range."""


class ShapeError(ModelError, TypeError):
    """An array whose shape does not fit the model."""


class ArgumentError(ModelError, TypeError):
    """An argument of a kind that the function does not take: text for a number, data for a model."""


class MisfitError(ModelError, ValueError):
    """A value that does not fit the field that it is assigned to."""


class CompiledFileError(ModelError, ValueError):
    """A file of a compiled model that is missing or damaged."""


class LaidOutError(ModelError, ValueError):
    """A write to what the engine makes for itself and follows without looking, as addresses and counts of rows."""


class UnknownNameError(ModelError, KeyError):
    """A name that nothing in the model has; the message lists the valid ones."""

    __str__ = Exception.__str__  # KeyError's puts the message in quotes


class UnknownIndexError(ModelError, IndexError):
    """A number that no element of the model has."""


class TooDeepError(ModelError, RecursionError):
    """Callbacks that call what has called them, again and again."""


class _Quotes(reprlib.Repr):
    """Values in few letters, however large or deep they are, and also where their own way to be told fails."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxlist, self.maxtuple, self.maxdict = 3, 4, 4, 3
        self.maxstring = self.maxother = _MOST_LETTERS

    def repr_int(self, value: int, level: int) -> str:
        """Without the digits of one that has too many: Python refuses to write them."""
        return super().repr_int(value, level) if value.bit_length() <= _MOST_BITS else f"a number of {value.bit_length()} bits"


_QUOTES = _Quotes()


def quoted(value: object) -> str:
    """A value as messages quote it, in one line. Never raises, and takes no time, whatever the value is."""
    text = f"the class {value.__qualname__}" if isinstance(value, type) else " ".join(_QUOTES.repr(value).split())
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 3]}..."
