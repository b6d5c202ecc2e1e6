"""Conditions and numbers that the user types, over the fields of model and data.

    arithmetic   + - * / ^ with brackets and signs; ^ binds first and groups to the right: -2^2 is -4
    comparison   < <= > >= == != of two numbers; and, or, not join what is compared
    field        qpos, contact.dist; with an element in square brackets: qpos[knee], xpos[torso, z]
    function     abs, sqrt, sin, cos (of each number); max, min, sum (of all numbers given); norm, len (of one field)

Operands of comparisons and of and, or, not are single numbers; a field of several stands in a function.
An expression is evaluated over whatever gives the values of signals: model and data now, or all steps of a run at once.

Python's parser makes the tree, of a text without the names in square brackets; nothing is run as Python: the few kinds of
nodes that are valid become functions of model and data, and all others are errors at their place.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
import re
import sys
import warnings
from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from msgspec import Struct

from tumble.app.describe.signals import Signal, SignalError

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

    Source = Callable[[Signal], "Value"]
    Read = Callable[[Source], "Value"]

_MOST_CHARACTERS = 4200  # Python reads whole numbers of 4300 digits
_MOST_NESTED = 100  # brackets and signs in each other
_MOST_DEEP = 300  # nodes in each other: the tree is walked, and its functions called, by recursion
_PLACE = re.compile(r"\[([^\]]*)\]")
_STRANGE = re.compile(r"(?<![<>=!])=(?!=)|#|[^\x01-\x7f]")  # what Python may read, and we do not
_PREFIXES = re.compile(rf"(?:(?:[-+(]|not\b)\s*){{{_MOST_NESTED}}}(?=[-+(]|not\b)")
_ZERO = re.compile(r"(?<![\w.])0(\d+)(?![\d.eE])")  # before a whole number, where Python takes none
_WORD = re.compile(r"\s*([\w.]+|[<>=!]=|.|$)")
_VALUE = re.compile(r"[\w.]+|[(\[]")  # or the beginning of one
_BETWEEN = re.compile(r"and|or|[-+*/^<>=!),]=?|")
_LARGEST = sys.float_info.max  # whole numbers go further
_COMPARING = re.compile("[<>=!]")

Value = Any  # a number, or numbers (count,) of a field; of n steps (n,) or (n, count), masked where a step has no such row

_ARITHMETIC: dict[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: np.divide, ast.Pow: np.float_power,
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], Callable[[Value, Value], Value]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip
_EACH: dict[str, Callable[[Value], Value]] = {"abs": np.abs, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos}
# Over the last axis; and what they give where there is no number.
_ALL: dict[str, tuple[Callable[[np.ndarray], Value], float]] = {
    "max": (lambda v: v.max(axis=-1), math.nan),
    "min": (lambda v: v.min(axis=-1), math.nan),
    "sum": (lambda v: v.sum(axis=-1), 0.0),
    "norm": (lambda v: np.sqrt((v * v).sum(axis=-1)), 0.0),
    "len": (lambda v: np.ma.count(v, axis=-1).astype(float), 0.0),
}
FUNCTIONS = (*_EACH, *_ALL)


class ExpressionError(ValueError):
    """Error in an expression; at: index of the character, from 0."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class Expression(Struct, frozen=True):
    """An expression that gives one number; a condition holds where that is neither zero nor not-a-number.

    parts: the fields and functions of fields in it, with their text, for messages about their values. signals: all that it reads.
    """

    text: str
    _read: Read
    parts: tuple[tuple[str, Read], ...]
    signals: tuple[Signal, ...]

    def value(self, model: MjModel, data: MjData) -> float:
        """The present number; not-a-number where a row in it is not there, or by arithmetic."""
        return float(self.over(lambda signal: signal.read(model, data)))

    def over(self, source: Source) -> Value:
        """The numbers of whatever steps the source gives the values of signals for."""
        with np.errstate(all="ignore"):
            return self._read(source)

    def holds(self, model: MjModel, data: MjData) -> bool:
        """Evaluate the condition."""
        return bool(_true(self.value(model, data)))

    def told(self, model: MjModel, data: MjData) -> str:
        """Values of its parts as text: `qvel[3] = 2.1, time = 1.02`."""
        with np.errstate(all="ignore"):
            return ", ".join(
                f"{text} = {float(read(lambda signal: signal.read(model, data))):.6g}" for text, read in self.parts
            )


class _Operand(Struct, frozen=True):
    """A subexpression: its evaluation; scalar: whether it gives one number; at: its position."""

    read: Read
    scalar: bool
    at: int

    def one(self, what: str) -> Read:
        """Reader of the expression. Raises ExpressionError if it is not a single number."""
        if self.scalar:
            return self.read
        raise ExpressionError(f"{what} must be one number, and this is several: use max(…), min(…), sum(…), norm(…)", self.at)


class SignalNames(Protocol):
    """Names in expressions: a model's signals by their catalogue, or others."""

    @property
    def fields(self) -> Container[str]:
        """The names that stand before brackets."""

    def find(self, name: str, inside: Sequence[str]) -> Signal:
        """The signal of a name and what stands in its brackets. Raises SignalError."""


def parse(text: str, catalogue: SignalNames) -> Expression:
    """Read an expression; raises ExpressionError with the position of the error and what is valid there."""
    if len(text) > _MOST_CHARACTERS:
        raise ExpressionError(f"it has {len(text)} characters; at most {_MOST_CHARACTERS} are read", _MOST_CHARACTERS)
    compiler = _Compiler(text.lstrip(), catalogue)
    try:
        return compiler.whole()
    except ExpressionError as error:
        raise ExpressionError(str(error), error.at + len(text) - len(text.lstrip())) from error


class _Compiler:
    """Compiles nodes of Python's syntax tree to functions."""

    def __init__(self, text: str, catalogue: SignalNames) -> None:
        self._text, self._catalogue = text, catalogue
        self._plain = _PLACE.sub(lambda place: f"[{'0':<{len(place[1])}}]", text)  # names there may have any sign but , and ]
        self._parts: dict[str, Read] = {}
        self._signals: dict[str, Signal] = {}
        # Where in the text each column of the text for Python is: ^ becomes **.
        self._places = [k for k, sign in enumerate(self._plain) for _ in range(1 + (sign == "^"))] + [len(text)]

    def whole(self) -> Expression:
        read = self._part(self._tree()).one("the expression")
        return Expression(self._text.rstrip(), read, tuple(self._parts.items()), tuple(self._signals.values()))

    def _at(self, column: int | None) -> int:
        """The place in the text of a column of the text for Python; at the end for None."""
        return self._places[-1 if column is None else min(column, len(self._places) - 1)]

    def _word(self, at: int) -> str:
        match = _WORD.match(self._text, at)
        return match[1] if match else ""

    def _tree(self) -> ast.expr:
        if strange := _STRANGE.search(self._plain):
            hint = "; == compares" if strange[0] == "=" else ""
            raise ExpressionError(f"{strange[0]!r} means nothing here{hint}", strange.start())
        if prefixes := _PREFIXES.search(self._plain):
            raise ExpressionError(f"more than {_MOST_NESTED} brackets or signs in each other", prefixes.end())
        plain = _ZERO.sub(r"\1.", re.sub(r"\s", " ", self._plain))
        try:
            with warnings.catch_warnings(action="ignore"):  # of a number right before a word, as 1and
                return ast.parse(plain.replace("^", "**"), mode="eval").body
        except SyntaxError as error:
            raise self._mistake(error.msg, error.offset) from None
        except (RecursionError, MemoryError):
            raise ExpressionError(f"more than {_MOST_DEEP} operators in each other", 0) from None

    def _mistake(self, message: str, offset: int | None) -> ExpressionError:
        """A mistake that Python's parser finds, in the words of this language; offset: its column from 1, 0 for the end."""
        at = self._at(offset - 1 if offset else None)
        word = self._word(at)
        if "never closed" in message and word == "(":
            return ExpressionError(f"')' is missing before the end, for the bracket at character {at + 1}", len(self._text))
        if "never closed" in message:
            return ExpressionError("']' is missing for this bracket", at)
        if "unmatched" in message:
            return ExpressionError(f"{word!r} does not belong here: no bracket was opened for it", at)
        if "comma" in message:
            return ExpressionError(f"an operator or a comma is missing in what begins with {word!r}", at)
        if word == "not":
            return ExpressionError("not binds less than this: put it in brackets", at)
        if _BETWEEN.fullmatch(word):
            valid = f"a number, a field as qpos[0], a bracket, or {', '.join(FUNCTIONS)}"
            return ExpressionError(f"{repr(word) if word else 'the end'} stands where a value belongs: {valid}", at)
        before = self._text[:at].split()[-1:]
        if before and before[0] in FUNCTIONS:
            return ExpressionError(f"{before[0]} needs brackets: {before[0]}(…)", at)
        missing = "does not belong here: an operator is missing" if _VALUE.fullmatch(word) else "means nothing here"
        return ExpressionError(f"{word!r} {missing}", at)

    def _part(self, node: ast.expr, depth: int = 0) -> _Operand:
        at = self._at(node.col_offset)
        if depth > _MOST_DEEP:
            raise ExpressionError(f"more than {_MOST_DEEP} operators in each other", at)
        match node:
            case ast.Constant(int() | float() as number) if not isinstance(number, bool):
                value = float(number) if number <= _LARGEST else math.inf
                return _Operand(lambda source: value, True, at)
            case ast.UnaryOp(ast.Not(), operand):
                turned = self._part(operand, depth + 1).one("the operand of not")
                return _Operand(lambda source: 1.0 - _true(turned(source)), True, at)
            case ast.UnaryOp(ast.UAdd() | ast.USub() as sign, operand):
                inner = self._part(operand, depth + 1)
                read = inner.read
                return inner if isinstance(sign, ast.UAdd) else _Operand(lambda source: -read(source), inner.scalar, at)
            case ast.BinOp(left, sign, right) if type(sign) in _ARITHMETIC:
                return _arithmetic(_ARITHMETIC[type(sign)], self._part(left, depth + 1), self._part(right, depth + 1))
            case ast.BoolOp() | ast.Compare():
                return self._condition(node, depth + 1)
            case ast.Call(ast.Name(name), [_, *_] as given, []) if name in FUNCTIONS:
                return self._function(node, name, [self._part(one, depth + 1) for one in given])
            case ast.Call(ast.Name() as name):
                self._part(name)  # raises the error for an unknown name
            case ast.Name(name) if name in FUNCTIONS:
                raise ExpressionError(f"{name} needs brackets: {name}(…)", self._at(node.end_col_offset))
            case ast.Tuple([first, *_]):
                raise ExpressionError("a comma is allowed only in the brackets of a function", self._at(first.end_col_offset))
            case ast.Name() | ast.Attribute():
                return self._field(node, [], at)
            case ast.Subscript(ast.Name() | ast.Attribute() as field):
                bracket = self._at(field.end_col_offset)
                inside = self._text[bracket : self._at(node.end_col_offset)].strip()[1:-1].split(",")
                return self._field(field, [part.strip() for part in inside], bracket)
        raise ExpressionError(f"{self._word(at)!r} means nothing here", at)

    def _condition(self, node: ast.BoolOp | ast.Compare, depth: int) -> _Operand:
        at = self._at(node.col_offset)
        match node:
            case ast.BoolOp(joined, values):
                word = "and" if isinstance(joined, ast.And) else "or"
                reads = [self._part(value, depth).one(f"an operand of {word}") for value in values]
                return _Operand(_joined(reads, word == "or"), True, at)
            case ast.Compare(left, [sign], [right]) if type(sign) in _COMPARISONS:
                a, b = (self._part(side, depth).one("an operand of a comparison") for side in (left, right))
                holds = _COMPARISONS[type(sign)]
                return _Operand(lambda source: 1.0 * holds(a(source), b(source)), True, at)
            case ast.Compare(comparators=[first, _, *_]):
                second = _COMPARING.search(self._text, self._at(first.end_col_offset))
                raise ExpressionError("two comparisons in a row: join them with and", second.start() if second else at)
        raise ExpressionError("is and in mean nothing here", at)

    def _field(self, name: ast.expr, inside: list[str], bracket: int) -> _Operand:
        at = self._at(name.col_offset)
        field = "".join(self._text[at : self._at(name.end_col_offset)].split())
        try:
            signal = self._catalogue.find(field, inside)
        except SignalError as error:
            raise ExpressionError(str(error), bracket if field in self._catalogue.fields else at) from error
        self._signals[signal.name] = signal

        def read(source: Source) -> Value:
            return source(signal)

        if signal.scalar:
            self._parts[signal.name] = read
        return _Operand(read, signal.scalar, at)

    def _function(self, call: ast.Call, name: str, given: list[_Operand]) -> _Operand:
        at, first, reads = self._at(call.col_offset), given[0].read, [part.read for part in given]
        if name in _EACH:
            if len(given) > 1:
                raise ExpressionError(f"{name} takes one value, not {len(given)}", given[1].at)
            each = _EACH[name]
            return _Operand(lambda source: each(first(source)), given[0].scalar, at)
        over, nothing = _ALL[name]
        scalars = [one.scalar for one in given]

        def together(source: Source) -> Value:
            parts = [read(source) for read in reads]
            wide = [np.asanyarray(value)[..., None] if one else value for one, value in zip(scalars, parts, strict=True)]
            numbers = wide[0] if len(wide) == 1 else _joined_numbers(wide)
            if numbers.shape[-1] == 0:
                return np.full(numbers.shape[:-1], nothing)
            return np.ma.filled(over(numbers), nothing)

        part = _Operand(together, True, at)
        if not all(one.scalar for one in given):
            self._parts[self._text[at : self._at(call.end_col_offset)]] = part.read
        return part


def _arithmetic(apply: Callable[[Value, Value], Value], left: _Operand, right: _Operand) -> _Operand:
    if not left.scalar and not right.scalar:
        raise ExpressionError("an operator joins two fields of several numbers: one side must be one number", right.at)
    a, b = left.read, right.read
    return _Operand(lambda source: apply(a(source), b(source)), left.scalar and right.scalar, left.at)


def _joined_numbers(parts: list[np.ndarray]) -> np.ndarray:
    """Numbers side by side along the last axis; those of no step or one step hold in all."""
    steps = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
    alike = [part if part.shape[:-1] == steps else np.broadcast_to(part, (*steps, part.shape[-1])) for part in parts]
    join = np.ma.concatenate if any(isinstance(part, np.ma.MaskedArray) for part in parts) else np.concatenate
    return join(alike, axis=-1)


def _joined(reads: list[Read], either: bool) -> Read:
    """Conditions joined by or (either: True) or and (False)."""

    def read(source: Source) -> Value:
        held = [_true(one(source)) for one in reads]
        return 1.0 * functools.reduce(operator.or_ if either else operator.and_, held)

    return read


def _true(value: Value) -> Value:
    """True where a value is neither zero nor not-a-number."""
    return (value != 0) & (value == value)
