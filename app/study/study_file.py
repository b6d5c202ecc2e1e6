"""Studies as files: a model, the numbers that vary, how it is driven, how long it runs, and what is measured.

    model = "box.xml"
    seconds = 5.0

    [parameters.friction]
    path = "geom[floor].friction[0]"
    low = 0.1
    high = 1.5

    [measures]
    slid = {change = "xpos[box, x]"}

    [sweep]
    method = "latin-hypercube"
    runs = 1000

Errors name the file, line and column.
"""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

from tumble.app.base.files import reason

SUFFIX = ".toml"
MOST_RUNS = 10**7
MOST_BYTES = 2**20
POPULATION = 15  # points of a search in each generation, for each parameter
METHODS = ("grid", "latin-hypercube", "sobol", "random", "sensitivity", "minimize")
UNITS = ("N/m", "N*s/m")  # of solref[0] and solref[1]
NAME = re.compile(r"[A-Za-z_]\w*")
RESERVED = ("run", "status", "repetition", "wall")  # columns of every table of results

S = TypeVar("S", bound=Struct)


class StudyError(Exception):
    """A mistake in a study, at file:line:column, and what is valid."""


class StudyParameter(Struct, frozen=True, forbid_unknown_fields=True):
    """A number of the model that varies.

    path, or paths for several that have the same value: attributes, see attribute_path.py. factor: the value multiplies what
    the file says. Either low and high, evenly between them, or by ratio where `log`; or mean and deviation of a normal
    distribution, cut at low and high; or a list of values. points: how many a grid takes. initial: where a search begins.
    unit: of the values of a geom's solref, where they are physical: N/m of solref[0], N*s/m of solref[1].
    """

    path: str = ""
    paths: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    log: bool = False
    mean: float | None = None
    deviation: float | None = None
    values: tuple[float | str, ...] = ()
    points: int = 5
    initial: float | None = None
    factor: bool = False
    unit: str = ""

    @property
    def every_path(self) -> tuple[str, ...]:
        """All attributes that have its value."""
        return (self.path,) if self.path else self.paths

    def problem(self) -> tuple[str, str]:
        """The key that is wrong, and what is valid; ("", "") for none."""
        if bool(self.path) == bool(self.paths):
            return "path", "give either path or paths"
        ranged, normal = self.low is not None and self.high is not None, self.mean is not None or self.deviation is not None
        if bool(self.values) + (ranged and not normal) + normal != 1:
            return "path", "give low and high, or mean and deviation, or values"
        if ranged and not float(self.low or 0) < float(self.high or 0):
            return "low", f"low must be less than high: {self.low:g} is not less than {self.high:g}"
        if self.log and not (ranged and float(self.low or 0) > 0):
            return "log", "a logarithmic range needs low and high above 0"
        if normal and not (self.mean is not None and self.deviation is not None and self.deviation > 0):
            return "deviation", "a normal distribution needs mean, and a deviation above 0"
        if self.unit and (self.unit not in UNITS or self.factor):
            return "unit", f"valid are {', '.join(UNITS)}, without factor"
        if self.points < 2:
            return "points", "a grid takes 2 points or more"
        return "", ""


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A control from a file: between its rows in proportion, outside of them as the nearest. shift: added to the times [s]."""

    csv: str
    column: str
    time: str = "time"
    shift: float = 0.0


class Played(Struct, frozen=True, forbid_unknown_fields=True):
    """The controls of a recorded replay."""

    replay: str


Control = float | dict[str, object]


class Noise(Struct, frozen=True, forbid_unknown_fields=True):
    """Standard deviations of what differs from run to run: of the first positions [m, rad], velocities, and of all controls."""

    position: float = 0.0
    velocity: float = 0.0
    control: float = 0.0


class StudyMeasure(Struct, frozen=True, forbid_unknown_fields=True):
    """A number by which a run is judged: one of these, of an expression over signals, or of a condition.

    final, first, change (final - first), min, max, mean, rms (root of the mean square), integral (over time) of numbers;
    until: the time until a condition first holds [s]; share: how much of the time it holds, 0 to 1. after: seconds left out.
    """

    final: str = ""
    first: str = ""
    change: str = ""
    min: str = ""
    max: str = ""
    mean: str = ""
    rms: str = ""
    integral: str = ""
    until: str = ""
    share: str = ""
    after: float = 0.0

    @property
    def taken(self) -> list[tuple[str, str]]:
        """The keys that are given, with their expressions; one is valid."""
        return [(name, getattr(self, name)) for name in self.__struct_fields__ if name != "after" and getattr(self, name)]


class Sweep(Struct, frozen=True, forbid_unknown_fields=True):
    """Choice of the values that the parameters have.

    grid: all combinations; latin-hypercube, sobol, random: `runs` points that fill the ranges; sensitivity: `runs` points that
    tell how much of each measure's variance is due to which parameter; minimize: those that a search for the least (goal: least
    or greatest) of `objective`, an expression over measures, comes by.
    """

    method: str = "latin-hypercube"
    runs: int = 100
    objective: str = ""
    goal: str = "least"


class Study(Struct, frozen=True, forbid_unknown_fields=True):
    """A study as its file has it. keyframe: its initial state, by name or number; repetitions: of each point, with other noise.

    controller: a Python file with control(model, data), which is called before each step, after the controls are written.
    fit: how measured data are compared, see fit/.
    """

    model: str
    seconds: float
    parameters: dict[str, StudyParameter]
    measures: dict[str, StudyMeasure] = {}
    controls: dict[str, Control] = {}
    noise: Noise = Noise()
    sweep: Sweep = Sweep()
    controller: str = ""
    keyframe: str = ""
    seed: int = 0
    repetitions: int = 1
    fit: dict[str, Any] = field(default_factory=dict)

    @property
    def sample(self) -> int:
        """Points in each of the two samples of a sensitivity study, a power of two."""
        return int(2 ** max(1, round(math.log2(max(2, self.sweep.runs / (len(self.parameters) + 2))))))

    @property
    def population(self) -> int:
        """Points in each generation of a search."""
        return max(4, min(POPULATION * len(self.parameters), self.sweep.runs // 2))

    @property
    def total(self) -> int:
        """Number of all of its runs."""
        points = self.sweep.runs
        if self.sweep.method == "grid":
            points = math.prod(len(one.values) or one.points for one in self.parameters.values())
        elif self.sweep.method == "sensitivity":
            points = (len(self.parameters) + 2) * self.sample
        elif self.sweep.method == "minimize":
            points = self.population * max(2, points // self.population)
        return points * self.repetitions


_TABLES: dict[str, type[Struct]] = {"parameters": StudyParameter, "measures": StudyMeasure}
_SINGLE: dict[str, type[Struct]] = {"noise": Noise, "sweep": Sweep}


def load(path: Path) -> Study:
    """The study in a file. Raises StudyError."""
    return parse(read_text(path), str(path))


def read_text(path: Path) -> str:
    """The text of a study's file. Raises StudyError."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise StudyError(f"{path}: is longer than {MOST_BYTES >> 20} MB: no study")
        return path.read_text("utf-8")
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise StudyError(f"{path}: is not UTF-8 text") from error


def parse(text: str, name: str) -> Study:
    """The study in a text; name: of the file, for messages. Raises StudyError."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(str(error), text, name) from error
    reader = _StudyReader(text, name)
    for table, kind in _TABLES.items():
        rows = data.get(table, {})
        if not isinstance(rows, dict):
            raise reader.error((table,), f"{table} is a table: a name for each, as [{table}.one]")
        for key, row in rows.items():
            if not NAME.fullmatch(key) or key in RESERVED:
                raise reader.error((table, key), f"{key!r} is no name: letters, digits and _, and none of {', '.join(RESERVED)}")
            rows[key] = reader.read(row, kind, (table, key))
    for table, kind in _SINGLE.items():
        if table in data:
            data[table] = reader.read(data[table], kind, (table,))
    study = reader.read(data, Study, ())
    _check(study, reader)
    return study


def _check(study: Study, reader: _StudyReader) -> None:
    """Raise StudyError for what no study can have."""
    if not study.parameters:
        raise reader.error(("parameters",), "a study varies at least one parameter: [parameters.NAME]")
    for name, parameter in study.parameters.items():
        key, why = parameter.problem()
        if why:
            raise reader.error(("parameters", name, key), why)
    for name, measure in study.measures.items():
        if len(measure.taken) != 1:
            valid = ", ".join(key for key in StudyMeasure.__struct_fields__ if key != "after")
            raise reader.error(("measures", name), f"a measure takes one of {valid}")
        if name in study.parameters:
            raise reader.error(("measures", name), f"{name} is the name of a parameter, too")
    for key, holds, why in (
        ("seconds", 0 < study.seconds <= 1e6, "a run takes more than 0 s, and at most 1e6"),
        ("repetitions", study.repetitions >= 1, "1 or more"),
        ("seed", study.seed >= 0, "0 or more"),
    ):
        if not holds:
            raise reader.error((key,), f"{key}: {why}")
    if study.sweep.method not in METHODS:
        raise reader.error(("sweep", "method"), f"{study.sweep.method!r} is no method; valid are {', '.join(METHODS)}")
    if not 1 <= study.sweep.runs <= MOST_RUNS:
        raise reader.error(("sweep", "runs"), f"runs must be from 1 to {MOST_RUNS}")
    if study.sweep.goal not in ("least", "greatest"):
        raise reader.error(("sweep", "goal"), "goal is least or greatest")


class _StudyReader:
    """Turns tables into structs, and places into messages."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name

    def read(self, data: object, kind: type[S], place: tuple[str, ...]) -> S:
        """A struct from a table. Raises StudyError at the key that is wrong."""
        try:
            return msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            message, _, where = str(error).partition(" - at `$")
            keys = [key for key in where.rstrip("`").split(".") if key]
            unknown = re.search(r"unknown field `(\w+)`", message)
            if unknown:
                keys.append(unknown[1])
                valid = ", ".join(_fields_of(kind))
                message = f"{unknown[1]!r} is no key here; valid are {valid}"
            raise self.error((*place, *(key.partition("[")[0] for key in keys)), message) from None

    def error(self, place: tuple[str, ...], message: str) -> StudyError:
        """An error at a key, or at the nearest table above that is in the text."""
        line, column = place_of(self._text, place)
        return StudyError(f"{self._name}:{line}:{column}: {message}")


def _fields_of(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(kind.__struct_fields__)


def _syntax_error(message: str, text: str, name: str) -> StudyError:
    at = re.search(r" \(at line (\d+), column (\d+)\)| \(at end of document\)", message)
    line, column = (at[1], at[2]) if at and at[1] else (str(text.count("\n") + 1), "1")
    return StudyError(f"{name}:{line}:{column}: {message[: at.start()] if at else message}")


def place_of(text: str, place: tuple[str, ...]) -> tuple[int, int]:
    """Line and column of a key in TOML, from 1; of the table around it where the key is not written."""
    best, found = (1, 1), 0
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
        if head:
            table = here = _keys(head[1])
            column = head.start(1) + 1
        elif key := re.match(r"\s*([\w.\"'*-]+)\s*=", line):
            here, column = (*table, *_keys(key[1])), key.start(1) + 1
        else:
            continue
        pairs = zip(here, place, strict=False)
        alike = next((k for k, (one, other) in enumerate(pairs) if one != other), min(len(here), len(place)))
        if alike == len(here) and alike > found:
            found, best = alike, (number, column)
            inline = re.search(rf"\b{re.escape(place[alike])}\s*=", line[column:]) if alike < len(place) else None
            if inline and not head:
                best = (number, column + inline.start() + 1)
    return best


def _keys(text: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in text.split("."))
