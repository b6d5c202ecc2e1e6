"""A first study of a model: the numbers that the user has changed, or those of the selected body, with ranges around them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble import physics
from tumble.app.describe.expression import ExpressionError, parse
from tumble.app.describe.signals import Catalogue
from tumble.app.editing.edits import EditPlace, Values
from tumble.app.editing.patch import attribute_of
from tumble.app.study.attribute_path import AttributePathError, targets
from tumble.app.study.study_file import RESERVED, SUFFIX
from tumble.physics.mjcf.reader import read_path

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.mjcf.document import Document

MOST = 5  # parameters of a new study: more need more runs than it has
RUNS, SECONDS = 200, 2.0
_OF_GEOM = ("friction[0]", "solref[0]", "density", "mass")
_OF_JOINT = ("damping", "stiffness", "armature", "frictionloss")
_TAGS = {"geom": "geom", "jnt": "joint", "dof": "joint", "pair": "pair", "tendon": "tendon", "actuator": "actuator"}
_MEASURES = (
    ("height", 'final = "xpos[{body}, z]"', "m, where the body's frame is at the end"),
    ("moved", 'change = "xpos[{body}, x]"', "m, along x"),
    ("fastest", 'max = "norm(qvel)"', "of all degrees of freedom together"),
)


class Proposal(Struct, frozen=True):
    """A parameter: its path, the file's number, and the ends of its range. factor: the numbers multiply the file's."""

    path: str
    value: float
    low: float
    high: float
    factor: bool = False

    @property
    def name(self) -> str:
        """A name for it: wood_friction for geom[wood].friction[0]."""
        words = re.findall(r"\w+", self.path.replace("[*]", "_all"))
        name = "_".join(words[1:3] if "[" in self.path.partition(".")[0] else words[:2])
        name = re.sub(r"\W|^(?=\d)", "_", name)
        return f"{name}_value" if name in RESERVED else name


def compose(path: Path, model: MjModel, edits: Mapping[EditPlace, tuple[Values, Values]], body: int) -> str:
    """The text of a study of a model's file. body: the selected one, 0 for none. Raises PhysicsError for a damaged file."""
    document = read_path(path)
    parameters = _understood(document, _of_edits(model, edits)) if edits else []
    parameters = parameters or (_effective(_understood(document, _of_body(model, body))) if body > 0 else [])
    parameters = parameters or _understood(document, [Proposal("geom[*].friction[0]", 1.0, 0.5, 2.0, factor=True)])
    step = float(model.opt.timestep)
    parameters = parameters or [Proposal("option.timestep", step, step / 4, 2 * step)]
    return _text(path.name, parameters[:MOST], list(_measures(model, body)))


def _of_edits(model: MjModel, edits: Mapping[EditPlace, tuple[Values, Values]]) -> Iterator[Proposal]:
    """The numbers that the user has changed, each from one to the other and half as far beyond."""
    for place, (before, now) in edits.items():
        start = _element_path(model, place)
        for k, (old, new) in enumerate(zip(before, now, strict=True)):
            if start and old != new:
                low, high = min(old, new), max(old, new)
                beyond = (high - low) / 2
                low = max(low - beyond, low / 2) if low > 0 else low - beyond
                yield Proposal(f"{start}[{k}]" if len(before) > 1 else start, old, low, high + beyond)


def _element_path(model: MjModel, place: EditPlace) -> str:
    """The path of an edited field, without its number among several; "" where there is none."""
    group, _, name = place.field.partition(".")
    if group == "opt":
        return f"option.{name}"
    prefix = place.field.partition("_")[0]
    if prefix not in _TAGS or place.index is None:
        return ""
    attribute = attribute_of(model, place.field, place.index)
    joint = int(model.dof_jntid[place.index]) if prefix == "dof" else place.index
    return f"{_TAGS[prefix]}[{_name(model, _TAGS[prefix], joint)}].{attribute}" if attribute else ""


def _of_body(model: MjModel, body: int) -> Iterator[Proposal]:
    """Numbers of a body's joints and of its first geom, from half to twice the file's."""
    first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    for joint in range(first, first + count):
        yield from (Proposal(f"joint[{_name(model, 'joint', joint)}].{name}", math.nan, 0.0, 1.0) for name in _OF_JOINT)
    if int(model.body_geomnum[body]):
        geom = _name(model, "geom", int(model.body_geomadr[body]))
        yield from (Proposal(f"geom[{geom}].{name}", math.nan, 0.0, 1.0) for name in _OF_GEOM)
    yield Proposal(f"inertial[{_name(model, 'body', body)}].mass", math.nan, 0.0, 1.0)


def _name(model: MjModel, tag: str, index: int) -> str:
    """An element's name, or its number."""
    return physics.mj_id2name(model, physics.mjtObj[f"mjOBJ_{tag.upper()}"], index) or str(index)


def _understood(document: Document, proposals: Iterator[Proposal] | list[Proposal]) -> list[Proposal]:
    """Those that the file has a number for; an unnamed element may have another number in the file than in the model."""
    result = []
    for proposal in proposals:
        try:
            found = targets(document, proposal.path)
        except AttributePathError:
            continue
        value = found[0].value
        if proposal.factor and all(target.value is not None for target in found):
            result.append(proposal)
        if proposal.factor or len(found) > 1 or not isinstance(value, int | float) or isinstance(value, bool):
            continue
        if math.isnan(proposal.value) and value > 0:
            result.append(Proposal(proposal.path, value, value / 2, value * 2))
        elif math.isclose(value, proposal.value, rel_tol=1e-9):
            result.append(proposal)
    return result


def _effective(proposals: list[Proposal]) -> list[Proposal]:
    """Those without a density that a mass, or an <inertial>, makes idle."""
    masses = {proposal.path.rpartition(".")[0] for proposal in proposals if proposal.path.endswith(".mass")}
    weighed = any(start.startswith("inertial[") for start in masses)
    idle = ("density", "mass") if weighed else ("density",) if masses else ()
    return [one for one in proposals if not (one.path.startswith("geom[") and one.path.rpartition(".")[2] in idle)]


def _measures(model: MjModel, body: int) -> Iterator[tuple[str, str, str]]:
    """Measures that the model has signals for; without a selected body, of the first that moves."""
    moving = [k for k in range(1, model.nbody) if model.body_weldid[k] > 0]
    body = body if body > 0 else moving[0] if moving else 0
    catalogue = Catalogue(model)
    for name, text, words in _MEASURES:
        filled = text.replace("{body}", _name(model, "body", body))
        try:
            parse(filled.partition('"')[2].rstrip('"'), catalogue)
        except ExpressionError:
            continue
        yield name, filled, words


def _text(model: str, parameters: list[Proposal], measures: list[tuple[str, str, str]]) -> str:
    lines = [
        f"# A study of {model}: many runs with other numbers. Start does them; without a window: tumble sweep FILE.",
        f"model = {_quoted(model)}",
        f"seconds = {SECONDS}",
    ]
    names: set[str] = set()
    for parameter in parameters:
        name = next(name for name in (parameter.name, *(f"{parameter.name}_{k}" for k in range(2, 99))) if name not in names)
        names.add(name)
        remark = "times the file's numbers" if parameter.factor else f"{parameter.value:.6g} in the file"
        lines += ["", f"[parameters.{name}]", f"path = {_quoted(parameter.path)}  # {remark}"]
        lines += [f"low = {_number(parameter.low)}", f"high = {_number(parameter.high)}"]
        lines += ["factor = true"] if parameter.factor else []
    lines += ["", "[measures]", *(f"{name} = {{{text}}}  # {words}" for name, text, words in measures)]
    lines += ["", "[sweep]", 'method = "latin-hypercube"  # or grid, sobol, random, sensitivity, minimize', f"runs = {RUNS}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """A number of TOML, which needs a point or an exponent to be no whole one."""
    text = f"{value:.6g}"
    return text if re.search("[.e]", text) else f"{text}.0"


def free_path(model: Path) -> Path:
    """A path next to a model that no file has: slope-study.toml."""
    names = (f"{model.stem}-study{'' if k == 1 else f'-{k}'}{SUFFIX}" for k in range(1, 1000))
    return next(path for name in names if not (path := model.with_name(name)).exists())


def moved(text: str, model: Path) -> str:
    """A study's text with its model by absolute path, for another folder."""
    return re.sub(r"(?m)^model\s*=.*$", lambda found: f"model = {_quoted(str(model))}", text, count=1)
