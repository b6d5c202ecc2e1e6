"""The public names of the engine. Written by packaging/public_names.py."""

from tumble.physics.callback.compiled import (
    compiled as compiled,
)
from tumble.physics.callback.public import (
    get_mjCOLLISIONFUNC as get_mjCOLLISIONFUNC,
    get_mjcb_act_bias as get_mjcb_act_bias,
    get_mjcb_act_dyn as get_mjcb_act_dyn,
    get_mjcb_act_gain as get_mjcb_act_gain,
    get_mjcb_contactfilter as get_mjcb_contactfilter,
    get_mjcb_control as get_mjcb_control,
    get_mjcb_passive as get_mjcb_passive,
    get_mjcb_sensor as get_mjcb_sensor,
    get_mjcb_time as get_mjcb_time,
    get_mju_user_warning as get_mju_user_warning,
    mj_resetCallbacks as mj_resetCallbacks,
    reset_mjCOLLISIONFUNC as reset_mjCOLLISIONFUNC,
    set_mjCOLLISIONFUNC as set_mjCOLLISIONFUNC,
    set_mjcb_act_bias as set_mjcb_act_bias,
    set_mjcb_act_dyn as set_mjcb_act_dyn,
    set_mjcb_act_gain as set_mjcb_act_gain,
    set_mjcb_contactfilter as set_mjcb_contactfilter,
    set_mjcb_control as set_mjcb_control,
    set_mjcb_passive as set_mjcb_passive,
    set_mjcb_sensor as set_mjcb_sensor,
    set_mjcb_time as set_mjcb_time,
    set_mju_user_warning as set_mju_user_warning,
)
from tumble.physics.collision.sdf.registry import (
    get_sdf as get_sdf,
    set_sdf as set_sdf,
)
from tumble.physics.compiler.assets.asset_files import (
    mju_getXMLDependencies as mju_getXMLDependencies,
)
from tumble.physics.compiler.assets.mesh.store import (
    mj_clearCache as mj_clearCache,
    mj_getCache as mj_getCache,
    mj_getCacheCapacity as mj_getCacheCapacity,
    mj_getCacheSize as mj_getCacheSize,
    mj_setCacheCapacity as mj_setCacheCapacity,
)
from tumble.physics.compiler.bodies.frames import (
    mju_eig3 as mju_eig3,
)
from tumble.physics.compiler.options import (
    mj_defaultOption as mj_defaultOption,
    mj_defaultSolRefImp as mj_defaultSolRefImp,
    mj_defaultVisual as mj_defaultVisual,
)
from tumble.physics.compiler.relations.lengthrange import (
    MjLROpt as MjLROpt,
    mj_defaultLROpt as mj_defaultLROpt,
    mj_setLengthRange as mj_setLengthRange,
)
from tumble.physics.compiler.setconst import (
    loads_at_once as loads_at_once,
    mj_setConst as mj_setConst,
    prepare_loading as prepare_loading,
)
from tumble.physics.dynamics.com import (
    subtree_vel as mj_subtreeVel,
)
from tumble.physics.dynamics.contact_force import (
    ContactMode as ContactMode,
)
from tumble.physics.dynamics.energy import (
    energy_pos as mj_energyPos,
    energy_vel as mj_energyVel,
)
from tumble.physics.dynamics.rne_post import (
    rne_post_constraint as mj_rnePostConstraint,
)
from tumble.physics.errors import (
    FatalError as FatalError,
    MjcfError as MjcfError,
    ModelError as ModelError,
    PhysicsError as PhysicsError,
    UnexpectedError as UnexpectedError,
)
from tumble.physics.kernel.prepare import (
    KernelProgress as KernelProgress,
    work_ahead as work_ahead,
)
from tumble.physics.mjcf.reference import (
    mj_printSchema as mj_printSchema,
)
from tumble.physics.model import (
    MjData as MjData,
    MjModel as MjModel,
)
from tumble.physics.observe.again import (
    Again as Again,
    Solved as Solved,
    solve_again as solve_again,
)
from tumble.physics.observe.fork import (
    ForkSettings as ForkSettings,
    SolveSettings as SolveSettings,
    fork as fork,
    variant as variant,
    variant_of_fork as variant_of_fork,
)
from tumble.physics.observe.pairs import (
    CollisionTimes as CollisionTimes,
    PairTime as PairTime,
    TypeTime as TypeTime,
    collision_times as collision_times,
)
from tumble.physics.observe.record import (
    Record as Record,
    Trace as Trace,
    is_recording as is_recording,
    read_record as read_record,
    start_recording as start_recording,
    stop_recording as stop_recording,
)
from tumble.physics.query.distances import (
    mj_geomDistance as mj_geomDistance,
    mj_multiRay as mj_multiRay,
    mj_ray as mj_ray,
    mj_rayFlex as mj_rayFlex,
    mj_rayHfield as mj_rayHfield,
    mj_rayMesh as mj_rayMesh,
    mju_rayGeom as mju_rayGeom,
    mju_raySkin as mju_raySkin,
)
from tumble.physics.query.force import (
    mj_applyFT as mj_applyFT,
    mj_contactForce as mj_contactForce,
)
from tumble.physics.query.histories import (
    mj_initCtrlHistory as mj_initCtrlHistory,
    mj_initSensorHistory as mj_initSensorHistory,
    mj_readCtrl as mj_readCtrl,
    mj_readSensor as mj_readSensor,
)
from tumble.physics.query.inertia import (
    mj_addM as mj_addM,
    mj_fullM as mj_fullM,
    mj_getTotalmass as mj_getTotalmass,
    mj_mulM as mj_mulM,
    mj_mulM2 as mj_mulM2,
    mj_setTotalmass as mj_setTotalmass,
    mj_solveM as mj_solveM,
    mj_solveM2 as mj_solveM2,
)
from tumble.physics.query.jacobian import (
    mj_angmomMat as mj_angmomMat,
    mj_isDual as mj_isDual,
    mj_isPyramidal as mj_isPyramidal,
    mj_isSparse as mj_isSparse,
    mj_jac as mj_jac,
    mj_jacBody as mj_jacBody,
    mj_jacBodyCom as mj_jacBodyCom,
    mj_jacDot as mj_jacDot,
    mj_jacGeom as mj_jacGeom,
    mj_jacPointAxis as mj_jacPointAxis,
    mj_jacSite as mj_jacSite,
    mj_jacSubtreeCom as mj_jacSubtreeCom,
    mj_mulJacTVec as mj_mulJacTVec,
    mj_mulJacVec as mj_mulJacVec,
)
from tumble.physics.query.matrices import (
    mju_band2Dense as mju_band2Dense,
    mju_bandDiag as mju_bandDiag,
    mju_bandMulMatVec as mju_bandMulMatVec,
    mju_boxQP as mju_boxQP,
    mju_cholFactor as mju_cholFactor,
    mju_cholFactorBand as mju_cholFactorBand,
    mju_cholSolve as mju_cholSolve,
    mju_cholSolveBand as mju_cholSolveBand,
    mju_cholUpdate as mju_cholUpdate,
    mju_dense2Band as mju_dense2Band,
    mju_dense2sparse as mju_dense2sparse,
    mju_sparse2dense as mju_sparse2dense,
    mju_sqrMatTD as mju_sqrMatTD,
)
from tumble.physics.query.motion import (
    mj_differentiatePos as mj_differentiatePos,
    mj_integratePos as mj_integratePos,
    mj_local2Global as mj_local2Global,
    mj_normalizeQuat as mj_normalizeQuat,
    mj_objectAcceleration as mj_objectAcceleration,
    mj_objectVelocity as mj_objectVelocity,
)
from tumble.physics.query.rotations import (
    mjd_quatIntegrate as mjd_quatIntegrate,
    mjd_subQuat as mjd_subQuat,
    mju_axisAngle2Quat as mju_axisAngle2Quat,
    mju_copy4 as mju_copy4,
    mju_derivQuat as mju_derivQuat,
    mju_euler2Quat as mju_euler2Quat,
    mju_mat2Quat as mju_mat2Quat,
    mju_mat2Rot as mju_mat2Rot,
    mju_mulPose as mju_mulPose,
    mju_mulQuat as mju_mulQuat,
    mju_mulQuatAxis as mju_mulQuatAxis,
    mju_negPose as mju_negPose,
    mju_negQuat as mju_negQuat,
    mju_normalize4 as mju_normalize4,
    mju_quat2Mat as mju_quat2Mat,
    mju_quat2Vel as mju_quat2Vel,
    mju_quatIntegrate as mju_quatIntegrate,
    mju_quatZ2Vec as mju_quatZ2Vec,
    mju_rotVecQuat as mju_rotVecQuat,
    mju_subQuat as mju_subQuat,
    mju_transformSpatial as mju_transformSpatial,
    mju_trnVecPose as mju_trnVecPose,
    mju_unit4 as mju_unit4,
    mju_zero4 as mju_zero4,
)
from tumble.physics.query.scalars import (
    mju_Halton as mju_Halton,
    mju_d2n as mju_d2n,
    mju_f2n as mju_f2n,
    mju_insertionSort as mju_insertionSort,
    mju_insertionSortInt as mju_insertionSortInt,
    mju_isBad as mju_isBad,
    mju_isZero as mju_isZero,
    mju_muscleBias as mju_muscleBias,
    mju_muscleDynamics as mju_muscleDynamics,
    mju_muscleGain as mju_muscleGain,
    mju_n2d as mju_n2d,
    mju_n2f as mju_n2f,
    mju_sigmoid as mju_sigmoid,
    mju_springDamper as mju_springDamper,
    mju_standardNormal as mju_standardNormal,
)
from tumble.physics.query.text import (
    mj_id2name as mj_id2name,
    mj_name2id as mj_name2id,
    mj_version as mj_version,
    mj_versionString as mj_versionString,
    mju_printMat as mju_printMat,
    mju_printMatSparse as mju_printMatSparse,
    mju_str2Type as mju_str2Type,
    mju_type2Str as mju_type2Str,
    mju_warningText as mju_warningText,
    mju_writeLog as mju_writeLog,
    mju_writeNumBytes as mju_writeNumBytes,
)
from tumble.physics.query.vectors import (
    mju_L1 as mju_L1,
    mju_add as mju_add,
    mju_add3 as mju_add3,
    mju_addScl as mju_addScl,
    mju_addScl3 as mju_addScl3,
    mju_addTo as mju_addTo,
    mju_addTo3 as mju_addTo3,
    mju_addToScl as mju_addToScl,
    mju_addToScl3 as mju_addToScl3,
    mju_clip as mju_clip,
    mju_copy as mju_copy,
    mju_copy3 as mju_copy3,
    mju_cross as mju_cross,
    mju_decodePyramid as mju_decodePyramid,
    mju_dist3 as mju_dist3,
    mju_dot as mju_dot,
    mju_dot3 as mju_dot3,
    mju_encodePyramid as mju_encodePyramid,
    mju_eye as mju_eye,
    mju_fill as mju_fill,
    mju_max as mju_max,
    mju_min as mju_min,
    mju_mulMatMat as mju_mulMatMat,
    mju_mulMatMatT as mju_mulMatMatT,
    mju_mulMatTMat as mju_mulMatTMat,
    mju_mulMatTVec as mju_mulMatTVec,
    mju_mulMatTVec3 as mju_mulMatTVec3,
    mju_mulMatVec as mju_mulMatVec,
    mju_mulMatVec3 as mju_mulMatVec3,
    mju_mulVecMatVec as mju_mulVecMatVec,
    mju_norm as mju_norm,
    mju_norm3 as mju_norm3,
    mju_normalize as mju_normalize,
    mju_normalize3 as mju_normalize3,
    mju_round as mju_round,
    mju_scl as mju_scl,
    mju_scl3 as mju_scl3,
    mju_sign as mju_sign,
    mju_sub as mju_sub,
    mju_sub3 as mju_sub3,
    mju_subFrom as mju_subFrom,
    mju_subFrom3 as mju_subFrom3,
    mju_sum as mju_sum,
    mju_symmetrize as mju_symmetrize,
    mju_transpose as mju_transpose,
    mju_zero as mju_zero,
    mju_zero3 as mju_zero3,
)
from tumble.physics.run.copy_data import (
    mj_copyData as mj_copyData,
)
from tumble.physics.run.differences import (
    mjd_inverseFD as mjd_inverseFD,
    mjd_transitionFD as mjd_transitionFD,
)
from tumble.physics.run.parts import (
    mj_RungeKutta as mj_RungeKutta,
    mj_camlight as mj_camlight,
    mj_checkAcc as mj_checkAcc,
    mj_checkPos as mj_checkPos,
    mj_checkVel as mj_checkVel,
    mj_collision as mj_collision,
    mj_comPos as mj_comPos,
    mj_comVel as mj_comVel,
    mj_constraintUpdate as mj_constraintUpdate,
    mj_crb as mj_crb,
    mj_factorM as mj_factorM,
    mj_flex as mj_flex,
    mj_forwardSkip as mj_forwardSkip,
    mj_fwdAcceleration as mj_fwdAcceleration,
    mj_fwdActuation as mj_fwdActuation,
    mj_fwdConstraint as mj_fwdConstraint,
    mj_fwdKinematics as mj_fwdKinematics,
    mj_fwdPosition as mj_fwdPosition,
    mj_fwdVelocity as mj_fwdVelocity,
    mj_invConstraint as mj_invConstraint,
    mj_invPosition as mj_invPosition,
    mj_invVelocity as mj_invVelocity,
    mj_island as mj_island,
    mj_kinematics as mj_kinematics,
    mj_makeConstraint as mj_makeConstraint,
    mj_makeM as mj_makeM,
    mj_passive as mj_passive,
    mj_projectConstraint as mj_projectConstraint,
    mj_referenceConstraint as mj_referenceConstraint,
    mj_rne as mj_rne,
    mj_sensorAcc as mj_sensorAcc,
    mj_sensorPos as mj_sensorPos,
    mj_sensorVel as mj_sensorVel,
    mj_tendon as mj_tendon,
    mj_transmission as mj_transmission,
)
from tumble.physics.run.program import (
    prepare as prepare,
)
from tumble.physics.run.reset import (
    mj_resetData as mj_resetData,
    mj_resetDataDebug as mj_resetDataDebug,
    mj_resetDataKeyframe as mj_resetDataKeyframe,
)
from tumble.physics.run.stepping import (
    mj_Euler as mj_Euler,
    mj_compareFwdInv as mj_compareFwdInv,
    mj_forward as mj_forward,
    mj_implicit as mj_implicit,
    mj_inverse as mj_inverse,
    mj_inverseSkip as mj_inverseSkip,
    mj_step as mj_step,
    mj_step1 as mj_step1,
    mj_step2 as mj_step2,
)
from tumble.physics.spec import (
    MjByteVec as MjByteVec,
    MjCharVec as MjCharVec,
    MjDoubleVec as MjDoubleVec,
    MjFloatVec as MjFloatVec,
    MjIntVec as MjIntVec,
    MjSpec as MjSpec,
    MjStringVec as MjStringVec,
    MjStruct as MjStruct,
    MjsActuator as MjsActuator,
    MjsBody as MjsBody,
    MjsCamera as MjsCamera,
    MjsCompiler as MjsCompiler,
    MjsDefault as MjsDefault,
    MjsElement as MjsElement,
    MjsEquality as MjsEquality,
    MjsExclude as MjsExclude,
    MjsFlex as MjsFlex,
    MjsFrame as MjsFrame,
    MjsGeom as MjsGeom,
    MjsHField as MjsHField,
    MjsJoint as MjsJoint,
    MjsKey as MjsKey,
    MjsLight as MjsLight,
    MjsMaterial as MjsMaterial,
    MjsMesh as MjsMesh,
    MjsNumeric as MjsNumeric,
    MjsOrientation as MjsOrientation,
    MjsPair as MjsPair,
    MjsPlugin as MjsPlugin,
    MjsSensor as MjsSensor,
    MjsSite as MjsSite,
    MjsSkin as MjsSkin,
    MjsTendon as MjsTendon,
    MjsTendonPath as MjsTendonPath,
    MjsText as MjsText,
    MjsTexture as MjsTexture,
    MjsTuple as MjsTuple,
    MjsWrap as MjsWrap,
)
from tumble.physics.spec.last_xml import (
    mj_saveLastXML as mj_saveLastXML,
)
from tumble.physics.state.components import (
    mj_addContact as mj_addContact,
    mj_copyState as mj_copyState,
    mj_extractState as mj_extractState,
    mj_getState as mj_getState,
    mj_setKeyframe as mj_setKeyframe,
    mj_setState as mj_setState,
    mj_stateSize as mj_stateSize,
)
from tumble.physics.state.constants import *
from tumble.physics.state.enums.elements import *
from tumble.physics.state.enums.engine import *
from tumble.physics.state.enums.picture import *
from tumble.physics.state.enums.spec_enums import *
from tumble.physics.state.enums.words import *
from tumble.physics.state.export.printed import (
    mj_printData as mj_printData,
    mj_printFormattedData as mj_printFormattedData,
    mj_printFormattedModel as mj_printFormattedModel,
    mj_printModel as mj_printModel,
)
from tumble.physics.state.export.saved import (
    mj_saveModel as mj_saveModel,
    mj_sizeModel as mj_sizeModel,
)
from tumble.physics.state.own import (
    ContactModel as ContactModel,
    Splitting as Splitting,
)
from tumble.physics.state.structs.option_groups import (
    MjOption as MjOption,
    MjStatistic as MjStatistic,
    MjVisual as MjVisual,
    MjVisualHeadlight as MjVisualHeadlight,
    MjVisualRgba as MjVisualRgba,
)
from tumble.physics.state.structs.results import (
    MjContact as MjContact,
    MjSolverStat as MjSolverStat,
    MjTimerStat as MjTimerStat,
    MjWarningStat as MjWarningStat,
)
