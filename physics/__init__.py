"""The engine: MuJoCo's names, shapes and numbers; `from tumble import physics as mujoco` runs people's scripts.

A name is imported when it is first asked for: a window is shown before there is anything to compute, and no program uses all.
Type checkers and editors read the same names from `__init__.pyi`, which `make docs` writes from this list.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

if __name__ == "physics":  # from a checkout's folder, where all would exist twice
    raise ModuleNotFoundError("it is tumble.physics", name="physics")

# Where each public name is, by module.
PLACES: dict[str, tuple[str, ...]] = {
    "callback.compiled": ("compiled",),
    "callback.public": (
        "get_mjCOLLISIONFUNC", "get_mjcb_act_bias", "get_mjcb_act_dyn", "get_mjcb_act_gain", "get_mjcb_contactfilter",
        "get_mjcb_control", "get_mjcb_passive", "get_mjcb_sensor", "get_mjcb_time", "get_mju_user_warning",
        "mj_resetCallbacks", "reset_mjCOLLISIONFUNC", "set_mjCOLLISIONFUNC", "set_mjcb_act_bias", "set_mjcb_act_dyn",
        "set_mjcb_act_gain", "set_mjcb_contactfilter", "set_mjcb_control", "set_mjcb_passive", "set_mjcb_sensor",
        "set_mjcb_time", "set_mju_user_warning",
    ),
    "collision.sdf.registry": ("get_sdf", "set_sdf"),
    "compiler.assets.asset_files": ("mju_getXMLDependencies",),
    "compiler.assets.mesh.store": (
        "mj_clearCache", "mj_getCache", "mj_getCacheCapacity", "mj_getCacheSize", "mj_setCacheCapacity",
    ),
    "compiler.bodies.frames": ("mju_eig3",),
    "compiler.options": ("mj_defaultOption", "mj_defaultSolRefImp", "mj_defaultVisual"),
    "compiler.relations.lengthrange": ("MjLROpt", "mj_defaultLROpt", "mj_setLengthRange"),
    "compiler.setconst": ("loads_at_once", "mj_setConst", "prepare_loading"),
    "dynamics.com": ("mj_subtreeVel",),
    "dynamics.contact_force": ("ContactMode",),
    "dynamics.energy": ("mj_energyPos", "mj_energyVel"),
    "dynamics.rne_post": ("mj_rnePostConstraint",),
    "errors": ("FatalError", "MjcfError", "ModelError", "PhysicsError", "UnexpectedError"),
    "kernel.prepare": ("KernelProgress", "work_ahead"),
    "mjcf.reference": ("mj_printSchema",),
    "model": ("MjData", "MjModel"),
    "observe.again": ("Again", "Solved", "solve_again"),
    "observe.fork": ("ForkSettings", "SolveSettings", "fork", "variant", "variant_of_fork"),
    "observe.pairs": ("CollisionTimes", "PairTime", "TypeTime", "collision_times"),
    "observe.record": ("Record", "Trace", "is_recording", "read_record", "start_recording", "stop_recording"),
    "query.distances": (
        "mj_geomDistance", "mj_multiRay", "mj_ray", "mj_rayFlex", "mj_rayHfield", "mj_rayMesh", "mju_rayGeom", "mju_raySkin",
    ),
    "query.force": ("mj_applyFT", "mj_contactForce"),
    "query.histories": ("mj_initCtrlHistory", "mj_initSensorHistory", "mj_readCtrl", "mj_readSensor"),
    "query.inertia": (
        "mj_addM", "mj_fullM", "mj_getTotalmass", "mj_mulM", "mj_mulM2", "mj_setTotalmass", "mj_solveM", "mj_solveM2",
    ),
    "query.jacobian": (
        "mj_angmomMat", "mj_isDual", "mj_isPyramidal", "mj_isSparse", "mj_jac", "mj_jacBody", "mj_jacBodyCom", "mj_jacDot",
        "mj_jacGeom", "mj_jacPointAxis", "mj_jacSite", "mj_jacSubtreeCom", "mj_mulJacTVec", "mj_mulJacVec",
    ),
    "query.matrices": (
        "mju_band2Dense", "mju_bandDiag", "mju_bandMulMatVec", "mju_boxQP", "mju_cholFactor", "mju_cholFactorBand",
        "mju_cholSolve", "mju_cholSolveBand", "mju_cholUpdate", "mju_dense2Band", "mju_dense2sparse", "mju_sparse2dense",
        "mju_sqrMatTD",
    ),
    "query.motion": (
        "mj_differentiatePos", "mj_integratePos", "mj_local2Global", "mj_normalizeQuat", "mj_objectAcceleration",
        "mj_objectVelocity",
    ),
    "query.rotations": (
        "mjd_quatIntegrate", "mjd_subQuat", "mju_axisAngle2Quat", "mju_copy4", "mju_derivQuat", "mju_euler2Quat",
        "mju_mat2Quat", "mju_mat2Rot", "mju_mulPose", "mju_mulQuat", "mju_mulQuatAxis", "mju_negPose", "mju_negQuat",
        "mju_normalize4", "mju_quat2Mat", "mju_quat2Vel", "mju_quatIntegrate", "mju_quatZ2Vec", "mju_rotVecQuat",
        "mju_subQuat", "mju_transformSpatial", "mju_trnVecPose", "mju_unit4", "mju_zero4",
    ),
    "query.scalars": (
        "mju_Halton", "mju_d2n", "mju_f2n", "mju_insertionSort", "mju_insertionSortInt", "mju_isBad", "mju_isZero",
        "mju_muscleBias", "mju_muscleDynamics", "mju_muscleGain", "mju_n2d", "mju_n2f", "mju_sigmoid", "mju_springDamper",
        "mju_standardNormal",
    ),
    "query.text": (
        "mj_id2name", "mj_name2id", "mj_version", "mj_versionString", "mju_printMat", "mju_printMatSparse",
        "mju_str2Type", "mju_type2Str", "mju_warningText", "mju_writeLog", "mju_writeNumBytes",
    ),
    "query.vectors": (
        "mju_L1", "mju_add", "mju_add3", "mju_addScl", "mju_addScl3", "mju_addTo", "mju_addTo3", "mju_addToScl",
        "mju_addToScl3", "mju_clip", "mju_copy", "mju_copy3", "mju_cross", "mju_decodePyramid", "mju_dist3", "mju_dot",
        "mju_dot3", "mju_encodePyramid", "mju_eye", "mju_fill", "mju_max", "mju_min", "mju_mulMatMat", "mju_mulMatMatT",
        "mju_mulMatTMat", "mju_mulMatTVec", "mju_mulMatTVec3", "mju_mulMatVec", "mju_mulMatVec3", "mju_mulVecMatVec",
        "mju_norm", "mju_norm3", "mju_normalize", "mju_normalize3", "mju_round", "mju_scl", "mju_scl3", "mju_sign",
        "mju_sub", "mju_sub3", "mju_subFrom", "mju_subFrom3", "mju_sum", "mju_symmetrize", "mju_transpose", "mju_zero",
        "mju_zero3",
    ),
    "run.copy_data": ("mj_copyData",),
    "run.differences": ("mjd_inverseFD", "mjd_transitionFD"),
    "run.parts": (
        "mj_RungeKutta", "mj_camlight", "mj_checkAcc", "mj_checkPos", "mj_checkVel", "mj_collision", "mj_comPos",
        "mj_comVel", "mj_constraintUpdate", "mj_crb", "mj_factorM", "mj_flex", "mj_forwardSkip", "mj_fwdAcceleration",
        "mj_fwdActuation", "mj_fwdConstraint", "mj_fwdKinematics", "mj_fwdPosition", "mj_fwdVelocity", "mj_invConstraint",
        "mj_invPosition", "mj_invVelocity", "mj_island", "mj_kinematics", "mj_makeConstraint", "mj_makeM", "mj_passive",
        "mj_projectConstraint", "mj_referenceConstraint", "mj_rne", "mj_sensorAcc", "mj_sensorPos", "mj_sensorVel",
        "mj_tendon", "mj_transmission",
    ),
    "run.program": ("prepare",),
    "run.reset": ("mj_resetData", "mj_resetDataDebug", "mj_resetDataKeyframe"),
    "run.stepping": (
        "mj_Euler", "mj_compareFwdInv", "mj_forward", "mj_implicit", "mj_inverse", "mj_inverseSkip", "mj_step",
        "mj_step1", "mj_step2",
    ),
    "spec": (
        "MjByteVec", "MjCharVec", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjSpec", "MjStringVec", "MjStruct",
        "MjsActuator", "MjsBody", "MjsCamera", "MjsCompiler", "MjsDefault", "MjsElement", "MjsEquality", "MjsExclude",
        "MjsFlex", "MjsFrame", "MjsGeom", "MjsHField", "MjsJoint", "MjsKey", "MjsLight", "MjsMaterial", "MjsMesh",
        "MjsNumeric", "MjsOrientation", "MjsPair", "MjsPlugin", "MjsSensor", "MjsSite", "MjsSkin", "MjsTendon",
        "MjsTendonPath", "MjsText", "MjsTexture", "MjsTuple", "MjsWrap",
    ),
    "spec.last_xml": ("mj_saveLastXML",),
    "state.components": (
        "mj_addContact", "mj_copyState", "mj_extractState", "mj_getState", "mj_setKeyframe", "mj_setState",
        "mj_stateSize",
    ),
    "state.export.printed": ("mj_printData", "mj_printFormattedData", "mj_printFormattedModel", "mj_printModel"),
    "state.export.saved": ("mj_saveModel", "mj_sizeModel"),
    "state.own": ("ContactModel", "Splitting"),
    "state.structs.option_groups": ("MjOption", "MjStatistic", "MjVisual", "MjVisualHeadlight", "MjVisualRgba"),
    "state.structs.results": ("MjContact", "MjSolverStat", "MjTimerStat", "MjWarningStat"),
}  # fmt: skip
# Modules of constants and enumerations: all of their names that begin with mj are public.
WHOLE = (
    "state.constants",
    "state.enums.elements",
    "state.enums.engine",
    "state.enums.picture",
    "state.enums.spec_enums",
    "state.enums.words",
)
# Names that a module of ours does not call as the field does.
RENAMED = {
    "mj_energyPos": "energy_pos",
    "mj_energyVel": "energy_vel",
    "mj_rnePostConstraint": "rne_post_constraint",
    "mj_subtreeVel": "subtree_vel",
}
_MODULE_OF = {name: module for module, names in PLACES.items() for name in names}
_PREFIX = "mj"  # of every name of WHOLE that is public


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first asked for. Raises AttributeError for any other."""
    if name == "__all__":
        return __dir__()
    if name in _MODULE_OF:
        value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), RENAMED.get(name, name))
    else:
        value = _constant(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    constants = {name for module in WHOLE for name in vars(import_module(f"{__name__}.{module}")) if name.startswith(_PREFIX)}
    return sorted(constants | _MODULE_OF.keys())


def _constant(name: str) -> Any:
    """A constant or an enumeration. Raises AttributeError."""
    if name.startswith(_PREFIX):
        for module in WHOLE:
            members = vars(import_module(f"{__name__}.{module}"))
            if name in members:
                return members[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
