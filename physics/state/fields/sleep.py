"""Fields of ours for sleep: which runs of trees are awake, and what sleeping trees are compared with to see who was touched."""

from tumble.physics.state.fields.field import Field

SLEEP = (
    Field("awake_nrun", "i8", (), "1", "runs of neighbouring trees that are awake"),
    Field("awake_tree", "i4", ("ntree", 2), "1", "first tree of each such run, and the one after its last"),
    Field("awake_dof", "i4", ("ntree", 2), "1", "first dof of each such run, and the one after its last"),
    Field("awake_joint", "i4", ("ntree", 2), "1", "first joint of each such run, and the one after its last"),
    Field("body_stirs", "i4", ("nbody",), "1", "1: its contacts wake: it is awake and can move, or moves with a mocap body"),
    Field("sleep_leader", "i4", ("ntree",), "1", "of a sleeping tree: the lowest of those it fell asleep with"),
    Field("static_ready", "i8", (), "1", "1: the poses of what cannot move are computed, so that sleep may skip them"),
    Field("sleep_qpos", "f8", ("nq",), "m or rad", "position in which each sleeping tree fell asleep"),
    Field("sleep_mocap", "f8", ("nmocap", 7), "m and 1", "pose of each mocap body at the last step"),
)
