"""Contact pairs, exclusions and tendons: what relates bodies and joints to each other."""

from __future__ import annotations

from physics.compiler.bodies import tendon_trees
from physics.compiler.draft import Draft, fill, fill_user
from physics.compiler.joints import is_limited
from physics.mjcf.spec import Element
from physics.state.enums import mjtJoint, mjtWrap
from physics.state.model import Model

_CONDIMS = (1, 3, 4, 6)


def pair_bodies(draft: Draft, element: Element, kind: str) -> tuple[int, int]:
    """The bodies that a <pair> or an <exclude> is about, the lower id first; kind: "geom" or "body"."""
    ids = [draft.id(element, f"{kind}{k}", kind) for k in (1, 2)]
    if kind == "geom":
        ids = [draft.geoms[i].body.id for i in ids]
    return min(ids), max(ids)


def sort_pairs(draft: Draft) -> None:
    """Bring pairs and exclusions into the order of their bodies, in which collision looks them up."""
    draft.pairs.sort(key=lambda element: pair_bodies(draft, element, "geom"))
    draft.excludes.sort(key=lambda element: pair_bodies(draft, element, "body"))


def signature(low: int, high: int) -> int:
    """Two bodies as one number of 32 bits, which is negative for bodies beyond 32767."""
    value = (low << 16) + high
    return value - (value >> 31 << 32)


def fill_pairs(draft: Draft, m: Model) -> None:
    """Write the contact pairs and the exclusions of a model."""
    fill(m, "pair_", draft.pairs, ("solref", "solreffriction", "solimp", "margin", "gap", "friction"))
    for i, element in enumerate(draft.pairs):
        first, second = (draft.id(element, f"geom{k}", "geom") for k in (1, 2))
        if draft.geoms[first].body.id > draft.geoms[second].body.id:
            first, second = second, first
        if element.get("condim") not in _CONDIMS:
            raise element.error(f"condim must be 1, 3, 4 or 6, is {element.get('condim')}")
        m.pair_dim[i], m.pair_geom1[i], m.pair_geom2[i] = element.get("condim"), first, second
        low, high = pair_bodies(draft, element, "geom")
        m.pair_signature[i] = signature(low, high)
    for i, element in enumerate(draft.excludes):
        low, high = pair_bodies(draft, element, "body")
        m.exclude_signature[i] = signature(low, high)


def fill_tendons(draft: Draft, m: Model) -> None:
    """Write the tendons of a model and the joints they are made of."""
    elements = draft.tendons
    fill(m, "tendon_", elements, ("group", "width", "range", "actfrcrange", "margin", "stiffness", "damping", "armature",
                                  "frictionloss", "rgba"), actfrcrange="actuatorfrcrange")  # fmt: skip
    fill_user(m.tendon_user, elements)
    at = 0
    for i, element in enumerate(elements):
        m.tendon_adr[i], m.tendon_num[i] = at, len(element.children)
        m.tendon_matid[i] = draft.id(element, "material", "material")
        m.tendon_solref_lim[i], m.tendon_solimp_lim[i] = element.get("solreflimit"), element.get("solimplimit")
        m.tendon_solref_fri[i], m.tendon_solimp_fri[i] = element.get("solreffriction"), element.get("solimpfriction")
        m.tendon_limited[i] = is_limited(element, "limited", "range", draft.settings)
        m.tendon_actfrclimited[i] = is_limited(element, "actuatorfrclimited", "actuatorfrcrange", draft.settings)
        low, high = (float(v) for v in element.get("springlength"))
        if low > high:
            raise element.error(f"springlength is reversed: {low:g} is not below {high:g}")
        m.tendon_lengthspring[i] = low, high
        for child in element.children:
            _fill_wrap(draft, child, at, m)
            at += 1
        _fill_tendon_trees(i, m)


def _fill_wrap(draft: Draft, element: Element, at: int, m: Model) -> None:
    joint = draft.id(element, "joint", "joint")
    if draft.joints[joint].type not in (mjtJoint.mjJNT_SLIDE, mjtJoint.mjJNT_HINGE):
        raise element.error("needs a slide or hinge joint")
    m.wrap_type[at], m.wrap_objid[at], m.wrap_prm[at] = mjtWrap.mjWRAP_JOINT, joint, element.get("coef")


def _fill_tendon_trees(i: int, m: Model) -> None:
    """The first two of the kinematic trees that a tendon pulls at, and how many there are."""
    trees = tendon_trees(m, i)
    m.tendon_treenum[i] = len(trees)
    m.tendon_treeid[i] = -1
    m.tendon_treeid[i, : min(2, len(trees))] = trees[:2]


def read_tendons(draft: Draft) -> None:
    """Raise MjcfError for tendons that nothing makes up."""
    for element in draft.tendons:
        if not element.children:
            raise element.error('is made of nothing: give it at least one <joint joint="..." coef="..."/>')
