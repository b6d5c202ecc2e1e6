"""Actuators: what the shortcuts mean, their transmission, limits and activation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from msgspec import Struct, field

from tumble.physics.compiler.bodies.kinematic_tree import is_limited
from tumble.physics.compiler.draft import Draft, Joint
from tumble.physics.compiler.fill import fill, fill_user, lay_out
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.schema.actuators import KINDS
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.constants import mjNBIAS, mjNDYN, mjNGAIN
from tumble.physics.state.enums import mjtBias, mjtDyn, mjtGain, mjtJoint, mjtTrn
from tumble.physics.state.model import Model
from tumble.physics.state.plugins import PID_KI, PID_SLEW

TARGETS = {
    "joint": (mjtTrn.mjTRN_JOINT, "joint"),
    "jointinparent": (mjtTrn.mjTRN_JOINTINPARENT, "joint"),
    "tendon": (mjtTrn.mjTRN_TENDON, "tendon"),
    "site": (mjtTrn.mjTRN_SITE, "site"),
    "body": (mjtTrn.mjTRN_BODY, "body"),
}
# A muscle's range, peak force (negative: from scale), scale, lmin, lmax, vmax, fpmax, fvmax; and its time constants.
_MUSCLE = (0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2)
_MUSCLE_TIMES = (0.01, 0.04)
_MUSCLE_PLACES = {"range": 0, "force": 2, "scale": 3, "lmin": 4, "lmax": 5, "vmax": 6, "fpmax": 7, "fvmax": 8}
_OWN_DYNAMICS = (mjtDyn.mjDYN_INTEGRATOR, mjtDyn.mjDYN_FILTER, mjtDyn.mjDYN_FILTEREXACT)  # of actuators with a plugin
_COMPUTED = ("gaintype", "biastype", "dyntype", "gainprm", "biasprm", "dynprm")

Values = dict[str, Any]


class Force(Struct):
    """Force law of an actuator, from default classes and its shortcut.

    The steps are replayed in order: each shortcut sets some of these and leaves the rest, so what a
    <position> in a default class says of gains is what a <velocity> of that class starts from.
    """

    gaintype: mjtGain = mjtGain.mjGAIN_FIXED
    biastype: mjtBias = mjtBias.mjBIAS_NONE
    dyntype: mjtDyn = mjtDyn.mjDYN_NONE
    gainprm: list[float] = field(default_factory=lambda: [1.0] + [0.0] * (mjNGAIN - 1))
    biasprm: list[float] = field(default_factory=lambda: [0.0] * mjNBIAS)
    dynprm: list[float] = field(default_factory=lambda: [1.0] + [0.0] * (mjNDYN - 1))
    inheritrange: float = 0.0
    ctrllimited: str = "auto"
    actlimited: str = "auto"

    def set_types(self, gain: str, bias: str, dyn: str | None) -> None:
        """Set the types of gain and bias, and of the activation unless that is None; names as in MJCF."""
        self.gaintype, self.biastype = mjtGain[f"mjGAIN_{gain.upper()}"], mjtBias[f"mjBIAS_{bias.upper()}"]
        if dyn is not None:
            self.dyntype = mjtDyn[f"mjDYN_{dyn.upper()}"]

    def general(self, given: Values) -> None:
        """Everything as written."""
        for name in ("gainprm", "biasprm", "dynprm"):
            values = [float(v) for v in given.get(name, ())]
            getattr(self, name)[: len(values)] = values
        for name, kinds in (("gaintype", mjtGain), ("biastype", mjtBias), ("dyntype", mjtDyn)):
            if name in given:
                setattr(self, name, kinds[f"mj{name[:-4].upper()}_{given[name].upper()}"])
        self.inheritrange = given.get("inheritrange", self.inheritrange)  # no file says it here, but a spec does

    def plugin(self, given: Values) -> None:
        """As written; the plugin computes the force."""
        self.general(given)

    def motor(self, given: Values) -> None:
        """A force equal to the control."""
        self.set_types("fixed", "none", "none")
        self.gainprm[0], self.inheritrange = 1.0, 0.0

    def position(self, given: Values) -> None:
        """A position servo: kp, and kv or a damping ratio."""
        self.gainprm[0] = given.get("kp", self.gainprm[0])
        self.biasprm[1] = -self.gainprm[0]
        if "kv" in given:
            self.biasprm[2] = -given["kv"]
        elif "dampratio" in given:  # positive: replaced by a damping when the inertia is known, see setconst.py
            self.biasprm[2] = given["dampratio"]
        if "timeconst" in given:
            self.dynprm[0] = given["timeconst"]
            self.dyntype = mjtDyn.mjDYN_FILTEREXACT if self.dynprm[0] > 0 else mjtDyn.mjDYN_NONE
        self.inheritrange = given.get("inheritrange", self.inheritrange)
        self.set_types("fixed", "affine", None)

    def intvelocity(self, given: Values) -> None:
        """A position servo whose set point integrates the control."""
        self.position(given)
        self.dyntype = mjtDyn.mjDYN_INTEGRATOR
        self.actlimited = "true"

    def velocity(self, given: Values) -> None:
        """A velocity servo: kv."""
        self.gainprm[0] = given.get("kv", self.gainprm[0])
        self.biasprm = [0.0, 0.0, -self.gainprm[0]] + [0.0] * (mjNBIAS - 3)
        self.set_types("fixed", "affine", "none")
        self.inheritrange = 0.0

    def damper(self, given: Values) -> None:
        """A damper whose coefficient is scaled by the control."""
        self.gainprm = [0.0, 0.0, -given.get("kv", 0.0)] + [0.0] * (mjNGAIN - 3)
        self.set_types("affine", "none", "none")
        self.ctrllimited, self.inheritrange = "true", 0.0

    def cylinder(self, given: Values) -> None:
        """A pneumatic or hydraulic cylinder: area, bias, time constant."""
        self.dynprm[0] = given.get("timeconst", self.dynprm[0])
        if "bias" in given:
            self.biasprm[0] = float(given["bias"][0])
        self.gainprm[0] = given.get("area", self.gainprm[0])
        if given.get("diameter", -1.0) >= 0:  # below, it is taken as not written
            self.gainprm[0] = math.pi / 4 * given["diameter"] ** 2
        self.set_types("fixed", "affine", "filter")

    def adhesion(self, given: Values) -> None:
        """An adhesive force on contacts of a body."""
        self.gainprm[0] = given.get("gain", self.gainprm[0])
        self.ctrllimited = "true"
        self.set_types("fixed", "none", None)

    def muscle(self, given: Values) -> None:
        """A muscle: see physics/dynamics/actuator/muscle.py."""
        plain = Force()
        # values that are still a motor's defaults become a muscle's defaults
        self.gainprm[:9] = [b if v == a else v for v, a, b in zip(self.gainprm, plain.gainprm, _MUSCLE, strict=False)]
        self.dynprm[:2] = [b if v == a else v for v, a, b in zip(self.dynprm, plain.dynprm, _MUSCLE_TIMES, strict=False)]
        # a value below zero asks for what there is already; of the peak force that is the default
        for name, at in _MUSCLE_PLACES.items():
            for k, value in enumerate(np.atleast_1d(given.get(name, ())), start=at):
                self.gainprm[k] = float(value) if value >= 0 else self.gainprm[k]
        for k, value in enumerate(given.get("timeconst", ())):
            self.dynprm[k] = float(value) if value >= 0 else self.dynprm[k]
        self.dynprm[2] = given.get("tausmooth", self.dynprm[2])
        self.biasprm[:9] = self.gainprm[:9]
        self.set_types("muscle", "muscle", "muscle")


def _check_step(element: Element, tag: str, given: Values) -> Values:
    """The values of one step without meaningless ones, which are noted. Raises MjcfError for values that no actuator can have."""
    for name in KINDS[tag].magnitudes.split() if tag in KINDS else ():
        if np.min(given.get(name, 0.0)) >= 0:
            continue
        least = f"{np.min(given[name]):g}"
        if tag == "muscle" and name != "tausmooth":
            element.warn(f"{name} is negative, {least}: what is below 0 stays as the default class left it")
        elif tag == "cylinder" and name == "diameter":
            element.warn(f"diameter is negative, {least}: the area counts")
        elif tag == "intvelocity":
            element.warn(f"{name} is negative, {least}: it is left out")
            given = {key: value for key, value in given.items() if key != name}
        elif tag == "cylinder" and name == "area":
            element.warn(f"area is negative, {least}: a positive control pushes backwards")
        else:
            raise element.error(f"{name} must not be negative, is {least}")
    if "kv" in given and "dampratio" in given:
        if tag != "intvelocity":
            raise element.error("has both kv and dampratio: give the damping in one way only")
        element.warn("has both kv and dampratio: neither counts, give the damping in one way only")
        given = {key: value for key, value in given.items() if key not in ("kv", "dampratio")}
    return given


def replay(element: Element) -> Force:
    """Force law of an actuator after its default classes and own attributes, in order. Raises MjcfError if invalid."""
    force = Force()
    for tag, given in element.actuator_steps:
        given = _check_step(element, tag, given)
        for name in ("ctrllimited", "actlimited"):
            if name in given:
                setattr(force, name, given[name])
        getattr(force, tag)(given)
    return force


def _read_force(element: Element) -> Force:
    force = replay(element)
    for kind, prm in ((force.gaintype, force.gainprm), (force.biastype, force.biasprm)):
        if kind.name.endswith("MUSCLE"):
            if prm[0] >= prm[1]:
                raise element.error(f"range of a muscle is reversed: {prm[0]:g} is not below {prm[1]:g}")
            if min(prm[3], *prm[6:9]) <= 0:
                scale, vmax, fpmax, fvmax = prm[3], *prm[6:9]
                found = f"{scale:g}, {vmax:g}, {fpmax:g} and {fvmax:g}"
                raise element.error(f"scale, vmax, fpmax and fvmax of a muscle must be positive, are {found}")
            if not prm[4] < 1 < prm[5]:
                raise element.error(f"a muscle needs lmin < 1 < lmax, has {prm[4]:g} and {prm[5]:g}")
    return force


def fill_actuators(draft: Draft, m: Model) -> None:
    """Write the actuators of a model. Raises MjcfError for those that cannot be."""
    elements = draft.actuators
    fill(m, "actuator_", elements, ("group", "gear", "forcerange", "cranklength"))
    fill_user(m.actuator_user, elements)
    m.actuator_plugin = [draft.plugins.of(element) for element in elements]
    for i, element in enumerate(elements):
        with faults.tolerated():
            _fill_actuator(draft, m, i, element)
    lay_out(m, [activation_number(element) for element in elements], "actuator_actadr", "actuator_actnum", -1)


def _fill_actuator(draft: Draft, m: Model, i: int, element: Element) -> None:
    force = _read_force(element)
    for name in _COMPUTED:
        getattr(m, f"actuator_{name}")[i] = getattr(force, name)
    m.actuator_trntype[i], m.actuator_trnid[i] = transmission(draft, element)
    m.actuator_lengthrange[i] = element.get("lengthrange", (0.0, 0.0))
    if element.tag == "plugin":
        _check_pid(draft, element, force.dyntype)
    m.actuator_actearly[i] = bool(element.get("actearly", False))
    _fill_limits(draft, m, i, force)


def transmission(draft: Draft, element: Element) -> tuple[mjtTrn, tuple[int, int]]:
    """The kind of transmission of an actuator, and the ids of its targets."""
    crank, slider = (draft.id(element, name, "site") for name in ("cranksite", "slidersite"))
    reference = draft.id(element, "refsite", "site")
    if crank >= 0 or slider >= 0:
        if crank < 0 or slider < 0:
            raise element.error("a slider-crank needs both a slidersite and a cranksite")
        if element.get("cranklength") <= 0:
            raise element.error(f"cranklength of a slider-crank must be positive, is {element.get('cranklength'):g}")
        return mjtTrn.mjTRN_SLIDERCRANK, (crank, slider)
    if "cranklength" in element.given:
        raise element.error("cranklength belongs to a slider-crank: give it a slidersite and a cranksite")
    if reference >= 0 and not element.get("site"):
        raise element.error("refsite is the reference of a site: give it a site too")
    for name, (kind, what) in TARGETS.items():
        target = draft.id(element, name, what)
        if target >= 0:
            return kind, (target, reference)
    raise element.error(f"acts on nothing: give it one of {', '.join(TARGETS)}, cranksite with slidersite")


def _fill_limits(draft: Draft, m: Model, i: int, force: Force) -> None:
    element = draft.actuators[i]
    m.actuator_ctrlrange[i], m.actuator_actrange[i] = element.get("ctrlrange", (0, 0)), element.get("actrange", (0, 0))
    like_position = (force.gaintype, force.biastype) == (mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_AFFINE)
    # A class may give inheritrange to actuators that hold no position, where it means nothing.
    inherited = force.inheritrange > 0 and like_position and force.gainprm[0] == -force.biasprm[1]
    target = "actrange" if force.dyntype == mjtDyn.mjDYN_INTEGRATOR else "ctrlrange"
    if inherited:
        # Zeros are no range. Where the element is a <general>, the range that is inherited goes before.
        if np.any(element.get(target, 0)) and element.tag != "general":
            raise element.error(f"has both {target} and inheritrange: give the range in one way only")
        getattr(m, f"actuator_{target}")[i] = _inherit(draft, m, i, force.inheritrange)
    for limit in ("ctrl", "force", "act"):
        flag, bounds = f"{limit}limited", f"{limit}range"
        written = element.get(flag, "auto") if limit == "force" else getattr(force, flag)
        own = Element(element.tag, element.where, dict(element.attributes) | {flag: written}, settings=element.settings)
        if element.has(bounds) or (inherited and bounds == target):
            own.attributes[bounds] = getattr(m, f"actuator_{bounds}")[i]
        getattr(m, f"actuator_{flag}")[i] = is_limited(own, flag, bounds)
    if m.actuator_actlimited[i] and force.dyntype == mjtDyn.mjDYN_NONE:
        raise element.error('actrange limits an activation, but dyntype "none" has none')
    if element.tag != "plugin" and KINDS[element.tag].one_sided and m.actuator_ctrlrange[i].min() < 0:
        raise element.error("ctrlrange of a damper or an adhesion must not be negative")


def _inherit(draft: Draft, m: Model, i: int, factor: float) -> tuple[float, float]:
    """The range of the joint or tendon that an actuator moves, scaled about its middle."""
    element, target = draft.actuators[i], m.actuator_trnid[i, 0]
    if m.actuator_trntype[i] == mjtTrn.mjTRN_TENDON:
        low, high = (float(v) for v in m.tendon_range[target])
    elif m.actuator_trntype[i] not in (mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT):
        raise element.error("inheritrange needs a joint or a tendon to take a range from")
    else:
        joint: Joint = draft.joints[target]
        if joint.type not in (mjtJoint.mjJNT_SLIDE, mjtJoint.mjJNT_HINGE):
            raise element.error("inheritrange needs a slide or hinge joint, or a tendon")
        low, high = joint.range
    if low == high:
        raise element.error("inheritrange finds no range on what the actuator moves: give that one a range")
    middle, radius = 0.5 * (low + high), 0.5 * (high - low)
    return middle - factor * radius, middle + factor * radius


def activation_number(element: Element) -> int:
    """Number of activations of an actuator. Raises MjcfError for a number that its dynamics cannot have."""
    dyntype, asked = _read_force(element).dyntype, element.get("actdim", -1)
    if element.tag == "plugin":  # of which plugin is known later: then this is checked
        return int(asked) if asked >= 0 else int(dyntype in _OWN_DYNAMICS)
    most = {mjtDyn.mjDYN_NONE: 0, mjtDyn.mjDYN_USER: 1000}.get(dyntype, 1)
    if asked < 0:
        return min(most, 1)
    if not min(most, 1) <= asked <= most:
        raise element.error(f"actdim must be {min(most, 1)} to {most} with dyntype {dyntype.name[6:].lower()}, is {asked}")
    return int(asked)


def _check_pid(draft: Draft, element: Element, dyntype: mjtDyn) -> None:
    """Raise MjcfError unless a PID controller has its activations: integral of the error, last set point, that of its dyntype."""
    values = draft.plugins.values(element)
    if dyntype not in (mjtDyn.mjDYN_NONE, *_OWN_DYNAMICS):
        valid = ", ".join(kind.name[6:].lower() for kind in (mjtDyn.mjDYN_NONE, *_OWN_DYNAMICS))
        raise element.error(f"dyntype of a PID controller must be one of {valid}, is {dyntype.name[6:].lower()}")
    parts = {"ki": bool(values[PID_KI]), "slewmax": values[PID_SLEW] >= 0, "dyntype": dyntype in _OWN_DYNAMICS}
    needed = sum(parts.values())
    if activation_number(element) != needed:
        why = " and ".join(name for name, has in parts.items() if has) or "no ki, slewmax or dyntype"
        raise element.error(f'with {why} it has {needed} activations: write actdim="{needed}"')
