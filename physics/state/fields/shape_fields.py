"""Fields of geoms, sites, cameras, lights and bounding volumes."""

from tumble.physics.state.fields.field import Field

GEOM = (
    Field("geom_type", "i4", ("ngeom",), "1", "shape (mjtGeom)"),
    Field("geom_contype", "i4", ("ngeom",), "1", "what it is: bits matched against the other's conaffinity", open=True),
    Field(
        "geom_conaffinity", "i4", ("ngeom",), "1",
        "what it collides with: bits matched against the other's contype", open=True,
    ),
    Field("geom_condim", "i4", ("ngeom",), "1", "dimensions of contact force: 1, 3, 4 or 6", open=True),
    Field("geom_bodyid", "i4", ("ngeom",), "1", "body it is fixed to"),
    Field("geom_dataid", "i4", ("ngeom",), "1", "mesh or height field of the shape; -1: none"),
    Field("geom_matid", "i4", ("ngeom",), "1", "material; -1: none", open=True),
    Field("geom_group", "i4", ("ngeom",), "1", "group it is shown with", open=True),
    Field(
        "geom_priority", "i4", ("ngeom",), "1",
        "the geom with the higher one decides the parameters of their contact", open=True,
    ),
    Field("geom_plugin", "i4", ("ngeom",), "1", "plugin instance; -1: none"),
    Field("geom_sameframe", "u1", ("ngeom",), "1", "how its frame relates to the body's frames (mjtSameFrame)", open=True),
    Field("geom_solmix", "f8", ("ngeom",), "1", "weight when solref and solimp of two geoms are mixed"),
    Field(
        "geom_solref", "f8", ("ngeom", 2),
        "s, 1", "contact response: time constant and damping ratio, or -stiffness and -damping",
    ),
    Field("geom_solimp", "f8", ("ngeom", 5), "1, 1, m, 1, 1", "contact impedance: d0, dwidth, width, midpoint, power"),
    Field("geom_size", "f8", ("ngeom", 3), "m", "sizes, their meaning as the shape has it"),
    Field("geom_aabb", "f8", ("ngeom", 6), "m", "bounding box in its own frame: centre, half sizes"),
    Field("geom_rbound", "f8", ("ngeom",), "m", "radius of the bounding sphere; 0: none, a plane"),
    Field("geom_pos", "f8", ("ngeom", 3), "m", "position in the body frame"),
    Field("geom_quat", "f8", ("ngeom", 4), "1", "orientation in the body frame"),
    Field("geom_friction", "f8", ("ngeom", 3), "1, m, m", "sliding, torsional and rolling friction coefficients"),
    Field("geom_margin", "f8", ("ngeom",), "m", "contacts are found when closer than this"),
    Field("geom_gap", "f8", ("ngeom",), "m", "of found contacts those closer than margin - gap push"),
    Field("geom_fluid", "f8", ("ngeom", 12), "1", "coefficients of its fluid forces"),
    Field("geom_user", "f8", ("ngeom", "nuser_geom"), "1", "user numbers"),
    Field("geom_rgba", "f4", ("ngeom", 4), "1", "colour where there is no material"),
)

SITE = (
    Field("site_type", "i4", ("nsite",), "1", "shape (mjtGeom)"),
    Field("site_bodyid", "i4", ("nsite",), "1", "body it is fixed to"),
    Field("site_matid", "i4", ("nsite",), "1", "material; -1: none", open=True),
    Field("site_group", "i4", ("nsite",), "1", "group it is shown with", open=True),
    Field("site_sameframe", "u1", ("nsite",), "1", "how its frame relates to the body's frames (mjtSameFrame)", open=True),
    Field("site_size", "f8", ("nsite", 3), "m", "sizes, for display and for touch sensors"),
    Field("site_pos", "f8", ("nsite", 3), "m", "position in the body frame"),
    Field("site_quat", "f8", ("nsite", 4), "1", "orientation in the body frame"),
    Field("site_user", "f8", ("nsite", "nuser_site"), "1", "user numbers"),
    Field("site_rgba", "f4", ("nsite", 4), "1", "colour where there is no material"),
)

CAMERA = (
    Field("cam_mode", "i4", ("ncam",), "1", "what it follows (mjtCamLight)", open=True),
    Field("cam_bodyid", "i4", ("ncam",), "1", "body it is fixed to"),
    Field("cam_targetbodyid", "i4", ("ncam",), "1", "body it looks at; -1: none"),
    Field("cam_pos", "f8", ("ncam", 3), "m", "position in the body frame"),
    Field("cam_quat", "f8", ("ncam", 4), "1", "orientation in the body frame"),
    Field("cam_poscom0", "f8", ("ncam", 3), "m", "offset from the subtree's centre of mass at qpos0, in world axes"),
    Field("cam_pos0", "f8", ("ncam", 3), "m", "offset from the body at qpos0, in world axes"),
    Field("cam_mat0", "f8", ("ncam", 9), "1", "orientation at qpos0, in world axes"),
    Field("cam_projection", "i4", ("ncam",), "1", "perspective or orthographic (mjtProjection)", open=True),
    Field("cam_fovy", "f8", ("ncam",), "degree or m", "vertical field of view: an angle, or orthographic a length"),
    Field("cam_ipd", "f8", ("ncam",), "m", "distance of the eyes for stereo"),
    Field("cam_resolution", "i4", ("ncam", 2), "1", "pixels: width, height", open=True),
    Field("cam_output", "i4", ("ncam",), "1", "what its image holds: bits (mjtCamOutBit)", open=True),
    Field("cam_sensorsize", "f4", ("ncam", 2), "m", "size of the image sensor; 0: fovy is used"),
    Field("cam_intrinsic", "f4", ("ncam", 4), "m", "focal length and offset of the principal point"),
    Field("cam_user", "f8", ("ncam", "nuser_cam"), "1", "user numbers"),
)

LIGHT = (
    Field("light_mode", "i4", ("nlight",), "1", "what it follows (mjtCamLight)", open=True),
    Field("light_bodyid", "i4", ("nlight",), "1", "body it is fixed to"),
    Field("light_targetbodyid", "i4", ("nlight",), "1", "body it shines at; -1: none"),
    Field("light_type", "i4", ("nlight",), "1", "spot, directional, point or image (mjtLightType)", open=True),
    Field("light_texid", "i4", ("nlight",), "1", "texture of an image light; -1: none", open=True),
    Field("light_castshadow", "u1", ("nlight",), "1", "whether it casts shadows", open=True),
    Field("light_bulbradius", "f4", ("nlight",), "m", "radius of the bulb: softens shadows"),
    Field("light_intensity", "f4", ("nlight",), "cd", "luminous intensity, for physically based rendering"),
    Field("light_range", "f4", ("nlight",), "m", "distance it reaches"),
    Field("light_active", "u1", ("nlight",), "1", "whether it is on", open=True),
    Field("light_pos", "f8", ("nlight", 3), "m", "position in the body frame"),
    Field("light_dir", "f8", ("nlight", 3), "1", "direction in the body frame"),
    Field("light_poscom0", "f8", ("nlight", 3), "m", "offset from the subtree's centre of mass at qpos0, in world axes"),
    Field("light_pos0", "f8", ("nlight", 3), "m", "offset from the body at qpos0, in world axes"),
    Field("light_dir0", "f8", ("nlight", 3), "1", "direction at qpos0, in world axes"),
    Field(
        "light_attenuation", "f4", ("nlight", 3),
        "1, 1/m, 1/m^2", "attenuation: constant, linear and quadratic in the distance",
    ),
    Field("light_cutoff", "f4", ("nlight",), "degree", "half opening angle of a spot"),
    Field("light_exponent", "f4", ("nlight",), "1", "how fast a spot fades away from its axis"),
    Field("light_ambient", "f4", ("nlight", 3), "1", "ambient colour"),
    Field("light_diffuse", "f4", ("nlight", 3), "1", "diffuse colour"),
    Field("light_specular", "f4", ("nlight", 3), "1", "specular colour"),
)

BVH = (
    Field("bvh_depth", "i4", ("nbvh",), "1", "depth of the node in its tree"),
    Field("bvh_child", "i4", ("nbvh", 2), "1", "the two children; -1: none"),
    Field("bvh_nodeid", "i4", ("nbvh",), "1", "geom or element in a leaf; -1: an inner node"),
    Field("bvh_aabb", "f8", ("nbvhstatic", 6), "m", "box in the owner's frame: centre, half sizes"),
)
