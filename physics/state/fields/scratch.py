"""Working memory of the stages: allocated once, so that a step allocates nothing. No value lives from one stage to another."""

from physics.state.fields.field import Field

SCRATCH = (
    Field("work_nv", "f8", (8, "nv"), "", "vectors over dofs"),
    Field("work_body", "f8", ("nbody", 10), "", "a spatial quantity of each body"),
)
