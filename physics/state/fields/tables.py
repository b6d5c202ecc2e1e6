"""Fields of custom data, keyframes, names and sparsity patterns."""

from tumble.physics.state.fields.field import Field

CUSTOM = (
    Field("plugin", "i4", ("nplugin",), "1", "registered kind of each instance"),
    Field("plugin_stateadr", "i4", ("nplugin",), "1", "first state number"),
    Field("plugin_statenum", "i4", ("nplugin",), "1", "state numbers"),
    Field("plugin_attr", "u1", ("npluginattr",), "1", "settings as text, each ended by a zero byte"),
    Field("plugin_attradr", "i4", ("nplugin",), "1", "first byte of its settings"),
    Field("numeric_adr", "i4", ("nnumeric",), "1", "first number"),
    Field("numeric_size", "i4", ("nnumeric",), "1", "numbers"),
    Field("numeric_data", "f8", ("nnumericdata",), "1", "numbers of all fields"),
    Field("text_adr", "i4", ("ntext",), "1", "first byte"),
    Field("text_size", "i4", ("ntext",), "1", "bytes, end mark included"),
    Field("text_data", "u1", ("ntextdata",), "1", "bytes of all texts", open=True),
    Field("tuple_adr", "i4", ("ntuple",), "1", "first element"),
    Field("tuple_size", "i4", ("ntuple",), "1", "elements"),
    Field("tuple_objtype", "i4", ("ntupledata",), "1", "kind of each element (mjtObj)"),
    Field("tuple_objid", "i4", ("ntupledata",), "1", "each element"),
    Field("tuple_objprm", "f8", ("ntupledata",), "1", "a number of each element"),
)

KEY = (
    Field("key_time", "f8", ("nkey",), "s", "time"),
    Field("key_qpos", "f8", ("nkey", "nq"), "m or rad", "positions"),
    Field("key_qvel", "f8", ("nkey", "nv"), "m/s or rad/s", "velocities"),
    Field("key_act", "f8", ("nkey", "na"), "1", "activations"),
    Field("key_mpos", "f8", ("nkey", "3*nmocap"), "m", "positions of the bodies moved by the user"),
    Field("key_mquat", "f8", ("nkey", "4*nmocap"), "1", "orientations of the bodies moved by the user"),
    Field("key_ctrl", "f8", ("nkey", "nu"), "1", "controls"),
)

NAME = (
    Field("name_bodyadr", "i4", ("nbody",), "1", "first byte of each body's name"),
    Field("name_jntadr", "i4", ("njnt",), "1", "first byte of each joint's name"),
    Field("name_geomadr", "i4", ("ngeom",), "1", "first byte of each geom's name"),
    Field("name_siteadr", "i4", ("nsite",), "1", "first byte of each site's name"),
    Field("name_camadr", "i4", ("ncam",), "1", "first byte of each camera's name"),
    Field("name_lightadr", "i4", ("nlight",), "1", "first byte of each light's name"),
    Field("name_flexadr", "i4", ("nflex",), "1", "first byte of each flex's name"),
    Field("name_meshadr", "i4", ("nmesh",), "1", "first byte of each mesh's name"),
    Field("name_skinadr", "i4", ("nskin",), "1", "first byte of each skin's name"),
    Field("name_hfieldadr", "i4", ("nhfield",), "1", "first byte of each height field's name"),
    Field("name_texadr", "i4", ("ntex",), "1", "first byte of each texture's name"),
    Field("name_matadr", "i4", ("nmat",), "1", "first byte of each material's name"),
    Field("name_pairadr", "i4", ("npair",), "1", "first byte of each contact pair's name"),
    Field("name_excludeadr", "i4", ("nexclude",), "1", "first byte of each excluded pair's name"),
    Field("name_eqadr", "i4", ("neq",), "1", "first byte of each equality constraint's name"),
    Field("name_tendonadr", "i4", ("ntendon",), "1", "first byte of each tendon's name"),
    Field("name_actuatoradr", "i4", ("nu",), "1", "first byte of each actuator's name"),
    Field("name_sensoradr", "i4", ("nsensor",), "1", "first byte of each sensor's name"),
    Field("name_numericadr", "i4", ("nnumeric",), "1", "first byte of each custom number's name"),
    Field("name_textadr", "i4", ("ntext",), "1", "first byte of each custom text's name"),
    Field("name_tupleadr", "i4", ("ntuple",), "1", "first byte of each tuple's name"),
    Field("name_keyadr", "i4", ("nkey",), "1", "first byte of each keyframe's name"),
    Field("name_pluginadr", "i4", ("nplugin",), "1", "first byte of each plugin instance's name"),
    Field("names", "u1", ("nnames",), "1", "all names, each ended by a zero byte; the first is the model's"),
    Field("names_map", "i4", ("nnames_map",), "1", "hash tables from names to numbers, one for each kind of object"),
    Field("paths", "u1", ("npaths",), "1", "all asset paths, each ended by a zero byte"),
)

SPARSITY = (
    Field("B_rownnz", "i4", ("nbody",), "1", "dofs that move each body"),
    Field("B_rowadr", "i4", ("nbody",), "1", "start of each body's row"),
    Field("B_colind", "i4", ("nB",), "1", "the dofs that move each body"),
    Field("M_rownnz", "i4", ("nv",), "1", "nonzeros in each row of the inertia matrix's lower triangle"),
    Field("M_rowadr", "i4", ("nv",), "1", "start of each row"),
    Field("M_colind", "i4", ("nC",), "1", "columns, ascending: the diagonal is last in its row"),
    Field("mapM2M", "i4", ("nC",), "1", "where each number of M lies in qM"),
    Field("D_rownnz", "i4", ("nv",), "1", "nonzeros in each row of the square pattern"),
    Field("D_rowadr", "i4", ("nv",), "1", "start of each row"),
    Field("D_diag", "i4", ("nv",), "1", "nonzeros before the diagonal in each row"),
    Field("D_colind", "i4", ("nD",), "1", "columns, ascending"),
    Field("mapM2D", "i4", ("nD",), "1", "number of M for each entry of the square pattern"),
    Field("mapD2M", "i4", ("nC",), "1", "entry of the square pattern for each number of M"),
)
