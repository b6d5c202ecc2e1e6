"""Conditions and numbers that the user types, over the fields of model and data: read by a grammar, never run as Python.

    expression  := or
    or          := and ("or" and)*
    and         := not ("and" not)*
    not         := "not" not | comparison
    comparison  := sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)?
    sum         := product (("+" | "-") product)*
    product     := sign (("*" | "/") sign)*
    sign        := ("-" | "+") sign | power
    power       := atom ("^" sign)?
    atom        := number | "(" or ")" | function "(" or ("," or)* ")" | field ("[" place ("," place)? "]")?

Functions: abs, sqrt, sin, cos (of each number); max, min, sum (of all numbers given); norm, len (of one field).
What is compared, and joined by and, or, not, is a single number; a field of several stands in a function.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.describe.signals import Catalogue, Signal, SignalError
from physics import MjData, MjModel

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"
    r"|(?P<sign><=|>=|==|!=|[-+*/^()<>,\[\]]))"
)
# Precedence of what stands between two operands: the higher binds first. Unary minus binds like a product, below ^.
_BINDS = {"or": 1, "and": 2, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "^": 8}
_NOT, _COMPARES, _SIGN, _POWER = 3, 4, 7, 8
_MOST_DEPTH = 100  # of brackets and signs in each other

Value = Any  # a number, or numbers (n,)
Read = Callable[[MjModel, MjData], Value]

_OPERATORS: dict[str, Callable[[Value, Value], Value]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": np.divide, "^": np.float_power,
    "<": lambda a, b: float(a < b), "<=": lambda a, b: float(a <= b), ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b), "==": lambda a, b: float(a == b), "!=": lambda a, b: float(a != b),
}  # fmt: skip
_EACH: dict[str, Callable[[Value], Value]] = {"abs": np.abs, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos}
_ALL: dict[str, Callable[[np.ndarray], float]] = {
    "max": lambda v: float(v.max()) if v.size else math.nan,
    "min": lambda v: float(v.min()) if v.size else math.nan,
    "sum": lambda v: float(v.sum()),
    "norm": lambda v: float(np.linalg.norm(v)),
    "len": lambda v: float(v.size),
}
FUNCTIONS = (*_EACH, *_ALL)


class ExpressionError(ValueError):
    """What is wrong in an expression; at: at which character, counted from 0."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True, slots=True)
class _Node:
    """A part: how it is read; scalar: whether it gives one number; at: where it stands."""

    read: Read
    scalar: bool
    at: int


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that gives one number; a condition holds where that is neither zero nor not-a-number.

    parts: the fields and functions of fields in it, with their text, so that one can be told what they were.
    """

    text: str
    _read: Read
    parts: tuple[tuple[str, Read], ...]

    def value(self, model: MjModel, data: MjData) -> float:
        """The present number; not-a-number where a row in it is not there, or by arithmetic."""
        with np.errstate(all="ignore"):
            return float(self._read(model, data))

    def holds(self, model: MjModel, data: MjData) -> bool:
        """Whether it is true now."""
        value = self.value(model, data)
        return value != 0 and not math.isnan(value)

    def told(self, model: MjModel, data: MjData) -> str:
        """What its parts are now: `qvel[3] = 2.1, time = 1.02`."""
        with np.errstate(all="ignore"):
            return ", ".join(f"{text} = {float(read(model, data)):.6g}" for text, read in self.parts)


def parse(text: str, catalogue: Catalogue) -> Expression:
    """Read an expression; raises ExpressionError that says where it is wrong and what is valid there."""
    return _Parser(text, catalogue).whole()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # number, name, sign, end
    text: str
    at: int


class _Parser:
    def __init__(self, text: str, catalogue: Catalogue) -> None:
        self._text = text
        self._catalogue = catalogue
        self._at = 0
        self._depth = 0
        self._parts: dict[str, Read] = {}
        self._token = self._scan()

    def whole(self) -> Expression:
        node = self._expression(0)
        if self._token.kind != "end":
            raise ExpressionError(f"{self._token.text!r} does not belong here: an operator is missing", self._token.at)
        self._one(node, "the whole")
        return Expression(self._text.strip(), node.read, tuple(self._parts.items()))

    # ---- tokens

    def _scan(self) -> _Token:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            rest = self._text[self._at :]
            at = self._at + len(rest) - len(rest.lstrip())
            if at == len(self._text):
                return _Token("end", "", at)
            hint = "; == compares" if self._text[at] == "=" else ""
            raise ExpressionError(f"{self._text[at]!r} means nothing here{hint}", at)
        self._at = match.end()
        kind = match.lastgroup or ""
        return _Token(kind, match[kind], match.start(kind))

    def _next(self) -> _Token:
        token, self._token = self._token, self._scan()
        return token

    def _expect(self, sign: str, opened: int) -> None:
        if self._token.text != sign:
            found = repr(self._token.text) if self._token.text else "the end"
            where = f"for the bracket at character {opened + 1}"
            raise ExpressionError(f"{sign!r} is missing before {found}, {where}", self._token.at)
        self._next()

    # ---- grammar, by precedence climbing

    def _expression(self, least: int) -> _Node:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise ExpressionError(f"more than {_MOST_DEPTH} brackets or signs in each other", self._token.at)
        left = self._prefix(least)
        compared = False
        while (binds := _BINDS.get(self._token.text, -1)) >= max(least, 0) and self._token.kind != "end":
            if binds == _COMPARES and compared:
                raise ExpressionError("two comparisons in a row: join them with and", self._token.at)
            operator = self._next()
            # ^ groups to the right, and takes a sign on its right: 2^-3^2 is 2^(-(3^2)).
            right = self._expression(_SIGN if binds == _POWER else binds + 1)
            left = self._joined(operator.text, left, right)
            compared = binds == _COMPARES
        self._depth -= 1
        return left

    def _prefix(self, least: int) -> _Node:
        token = self._token
        if token.text == "not" and token.kind == "name":
            if least > _NOT:
                raise ExpressionError("not binds less than this: put it in brackets", token.at)
            self._next()
            inner = self._one(self._expression(_NOT), "what not turns around")
            return _Node(lambda m, d: float(not _true(inner.read(m, d))), True, token.at)
        if token.text in ("-", "+"):
            self._next()
            inner = self._expression(_SIGN)
            read = inner.read
            return inner if token.text == "+" else _Node(lambda m, d: -read(m, d), inner.scalar, token.at)
        return self._atom()

    def _atom(self) -> _Node:
        token = self._next()
        if token.kind == "number":
            value = float(token.text)
            return _Node(lambda m, d: value, True, token.at)
        if token.text == "(":
            inner = self._expression(0)
            self._expect(")", token.at)
            return inner
        if token.kind == "name" and token.text in FUNCTIONS:
            return self._function(token)
        if token.kind == "name" and token.text not in ("and", "or", "not"):
            return self._field(token)
        found = repr(token.text) if token.text else "the end"
        valid = f"a number, a field as qpos[0], a bracket, or {', '.join(FUNCTIONS)}"
        raise ExpressionError(f"{found} stands where a value belongs: {valid}", token.at)

    def _function(self, name: _Token) -> _Node:
        opened = self._token.at
        if self._token.text != "(":
            raise ExpressionError(f"{name.text} needs brackets: {name.text}(…)", self._token.at)
        self._next()
        given = [self._expression(0)]
        while self._token.text == ",":
            self._next()
            given.append(self._expression(0))
        self._expect(")", opened)
        reads = [node.read for node in given]
        if name.text in _EACH:
            if len(given) > 1:
                raise ExpressionError(f"{name.text} takes one value, not {len(given)}", given[1].at)
            each, read = _EACH[name.text], reads[0]
            return _Node(lambda m, d: each(read(m, d)), given[0].scalar, name.at)
        over = _ALL[name.text]
        if len(reads) == 1:
            read = reads[0]
            node = _Node(lambda m, d: over(np.atleast_1d(read(m, d))), True, name.at)
        else:
            node = _Node(lambda m, d: over(np.concatenate([np.atleast_1d(r(m, d)) for r in reads])), True, name.at)
        if any(not n.scalar for n in given):
            self._parts[self._text[name.at : self._last_end()]] = node.read
        return node

    def _last_end(self) -> int:
        """Where the text before the present token ends."""
        return len(self._text[: self._token.at].rstrip())

    def _field(self, name: _Token) -> _Node:
        inside: list[str] = []
        at = name.at
        if self._token.text == "[":
            at = self._token.at
            close = self._text.find("]", at)
            if close < 0:
                raise ExpressionError("']' is missing for this bracket", at)
            inside = [part.strip() for part in self._text[at + 1 : close].split(",")]  # names may hold any sign but , and ]
            self._at = close + 1
            self._token = self._scan()
        try:
            signal = self._catalogue.find(name.text, inside)
        except SignalError as error:
            raise ExpressionError(str(error), at if name.text in self._catalogue.fields else name.at) from error
        if signal.scalar:
            self._parts[signal.name] = signal.read
        return self._of_signal(signal, name.at)

    def _of_signal(self, signal: Signal, at: int) -> _Node:
        return _Node(signal.read, signal.scalar, at)

    def _joined(self, operator: str, left: _Node, right: _Node) -> _Node:
        a, b = left.read, right.read
        if operator == "and":
            self._one(left, "what and joins")
            self._one(right, "what and joins")
            return _Node(lambda m, d: float(_true(a(m, d)) and _true(b(m, d))), True, left.at)
        if operator == "or":
            self._one(left, "what or joins")
            self._one(right, "what or joins")
            return _Node(lambda m, d: float(_true(a(m, d)) or _true(b(m, d))), True, left.at)
        if _BINDS[operator] == _COMPARES:
            self._one(left, "what is compared")
            self._one(right, "what is compared")
        elif not left.scalar and not right.scalar:
            raise ExpressionError(f"{operator} joins two fields of several numbers: one of both must be one number", right.at)
        apply = _OPERATORS[operator]
        return _Node(lambda m, d: apply(a(m, d), b(m, d)), left.scalar and right.scalar, left.at)

    def _one(self, node: _Node, what: str) -> _Node:
        if not node.scalar:
            raise ExpressionError(f"{what} must be one number, and this is several: use max(…), min(…), sum(…), norm(…)", node.at)
        return node


def _true(value: float) -> bool:
    return value != 0 and not math.isnan(value)
