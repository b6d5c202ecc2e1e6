"""Declarations of physics/state/fields/shape_fields.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array

class GeomFields:
    """`GEOM` of the table."""

    geom_type: Array[np.int32]
    """shape (mjtGeom) [1], shape (ngeom,)"""
    geom_contype: Array[np.int32]
    """what it is: bits matched against the other's conaffinity [1], shape (ngeom,)"""
    geom_conaffinity: Array[np.int32]
    """what it collides with: bits matched against the other's contype [1], shape (ngeom,)"""
    geom_condim: Array[np.int32]
    """dimensions of contact force: 1, 3, 4 or 6 [1], shape (ngeom,)"""
    geom_bodyid: Array[np.int32]
    """body it is fixed to [1], shape (ngeom,)"""
    geom_dataid: Array[np.int32]
    """mesh or height field of the shape; -1: none [1], shape (ngeom,)"""
    geom_matid: Array[np.int32]
    """material; -1: none [1], shape (ngeom,)"""
    geom_group: Array[np.int32]
    """group it is shown with [1], shape (ngeom,)"""
    geom_priority: Array[np.int32]
    """the geom with the higher one decides the parameters of their contact [1], shape (ngeom,)"""
    geom_plugin: Array[np.int32]
    """plugin instance; -1: none [1], shape (ngeom,)"""
    geom_sameframe: Array[np.uint8]
    """how its frame relates to the body's frames (mjtSameFrame) [1], shape (ngeom,)"""
    geom_solmix: Array[np.float64]
    """weight when solref and solimp of two geoms are mixed [1], shape (ngeom,)"""
    geom_solref: Array[np.float64]
    """contact response: time constant and damping ratio, or -stiffness and -damping [s, 1], shape (ngeom, 2)"""
    geom_solimp: Array[np.float64]
    """contact impedance: d0, dwidth, width, midpoint, power [1, 1, m, 1, 1], shape (ngeom, 5)"""
    geom_size: Array[np.float64]
    """sizes, their meaning as the shape has it [m], shape (ngeom, 3)"""
    geom_aabb: Array[np.float64]
    """bounding box in its own frame: centre, half sizes [m], shape (ngeom, 6)"""
    geom_rbound: Array[np.float64]
    """radius of the bounding sphere; 0: none, a plane [m], shape (ngeom,)"""
    geom_pos: Array[np.float64]
    """position in the body frame [m], shape (ngeom, 3)"""
    geom_quat: Array[np.float64]
    """orientation in the body frame [1], shape (ngeom, 4)"""
    geom_friction: Array[np.float64]
    """sliding, torsional and rolling friction coefficients [1, m, m], shape (ngeom, 3)"""
    geom_margin: Array[np.float64]
    """contacts are found when closer than this [m], shape (ngeom,)"""
    geom_gap: Array[np.float64]
    """of found contacts those closer than margin - gap push [m], shape (ngeom,)"""
    geom_fluid: Array[np.float64]
    """coefficients of its fluid forces [1], shape (ngeom, 12)"""
    geom_user: Array[np.float64]
    """user numbers [1], shape (ngeom, nuser_geom)"""
    geom_rgba: Array[np.float32]
    """colour where there is no material [1], shape (ngeom, 4)"""

class SiteFields:
    """`SITE` of the table."""

    site_type: Array[np.int32]
    """shape (mjtGeom) [1], shape (nsite,)"""
    site_bodyid: Array[np.int32]
    """body it is fixed to [1], shape (nsite,)"""
    site_matid: Array[np.int32]
    """material; -1: none [1], shape (nsite,)"""
    site_group: Array[np.int32]
    """group it is shown with [1], shape (nsite,)"""
    site_sameframe: Array[np.uint8]
    """how its frame relates to the body's frames (mjtSameFrame) [1], shape (nsite,)"""
    site_size: Array[np.float64]
    """sizes, for display and for touch sensors [m], shape (nsite, 3)"""
    site_pos: Array[np.float64]
    """position in the body frame [m], shape (nsite, 3)"""
    site_quat: Array[np.float64]
    """orientation in the body frame [1], shape (nsite, 4)"""
    site_user: Array[np.float64]
    """user numbers [1], shape (nsite, nuser_site)"""
    site_rgba: Array[np.float32]
    """colour where there is no material [1], shape (nsite, 4)"""

class CameraFields:
    """`CAMERA` of the table."""

    cam_mode: Array[np.int32]
    """what it follows (mjtCamLight) [1], shape (ncam,)"""
    cam_bodyid: Array[np.int32]
    """body it is fixed to [1], shape (ncam,)"""
    cam_targetbodyid: Array[np.int32]
    """body it looks at; -1: none [1], shape (ncam,)"""
    cam_pos: Array[np.float64]
    """position in the body frame [m], shape (ncam, 3)"""
    cam_quat: Array[np.float64]
    """orientation in the body frame [1], shape (ncam, 4)"""
    cam_poscom0: Array[np.float64]
    """offset from the subtree's centre of mass at qpos0, in world axes [m], shape (ncam, 3)"""
    cam_pos0: Array[np.float64]
    """offset from the body at qpos0, in world axes [m], shape (ncam, 3)"""
    cam_mat0: Array[np.float64]
    """orientation at qpos0, in world axes [1], shape (ncam, 9)"""
    cam_projection: Array[np.int32]
    """perspective or orthographic (mjtProjection) [1], shape (ncam,)"""
    cam_fovy: Array[np.float64]
    """vertical field of view: an angle, or orthographic a length [degree or m], shape (ncam,)"""
    cam_ipd: Array[np.float64]
    """distance of the eyes for stereo [m], shape (ncam,)"""
    cam_resolution: Array[np.int32]
    """pixels: width, height [1], shape (ncam, 2)"""
    cam_output: Array[np.int32]
    """what its image holds: bits (mjtCamOutBit) [1], shape (ncam,)"""
    cam_sensorsize: Array[np.float32]
    """size of the image sensor; 0: fovy is used [m], shape (ncam, 2)"""
    cam_intrinsic: Array[np.float32]
    """focal length and offset of the principal point [m], shape (ncam, 4)"""
    cam_user: Array[np.float64]
    """user numbers [1], shape (ncam, nuser_cam)"""

class LightFields:
    """`LIGHT` of the table."""

    light_mode: Array[np.int32]
    """what it follows (mjtCamLight) [1], shape (nlight,)"""
    light_bodyid: Array[np.int32]
    """body it is fixed to [1], shape (nlight,)"""
    light_targetbodyid: Array[np.int32]
    """body it shines at; -1: none [1], shape (nlight,)"""
    light_type: Array[np.int32]
    """spot, directional, point or image (mjtLightType) [1], shape (nlight,)"""
    light_texid: Array[np.int32]
    """texture of an image light; -1: none [1], shape (nlight,)"""
    light_castshadow: Array[np.uint8]
    """whether it casts shadows [1], shape (nlight,)"""
    light_bulbradius: Array[np.float32]
    """radius of the bulb: softens shadows [m], shape (nlight,)"""
    light_intensity: Array[np.float32]
    """luminous intensity, for physically based rendering [cd], shape (nlight,)"""
    light_range: Array[np.float32]
    """distance it reaches [m], shape (nlight,)"""
    light_active: Array[np.uint8]
    """whether it is on [1], shape (nlight,)"""
    light_pos: Array[np.float64]
    """position in the body frame [m], shape (nlight, 3)"""
    light_dir: Array[np.float64]
    """direction in the body frame [1], shape (nlight, 3)"""
    light_poscom0: Array[np.float64]
    """offset from the subtree's centre of mass at qpos0, in world axes [m], shape (nlight, 3)"""
    light_pos0: Array[np.float64]
    """offset from the body at qpos0, in world axes [m], shape (nlight, 3)"""
    light_dir0: Array[np.float64]
    """direction at qpos0, in world axes [1], shape (nlight, 3)"""
    light_attenuation: Array[np.float32]
    """attenuation: constant, linear and quadratic in the distance [1, 1/m, 1/m^2], shape (nlight, 3)"""
    light_cutoff: Array[np.float32]
    """half opening angle of a spot [degree], shape (nlight,)"""
    light_exponent: Array[np.float32]
    """how fast a spot fades away from its axis [1], shape (nlight,)"""
    light_ambient: Array[np.float32]
    """ambient colour [1], shape (nlight, 3)"""
    light_diffuse: Array[np.float32]
    """diffuse colour [1], shape (nlight, 3)"""
    light_specular: Array[np.float32]
    """specular colour [1], shape (nlight, 3)"""

class BvhFields:
    """`BVH` of the table."""

    bvh_depth: Array[np.int32]
    """depth of the node in its tree [1], shape (nbvh,)"""
    bvh_child: Array[np.int32]
    """the two children; -1: none [1], shape (nbvh, 2)"""
    bvh_nodeid: Array[np.int32]
    """geom or element in a leaf; -1: an inner node [1], shape (nbvh,)"""
    bvh_aabb: Array[np.float64]
    """box in the owner's frame: centre, half sizes [m], shape (nbvhstatic, 6)"""
