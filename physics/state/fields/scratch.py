"""Working memory of the stages: allocated once, so that a step allocates nothing. No value lives from one stage to another."""

from physics.state.fields.field import Field

SCRATCH = (
    Field("work_acc", "f8", ("nbody", 6), "m/s^2 or rad/s^2", "spatial accelerations, while forces are computed"),
    Field("work_frc", "f8", ("nbody", 6), "N or N m", "spatial forces, while they are summed towards the root"),
    Field("work_dof", "f8", ("nv",), "", "a vector over dofs"),
    Field("hit_geom1", "i8", (), "1", "narrow phase: first geom of the pair"),
    Field("hit_geom2", "i8", (), "1", "narrow phase: second geom of the pair"),
    Field("hit_margin", "f8", (), "m", "narrow phase: points farther apart than this are not wanted"),
    Field("hit_num", "i8", (), "1", "narrow phase: points found"),
    Field("hit_dist", "f8", (50,), "m", "narrow phase: signed distance of each point"),
    Field("hit_pos", "f8", (50, 3), "m", "narrow phase: the points"),
    Field("hit_frame", "f8", (50, 6), "1", "narrow phase: normals from geom1 to geom2, and wanted tangents or zero"),
    Field("hit_work", "f8", (512,), "", "narrow phase: polygons and polytopes"),
    Field("collide_low", "f8", ("ngeom",), "m", "sweep: where each geom begins on the axis"),
    Field("collide_high", "f8", ("ngeom",), "m", "sweep: where each geom ends on the axis"),
    Field("collide_ncandidate", "i8", (), "1", "sweep: candidates found"),
    Field("collide_candidate", "i8", ("maxcon", 16), "1", "sweep: candidate pairs as sortable keys"),
    Field("rk_qpos", "f8", ("nq",), "m or rad", "Runge-Kutta: position at the start of the step"),
    Field("rk_qvel0", "f8", ("nv",), "m/s or rad/s", "Runge-Kutta: velocity at the start of the step"),
    Field("rk_act0", "f8", ("na",), "", "Runge-Kutta: activation at the start of the step"),
    Field("rk_qvel", "f8", ("nv",), "m/s or rad/s", "Runge-Kutta: weighted sum of the stages' velocities"),
    Field("rk_qacc", "f8", ("nv",), "m/s^2 or rad/s^2", "Runge-Kutta: weighted sum of the stages' accelerations"),
    Field("rk_act_dot", "f8", ("na",), "1/s", "Runge-Kutta: weighted sum of the stages' activation rates"),
)
