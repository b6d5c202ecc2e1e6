"""Physics options, sizes, visual settings and the statistics that a file fixes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.physics.mjcf.schema import find
from tumble.physics.mjcf.spec import DEFAULT_SETTINGS, CompilerSettings, Element, Where
from tumble.physics.query.argument_checks import Array, output
from tumble.physics.state.arguments import require_kind
from tumble.physics.state.constants import mjNIMP, mjNREF
from tumble.physics.state.enums import mjtDisableBit, mjtEnableBit
from tumble.physics.state.model import Model
from tumble.physics.state.structs.group import Group, begins
from tumble.physics.state.structs.option_groups import MjOption, MjVisual
from tumble.physics.state.structs.struct import names

_OPTION = find("option").attributes.values()
_NUMBERS = [attribute.name for attribute in _OPTION if attribute.kind in ("int", "real") and attribute.high is not None]
_CHOICES = {attribute.name: attribute.words for attribute in _OPTION if attribute.kind == "keys"}  # as the enumerations have them
_STATISTICS = tuple(find("statistic").attributes)
_DISABLE = {bit.name[7:].lower(): int(bit) for bit in mjtDisableBit if bit.name.startswith("mjDSBL")}
_ENABLE = {bit.name[7:].lower(): int(bit) for bit in mjtEnableBit if bit.name.startswith("mjENBL")}
_GROUPS = 31  # actuator groups that can be switched off
_NOWHERE = Where("", 1, 1)


def section(root: Element, tag: str) -> Element:
    """The element of a section; one with the schema's defaults if it is not written."""
    return next(root.all(tag), None) or unsaid(tag, root.where)


def unsaid(path: str, where: Where = _NOWHERE, settings: CompilerSettings = DEFAULT_SETTINGS) -> Element:
    """An element that says nothing: what the schema has of the one at a path of tags below <mujoco>."""
    rule = find(path)
    return Element(rule.tag, where, schema_defaults=rule.schema_defaults, settings=settings)


def fill_options(root: Element, m: Model) -> None:
    """Write `m.opt`. Raises MjcfError for options that no simulation can have."""
    element = section(root, "option")
    _write_options(element, m.opt)
    if m.opt.timestep <= 0:
        raise element.error(f"timestep must be positive, is {m.opt.timestep:g}")
    for group in element.get("actuatorgroupdisable", ()):
        if not 0 <= group < _GROUPS:
            raise element.error(f"actuatorgroupdisable takes groups 0 to {_GROUPS - 1}, has {group}")
        m.opt.disableactuator |= 1 << int(group)
    for flag in element.all("flag"):
        m.opt.disableflags = sum(bit for name, bit in _DISABLE.items() if flag.get(name) == "disable")
        m.opt.enableflags = sum(bit for name, bit in _ENABLE.items() if flag.get(name) == "enable")


def _write_options(element: Element, opt: MjOption) -> None:
    for name in _NUMBERS:
        setattr(opt, name, element.get(name))
    for name, words in _CHOICES.items():
        setattr(opt, name, words.index(element.get(name)))


@begins(MjOption)
def mj_defaultOption(opt: MjOption) -> None:
    """Give the physics options of a model, `m.opt`, the values that hold where a file says nothing of them."""
    require_kind(opt, MjOption, "opt", "an MjOption")
    _write_options(unsaid("option"), opt)
    opt.disableactuator = opt.disableflags = opt.enableflags = 0


def mj_defaultVisual(vis: MjVisual) -> None:
    """Give the visual settings of a model, `m.vis`, the values that hold where a file says nothing of them."""
    require_kind(vis, MjVisual, "vis", "an MjVisual")
    for tag in find("visual").children:
        _write_unsaid(_section_of(vis, tag))


def _section_of(vis: MjVisual, tag: str) -> Group:
    """The settings that an element of the section visual holds."""
    found: Group = getattr(vis, "global_" if tag == "global" else tag)
    return found


@begins(MjVisual.Global, MjVisual.Quality, MjVisual.Headlight, MjVisual.Map, MjVisual.Scale, MjVisual.Rgba)
def _write_unsaid(part: Group) -> None:
    """Give a section of the visual settings the values that hold where a file says nothing of them."""
    tag = type(part).__name__.removeprefix("MjVisual").lower()
    _write_section(unsaid(f"visual/{tag}"), part)


def _write_section(element: Element, part: Group) -> None:
    for name in names(part):
        setattr(part, name, element.get(name))


def mj_defaultSolRefImp(solref: Array, solimp: Array) -> None:
    """Write to solref (2,) and solimp (5,) the response and impedance of constraints of which a file says nothing."""
    option = find("option").schema_defaults
    output(solref, "solref", (mjNREF,))[...] = option["o_solref"]
    output(solimp, "solimp", (mjNIMP,))[...] = option["o_solimp"]


def fill_visual(root: Element, m: Model) -> None:
    """Write `m.vis`. Raises MjcfError for a picture that cannot be drawn."""
    written = {e.tag: e for visual in root.all("visual") for e in visual.children}
    for tag in find("visual").children:
        element = written.get(tag) or unsaid(f"visual/{tag}", root.where)
        for name in ("znear", "realtime"):
            if element.get(name, 1.0) <= 0:
                raise element.error(f"{name} must be positive, is {element.get(name):g}")
        _write_section(element, _section_of(m.vis, tag))


def fill_statistic(root: Element, m: Model) -> None:
    """Let what the file says of the model's statistics go before what was computed."""
    for element in root.all("statistic"):
        for name in _STATISTICS:
            if not element.has(name):
                continue
            if name == "meaninertia" and element.get(name) <= 0:  # the solver divides by it
                element.warn(f"meaninertia must be positive, is {element.get(name):g}: that of the model is taken")
            elif name == "extent" and element.get(name) <= 0:
                raise element.error(f"extent must be positive, is {element.get(name):g}")
            else:
                setattr(m.stat, name, element.get(name))


def sections_of(m: Model, where: Where) -> list[Element]:
    """The elements <option>, <visual> and <statistic> that say what stands in `m.opt`, `m.vis` and `m.stat` of a model.

    Statistics that are not a number are left out: they follow from the model. Raises MjcfError for a choice that there is not.
    """
    option = unsaid("option", where)
    option.attributes = {name: _held(getattr(m.opt, name)) for name in _NUMBERS}
    for name, words in _CHOICES.items():
        number = int(getattr(m.opt, name))
        if not 0 <= number < len(words):
            valid = ", ".join(f"{k} ({word.lower()})" for k, word in enumerate(words))
            raise option.error(f"{name} is {number}, which is not valid; valid: {valid}")
        option.attributes[name] = words[number]
    disabled = [group for group in range(_GROUPS) if int(m.opt.disableactuator) >> group & 1]
    if disabled:
        option.attributes["actuatorgroupdisable"] = np.array(disabled)
    flag = unsaid("option/flag", where)
    sides = (m.opt.disableflags, _DISABLE, "disable", "enable"), (m.opt.enableflags, _ENABLE, "enable", "disable")
    for bits, numbers, on, off in sides:
        flag.attributes |= {name: on if int(bits) & bit else off for name, bit in numbers.items() if name in flag.schema_defaults}
    option.children = [flag]
    visual = Element("visual", where)
    for tag, rule in find("visual").children.items():
        part, group = unsaid(f"visual/{tag}", where), _section_of(m.vis, tag)
        part.attributes = {name: bool(getattr(group, name)) if attribute.kind == "bool" else _held(getattr(group, name))
                           for name, attribute in rule.attributes.items()}  # fmt: skip
        visual.children.append(part)
    said = {name: _held(getattr(m.stat, name)) for name in _STATISTICS}
    statistic = Element("statistic", where, {name: value for name, value in said.items() if not np.isnan(value).any()})
    return [option, visual, statistic]


def _held(value: Any) -> Any:
    """A value of a group that stays as it is when the group changes."""
    return value.copy() if isinstance(value, np.ndarray) else value
