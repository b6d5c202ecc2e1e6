"""Working memory of the stages: allocated once, so that a step allocates nothing. No value lives from one stage to another."""

from physics.state.fields.field import Field

SCRATCH = (
    Field("work_acc", "f8", ("nbody", 6), "m/s^2 or rad/s^2", "spatial accelerations, while forces are computed"),
    Field("work_frc", "f8", ("nbody", 6), "N or N m", "spatial forces, while they are summed towards the root"),
    Field("work_dof", "f8", ("nv",), "", "a vector over dofs"),
)
