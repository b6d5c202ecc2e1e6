"""Tendons: what they are made of, their limits, and the kinematic trees they pull at."""

from __future__ import annotations

import numpy as np

from tumble.physics.compiler.bodies.kinematic_tree import is_limited
from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.fill import fill, fill_user
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtGeom, mjtJoint, mjtWrap
from tumble.physics.state.model import Model

_WRAPPED = {mjtGeom.mjGEOM_SPHERE: mjtWrap.mjWRAP_SPHERE, mjtGeom.mjGEOM_CYLINDER: mjtWrap.mjWRAP_CYLINDER}


def read_tendons(draft: Draft) -> None:
    """Raise MjcfError for tendons that nothing makes up, or whose parts are not in an order that is a path."""
    for element in draft.tendons:
        with faults.tolerated():
            if element.tag == "fixed" and not element.children:
                raise element.error('is made of nothing: give it at least one <joint joint="..." coef="..."/>')
            if element.tag == "spatial":
                _check_path(element)


def _check_path(element: Element) -> None:
    """A branch is two or more sites with at most one geom between any two; pulleys separate branches."""
    parts = element.children
    if len(parts) < 2:
        raise element.error("needs a path of two sites or more")
    for k, part in enumerate(parts):
        near = [parts[i] for i in (k - 1, k + 1) if 0 <= i < len(parts)]
        tags = [other.tag for other in near]
        if part.tag == "geom":
            if tags != ["site", "site"]:
                raise part.error("must have a site before and after it in the path")
            if element.get("armature"):
                raise part.error("wraps a tendon that has armature: such a path is made of sites and pulleys only")
        elif part.tag == "pulley":
            if "pulley" in tags or k == len(parts) - 1:
                raise part.error("must be followed by a branch of sites")
            if part.get("divisor") <= 0:
                raise part.error(f"divisor must be positive, is {part.get('divisor'):g}")
        else:
            if all(tag == "pulley" for tag in tags):
                raise part.error("is alone in its branch: a branch needs two sites or more")
            if any(other.tag == "site" and other.get("site") == part.get("site") for other in near):
                raise part.error(f'repeats site "{part.get("site")}"')


def fill_tendons(draft: Draft, m: Model) -> None:
    """Write the tendons of a model and what they are made of."""
    elements = draft.tendons
    fill(m, "tendon_", elements, ("group", "width", "range", "actfrcrange", "margin", "stiffness", "damping", "armature",
                                  "frictionloss", "rgba", "solref_lim", "solimp_lim", "solref_fri", "solimp_fri"),
         actfrcrange="actuatorfrcrange", solref_lim="solreflimit", solimp_lim="solimplimit", solref_fri="solreffriction",
         solimp_fri="solimpfriction")  # fmt: skip
    fill_user(m.tendon_user, elements)
    at = 0
    for i, element in enumerate(elements):
        if element.get("width") <= 0:
            faults.report(element.error(f"width must be positive, is {element.get('width'):g}"))
        m.tendon_adr[i], m.tendon_num[i] = at, len(element.children)
        m.tendon_matid[i] = draft.id(element, "material", "material")
        m.tendon_limited[i] = is_limited(element, "limited", "range")
        m.tendon_actfrclimited[i] = is_limited(element, "actuatorfrclimited", "actuatorfrcrange")
        low, high = (float(v) for v in element.get("springlength"))
        if low > high:
            faults.report(element.error(f"springlength is reversed: {low:g} is not below {high:g}"))
        m.tendon_lengthspring[i] = low, high
        for child in element.children:
            m.wrap_type[at], m.wrap_objid[at], m.wrap_prm[at] = _wrap(draft, child)
            at += 1
        _fill_tendon_trees(i, m)


def _wrap(draft: Draft, element: Element) -> tuple[mjtWrap, int, float]:
    """Kind, object and parameter of one part of a tendon."""
    if element.tag == "joint":
        joint = draft.required_id(element, "joint", "joint")
        if draft.joints[joint].type not in (mjtJoint.mjJNT_SLIDE, mjtJoint.mjJNT_HINGE):
            element.warn("is meant for a slide or hinge joint: of this one the first number counts")
        return mjtWrap.mjWRAP_JOINT, joint, element.get("coef")
    if element.tag == "pulley":
        return mjtWrap.mjWRAP_PULLEY, -1, element.get("divisor")
    if element.tag == "site":
        return mjtWrap.mjWRAP_SITE, draft.required_id(element, "site", "site"), 0.0
    geom = draft.required_id(element, "geom", "geom")
    kind = draft.geoms[geom].type
    if kind not in _WRAPPED:
        raise element.error(f"needs a sphere or a cylinder, {element.get('geom')} is a {kind.name[7:].lower()}")
    return _WRAPPED[kind], geom, draft.id(element, "sidesite", "site")


def _fill_tendon_trees(i: int, m: Model) -> None:
    """The first two of the kinematic trees that a tendon pulls at, along its path, and how many there are."""
    trees = tendon_trees(m, i)
    m.tendon_treenum[i] = len(trees)
    m.tendon_treeid[i] = -1
    m.tendon_treeid[i, : min(2, len(trees))] = trees[:2]


def tendon_trees(m: Model, i: int) -> np.ndarray:
    """The kinematic trees that a tendon pulls at, in the order of its path."""
    part = slice(m.tendon_adr[i], m.tendon_adr[i] + m.tendon_num[i])
    kinds, ids = m.wrap_type[part], m.wrap_objid[part]
    holders = {mjtWrap.mjWRAP_JOINT: m.jnt_bodyid, mjtWrap.mjWRAP_SITE: m.site_bodyid,
               mjtWrap.mjWRAP_SPHERE: m.geom_bodyid, mjtWrap.mjWRAP_CYLINDER: m.geom_bodyid}  # fmt: skip
    bodies = [holders[kind][k] for kind, k in zip(kinds, ids, strict=True) if kind != mjtWrap.mjWRAP_PULLEY]
    trees, first = np.unique(m.body_treeid[bodies], return_index=True)
    trees = trees[np.argsort(first)]
    return trees[trees >= 0]


def loaded_bodies(draft: Draft) -> set[int]:
    """The bodies to which tendons with armature add inertia that depends on the configuration."""
    found = set()
    for element in draft.tendons:
        if element.get("armature") > 0:
            for part in element.all("joint"):
                found.add(draft.joints[draft.required_id(part, "joint", "joint")].body.id)
            for part in element.all("site"):
                found.add(draft.sites[draft.required_id(part, "site", "site")].body.id)
    return found
