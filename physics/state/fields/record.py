"""Fields recorded inside a solve, on request: see docs/decisions/recording.md. No memory while it is off."""

from tumble.physics.state.fields.field import Field

RECORD = (
    Field("record_stage", "i8", (), "address", "the stage that records; 0: recording is off"),
    Field("record_limit", "i8", (), "1", "entries that record_numbers may grow to"),
    Field("record_lost", "i8", (), "1", "1: the record does not hold all iterations, it has reached its limit"),
    Field("record_rows", "i8", (), "1", "constraint rows of the problem that is recorded"),
    Field("record_parts", "i8", (), "1", "islands that are recorded each on its own; 0: everything at once"),
    Field("record_made", "i8", (), "1", "most iterates that one island had, of the solver and the no-slip pass, kept or not"),
    Field("record_used", "i8", (), "1", "slots that hold iterates"),
    Field("record_width", "i8", (), "1", "numbers in a slot: one iteration of all islands"),
    Field("record_slots", "i8", (), "1", "slots that there are"),
    Field("record_base", "i8", (), "1", "where in a slot the part of the present island begins"),
    Field("record_kind", "i8", (), "1", "what the stage that records is asked to do: see state/iterates.py"),
    Field("record_iteration", "i8", (), "1", "handed to it: iteration"),
    Field("record_evaluations", "i8", (), "1", "handed to it: evaluations of the line search"),
    Field("record_cost", "f8", (), "J/s^2", "handed to it: primal cost"),
    Field("record_gradient", "f8", (), "1", "handed to it: scaled norm of the gradient"),
    Field("record_improvement", "f8", (), "1", "handed to it: improvement as in solverstat_improvement"),
    Field("record_alpha", "f8", (), "1", "handed to it: step length along the search direction"),
    Field("record_slope", "f8", (), "1", "handed to it: slope as in solverstat_lineslope"),
    Field("record_residual", "f8", (), "1", "handed to it: the solver's own measure as in solverstat_gradient"),
    Field("record_numbers", "f8", ("maxR",), "N, m/s^2, 1, ...", "the iterates: see state/iterates.py"),
    Field("record_start", "f8", ("maxS",), "m, m/s, N, ...", "the state solved for: as mj_getState of all, then tree_asleep"),
)
