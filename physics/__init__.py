"""The engine: MuJoCo's names, shapes and numbers; `import physics as mujoco` runs people's scripts."""

from physics.compiler.setconst import loads_at_once, mj_setConst, prepare_loading
from physics.dynamics.energy import energy_pos as mj_energyPos
from physics.dynamics.energy import energy_vel as mj_energyVel
from physics.dynamics.rne_post import rne_post_constraint as mj_rnePostConstraint
from physics.dynamics.subtree import subtree_vel as mj_subtreeVel
from physics.errors import MjcfError, ModelError, PhysicsError
from physics.model import MjModel
from physics.query.distance import mj_geomDistance
from physics.query.force import mj_applyFT, mj_contactForce
from physics.query.inertia import mj_fullM, mj_getTotalmass, mj_mulM, mj_solveM
from physics.query.jacobian import (
    mj_jac,
    mj_jacBody,
    mj_jacBodyCom,
    mj_jacGeom,
    mj_jacPointAxis,
    mj_jacSite,
    mj_jacSubtreeCom,
)
from physics.query.motion import mj_objectAcceleration, mj_objectVelocity
from physics.query.names import mj_id2name, mj_name2id
from physics.query.position import mj_differentiatePos, mj_integratePos, mj_normalizeQuat
from physics.query.ray import mj_multiRay, mj_ray
from physics.state.components import mj_copyData, mj_copyState, mj_extractState, mj_getState, mj_setState, mj_stateSize
from physics.state.constants import *  # noqa: F403  # every constant is public
from physics.state.data import Data as MjData
from physics.state.enums import *  # noqa: F403  # every enumeration is public
from physics.state.own import ContactModel, Splitting
from physics.state.reset import mj_resetData, mj_resetDataKeyframe
from physics.step.program import prepare
from physics.step.stepping import (
    mj_compareFwdInv,
    mj_Euler,
    mj_forward,
    mj_inverse,
    mj_inverseSkip,
    mj_step,
    mj_step1,
    mj_step2,
)
