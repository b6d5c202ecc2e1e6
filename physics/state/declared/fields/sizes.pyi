"""Declarations of physics/state/fields/sizes.py. Written by packaging/typed_fields.py."""

from tumble.physics.state.declared.attribute import Integer

class ModelSizesFields:
    """`MODEL_SIZES` of the table."""

    nq: Integer
    """position coordinates [1]"""
    nv: Integer
    """degrees of freedom: length of velocities, accelerations and joint forces [1]"""
    nu: Integer
    """actuators, and as many controls [1]"""
    na: Integer
    """activations: states of actuators with dynamics of their own [1]"""
    nbody: Integer
    """bodies, the world included [1]"""
    nbvh: Integer
    """bounding volumes of all hierarchies [1]"""
    nbvhstatic: Integer
    """bounding volumes whose box is stored in the model [1]"""
    nbvhdynamic: Integer
    """bounding volumes whose box follows a deforming flex, stored in the data [1]"""
    noct: Integer
    """octree nodes of all signed distance fields [1]"""
    njnt: Integer
    """joints [1]"""
    ntree: Integer
    """kinematic trees: branches of the world that can move [1]"""
    nM: Integer
    """numbers in qM, the older layout of the inertia matrix [1]"""
    nB: Integer
    """nonzeros of the matrix that tells which dofs move which body [1]"""
    nC: Integer
    """nonzeros of the lower triangle of the inertia matrix [1]"""
    nD: Integer
    """nonzeros of the whole square pattern of dofs that affect each other [1]"""
    ngeom: Integer
    """geoms [1]"""
    nsite: Integer
    """sites [1]"""
    ncam: Integer
    """cameras [1]"""
    nlight: Integer
    """lights [1]"""
    nflex: Integer
    """flexes [1]"""
    nflexnode: Integer
    """control nodes of all flexes [1]"""
    nflexvert: Integer
    """vertices of all flexes [1]"""
    nflexedge: Integer
    """edges of all flexes [1]"""
    nflexelem: Integer
    """elements of all flexes [1]"""
    nflexelemdata: Integer
    """vertex indices of all flex elements [1]"""
    nflexelemedge: Integer
    """edge indices of all flex elements [1]"""
    nflexshelldata: Integer
    """vertex indices of all flex shell fragments [1]"""
    nflexevpair: Integer
    """element and vertex pairs that may collide inside flexes [1]"""
    nflextexcoord: Integer
    """flex vertices with texture coordinates [1]"""
    nJfe: Integer
    """nonzeros of the flex edge Jacobian [1]"""
    nJfv: Integer
    """nonzeros of the flex vertex Jacobian [1]"""
    nmesh: Integer
    """meshes [1]"""
    nmeshvert: Integer
    """vertices of all meshes [1]"""
    nmeshnormal: Integer
    """normals of all meshes [1]"""
    nmeshtexcoord: Integer
    """texture coordinates of all meshes [1]"""
    nmeshface: Integer
    """triangles of all meshes [1]"""
    nmeshgraph: Integer
    """integers in the convex hull graphs of all meshes [1]"""
    nmeshpoly: Integer
    """hull polygons of all meshes [1]"""
    nmeshpolyvert: Integer
    """vertex indices of all hull polygons [1]"""
    nmeshpolymap: Integer
    """polygon indices in the vertex to polygon map [1]"""
    nskin: Integer
    """skins [1]"""
    nskinvert: Integer
    """vertices of all skins [1]"""
    nskintexvert: Integer
    """skin vertices with texture coordinates [1]"""
    nskinface: Integer
    """triangles of all skins [1]"""
    nskinbone: Integer
    """bones of all skins [1]"""
    nskinbonevert: Integer
    """vertex weights of all bones [1]"""
    nhfield: Integer
    """height fields [1]"""
    nhfielddata: Integer
    """height samples of all height fields [1]"""
    ntex: Integer
    """textures [1]"""
    ntexdata: Integer
    """bytes of all texture images [1]"""
    nmat: Integer
    """materials [1]"""
    npair: Integer
    """explicit contact pairs [1]"""
    nexclude: Integer
    """pairs of bodies that never collide [1]"""
    neq: Integer
    """equality constraints [1]"""
    ntendon: Integer
    """tendons [1]"""
    nwrap: Integer
    """path elements of all tendons [1]"""
    nsensor: Integer
    """sensors [1]"""
    nnumeric: Integer
    """custom numeric fields [1]"""
    nnumericdata: Integer
    """numbers in all custom numeric fields [1]"""
    ntext: Integer
    """custom text fields [1]"""
    ntextdata: Integer
    """bytes in all custom text fields, end marks included [1]"""
    ntuple: Integer
    """custom tuples [1]"""
    ntupledata: Integer
    """elements of all custom tuples [1]"""
    nkey: Integer
    """keyframes [1]"""
    nmocap: Integer
    """bodies moved by the user [1]"""
    nplugin: Integer
    """plugin instances [1]"""
    npluginattr: Integer
    """bytes of all plugin settings [1]"""
    nuser_body: Integer
    """user numbers of each body [1]"""
    nuser_jnt: Integer
    """user numbers of each joint [1]"""
    nuser_geom: Integer
    """user numbers of each geom [1]"""
    nuser_site: Integer
    """user numbers of each site [1]"""
    nuser_cam: Integer
    """user numbers of each camera [1]"""
    nuser_tendon: Integer
    """user numbers of each tendon [1]"""
    nuser_actuator: Integer
    """user numbers of each actuator [1]"""
    nuser_sensor: Integer
    """user numbers of each sensor [1]"""
    nnames: Integer
    """bytes of all names, end marks included [1]"""
    npaths: Integer
    """bytes of all asset paths, end marks included [1]"""
    nnames_map: Integer
    """entries of the hash table of names [1]"""
    nJmom: Integer
    """nonzeros of the actuator moment matrix, at most [1]"""
    ngravcomp: Integer
    """bodies with gravity compensation [1]"""
    nemax: Integer
    """rows that all equality constraints together may take [1]"""
    njmax: Integer
    """constraint rows asked for in the model file; kept, not needed: memory grows [1]"""
    nconmax: Integer
    """contacts asked for in the model file; kept, not needed: memory grows [1]"""
    nuserdata: Integer
    """numbers in userdata [1]"""
    nsensordata: Integer
    """numbers in sensordata [1]"""
    npluginstate: Integer
    """state numbers of all plugins [1]"""
    nhistory: Integer
    """numbers in the history of delayed controls and sensors [1]"""
    narena: Integer
    """bytes of dynamic memory asked for in the model file; kept, not needed: memory grows [1]"""
    nbuffer: Integer
    """bytes of all arrays of the model [1]"""

class DataSizesFields:
    """`DATA_SIZES` of the table."""

    ncon: Integer
    """contacts [1]"""
    ne: Integer
    """rows of equality constraints [1]"""
    nf: Integer
    """rows of friction loss [1]"""
    nl: Integer
    """rows of joint and tendon limits [1]"""
    nefc: Integer
    """constraint rows [1]"""
    nJ: Integer
    """numbers in efc_J [1]"""
    nA: Integer
    """numbers in efc_AR [1]"""
    nisland: Integer
    """constraint islands [1]"""
    nidof: Integer
    """dofs in islands [1]"""
    ntree_awake: Integer
    """trees that are awake [1]"""
    nbody_awake: Integer
    """bodies that are awake or static [1]"""
    nparent_awake: Integer
    """bodies whose parent is awake or static [1]"""
    nv_awake: Integer
    """dofs that are awake [1]"""
    maxuse_con: Integer
    """most contacts there have been at once [1]"""
    maxuse_efc: Integer
    """most constraint rows there have been at once [1]"""
