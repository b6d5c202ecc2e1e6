"""The objective of a search: an expression over the parameters and measures of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tumble.app.describe.expression import ExpressionError, parse
from tumble.app.describe.signals import Signal, SignalError
from tumble.app.study.study_file import Study, StudyError
from tumble.app.study.trial import RunRow


class _Columns:
    """The names of a study's parameters and measures, for expressions."""

    def __init__(self, names: Sequence[str]) -> None:
        self.fields = tuple(names)

    def find(self, name: str, inside: Sequence[str]) -> Signal:
        """As SignalNames.find."""
        if name not in self.fields or inside:
            raise SignalError(f"there is no {name!r}; there are {', '.join(self.fields)}")
        return Signal(name, name, True, self.fields.index(name), 1, True, "")


class Objective:
    """The number of a run that is to be least, or greatest."""

    def __init__(self, study: Study) -> None:
        """Raises StudyError with the place in the expression."""
        text = study.sweep.objective
        if not text:
            raise StudyError("sweep.objective: a search needs one: an expression over measures and parameters")
        try:
            self._expression = parse(text, _Columns([*study.parameters, *study.measures]))
        except ExpressionError as error:
            raise StudyError(f"sweep.objective: {text}: at character {error.at + 1}: {error}") from error
        self._sign = 1.0 if study.sweep.goal == "least" else -1.0

    def value(self, row: RunRow) -> float:
        """The objective of a run."""
        numbers = [math.nan if isinstance(value, str) else float(value) for value in (*row.values, *row.measures)]
        return float(self._expression.over(lambda signal: numbers[signal.start]))

    def cost(self, row: RunRow) -> float:
        """The number that a search makes least; infinite where the objective is not a number."""
        value = self._sign * self.value(row)
        return math.inf if math.isnan(value) else value
