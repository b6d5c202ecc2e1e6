"""Fields of ours that the reference does not have: capacities, the stage table, and what saves work between steps."""

from physics.state.fields.field import Field

MODEL_INTERNAL = (
    Field("nstage", "i8", (), "1", "entries of the stage table"),
    Field("stage", "i8", ("nstage",), "1", "addresses of the compiled stages that this model and its options need; 0: skip"),
)

DATA_INTERNAL = (
    Field("maxcon", "i8", (), "1", "contacts there is room for; grows"),
    Field("maxefc", "i8", (), "1", "constraint rows there is room for; grows"),
    Field("maxJ", "i8", (), "1", "entries of efc_J there is room for; grows"),
    Field("maxA", "i8", (), "1", "entries of efc_AR there is room for; grows"),
    Field("maxisland", "i8", (), "1", "islands there is room for; grows"),
    Field("needcon", "i8", (), "1", "contacts that did not fit: the capacity asked for, 0 when all is well"),
    Field("needefc", "i8", (), "1", "constraint rows that did not fit: the capacity asked for, 0 when all is well"),
)
