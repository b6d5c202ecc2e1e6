"""Variants of a model: the same files with other values of some attributes, compiled.

Values are written into the text, so that a variant is what a file with these values would be. Where that only sets fields that
may change while a model runs, the fields are set on a copy instead, which takes no compiling: this is tried beforehand, and done
only where both ways gave the same model, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.editing.attribute_text import Writing, rewritten
from tumble.app.editing.impedance import Impedance, direct_ref, spring_for
from tumble.app.replay.bundle import Bundle, LoadError
from tumble.app.study.attribute_path import AttributePathError, AttributeTarget, Value, targets, writings
from tumble.app.study.study_file import UNITS, StudyError, StudyParameter
from tumble.physics import changes, mj_name2id, mjtObj
from tumble.physics.compiler.compile import compile
from tumble.physics.compiler.setconst import mj_setConst
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_sealed
from tumble.physics.model import MjData, MjModel
from tumble.physics.state.fields import MODEL

if TYPE_CHECKING:
    from tumble.physics.mjcf.document import Document

_TRIED = (0.31, 0.77)  # where in its range a parameter is tried
_SCALES = (1.0, -1.0, math.pi / 180)  # between the number in a file and the one in the model
_EASY = (changes.Effect.QUIET, changes.Effect.PLAIN, changes.Effect.CONSTANTS)
_SCALES_OF_VIEW = ("stat_center", "stat_extent", "stat_meansize", "stat_meanmass")  # kept while a model runs


class Settable(Struct, frozen=True):
    """Numbers of a model that are a parameter's value times a scale: of a field, by their places in the flat array."""

    field: str
    places: NDArray[np.int64]
    scale: float


class Variants:
    """Models with other values of a study's parameters.

    base: the model of the file as it is. compiles: whether a variant is compiled, not set.
    """

    def __init__(
        self,
        bundle: Bundle,
        parameters: Mapping[str, StudyParameter],
        compiled: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """compiled: called with the variants that are compiled to find out what can be set, and all.

        Raises StudyError for a path that leads nowhere, LoadError for a model that does not compile.
        """
        self._bundle, self._parameters = bundle, list(parameters.values())
        self._report, self._tried = compiled, 0
        document = self._read(bundle.text, bundle.files)
        self._targets: list[list[AttributeTarget]] = []
        for name, parameter in parameters.items():
            try:
                self._targets.append([target for path in parameter.every_path for target in targets(document, path)])
            except AttributePathError as error:
                raise StudyError(f"parameter {name}: {error}") from error
            _require_kind(name, parameter, self._targets[-1])
        self._scales = [1.0] * len(self._parameters)
        self.base = self._compiled({})
        self._scales = [
            _scale(name, parameter, found, self.base)
            for (name, parameter), found in zip(parameters.items(), self._targets, strict=True)
        ]
        every = [self._find_settable(k) for k in range(len(self._parameters))]
        self._settable = every if all(every) and self._agree(every) else None

    @property
    def compiles(self) -> bool:
        """True if a variant is compiled, not set."""
        return self._settable is None

    @property
    def initial(self) -> tuple[Value | None, ...]:
        """The value of each parameter in the file; None for nothing."""
        return tuple(found[0].value for found in self._targets)

    def model(self, values: Sequence[Value]) -> MjModel:
        """A model of its own with these values. Raises LoadError where it does not compile."""
        if self._settable is None:
            return self._compiled(dict(enumerate(values)))
        return self._set(self._settable, values)

    def text(self, values: Mapping[int, Value]) -> dict[str, bytes]:
        """The files that differ with these values of parameters by number; by the names that the bundle gives them."""
        chosen = [(target, self._number(k, target, value)) for k, value in values.items() for target in self._targets[k]]
        texts = {self._bundle.main: self._bundle.text, **self._bundle.files}
        by_file: dict[str, list[Writing]] = {}
        for writing in writings(chosen):
            by_file.setdefault(writing.where.file, []).append(writing)
        return {name: rewritten(texts[name], made) for name, made in by_file.items()}

    def _number(self, k: int, target: AttributeTarget, value: Value) -> Value:
        """The value of an attribute for a parameter's value."""
        if isinstance(value, str):
            return value
        return float(target.value or 0.0) * value if self._parameters[k].factor else self._scales[k] * value

    def _read(self, text: bytes, files: Mapping[str, bytes]) -> Document:
        try:
            return read_sealed(text, files, self._bundle.main, self._bundle.named)
        except PhysicsError as error:
            raise LoadError(str(error)) from error

    def _tried_out(self, values: Mapping[int, Value]) -> MjModel:
        """As _compiled, of a variant that is compiled beforehand."""
        self._tried += 1
        self._report(self._tried, len(_TRIED) * len(self._parameters) + 1)
        return self._compiled(values)

    def _compiled(self, values: Mapping[int, Value]) -> MjModel:
        texts = self.text(values)
        main = texts.pop(self._bundle.main, self._bundle.text)
        try:
            return compile(self._read(main, {**self._bundle.files, **texts}), MjModel)
        except PhysicsError as error:
            raise LoadError(str(error)) from error

    # ---- without compiling

    def _set(self, settable: Sequence[Sequence[Settable]], values: Sequence[Value]) -> MjModel:
        """A copy with fields set, and what follows from them."""
        numbers = [float(self._number(k, self._targets[k][0], value)) for k, value in enumerate(values)]
        return _with_numbers(self.base, [(one, number) for ones, number in zip(settable, numbers, strict=True) for one in ones])

    def _trial(self, k: int, share: float) -> Value:
        """A value of a parameter to try."""
        parameter = self._parameters[k]
        if parameter.values:
            return parameter.values[int(share * len(parameter.values))]
        if parameter.low is not None and parameter.high is not None:
            return parameter.low + (parameter.high - parameter.low) * share
        return float(parameter.mean or 0.0) + share * float(parameter.deviation or 0.0)

    def _find_settable(self, k: int) -> tuple[Settable, ...]:
        """Fields whose numbers are the parameter's value, and all that a file with it changes; () where it changes others."""
        found, targets = self._targets[k], {target.value for target in self._targets[k]}
        if found[0].attribute.kind == "keys" or (self._parameters[k].factor and len(targets) > 1):
            return ()
        settable: tuple[Settable, ...] = ()
        for share in _TRIED:
            value = self._trial(k, share)
            number = float(self._number(k, found[0], value))
            if all(target.value == number for target in found):  # the file as it is, which tells nothing
                continue
            try:
                other = self._tried_out({k: value})
            except LoadError:
                return ()
            settable = settable or tuple(_settable_in(self.base, other, number))
            if not settable or not _same(_with_numbers(self.base, [(one, number) for one in settable]), other):
                return ()
        return settable

    def _agree(self, settable: Sequence[Sequence[Settable]]) -> bool:
        """True if setting all parameters at once gives what compiling does."""
        values = [self._trial(k, _TRIED[k % 2]) for k in range(len(self._parameters))]
        try:
            return _same(self._set(settable, values), self._tried_out(dict(enumerate(values))))
        except LoadError:
            return False


def _require_kind(name: str, parameter: StudyParameter, found: Sequence[AttributeTarget]) -> None:
    """Raise StudyError if an attribute cannot have the parameter's values."""
    for target in found:
        words, kind = target.attribute.kind == "keys", f"{target.attribute.name} is {target.attribute.describe()}"
        if words and (not parameter.values or not set(map(str, parameter.values)) <= set(target.attribute.words)):
            raise StudyError(f"parameter {name}: {kind}: give such values = [...]")
        if not words and any(isinstance(value, str) for value in parameter.values):
            raise StudyError(f"parameter {name}: {kind}, no word")
        if parameter.factor and target.value is None:
            raise StudyError(f"parameter {name}: the file does not give {target.attribute.name}: there is nothing to multiply")


def _scale(name: str, parameter: StudyParameter, found: Sequence[AttributeTarget], base: MjModel) -> float:
    """Factor of values: 1, or that from a stiffness [N/m] or damping [N s/m] of a geom on a static one to its solref."""
    if not parameter.unit:
        return 1.0
    index = UNITS.index(parameter.unit)
    geom = mj_name2id(base, mjtObj.mjOBJ_GEOM, found[0].name)
    if len(found) > 1 or geom < 0 or found[0].attribute.name != "solref" or found[0].index != index:
        raise StudyError(f"parameter {name}: {parameter.unit} is a unit of geom[NAME].solref[{index}]")
    weight = float(base.body_invweight0[base.geom_bodyid[geom], 0])
    if weight == 0:
        raise StudyError(f"parameter {name}: {found[0].name} is static: a stiffness in {parameter.unit} belongs to a moving geom")
    imp = Impedance.of(base.geom_solimp[geom])
    spring = spring_for(1.0 if index == 0 else 0.0, 1.0 if index == 1 else 0.0, weight, 0.0, imp)
    return direct_ref(spring, imp)[index]


def _settable_in(base: MjModel, other: MjModel, number: float) -> Iterator[Settable]:
    """The fields with a number that `other` has where `base` has another one, as far as they may change while a model runs."""
    for field in MODEL:
        if changes.rule(field.name).effect not in _EASY or field.name in _SCALES_OF_VIEW:
            continue
        before, after = _flat(base, field.name), _flat(other, field.name)
        if before.shape != after.shape or before.dtype.kind not in "fiu":
            continue
        places = np.flatnonzero(before != after)
        with np.errstate(invalid="ignore"):  # a number that is too large for a field of integers
            scales = [s for s in _SCALES if np.all(after[places] == np.asarray(s * number).astype(after.dtype))]
        if places.size and scales:
            yield Settable(field.name, places, scales[0])


def _with_numbers(base: MjModel, numbers: Sequence[tuple[Settable, float]]) -> MjModel:
    """A copy with numbers set, and what follows from them."""
    model = base.twin()
    for one, number in numbers:
        array = getattr(model, one.field)
        if np.ndim(array) == 0:
            setattr(model, one.field, type(array)(one.scale * number))
        else:
            array.reshape(-1)[one.places] = one.scale * number
    if any(changes.rule(one.field).effect is changes.Effect.CONSTANTS for one, _ in numbers):
        scales = {name: np.copy(getattr(model, name)) for name in _SCALES_OF_VIEW}
        mj_setConst(model, MjData(model))
        for name, value in scales.items():
            if value.ndim == 0:
                setattr(model, name, float(value))
            else:
                getattr(model, name)[...] = value
    return model


def _same(one: MjModel, other: MjModel) -> bool:
    """True if two models step alike: all their numbers are the same, but those of the view."""
    return all(
        np.array_equal(_flat(one, field.name), _flat(other, field.name), equal_nan=_flat(one, field.name).dtype.kind == "f")
        for field in MODEL
        if field.name not in _SCALES_OF_VIEW
    )


def _flat(model: MjModel, name: str) -> NDArray[Any]:
    return np.ravel(np.asarray(getattr(model, name)))
