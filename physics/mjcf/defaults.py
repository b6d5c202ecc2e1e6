"""Default classes: what an element does not say, its class does.

<default> sections make a tree of classes with `main` at the top. A class starts as a copy of the one it is nested in,
taken when it opens, with what that one says itself already in it. An element uses the class it names, else the
nearest `childclass` of the bodies and frames around it, else `main`.

Actuators. A class has one actuator default, of the parameters of <general>, and every actuator tag in <default> writes
into it: <motor gear="2"/> there also gears a <position>, and <position kp="5"/> leaves a gain of 5 that a <velocity>
then takes for its kv. What a shortcut writes depends on what stands there, so merging texts cannot say it. Each actuator
element therefore carries `actuator_steps`, (tag, values as written) in the order to be replayed, its own last. Its
`attributes` hold what tags share and merging is right for (ranges, limits, gear, group, ...), and what its own tag's
default says.

Materials. A material has a texture for each role, inherited from its class role by role. The attribute `texture` is another way
to write a layer of the role rgb. Where a material has no other layer it stays one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.schema import ACTUATOR_TAGS, COMPUTED, DEFAULT, MUJOCO, ElementRule
from tumble.physics.mjcf.spec import Element
from tumble.physics.mjcf.suggest import MODEL_NAMES, meant
from tumble.physics.mjcf.values import overlay

COLOR = "rgb"
BOTH = "has both a texture and layers: give its textures in one way only"
Layers = dict[str, Element]


def overlaid_layers(layers: Layers, element: Element) -> Layers:
    """Layers of a class, by role, with what one <material> says itself on top.

    Raises MjcfError for a <material> that gives its textures in both ways.
    """
    if has_both(element):
        raise element.error(BOTH)
    texture = element.attributes.get("texture", "")
    own = {COLOR: _layer(element, texture)} if texture else {}
    sound = (layer for layer in element.all("layer") if not faults.is_faulty(layer.where))
    return layers | own | {layer.attributes["role"]: layer for layer in sound if layer.attributes["texture"]}


def has_both(element: Element) -> bool:
    """True if a <material> gives its textures in both ways."""
    return bool(element.attributes.get("texture")) and any(element.all("layer"))


def inherit_layers(element: Element, layers: Layers) -> None:
    """Give a <material> the layers of its class that it does not replace.

    One that has both stays as it is: the compiler refuses it, and may continue without it.
    """
    if has_both(element):
        return
    found = overlaid_layers(layers, element)
    if found.keys() <= {COLOR} and not any(element.all("layer")):
        if found:
            element.attributes["texture"] = found[COLOR].attributes["texture"]
        return
    element.attributes.pop("texture", None)
    element.children = [replace(layer, attributes=dict(layer.attributes)) for layer in found.values()]


def _layer(element: Element, texture: str) -> Element:
    return Element("layer", element.where, {"role": COLOR, "texture": texture}, settings=element.settings)


MAIN = "main"
# Far more than nested classes need; each actuator holds the steps that apply to it, so their number is bounded.
MAX_STEPS = 256
_SHARED = frozenset(DEFAULT.children["general"].attributes) - COMPUTED

Values = dict[str, Any]
Steps = tuple[tuple[str, Values], ...]


Attached = Callable[[str], "DefaultClass | None"]


class DefaultClass(Struct):
    """A class: the values it sets by tag, the steps of its actuator default, and the layers of its material by role.

    The values of a tag are shared with the classes around and inside: they are replaced, never changed.
    """

    element: Element
    values: dict[str, Values] = field(default_factory=dict)
    steps: Steps = ()
    layers: Layers = field(default_factory=dict)

    def nested(self, element: Element) -> DefaultClass:
        """A class inside this one, which starts as its copy."""
        return DefaultClass(element, dict(self.values), self.steps, self.layers)


def resolve(root: Element, attached: Attached = lambda name: None) -> dict[str, DefaultClass]:
    """Fill `attributes`, `schema_defaults` and `actuator_steps` of every element below <mujoco>; returns the classes by name.

    attached: finds a class of another model that this one attaches, by the name that it has here; its own go before it.
    Raises MjcfError for a class that is unknown, repeated, without a name or wrongly named.
    """
    classes = read_classes(root)
    pending = [(section, MUJOCO.children[section.tag], MAIN) for section in root.children if section.tag != "default"]
    while pending:
        element, rule, scope = pending.pop()
        if "childclass" in element.attributes:
            scope = element.attributes["childclass"]
            _known(classes, scope, element, "childclass", attached)
        inherited: Values = {}
        if rule.defaults:
            chosen = _known(classes, element.attributes.get("class", scope), element, "class", attached)
            inherited = _inherited(chosen, element, rule)
            if element.tag == "material":
                inherit_layers(element, chosen.layers)
        element.schema_defaults = schema_defaults(rule)
        element.attributes = _overlaid(rule, element.attributes, inherited, element.schema_defaults)
        pending += [(child, rule.children[child.tag], scope) for child in element.children]
    return classes


def read_classes(root: Element) -> dict[str, DefaultClass]:
    """The default classes of a model by name. Raises MjcfError as `resolve`."""
    classes = {MAIN: DefaultClass(root)}
    for section in root.all("default"):
        name = section.attributes.get("class", "") or MAIN
        if name != MAIN:
            raise section.error(f'class "{name}" cannot stand at the top, which is class "{MAIN}"; nest it: '
                                f'<default><default class="{name}">...</default></default>')
        _read_class(section, classes[MAIN], classes)
    return classes


def _read_class(section: Element, made: DefaultClass, classes: dict[str, DefaultClass]) -> None:
    for setting in section.children:
        if setting.tag != "default":
            _apply(setting, made)
    for child in section.all("default"):
        name = child.attributes.get("class", "")
        if not name:
            raise child.error('needs a class, as in <default class="leg">; only the outermost has none')
        if name in classes:
            raise _repeated(child, name, classes[name])
        classes[name] = made.nested(child)
        _read_class(child, classes[name], classes)


def _repeated(child: Element, name: str, first: DefaultClass) -> MjcfError:
    at = "the name of the outermost class" if name == MAIN else f"already a class, at {first.element.where}"
    return child.error(f'class "{name}" is {at}; class names must differ')


def _apply(setting: Element, made: DefaultClass) -> None:
    """Let a class take what one element of its <default> says."""
    rule = DEFAULT.children[setting.tag]
    own = setting.attributes
    if setting.tag in ACTUATOR_TAGS:
        if len(made.steps) >= MAX_STEPS:
            raise setting.error(f"is one actuator default too many for a class; at most {MAX_STEPS} add up")
        made.steps += ((setting.tag, own),)
        shared = {name: value for name, value in own.items() if name in _SHARED}
        _set(made, "general", rule, shared)
        own = {name: value for name, value in own.items() if name not in _SHARED}
    if setting.tag == "material":
        made.layers = overlaid_layers(made.layers, setting)
        own = {name: value for name, value in own.items() if name != "texture"}
    _set(made, setting.tag, rule, own)


def _set(made: DefaultClass, tag: str, rule: ElementRule, own: Values) -> None:
    made.values[tag] = _overlaid(rule, own, dict(made.values.get(tag, {})), rule.schema_defaults)


def _inherited(chosen: DefaultClass, element: Element, rule: ElementRule) -> Values:
    values = chosen.values.get(rule.defaults, {})
    if rule.defaults != "general":
        return dict(values)
    element.actuator_steps = (*chosen.steps, (element.tag, dict(element.attributes)))
    shared = {name: value for name, value in values.items() if name in _SHARED}
    own_tag = chosen.values.get(element.tag, {})
    return shared | {name: value for name, value in own_tag.items() if name in rule.attributes}


def _overlaid(rule: ElementRule, own: Values, inherited: Values, defaults: Values) -> Values:
    """Inherited values, which are changed, with those that are written on top, instead of those that say the same otherwise."""
    for group in rule.displaces:
        if any(name in own for name in group):
            for name in group:
                inherited.pop(name, None)
    for name, value in own.items():
        inherited[name] = overlay(rule.attributes[name], value, inherited.get(name, defaults.get(name)))
    return inherited


_defaults_by_rule: dict[int, Values] = {}


def schema_defaults(rule: ElementRule) -> Values:
    """The schema's values of an element: also of what only its default class may say, as the width of a fixed tendon.

    One dict per rule, shared by its elements.
    """
    found = _defaults_by_rule.get(id(rule))
    if found is None:
        found = dict(DEFAULT.children[rule.defaults].schema_defaults) if rule.defaults else {}
        if rule.defaults == "general":
            found = {name: value for name, value in found.items() if name in _SHARED}
        found |= rule.schema_defaults
        _defaults_by_rule[id(rule)] = found
    return found


def _known(
    classes: dict[str, DefaultClass], name: str, element: Element, attribute: str, attached: Attached
) -> DefaultClass:
    found = classes.get(name) or attached(name)
    if found is None:
        error = element.error(f'{attribute} "{name}" is not a default class; {meant(name, classes, MODEL_NAMES)}')
        faults.report(error, ("default class", name))
        return classes[MAIN]
    return found
