"""Fields of custom data, keyframes, names and sparsity patterns."""

from physics.state.fields.field import Field

CUSTOM = (
    Field("plugin", "i4", ("nplugin",), "", ""),
    Field("plugin_stateadr", "i4", ("nplugin",), "", ""),
    Field("plugin_statenum", "i4", ("nplugin",), "", ""),
    Field("plugin_attr", "u1", ("npluginattr",), "", ""),
    Field("plugin_attradr", "i4", ("nplugin",), "", ""),
    Field("numeric_adr", "i4", ("nnumeric",), "", ""),
    Field("numeric_size", "i4", ("nnumeric",), "", ""),
    Field("numeric_data", "f8", ("nnumericdata",), "", ""),
    Field("text_adr", "i4", ("ntext",), "", ""),
    Field("text_size", "i4", ("ntext",), "", ""),
    Field("text_data", "u1", ("ntextdata",), "", ""),
    Field("tuple_adr", "i4", ("ntuple",), "", ""),
    Field("tuple_size", "i4", ("ntuple",), "", ""),
    Field("tuple_objtype", "i4", ("ntupledata",), "", ""),
    Field("tuple_objid", "i4", ("ntupledata",), "", ""),
    Field("tuple_objprm", "f8", ("ntupledata",), "", ""),
)

KEY = (
    Field("key_time", "f8", ("nkey",), "", ""),
    Field("key_qpos", "f8", ("nkey", "nq"), "", ""),
    Field("key_qvel", "f8", ("nkey", "nv"), "", ""),
    Field("key_act", "f8", ("nkey", "na"), "", ""),
    Field("key_mpos", "f8", ("nkey", "3*nmocap"), "", ""),
    Field("key_mquat", "f8", ("nkey", "4*nmocap"), "", ""),
    Field("key_ctrl", "f8", ("nkey", "nu"), "", ""),
)

NAME = (
    Field("name_bodyadr", "i4", ("nbody",), "", ""),
    Field("name_jntadr", "i4", ("njnt",), "", ""),
    Field("name_geomadr", "i4", ("ngeom",), "", ""),
    Field("name_siteadr", "i4", ("nsite",), "", ""),
    Field("name_camadr", "i4", ("ncam",), "", ""),
    Field("name_lightadr", "i4", ("nlight",), "", ""),
    Field("name_flexadr", "i4", ("nflex",), "", ""),
    Field("name_meshadr", "i4", ("nmesh",), "", ""),
    Field("name_skinadr", "i4", ("nskin",), "", ""),
    Field("name_hfieldadr", "i4", ("nhfield",), "", ""),
    Field("name_texadr", "i4", ("ntex",), "", ""),
    Field("name_matadr", "i4", ("nmat",), "", ""),
    Field("name_pairadr", "i4", ("npair",), "", ""),
    Field("name_excludeadr", "i4", ("nexclude",), "", ""),
    Field("name_eqadr", "i4", ("neq",), "", ""),
    Field("name_tendonadr", "i4", ("ntendon",), "", ""),
    Field("name_actuatoradr", "i4", ("nu",), "", ""),
    Field("name_sensoradr", "i4", ("nsensor",), "", ""),
    Field("name_numericadr", "i4", ("nnumeric",), "", ""),
    Field("name_textadr", "i4", ("ntext",), "", ""),
    Field("name_tupleadr", "i4", ("ntuple",), "", ""),
    Field("name_keyadr", "i4", ("nkey",), "", ""),
    Field("name_pluginadr", "i4", ("nplugin",), "", ""),
    Field("names", "u1", ("nnames",), "", ""),
    Field("names_map", "i4", ("nnames_map",), "", ""),
    Field("paths", "u1", ("npaths",), "", ""),
)

SPARSITY = (
    Field("B_rownnz", "i4", ("nbody",), "", ""),
    Field("B_rowadr", "i4", ("nbody",), "", ""),
    Field("B_colind", "i4", ("nB",), "", ""),
    Field("M_rownnz", "i4", ("nv",), "", ""),
    Field("M_rowadr", "i4", ("nv",), "", ""),
    Field("M_colind", "i4", ("nC",), "", ""),
    Field("mapM2M", "i4", ("nC",), "", ""),
    Field("D_rownnz", "i4", ("nv",), "", ""),
    Field("D_rowadr", "i4", ("nv",), "", ""),
    Field("D_diag", "i4", ("nv",), "", ""),
    Field("D_colind", "i4", ("nD",), "", ""),
    Field("mapM2D", "i4", ("nD",), "", ""),
    Field("mapD2M", "i4", ("nC",), "", ""),
)
