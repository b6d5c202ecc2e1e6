"""Rule other-release: what MuJoCo 4.0 simulates differently of this file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed
from tumble.app.editing.stiffness import ElementAt
from tumble.physics import MjData, MjModel
from tumble.physics.compiler.relations.actuators import Force, replay
from tumble.physics.mjcf.spec import Element
from tumble.physics.query.mobility import mobility, moment_arms

_GEOM, _JNT, _INT, _EQ, _SENS = physics.mjtGeom, physics.mjtJoint, physics.mjtIntegrator, physics.mjtEq, physics.mjtSensor
_SLEEP, _MULTICCD = int(physics.mjtEnableBit.mjENBL_SLEEP), int(physics.mjtEnableBit.mjENBL_MULTICCD)
_NO_PARENT = int(physics.mjtDisableBit.mjDSBL_FILTERPARENT)
_IMPLICIT = (int(_INT.mjINT_IMPLICIT), int(_INT.mjINT_IMPLICITFAST))
_TURNS = ("axisangle", "euler", "xyaxes", "zaxis")
NOTED = 0.01  # relative change of a damping from which it is another
NAMED = 2  # elements of an item that are named
Elements = Iterable[ElementAt]


class _Item(Struct, frozen=True):
    """A change of the format or engine: since which release, what happens, and the elements that it concerns."""

    key: str
    since: str
    text: str
    find: Callable[[Examination], Elements]


def _gap(case: Examination) -> Elements:
    model = case.model
    collides = np.asarray(model.geom_contype) | np.asarray(model.geom_conaffinity)
    yield from ((OBJ.mjOBJ_GEOM, g) for g in np.flatnonzero((np.asarray(model.geom_gap) != 0) & (collides != 0)).tolist())
    yield from ((OBJ.mjOBJ_PAIR, p) for p in np.flatnonzero(np.asarray(model.pair_gap) != 0).tolist())


def _damping_ratios(case: Examination) -> Elements:
    """Servos whose dampratio gives another damping where the inertia is that of all that moves, 1 / (J M^-1 J')."""
    if case.draft is None or len(case.draft.actuators) != case.model.nu:
        return
    model, data = case.model, MjData(case.model)
    laws = [replay(element) for element in case.draft.actuators]
    asked = [i for i, law in enumerate(laws) if law.biasprm[2] > 0 and law.gainprm[0] == -law.biasprm[1] > 0]
    if asked:
        physics.mj_forward(model, data)
    for i in asked:
        arms = moment_arms(model, data, i)
        used, weight = np.abs(arms) > 0, mobility(model, data, arms)
        alone = float((np.asarray(model.dof_M0)[used] / arms[used] ** 2).sum())
        if weight > 0 and alone > 0 and abs((1 / (weight * alone)) ** 0.5 - 1) > NOTED:
            yield OBJ.mjOBJ_ACTUATOR, i


def _sleep_tolerance(case: Examination) -> Elements:
    if int(case.model.opt.enableflags) & _SLEEP and case.draft is not None:
        written = any(option.has("sleep_tolerance") for option in case.draft.root.all("option"))
        yield from [] if written else [(OBJ.mjOBJ_MODEL, 0)]


def _rk4(case: Examination) -> Elements:
    if int(case.model.opt.integrator) == int(_INT.mjINT_RK4):
        turning = np.isin(case.model.jnt_type, (int(_JNT.mjJNT_FREE), int(_JNT.mjJNT_BALL)))
        yield from ((OBJ.mjOBJ_JOINT, j) for j in np.flatnonzero(turning).tolist())


def _implicitfast(case: Examination) -> Elements:
    """Free bodies on which something hangs, or whose moments of inertia differ: others have no gyroscopic torque."""
    model = case.model
    if int(model.opt.integrator) != int(_INT.mjINT_IMPLICITFAST):
        return
    for j in np.flatnonzero(np.asarray(model.jnt_type) == int(_JNT.mjJNT_FREE)).tolist():
        body = int(model.jnt_bodyid[j])
        inertia = np.asarray(model.body_inertia[body])
        if np.any(np.asarray(model.body_parentid) == body) or float(np.ptp(inertia)) > NOTED * float(inertia.max()):
            yield OBJ.mjOBJ_JOINT, j


def _convex(case: Examination) -> Elements:
    """Meshes, cylinders and ellipsoids that may touch a shape with faces: several points of contact are now the default."""
    model = case.model
    if int(model.opt.enableflags) & _MULTICCD:
        return
    kinds, convex = np.asarray(model.geom_type), (int(_GEOM.mjGEOM_MESH), int(_GEOM.mjGEOM_CYLINDER))
    faced = np.isin(kinds, (*convex, int(_GEOM.mjGEOM_BOX)))
    for g in np.flatnonzero(np.isin(kinds, convex)).tolist():
        if np.any(faced & _may_touch(model, g)):
            yield OBJ.mjOBJ_GEOM, g


def _may_touch(model: MjModel, geom: int) -> np.ndarray:
    """Mask (ngeom,) of the geoms that one may collide with by masks and structure; <exclude> and <pair> left out."""
    contype, affinity = np.asarray(model.geom_contype), np.asarray(model.geom_conaffinity)
    weld = np.asarray(model.body_weldid)
    above = weld[np.asarray(model.body_parentid)[weld]]
    body = np.asarray(model.geom_bodyid)
    own, others = int(weld[body[geom]]), weld[body]
    masks = ((contype[geom] & affinity) | (contype & affinity[geom])) != 0
    family = ((above[own] == others) & (others != 0)) | ((above[others] == own) & (own != 0))
    free = np.full(model.ngeom, bool(int(model.opt.disableflags) & _NO_PARENT))
    apart: np.ndarray = masks & (others != own) & (free | ~family)
    return apart


def _loops(case: Examination) -> Elements:
    model = case.model
    kinds = np.isin(model.eq_type, (int(_EQ.mjEQ_CONNECT), int(_EQ.mjEQ_WELD))) & np.asarray(model.eq_active0, bool)
    yield from ((OBJ.mjOBJ_EQUALITY, e) for e in np.flatnonzero(kinds).tolist())


def _mocap(case: Examination) -> Elements:
    """Mocap bodies with jointed children that collide with them, or in a model that sleeps."""
    model = case.model
    collides = np.zeros(model.nbody, bool)
    collides[np.asarray(model.geom_bodyid)[(np.asarray(model.geom_contype) | np.asarray(model.geom_conaffinity)) != 0]] = True
    for b in np.flatnonzero(np.asarray(model.body_mocapid) >= 0).tolist():
        children = np.flatnonzero(np.asarray(model.body_parentid) == b)
        touched = collides[b] and np.any(collides[children] & (np.asarray(model.body_dofnum)[children] > 0))
        if touched or int(model.opt.enableflags) & _SLEEP:
            yield OBJ.mjOBJ_BODY, b


def _tendon_force(case: Examination) -> Elements:
    """Tendons with an actuatorfrcrange and no actuatorfrclimited, which counts from then on."""
    model = case.model
    for t in range(model.ntendon):
        element = case.element((OBJ.mjOBJ_TENDON, t))
        if element is not None and element.has("actuatorfrcrange") and not element.has("actuatorfrclimited"):
            yield OBJ.mjOBJ_TENDON, t


def _side_sites(case: Examination) -> Elements:
    model = case.model
    shapes = (int(physics.mjtWrap.mjWRAP_SPHERE), int(physics.mjtWrap.mjWRAP_CYLINDER))
    sided = np.isin(model.wrap_type, shapes) & (np.asarray(model.wrap_prm) >= 0)
    for t in range(model.ntendon):
        first = int(model.tendon_adr[t])
        if sided[first : first + int(model.tendon_num[t])].any():
            yield OBJ.mjOBJ_TENDON, t


def _soft(case: Examination) -> Elements:
    model = case.model
    numbers = model.flex_young, model.flex_edgestiffness, model.flex_passive
    elastic = np.any([np.asarray(number, float) > 0 for number in numbers], axis=0)
    return ((OBJ.mjOBJ_FLEX, f) for f in np.flatnonzero(elastic).tolist())


def _soft_elastic(case: Examination) -> Elements:
    return [] if int(case.model.opt.integrator) in _IMPLICIT else list(_soft(case))


def _soft_implicit(case: Examination) -> Elements:
    return list(_soft(case)) if int(case.model.opt.integrator) in _IMPLICIT else []


def _removed(case: Examination) -> Elements:
    """Flexes with internal contacts, and equalities of their vertices, which the later format does not have."""
    model = case.model
    yield from ((OBJ.mjOBJ_FLEX, f) for f in np.flatnonzero(model.flex_internal).tolist())
    yield from ((OBJ.mjOBJ_EQUALITY, e) for e in np.flatnonzero(np.asarray(model.eq_type) == int(_EQ.mjEQ_FLEXVERT)).tolist())


def _shortcuts(case: Examination) -> Elements:
    """Actuators that take gains from the default of another shortcut."""
    if case.draft is None:
        return
    for i, element in enumerate(case.draft.actuators):
        *inherited, own = element.actuator_steps or [("", {})]
        kept = tuple(step for step in inherited if step[0] in (own[0], "general"))
        without = replace(element, actuator_steps=(*kept, own))
        if len(kept) < len(inherited) and _numbers(replay(element)) != _numbers(replay(without)):
            yield OBJ.mjOBJ_ACTUATOR, i


def _numbers(law: Force) -> list[object]:
    """Parameters that an actuator computes with; those of a bias or activation that it does not have are left out."""
    bias = law.biasprm if law.biastype != physics.mjtBias.mjBIAS_NONE else []
    activation = law.dynprm if law.dyntype != physics.mjtDyn.mjDYN_NONE else []
    return [law.gaintype, law.biastype, law.dyntype, law.gainprm, bias, activation]


def _quaternions(case: Examination) -> Elements:
    """Geoms whose own quat is not used, because their class turns them in another way."""
    if case.draft is not None:
        yield from ((OBJ.mjOBJ_GEOM, g) for g, geom in enumerate(case.draft.geoms) if _turned_twice(geom.element))
        yield from ((OBJ.mjOBJ_SITE, s) for s, site in enumerate(case.draft.sites) if _turned_twice(site.element))
        yield from ((OBJ.mjOBJ_CAMERA, c) for c, camera in enumerate(case.draft.cameras) if _turned_twice(camera.element))


def _turned_twice(element: Element) -> bool:
    return "quat" in element.given and any(element.has(name) and name not in element.given for name in _TURNS)


def _ball_servos(case: Examination) -> Elements:
    model = case.model
    joints = (int(physics.mjtTrn.mjTRN_JOINT), int(physics.mjtTrn.mjTRN_JOINTINPARENT))
    for i in range(model.nu):
        turns = int(model.actuator_trntype[i]) in joints and float(model.actuator_biasprm[i, 1]) < 0
        if turns and int(model.jnt_type[model.actuator_trnid[i, 0]]) == int(_JNT.mjJNT_BALL):
            yield OBJ.mjOBJ_ACTUATOR, i


def _weld_sensors(case: Examination) -> Elements:
    """Sensors of force and torque in a model with welds or spatial tendons, whose share was wrong."""
    model = case.model
    spatial = np.any(np.asarray(model.wrap_type) != int(physics.mjtWrap.mjWRAP_JOINT)) if model.nwrap else False
    if spatial or np.any(np.asarray(model.eq_type) == int(_EQ.mjEQ_WELD)):
        kinds = np.isin(model.sensor_type, (int(_SENS.mjSENS_FORCE), int(_SENS.mjSENS_TORQUE)))
        yield from ((OBJ.mjOBJ_SENSOR, s) for s in np.flatnonzero(kinds).tolist())


def _still_accelerometers(case: Examination) -> Elements:
    model = case.model
    for s in np.flatnonzero(np.asarray(model.sensor_type) == int(_SENS.mjSENS_ACCELEROMETER)).tolist():
        if int(model.body_weldid[model.site_bodyid[model.sensor_objid[s]]]) == 0:
            yield OBJ.mjOBJ_SENSOR, s


def _tactile(case: Examination) -> Elements:
    kinds = np.asarray(case.model.sensor_type) == int(_SENS.mjSENS_TACTILE)
    return ((OBJ.mjOBJ_SENSOR, s) for s in np.flatnonzero(kinds).tolist())


_ITEMS = (
    _Item("gap", "3.9", "contacts push from margin on, not from margin - gap", _gap),
    _Item("shortcuts", "3.16", "actuators take no gains from the default of another shortcut", _shortcuts),
    _Item("dampratio", "3.15", "dampratio counts the inertia of all that moves: other dampings", _damping_ratios),
    _Item("tendon_force", "3.14", "actuatorfrcrange of a tendon limits without actuatorfrclimited", _tendon_force),
    _Item("quat", "3.16", "a quat counts though the class turns in another way", _quaternions),
    _Item("side_site", "4.0", "tendons go around the side of sidesite by another rule", _side_sites),
    _Item("flex_implicit", "3.13", "soft bodies are refused with implicit integrators", _soft_implicit),
    _Item("flex", "4.0", "soft bodies have other stiffness and contacts", _soft_elastic),
    _Item("removed", "4.0", "internal contacts of flexes and equality/flexvert are refused", _removed),
    _Item("mocap", "3.12", "mocap bodies wake what sleeps and do not touch their children", _mocap),
    _Item("ball_servo", "3.11", "servos of ball joints go the short way around", _ball_servos),
    _Item("accelerometer", "4.0", "accelerometers on what stands still show gravity", _still_accelerometers),
    _Item("force_sensor", "3.14", "force and torque sensors count welds and spatial tendons", _weld_sensors),
    _Item("tactile", "3.9", "tactile sensors give depth, not pressure", _tactile),
    _Item("sleep_tolerance", "3.11", "trees sleep from 1e-3 on, not 1e-4", _sleep_tolerance),
    _Item("rk4", "4.0", "RK4 turns free and ball joints in fourth order", _rk4),
    _Item("implicitfast", "3.11", "implicitfast has the gyroscopic torque of free bodies", _implicitfast),
    _Item("multiccd", "3.8", "meshes and cylinders touch boxes and each other at several points", _convex),
    _Item("loops", "3.7", "connect and weld count the acceleration of their rows", _loops),
)  # fmt: skip


def _examine(case: Examination) -> Iterable[Finding]:
    applying = [(item, tuple(item.find(case))) for item in _ITEMS]
    applying = [(item, elements) for item, elements in applying if elements]
    if applying:
        evidence = {item.key: [case.name(*at) for at in elements if at[0] != OBJ.mjOBJ_MODEL] for item, elements in applying}
        texts = [_text(item, evidence[item.key]) for item, _ in applying]
        yield Finding(
            RULE.id, Severity.ADVICE,
            f"MuJoCo 4.0 simulates {len(texts)} thing{'s' * (len(texts) != 1)} of this file differently: {'; '.join(texts)}",
            "A result of that release is not comparable with one of this, which follows 3.5.",
            tuple(dict.fromkeys(at for _, elements in applying for at in elements if at[0] != OBJ.mjOBJ_MODEL)), evidence,
        )  # fmt: skip


def _text(item: _Item, names: list[str]) -> str:
    return f"{item.text} (since {item.since}{': ' * bool(names)}{listed(names, NAMED)})"


RULE = DoctorRule(
    "other-release", "What a later release simulates differently",
    "Tumble follows MuJoCo 3.5. Releases up to 4.0 changed defaults and laws, so that the same file moves differently there: "
    + "; ".join(f"{item.text} ({item.since})" for item in _ITEMS)
    + ". Listed is what applies to the file. Everywhere contacts of convex shapes differ a little too.",
    _examine,
)  # fmt: skip
