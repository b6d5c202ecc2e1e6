"""The one table of fields: the struct that kernels read, the allocator, Python's attributes and the docs come from it."""

from tumble.physics.state.fields.asset_fields import HFIELD, MATERIAL, MESH, OCTREE, SKIN, TEXTURE
from tumble.physics.state.fields.bodies import BODY, DOF, JOINT, TREE
from tumble.physics.state.fields.couplings import ACTUATOR, EQUALITY, EXCLUDE, PAIR, SENSOR, TENDON, WRAP
from tumble.physics.state.fields.data_fields import COMPUTED, STATE, STATUS
from tumble.physics.state.fields.field import Field
from tumble.physics.state.fields.flexes import FLEX
from tumble.physics.state.fields.growing import CONTACT, DUAL, ISLAND, ROW, SLEEP
from tumble.physics.state.fields.internal import DATA_INTERNAL, MODEL_INTERNAL
from tumble.physics.state.fields.option_fields import OPTION, STATISTIC, VISUAL
from tumble.physics.state.fields.own import LCP, OWN_FLEX, OWN_OPTION
from tumble.physics.state.fields.scratch import NUDGE, RECORD, SCRATCH
from tumble.physics.state.fields.shape_fields import BVH, CAMERA, GEOM, LIGHT, SITE
from tumble.physics.state.fields.sizes import DATA_SIZES, MODEL_SIZES
from tumble.physics.state.fields.tables import CUSTOM, KEY, NAME, SPARSITY

MODEL: tuple[Field, ...] = (
    *MODEL_SIZES, *OPTION, *STATISTIC, *VISUAL, *BODY, *BVH, *OCTREE, *JOINT, *DOF, *TREE, *GEOM, *SITE, *CAMERA, *LIGHT,
    *FLEX, *MESH, *SKIN, *HFIELD, *TEXTURE, *MATERIAL, *PAIR, *EXCLUDE, *EQUALITY, *TENDON, *WRAP, *ACTUATOR, *SENSOR,
    *CUSTOM, *KEY, *NAME, *SPARSITY, *OWN_OPTION, *OWN_FLEX, *MODEL_INTERNAL,
)  # fmt: skip

DATA: tuple[Field, ...] = (
    *DATA_SIZES, *STATUS, *STATE, *COMPUTED, *CONTACT, *ROW, *DUAL, *ISLAND, *LCP, *SLEEP, *DATA_INTERNAL, *SCRATCH,
    *RECORD, *NUDGE,
)  # fmt: skip

__all__ = ["DATA", "MODEL", "Field"]
