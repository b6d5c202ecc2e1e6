"""The engine: MuJoCo's names, shapes and numbers; `import physics as mujoco` runs people's scripts."""

from physics.callback.compiled import compiled
from physics.callback.public import (
    get_mjcb_act_bias,
    get_mjcb_act_dyn,
    get_mjcb_act_gain,
    get_mjcb_contactfilter,
    get_mjcb_control,
    get_mjcb_passive,
    get_mjcb_sensor,
    get_mjcb_time,
    get_mjCOLLISIONFUNC,
    get_mju_user_warning,
    mj_resetCallbacks,
    reset_mjCOLLISIONFUNC,
    set_mjcb_act_bias,
    set_mjcb_act_dyn,
    set_mjcb_act_gain,
    set_mjcb_contactfilter,
    set_mjcb_control,
    set_mjcb_passive,
    set_mjcb_sensor,
    set_mjcb_time,
    set_mjCOLLISIONFUNC,
    set_mju_user_warning,
)
from physics.collision.sdf.public import get_sdf, set_sdf
from physics.compiler.assets.dependencies import mju_getXMLDependencies
from physics.compiler.assets.mesh.store import (
    mj_clearCache,
    mj_getCache,
    mj_getCacheCapacity,
    mj_getCacheSize,
    mj_setCacheCapacity,
)
from physics.compiler.bodies.axes import mju_eig3
from physics.compiler.options import mj_defaultOption, mj_defaultSolRefImp, mj_defaultVisual
from physics.compiler.relations.lengthrange import MjLROpt, mj_defaultLROpt, mj_setLengthRange
from physics.compiler.setconst import loads_at_once, mj_setConst, prepare_loading
from physics.data import MjData
from physics.dispatch.program import prepare
from physics.dynamics.contact_mode import ContactMode
from physics.dynamics.energy import energy_pos as mj_energyPos
from physics.dynamics.energy import energy_vel as mj_energyVel
from physics.dynamics.rne_post import rne_post_constraint as mj_rnePostConstraint
from physics.dynamics.subtree import subtree_vel as mj_subtreeVel
from physics.errors import FatalError, MjcfError, ModelError, PhysicsError, UnexpectedError
from physics.kernel.prepare import KernelProgress, work_ahead
from physics.mjcf.listing import mj_printSchema
from physics.model import MjModel
from physics.observe.again import Again, Solved, solve_again
from physics.observe.fork import fork, variant, variant_of_fork
from physics.observe.pairs import CollisionTimes, PairTime, TypeTime, collision_times
from physics.observe.record import Record, Trace, is_recording, read_record, start_recording, stop_recording
from physics.observe.settings import ForkSettings, SolveSettings
from physics.query.constraint import mj_isDual, mj_isPyramidal, mj_isSparse, mj_mulJacTVec, mj_mulJacVec
from physics.query.distance import mj_geomDistance
from physics.query.force import mj_applyFT, mj_contactForce
from physics.query.history import mj_initCtrlHistory, mj_initSensorHistory, mj_readCtrl, mj_readSensor
from physics.query.inertia import (
    mj_addM,
    mj_fullM,
    mj_getTotalmass,
    mj_mulM,
    mj_mulM2,
    mj_setTotalmass,
    mj_solveM,
    mj_solveM2,
)
from physics.query.jacobian import (
    mj_angmomMat,
    mj_jac,
    mj_jacBody,
    mj_jacBodyCom,
    mj_jacDot,
    mj_jacGeom,
    mj_jacPointAxis,
    mj_jacSite,
    mj_jacSubtreeCom,
)
from physics.query.matrix.band import (
    mju_band2Dense,
    mju_bandDiag,
    mju_bandMulMatVec,
    mju_cholFactorBand,
    mju_cholSolveBand,
    mju_dense2Band,
)
from physics.query.matrix.boxqp import mju_boxQP
from physics.query.matrix.cholesky import mju_cholFactor, mju_cholSolve, mju_cholUpdate
from physics.query.matrix.sparse import mju_dense2sparse, mju_sparse2dense, mju_sqrMatTD
from physics.query.motion import mj_objectAcceleration, mj_objectVelocity
from physics.query.muscle import mju_muscleBias, mju_muscleDynamics, mju_muscleGain, mju_sigmoid
from physics.query.names import mj_id2name, mj_name2id
from physics.query.numbers import (
    mju_d2n,
    mju_f2n,
    mju_Halton,
    mju_insertionSort,
    mju_insertionSortInt,
    mju_isBad,
    mju_isZero,
    mju_n2d,
    mju_n2f,
    mju_springDamper,
    mju_standardNormal,
)
from physics.query.position import mj_differentiatePos, mj_integratePos, mj_local2Global, mj_normalizeQuat
from physics.query.ray import mj_multiRay, mj_ray, mj_rayFlex, mj_rayHfield, mj_rayMesh, mju_rayGeom, mju_raySkin
from physics.query.rotation_slopes import mjd_quatIntegrate, mjd_subQuat
from physics.query.rotations import (
    mju_axisAngle2Quat,
    mju_copy4,
    mju_derivQuat,
    mju_euler2Quat,
    mju_mat2Quat,
    mju_mat2Rot,
    mju_mulPose,
    mju_mulQuat,
    mju_mulQuatAxis,
    mju_negPose,
    mju_negQuat,
    mju_normalize4,
    mju_quat2Mat,
    mju_quat2Vel,
    mju_quatIntegrate,
    mju_quatZ2Vec,
    mju_rotVecQuat,
    mju_subQuat,
    mju_transformSpatial,
    mju_trnVecPose,
    mju_unit4,
    mju_zero4,
)
from physics.query.text import (
    mj_version,
    mj_versionString,
    mju_printMat,
    mju_printMatSparse,
    mju_str2Type,
    mju_type2Str,
    mju_warningText,
    mju_writeLog,
    mju_writeNumBytes,
)
from physics.query.vectors import (
    mju_add,
    mju_add3,
    mju_addScl,
    mju_addScl3,
    mju_addTo,
    mju_addTo3,
    mju_addToScl,
    mju_addToScl3,
    mju_clip,
    mju_copy,
    mju_copy3,
    mju_cross,
    mju_decodePyramid,
    mju_dist3,
    mju_dot,
    mju_dot3,
    mju_encodePyramid,
    mju_eye,
    mju_fill,
    mju_L1,
    mju_max,
    mju_min,
    mju_mulMatMat,
    mju_mulMatMatT,
    mju_mulMatTMat,
    mju_mulMatTVec,
    mju_mulMatTVec3,
    mju_mulMatVec,
    mju_mulMatVec3,
    mju_mulVecMatVec,
    mju_norm,
    mju_norm3,
    mju_normalize,
    mju_normalize3,
    mju_round,
    mju_scl,
    mju_scl3,
    mju_sign,
    mju_sub,
    mju_sub3,
    mju_subFrom,
    mju_subFrom3,
    mju_sum,
    mju_symmetrize,
    mju_transpose,
    mju_zero,
    mju_zero3,
)
from physics.run.differences import mjd_inverseFD, mjd_transitionFD
from physics.run.memory import mj_copyData
from physics.run.parts import (
    mj_camlight,
    mj_checkAcc,
    mj_checkPos,
    mj_checkVel,
    mj_collision,
    mj_comPos,
    mj_comVel,
    mj_constraintUpdate,
    mj_crb,
    mj_factorM,
    mj_flex,
    mj_forwardSkip,
    mj_fwdAcceleration,
    mj_fwdActuation,
    mj_fwdConstraint,
    mj_fwdKinematics,
    mj_fwdPosition,
    mj_fwdVelocity,
    mj_invConstraint,
    mj_invPosition,
    mj_invVelocity,
    mj_island,
    mj_kinematics,
    mj_makeConstraint,
    mj_makeM,
    mj_passive,
    mj_projectConstraint,
    mj_referenceConstraint,
    mj_rne,
    mj_RungeKutta,
    mj_sensorAcc,
    mj_sensorPos,
    mj_sensorVel,
    mj_tendon,
    mj_transmission,
)
from physics.run.reset import mj_resetData, mj_resetDataDebug, mj_resetDataKeyframe
from physics.run.stepping import (
    mj_compareFwdInv,
    mj_Euler,
    mj_forward,
    mj_implicit,
    mj_inverse,
    mj_inverseSkip,
    mj_step,
    mj_step1,
    mj_step2,
)
from physics.spec import (
    MjByteVec,
    MjCharVec,
    MjDoubleVec,
    MjFloatVec,
    MjIntVec,
    MjsActuator,
    MjsBody,
    MjsCamera,
    MjsCompiler,
    MjsDefault,
    MjsElement,
    MjsEquality,
    MjsExclude,
    MjsFlex,
    MjsFrame,
    MjsGeom,
    MjsHField,
    MjsJoint,
    MjsKey,
    MjsLight,
    MjsMaterial,
    MjsMesh,
    MjsNumeric,
    MjsOrientation,
    MjsPair,
    MjSpec,
    MjsPlugin,
    MjsSensor,
    MjsSite,
    MjsSkin,
    MjsTendon,
    MjsTendonPath,
    MjsText,
    MjsTexture,
    MjStringVec,
    MjStruct,
    MjsTuple,
    MjsWrap,
)
from physics.spec.text.last import mj_saveLastXML
from physics.state.components import mj_copyState, mj_extractState, mj_getState, mj_setState, mj_stateSize
from physics.state.constants import *  # noqa: F403  # every constant is public
from physics.state.contact import mj_addContact
from physics.state.enums.elements import *  # noqa: F403  # every enumeration is public
from physics.state.enums.engine import *  # noqa: F403  # every enumeration is public
from physics.state.enums.picture import *  # noqa: F403  # every enumeration is public
from physics.state.enums.spec import *  # noqa: F403  # every enumeration is public
from physics.state.enums.words import *  # noqa: F403  # every enumeration is public
from physics.state.export.printed import mj_printData, mj_printFormattedData, mj_printFormattedModel, mj_printModel
from physics.state.export.saved import mj_saveModel, mj_sizeModel
from physics.state.keyframe import mj_setKeyframe
from physics.state.own import ContactModel, Splitting
from physics.state.structs.options import MjOption, MjStatistic, MjVisual, MjVisualHeadlight, MjVisualRgba
from physics.state.structs.results import MjContact, MjSolverStat, MjTimerStat, MjWarningStat
