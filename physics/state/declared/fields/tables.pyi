"""Declarations of physics/state/fields/tables.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array

class CustomFields:
    """`CUSTOM` of the table."""

    plugin: Array[np.int32]
    """registered kind of each instance [1], shape (nplugin,)"""
    plugin_stateadr: Array[np.int32]
    """first state number [1], shape (nplugin,)"""
    plugin_statenum: Array[np.int32]
    """state numbers [1], shape (nplugin,)"""
    plugin_attr: Array[np.uint8]
    """settings as text, each ended by a zero byte [1], shape (npluginattr,)"""
    plugin_attradr: Array[np.int32]
    """first byte of its settings [1], shape (nplugin,)"""
    numeric_adr: Array[np.int32]
    """first number [1], shape (nnumeric,)"""
    numeric_size: Array[np.int32]
    """numbers [1], shape (nnumeric,)"""
    numeric_data: Array[np.float64]
    """numbers of all fields [1], shape (nnumericdata,)"""
    text_adr: Array[np.int32]
    """first byte [1], shape (ntext,)"""
    text_size: Array[np.int32]
    """bytes, end mark included [1], shape (ntext,)"""
    text_data: Array[np.uint8]
    """bytes of all texts [1], shape (ntextdata,)"""
    tuple_adr: Array[np.int32]
    """first element [1], shape (ntuple,)"""
    tuple_size: Array[np.int32]
    """elements [1], shape (ntuple,)"""
    tuple_objtype: Array[np.int32]
    """kind of each element (mjtObj) [1], shape (ntupledata,)"""
    tuple_objid: Array[np.int32]
    """each element [1], shape (ntupledata,)"""
    tuple_objprm: Array[np.float64]
    """a number of each element [1], shape (ntupledata,)"""

class KeyFields:
    """`KEY` of the table."""

    key_time: Array[np.float64]
    """time [s], shape (nkey,)"""
    key_qpos: Array[np.float64]
    """positions [m or rad], shape (nkey, nq)"""
    key_qvel: Array[np.float64]
    """velocities [m/s or rad/s], shape (nkey, nv)"""
    key_act: Array[np.float64]
    """activations [1], shape (nkey, na)"""
    key_mpos: Array[np.float64]
    """positions of the bodies moved by the user [m], shape (nkey, 3*nmocap)"""
    key_mquat: Array[np.float64]
    """orientations of the bodies moved by the user [1], shape (nkey, 4*nmocap)"""
    key_ctrl: Array[np.float64]
    """controls [1], shape (nkey, nu)"""

class NameFields:
    """`NAME` of the table."""

    name_bodyadr: Array[np.int32]
    """first byte of each body's name [1], shape (nbody,)"""
    name_jntadr: Array[np.int32]
    """first byte of each joint's name [1], shape (njnt,)"""
    name_geomadr: Array[np.int32]
    """first byte of each geom's name [1], shape (ngeom,)"""
    name_siteadr: Array[np.int32]
    """first byte of each site's name [1], shape (nsite,)"""
    name_camadr: Array[np.int32]
    """first byte of each camera's name [1], shape (ncam,)"""
    name_lightadr: Array[np.int32]
    """first byte of each light's name [1], shape (nlight,)"""
    name_flexadr: Array[np.int32]
    """first byte of each flex's name [1], shape (nflex,)"""
    name_meshadr: Array[np.int32]
    """first byte of each mesh's name [1], shape (nmesh,)"""
    name_skinadr: Array[np.int32]
    """first byte of each skin's name [1], shape (nskin,)"""
    name_hfieldadr: Array[np.int32]
    """first byte of each height field's name [1], shape (nhfield,)"""
    name_texadr: Array[np.int32]
    """first byte of each texture's name [1], shape (ntex,)"""
    name_matadr: Array[np.int32]
    """first byte of each material's name [1], shape (nmat,)"""
    name_pairadr: Array[np.int32]
    """first byte of each contact pair's name [1], shape (npair,)"""
    name_excludeadr: Array[np.int32]
    """first byte of each excluded pair's name [1], shape (nexclude,)"""
    name_eqadr: Array[np.int32]
    """first byte of each equality constraint's name [1], shape (neq,)"""
    name_tendonadr: Array[np.int32]
    """first byte of each tendon's name [1], shape (ntendon,)"""
    name_actuatoradr: Array[np.int32]
    """first byte of each actuator's name [1], shape (nu,)"""
    name_sensoradr: Array[np.int32]
    """first byte of each sensor's name [1], shape (nsensor,)"""
    name_numericadr: Array[np.int32]
    """first byte of each custom number's name [1], shape (nnumeric,)"""
    name_textadr: Array[np.int32]
    """first byte of each custom text's name [1], shape (ntext,)"""
    name_tupleadr: Array[np.int32]
    """first byte of each tuple's name [1], shape (ntuple,)"""
    name_keyadr: Array[np.int32]
    """first byte of each keyframe's name [1], shape (nkey,)"""
    name_pluginadr: Array[np.int32]
    """first byte of each plugin instance's name [1], shape (nplugin,)"""
    names_map: Array[np.int32]
    """hash tables from names to numbers, one for each kind of object [1], shape (nnames_map,)"""

class SparsityFields:
    """`SPARSITY` of the table."""

    B_rownnz: Array[np.int32]
    """dofs that move each body [1], shape (nbody,)"""
    B_rowadr: Array[np.int32]
    """start of each body's row [1], shape (nbody,)"""
    B_colind: Array[np.int32]
    """the dofs that move each body [1], shape (nB,)"""
    M_rownnz: Array[np.int32]
    """nonzeros in each row of the inertia matrix's lower triangle [1], shape (nv,)"""
    M_rowadr: Array[np.int32]
    """start of each row [1], shape (nv,)"""
    M_colind: Array[np.int32]
    """columns, ascending: the diagonal is last in its row [1], shape (nC,)"""
    mapM2M: Array[np.int32]
    """where each number of M lies in qM [1], shape (nC,)"""
    D_rownnz: Array[np.int32]
    """nonzeros in each row of the square pattern [1], shape (nv,)"""
    D_rowadr: Array[np.int32]
    """start of each row [1], shape (nv,)"""
    D_diag: Array[np.int32]
    """nonzeros before the diagonal in each row [1], shape (nv,)"""
    D_colind: Array[np.int32]
    """columns, ascending [1], shape (nD,)"""
    mapM2D: Array[np.int32]
    """number of M for each entry of the square pattern [1], shape (nD,)"""
    mapD2M: Array[np.int32]
    """entry of the square pattern for each number of M [1], shape (nC,)"""
