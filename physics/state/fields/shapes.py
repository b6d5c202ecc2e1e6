"""Fields of geoms, sites, cameras, lights and bounding volumes."""

from physics.state.fields.field import Field

GEOM = (
    Field("geom_type", "i4", ("ngeom",), "", ""),
    Field("geom_contype", "i4", ("ngeom",), "", ""),
    Field("geom_conaffinity", "i4", ("ngeom",), "", ""),
    Field("geom_condim", "i4", ("ngeom",), "", ""),
    Field("geom_bodyid", "i4", ("ngeom",), "", ""),
    Field("geom_dataid", "i4", ("ngeom",), "", ""),
    Field("geom_matid", "i4", ("ngeom",), "", ""),
    Field("geom_group", "i4", ("ngeom",), "", ""),
    Field("geom_priority", "i4", ("ngeom",), "", ""),
    Field("geom_plugin", "i4", ("ngeom",), "", ""),
    Field("geom_sameframe", "u1", ("ngeom",), "", ""),
    Field("geom_solmix", "f8", ("ngeom",), "", ""),
    Field("geom_solref", "f8", ("ngeom", 2), "", ""),
    Field("geom_solimp", "f8", ("ngeom", 5), "", ""),
    Field("geom_size", "f8", ("ngeom", 3), "", ""),
    Field("geom_aabb", "f8", ("ngeom", 6), "", ""),
    Field("geom_rbound", "f8", ("ngeom",), "", ""),
    Field("geom_pos", "f8", ("ngeom", 3), "", ""),
    Field("geom_quat", "f8", ("ngeom", 4), "", ""),
    Field("geom_friction", "f8", ("ngeom", 3), "", ""),
    Field("geom_margin", "f8", ("ngeom",), "", ""),
    Field("geom_gap", "f8", ("ngeom",), "", ""),
    Field("geom_fluid", "f8", ("ngeom", 12), "", ""),
    Field("geom_user", "f8", ("ngeom", "nuser_geom"), "", ""),
    Field("geom_rgba", "f4", ("ngeom", 4), "", ""),
)

SITE = (
    Field("site_type", "i4", ("nsite",), "", ""),
    Field("site_bodyid", "i4", ("nsite",), "", ""),
    Field("site_matid", "i4", ("nsite",), "", ""),
    Field("site_group", "i4", ("nsite",), "", ""),
    Field("site_sameframe", "u1", ("nsite",), "", ""),
    Field("site_size", "f8", ("nsite", 3), "", ""),
    Field("site_pos", "f8", ("nsite", 3), "", ""),
    Field("site_quat", "f8", ("nsite", 4), "", ""),
    Field("site_user", "f8", ("nsite", "nuser_site"), "", ""),
    Field("site_rgba", "f4", ("nsite", 4), "", ""),
)

CAMERA = (
    Field("cam_mode", "i4", ("ncam",), "", ""),
    Field("cam_bodyid", "i4", ("ncam",), "", ""),
    Field("cam_targetbodyid", "i4", ("ncam",), "", ""),
    Field("cam_pos", "f8", ("ncam", 3), "", ""),
    Field("cam_quat", "f8", ("ncam", 4), "", ""),
    Field("cam_poscom0", "f8", ("ncam", 3), "", ""),
    Field("cam_pos0", "f8", ("ncam", 3), "", ""),
    Field("cam_mat0", "f8", ("ncam", 9), "", ""),
    Field("cam_projection", "i4", ("ncam",), "", ""),
    Field("cam_fovy", "f8", ("ncam",), "", ""),
    Field("cam_ipd", "f8", ("ncam",), "", ""),
    Field("cam_resolution", "i4", ("ncam", 2), "", ""),
    Field("cam_output", "i4", ("ncam",), "", ""),
    Field("cam_sensorsize", "f4", ("ncam", 2), "", ""),
    Field("cam_intrinsic", "f4", ("ncam", 4), "", ""),
    Field("cam_user", "f8", ("ncam", "nuser_cam"), "", ""),
)

LIGHT = (
    Field("light_mode", "i4", ("nlight",), "", ""),
    Field("light_bodyid", "i4", ("nlight",), "", ""),
    Field("light_targetbodyid", "i4", ("nlight",), "", ""),
    Field("light_type", "i4", ("nlight",), "", ""),
    Field("light_texid", "i4", ("nlight",), "", ""),
    Field("light_castshadow", "u1", ("nlight",), "", ""),
    Field("light_bulbradius", "f4", ("nlight",), "", ""),
    Field("light_intensity", "f4", ("nlight",), "", ""),
    Field("light_range", "f4", ("nlight",), "", ""),
    Field("light_active", "u1", ("nlight",), "", ""),
    Field("light_pos", "f8", ("nlight", 3), "", ""),
    Field("light_dir", "f8", ("nlight", 3), "", ""),
    Field("light_poscom0", "f8", ("nlight", 3), "", ""),
    Field("light_pos0", "f8", ("nlight", 3), "", ""),
    Field("light_dir0", "f8", ("nlight", 3), "", ""),
    Field("light_attenuation", "f4", ("nlight", 3), "", ""),
    Field("light_cutoff", "f4", ("nlight",), "", ""),
    Field("light_exponent", "f4", ("nlight",), "", ""),
    Field("light_ambient", "f4", ("nlight", 3), "", ""),
    Field("light_diffuse", "f4", ("nlight", 3), "", ""),
    Field("light_specular", "f4", ("nlight", 3), "", ""),
)

BVH = (
    Field("bvh_depth", "i4", ("nbvh",), "", ""),
    Field("bvh_child", "i4", ("nbvh", 2), "", ""),
    Field("bvh_nodeid", "i4", ("nbvh",), "", ""),
    Field("bvh_aabb", "f8", ("nbvhstatic", 6), "", ""),
)
