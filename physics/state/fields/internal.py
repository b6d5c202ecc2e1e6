"""Fields of ours that the reference does not have: capacities, the stage table, and what saves work between steps."""

from tumble.physics.state.constants import mjMAXPLUGINPRM
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.fields.buffers import CAPACITY
from tumble.physics.state.fields.field import Field

# a place for each two types of geoms, two for the broad phase, two for flexes, one for each type with elements of each dimension,
# two for elements with each other
_COLLIDERS = mjtGeom.mjNGEOMTYPES**2 + 4 + 3 * mjtGeom.mjNGEOMTYPES + 2

MODEL_INTERNAL = (
    Field("nstage", "i8", (), "1", "entries of the stage table"),
    Field("stage", "i8", ("nstage",), "address", "the compiled stages that the model and its options need; 0: skip"),
    Field("pool", "i8", (), "address", "words through which kernels share work with other threads; 0: with none"),
    Field("ncollide", "i8", (), "1", "pairs of geoms that the kinematic structure lets collide"),
    Field("collide_fn", "i8", (_COLLIDERS,), "address", "stage of each two types of geoms; 0: not compiled, -1: none"),
    Field("collide_user", "i8", (mjtGeom.mjNGEOMTYPES**2,), "address", "collider of the user's for each two types; 0: none"),
    Field("collide_list", "i4", ("ncollide", 4), "1", "geom1, geom2 as in a contact, explicit pair or -1, 1: parent and child"),
    Field("collide_active", "i4", ("ncollide", 3), "1", "what masks and flags leave of collide_list now"),
    Field("collide_nactive", "i8", (), "1", "rows of collide_active in use; -1: sweep at every step"),
    Field("collide_flags", "i8", (), "1", "the disable flags that collide_active was made for; -1: not made yet"),
    Field("collide_width", "f8", (), "m", "width of the strips of the sweep that means fewest comparisons"),
    Field("collide_home", "i4", ("ngeom",), "1", "the group of geoms that do not move against each other; -1: none"),
    Field("collide_nunit", "i8", (), "1", "rows of collide_unit in use"),
    Field("collide_unit", "i4", ("ngeom",), "1", "what is swept with the present masks: geoms, and groups as -1 - group"),
    Field("collide_ngroup", "i8", (), "1", "rows of collide_group in use"),
    Field("collide_group", "i4", ("ngeom", 2), "1", "body of each group (0: all that is static), root of its tree"),
    Field("collide_leaf", "i4", ("ngeom",), "1", "geoms of groups in the order of the leaves"),
    Field("collide_nnode", "i8", (), "1", "rows of collide_node in use"),
    Field("collide_node", "i4", ("ngeom", 3), "1", "trees: first place in collide_leaf, end, second child; -1: a leaf"),
    Field("collide_stamp", "i8", (), "1", "checksum of the trees"),
    Field("collide_contype", "i4", ("ngeom",), "1", "the geom_contype that collide_active was made for"),
    Field("collide_conaffinity", "i4", ("ngeom",), "1", "the geom_conaffinity that collide_active was made for"),
    Field("plugin_prm", "f8", ("nplugin", mjMAXPLUGINPRM), "1", "attributes of each plugin instance, as numbers"),
    Field("sdf_fn", "i8", ("nplugin",), "address", "each instance's signed distance function; 0: not bound, or none"),
)

DATA_INTERNAL = (
    *CAPACITY,
    Field("needJ", "i8", (), "1", "entries of efc_J that needefc rows have"),
    Field("flg_sparse", "i8", (), "1", "1: efc_J holds the nonzeros of its rows only; 0: nv numbers a row"),
    Field("needcollide", "i8", (), "1", "1: a pair met whose stage is not compiled: bind_collision, redo the step"),
    Field("collide_order", "i4", ("ngeom",), "1", "units along the sweep axis at the last step: nearly sorted at the next"),
    Field("collide_axis", "i8", (), "1", "number of units in collide_order, times 4, plus the axis they are sorted along"),
    Field("flex_order", "i4", ("2*nflexelem",), "1", "begins (2 element) and ends (2 element + 1) of elements, sorted"),
    Field("flex_sorted", "i8", ("nflex",), "1", "what flex_order was sorted for: elements times 4 plus the axis; 0: not yet"),
    Field("collide_stamp", "i8", (), "1", "the trees that collide_tree was computed for"),
    Field("collide_seat", "f8", ("ngeom", 4), "m", "centres of geoms in their groups' frames, and reaches, of collide_tree"),
    Field("collide_tree", "f8", ("ngeom", 6), "m", "boxes of the nodes, low and high corner, in the frame of the group's body"),
    Field("collide_apart", "f8", ("ngeom", 24), "1", "axes that showed pairs to be apart, see collision/convex/apart.py"),
    Field("island_whole", "i8", (), "1", "1: a single island holds all dofs and rows, so the i... arrays are not used"),
    Field("steps", "i8", (), "1", "steps still to do in the present call"),
    Field("ctrl_seen", "f8", ("nu",), "unit of the actuator", "controls as actuators with delays see them, not yet clamped"),
    Field("late_stage", "i8", (), "1", "stage of sensors whose delayed readings are asked for"),
    Field("sensor_fresh", "f8", ("nsensordata",), "unit of the sensor", "readings of delayed sensors that are still to be shown"),
    Field("trouble", "i8", (), "1", "what stopped the present call: the mjtWarning of a bad state, plus 1; 0 when all is well"),
    Field("failed", "i8", (), "1", "why the call stops: 1: a callback raised, 2: it reset the data or moved their memory, 3: a "
          "collider's point is none, 4: a geom has no shape; 0: it goes on"),
    Field("tap", "i8", (), "address", "address of the table of what is sampled after every step (step/tap.py); 0: nothing"),
    Field("resets", "i8", (), "1", "how often the data were reset: tells runs apart"),
    Field("clock", "i8", (), "address", "address of the function that tells the time, in this process"),
    Field("clock_id", "i8", (), "1", "which clock to ask it for"),
    Field("efc_first", "i4", ("maxefc",), "1", "first column of each Jacobian row that can be nonzero", used="nefc"),
    Field("efc_end", "i4", ("maxefc",), "1", "column after the last that can be nonzero", used="nefc"),
)
