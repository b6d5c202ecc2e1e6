"""The engine: MuJoCo's names, shapes and numbers; `import physics as mujoco` runs people's scripts."""

from physics.errors import MjcfError, ModelError, PhysicsError
from physics.model import MjModel
from physics.query.names import mj_id2name, mj_name2id
from physics.state.components import mj_copyData, mj_copyState, mj_extractState, mj_getState, mj_setState, mj_stateSize
from physics.state.constants import *  # noqa: F403  # every constant is public
from physics.state.data import Data as MjData
from physics.state.enums import *  # noqa: F403  # every enumeration is public
from physics.step.program import prepare
from physics.state.reset import mj_resetData, mj_resetDataKeyframe
from physics.step.stepping import mj_Euler, mj_forward, mj_step, mj_step1, mj_step2
