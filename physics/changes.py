"""Fields of a running model that may be changed, and what must follow from a change.

A number is safe to change, an integer that says how many or which is not: sizes and addresses are laid out when a model is
compiled. RULES are the exceptions. Source: MuJoCo documentation, Programming, Simulation, mjModel changes; where a rule is
stricter or goes further, that is because of what this engine derives from the model, and its reason says so.
"""

from __future__ import annotations

from enum import IntEnum, auto
from fnmatch import fnmatchcase
from functools import cache

import numpy as np
from msgspec import Struct

from tumble.physics.compiler.bodies.follow_shapes import follow_heights, follow_shapes
from tumble.physics.compiler.flex.fill import lay_out_edges
from tumble.physics.compiler.flex.material import follow_elasticity
from tumble.physics.compiler.setconst import mj_setConst
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtJoint, mjtSameFrame
from tumble.physics.state.fields import MODEL
from tumble.physics.state.model import Model


class Effect(IntEnum):
    """Updates that must follow a change of a field."""

    FIXED = auto()  # not to be changed while the model runs
    QUIET = auto()  # nothing moves differently: no sleeping tree has to wake
    PLAIN = auto()  # the next step uses it
    EDGES = auto()  # which edges of flexes have a row in their Jacobian follows
    MASKS = auto()  # the masks of the body follow from those of its geoms
    ELASTIC = auto()  # the stiffness of elements and bends follows
    FRAMES = auto()  # identical frames may differ from now on; then as CONSTANTS
    SHAPE = auto()  # bounds of geoms, the trees over them, and virtual masses follow; then as CONSTANTS
    HEIGHTS = auto()  # the same, of the geoms of height fields
    CONSTANTS = auto()  # mj_setConst


class Rule(Struct, frozen=True):
    """Fields, by name or pattern, the effect of a change, and why it is not allowed or what comes with it."""

    fields: tuple[str, ...]
    effect: Effect
    why: str = ""


_LAID_OUT = "sizes, addresses and kinds are laid out when the model is compiled"
_FOLLOWS = "it is computed from other fields: change those"
_BOUNDS = "it follows from the shape of the geom: change geom_size"
_FLEX = "lengths, stiffness and texture of the flex follow from it only when the model is compiled"
_ASSET = "what is computed from it, for collision and drawing, follows only when the model is compiled"

# The first that fits counts.
RULES = (
    Rule(("tumble_threads", "opt_sleep_tolerance", "tree_sleep_policy"), Effect.QUIET),
    Rule(("opt_*", "tumble_*", "stat_meaninertia"), Effect.PLAIN),
    Rule(("vis_*", "stat_*"), Effect.QUIET),
    Rule(("*_invweight0", "*_length0", "*_poscom0", "*_pos0", "*_mat0", "*_dir0", "actuator_acc0", "dof_M0", "dof_length",
          "body_subtreemass", "body_margin"), Effect.FIXED, _FOLLOWS),
    Rule(("name_*", "names*", "paths"), Effect.FIXED, _LAID_OUT),
    # whole numbers that are safe
    Rule(("actuator_group",), Effect.PLAIN, "options switch actuators off by group"),
    Rule(("*_group", "*_matid", "*_texid", "light_castshadow", "light_active"), Effect.QUIET),
    Rule(("*limited", "geom_condim", "pair_dim", "geom_priority", "cam_resolution", "flex_contype", "flex_conaffinity",
          "flex_condim", "flex_priority"), Effect.PLAIN),
    Rule(("flex_internal", "flex_selfcollide", "flex_passive", "actuator_actearly", "jnt_actgravcomp"), Effect.PLAIN),
    Rule(("flex_flatskin",), Effect.QUIET),
    Rule(("geom_contype", "geom_conaffinity"), Effect.MASKS, "the masks of its body follow"),
    Rule(("*_sameframe",), Effect.FIXED, "the engine leaves transforms out by it"),
    # real numbers from which others follow
    Rule(("flex_young", "flex_poisson", "flex_thickness"), Effect.ELASTIC, "the stiffness of elements and bends follows"),
    Rule(("body_ipos", "body_iquat", "site_pos", "site_quat"), Effect.FRAMES),
    Rule(("qpos0", "qpos_spring", "body_mass", "body_inertia", "body_pos", "body_quat", "body_gravcomp", "jnt_pos", "jnt_axis",
          "dof_armature", "cam_pos", "cam_quat", "light_pos", "light_dir", "tendon_stiffness", "tendon_damping",
          "tendon_armature", "tendon_lengthspring", "actuator_gear", "actuator_cranklength", "actuator_gainprm",
          "actuator_biasprm", "eq_data"), Effect.CONSTANTS),
    Rule(("geom_pos", "geom_quat", "geom_size"), Effect.SHAPE, "masses that are inferred from geoms follow when it is compiled"),
    Rule(("hfield_size", "hfield_data"), Effect.HEIGHTS, "the bounds of its geoms follow"),
    # real numbers that are not safe
    Rule(("geom_rbound", "geom_aabb", "geom_fluid"), Effect.FIXED, _BOUNDS),
    Rule(("flex_vert", "flex_vert0", "flex_vertmetric", "flex_node", "flex_node0", "flex_size"), Effect.FIXED, _FLEX),
    Rule(("flex_damping", "flex_edgedamping", "flex_edgestiffness"), Effect.EDGES, "the rows of the edges' Jacobian follow"),
    Rule(("mesh_*", "skin_*", "bvh_*", "oct_*", "flexedge_*", "flexvert_*"), Effect.FIXED, _ASSET),
    Rule(("tex_data", "wrap_prm"), Effect.FIXED, _ASSET),
    # real numbers that only the view or the user reads
    Rule(("flex_texcoord", "*_rgba", "*_user", "key_*", "numeric_data", "tuple_objprm", "tendon_width", "mat_emission",
          "mat_specular",
          "mat_shininess", "mat_reflectance", "mat_metallic", "mat_roughness", "mat_texrepeat", "cam_ipd", "light_bulbradius",
          "light_intensity", "light_range", "light_attenuation", "light_cutoff", "light_exponent", "light_ambient",
          "light_diffuse", "light_specular"), Effect.QUIET),
)  # fmt: skip
_REAL, _WHOLE = Rule(("*",), Effect.PLAIN), Rule(("*",), Effect.FIXED, _LAID_OUT)
_TYPES = {field.name: field.dtype for field in MODEL}
_OF_INERTIA = (mjtSameFrame.mjSAMEFRAME_INERTIA, mjtSameFrame.mjSAMEFRAME_INERTIAROT)


@cache
def rule(name: str) -> Rule:
    """The rule for a field of the model; groups with dots or as in the table: opt.timestep, opt_timestep. Raises KeyError."""
    name = name.replace("_.", ".").replace(".", "_")
    otherwise = _REAL if _TYPES[name].startswith("f") else _WHOLE
    return next((r for r in RULES if any(fnmatchcase(name, p) for p in r.fields)), otherwise)


def refusal(m: Model, name: str, index: int | None) -> str:
    """Why a field must not be changed for this element (None: it has no elements) while the model runs; "" if it may."""
    found = rule(name)
    if found.effect is Effect.FIXED or index is None:
        return found.why if found.effect is Effect.FIXED else ""
    if name in ("body_pos", "body_quat") and m.body_weldid[index] == 0 and m.body_mocapid[index] < 0:
        return "the body is static: collision relies on its place"
    if name.startswith("body_") and m.body_weldid[index] == 0 and found.effect >= Effect.FRAMES:
        return "the body is static: its mass moves nothing"
    if name in ("body_ipos", "body_iquat") and m.body_simple[index]:
        return "the inertia matrix has no room for it: the body turns about its centre of mass (body_simple)"
    if name in ("jnt_pos", "jnt_axis"):
        return _joint_refusal(m, name, index)
    if name == "geom_size" and m.geom_dataid[index] >= 0:
        return "its mesh or height field gives it its size"
    if found.effect is Effect.ELASTIC and not m.flex_elastic[index]:
        return "the file gives it no elasticity: a positive young, and an elastic2d where dim is 2"
    if name == "tendon_armature" and m.tendon_armature[index] == 0:
        return "the inertia matrix has no room for it: the tendon was compiled without armature"
    if name == "actuator_biasprm" and m.actuator_biasprm[index, 2] > 0:
        return "its damping ratio waits for mj_setConst"
    return ""


def _joint_refusal(m: Model, name: str, index: int) -> str:
    kind = m.jnt_type[index]
    if kind == mjtJoint.mjJNT_FREE or (kind == mjtJoint.mjJNT_BALL and name == "jnt_axis"):
        return "a joint of this kind has none"
    if m.body_simple[m.jnt_bodyid[index]]:
        return "the inertia matrix has no room for it: the joint goes through the centre of mass (body_simple)"
    return ""


def follow(m: Model, d: Data, name: str, index: int | None) -> bool:
    """Do what must follow after a field was changed, and wake every tree it may concern; returns whether mj_setConst was called.

    What is computed from positions is then out of date: mj_forward brings it back.
    """
    effect = rule(name).effect
    if effect is Effect.QUIET:
        return False
    if effect is Effect.MASKS and index is not None:
        _follow_masks(m, int(m.geom_bodyid[index]))
    if effect is Effect.ELASTIC:
        for flex in range(m.nflex) if index is None else (index,):
            follow_elasticity(m, flex)
    if effect is Effect.EDGES:
        lay_out_edges(m)
    if effect is Effect.FRAMES and index is not None:
        _follow_frames(m, name, index)
    if effect is Effect.SHAPE:
        follow_shapes(m, range(m.ngeom) if index is None else (index,), moved=name != "geom_size")
    if effect is Effect.HEIGHTS:
        follow_heights(m)
    if effect < Effect.FRAMES:
        d.wake_all(m)
        return False
    scales = m.stat.center.copy(), m.stat.extent, m.stat.meansize, m.stat.meanmass
    mj_setConst(m, d)  # which wakes all
    m.stat.center, m.stat.extent, m.stat.meansize, m.stat.meanmass = scales  # of the view, and may be the file's own
    return True


def _follow_masks(m: Model, body: int) -> None:
    geoms = m.geom_bodyid == body
    m.body_contype[body] = np.bitwise_or.reduce(m.geom_contype[geoms])
    m.body_conaffinity[body] = np.bitwise_or.reduce(m.geom_conaffinity[geoms])


def _follow_frames(m: Model, name: str, index: int) -> None:
    """Frames that were treated as identical are separate from now on; if they are still equal, so are the results."""
    if name.startswith("site_"):
        m.site_sameframe[index] = mjtSameFrame.mjSAMEFRAME_NONE
        return
    m.body_sameframe[index] = mjtSameFrame.mjSAMEFRAME_NONE
    for what in ("geom", "site"):
        same, body = getattr(m, f"{what}_sameframe"), getattr(m, f"{what}_bodyid")
        same[(body == index) & np.isin(same, _OF_INERTIA)] = mjtSameFrame.mjSAMEFRAME_NONE
