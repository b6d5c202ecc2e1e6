"""Fields of meshes, height fields, textures, materials and skins."""

from physics.state.fields.field import Field

MESH = (
    Field("mesh_vertadr", "i4", ("nmesh",), "", ""),
    Field("mesh_vertnum", "i4", ("nmesh",), "", ""),
    Field("mesh_faceadr", "i4", ("nmesh",), "", ""),
    Field("mesh_facenum", "i4", ("nmesh",), "", ""),
    Field("mesh_bvhadr", "i4", ("nmesh",), "", ""),
    Field("mesh_bvhnum", "i4", ("nmesh",), "", ""),
    Field("mesh_octadr", "i4", ("nmesh",), "", ""),
    Field("mesh_octnum", "i4", ("nmesh",), "", ""),
    Field("mesh_normaladr", "i4", ("nmesh",), "", ""),
    Field("mesh_normalnum", "i4", ("nmesh",), "", ""),
    Field("mesh_texcoordadr", "i4", ("nmesh",), "", ""),
    Field("mesh_texcoordnum", "i4", ("nmesh",), "", ""),
    Field("mesh_graphadr", "i4", ("nmesh",), "", ""),
    Field("mesh_vert", "f4", ("nmeshvert", 3), "", ""),
    Field("mesh_normal", "f4", ("nmeshnormal", 3), "", ""),
    Field("mesh_texcoord", "f4", ("nmeshtexcoord", 2), "", ""),
    Field("mesh_face", "i4", ("nmeshface", 3), "", ""),
    Field("mesh_facenormal", "i4", ("nmeshface", 3), "", ""),
    Field("mesh_facetexcoord", "i4", ("nmeshface", 3), "", ""),
    Field("mesh_graph", "i4", ("nmeshgraph",), "", ""),
    Field("mesh_scale", "f8", ("nmesh", 3), "", ""),
    Field("mesh_pos", "f8", ("nmesh", 3), "", ""),
    Field("mesh_quat", "f8", ("nmesh", 4), "", ""),
    Field("mesh_pathadr", "i4", ("nmesh",), "", ""),
    Field("mesh_polynum", "i4", ("nmesh",), "", ""),
    Field("mesh_polyadr", "i4", ("nmesh",), "", ""),
    Field("mesh_polynormal", "f8", ("nmeshpoly", 3), "", ""),
    Field("mesh_polyvertadr", "i4", ("nmeshpoly",), "", ""),
    Field("mesh_polyvertnum", "i4", ("nmeshpoly",), "", ""),
    Field("mesh_polyvert", "i4", ("nmeshpolyvert",), "", ""),
    Field("mesh_polymapadr", "i4", ("nmeshvert",), "", ""),
    Field("mesh_polymapnum", "i4", ("nmeshvert",), "", ""),
    Field("mesh_polymap", "i4", ("nmeshpolymap",), "", ""),
)

OCTREE = (
    Field("oct_depth", "i4", ("noct",), "", ""),
    Field("oct_child", "i4", ("noct", 8), "", ""),
    Field("oct_aabb", "f8", ("noct", 6), "", ""),
    Field("oct_coeff", "f8", ("noct", 8), "", ""),
)

HFIELD = (
    Field("hfield_size", "f8", ("nhfield", 4), "", ""),
    Field("hfield_nrow", "i4", ("nhfield",), "", ""),
    Field("hfield_ncol", "i4", ("nhfield",), "", ""),
    Field("hfield_adr", "i4", ("nhfield",), "", ""),
    Field("hfield_data", "f4", ("nhfielddata",), "", ""),
    Field("hfield_pathadr", "i4", ("nhfield",), "", ""),
)

TEXTURE = (
    Field("tex_type", "i4", ("ntex",), "", ""),
    Field("tex_colorspace", "i4", ("ntex",), "", ""),
    Field("tex_height", "i4", ("ntex",), "", ""),
    Field("tex_width", "i4", ("ntex",), "", ""),
    Field("tex_nchannel", "i4", ("ntex",), "", ""),
    Field("tex_adr", "i8", ("ntex",), "", ""),
    Field("tex_data", "u1", ("ntexdata",), "", ""),
    Field("tex_pathadr", "i4", ("ntex",), "", ""),
)

MATERIAL = (
    Field("mat_texid", "i4", ("nmat", 10), "", ""),
    Field("mat_texuniform", "u1", ("nmat",), "", ""),
    Field("mat_texrepeat", "f4", ("nmat", 2), "", ""),
    Field("mat_emission", "f4", ("nmat",), "", ""),
    Field("mat_specular", "f4", ("nmat",), "", ""),
    Field("mat_shininess", "f4", ("nmat",), "", ""),
    Field("mat_reflectance", "f4", ("nmat",), "", ""),
    Field("mat_metallic", "f4", ("nmat",), "", ""),
    Field("mat_roughness", "f4", ("nmat",), "", ""),
    Field("mat_rgba", "f4", ("nmat", 4), "", ""),
)

SKIN = (
    Field("skin_matid", "i4", ("nskin",), "", ""),
    Field("skin_group", "i4", ("nskin",), "", ""),
    Field("skin_rgba", "f4", ("nskin", 4), "", ""),
    Field("skin_inflate", "f4", ("nskin",), "", ""),
    Field("skin_vertadr", "i4", ("nskin",), "", ""),
    Field("skin_vertnum", "i4", ("nskin",), "", ""),
    Field("skin_texcoordadr", "i4", ("nskin",), "", ""),
    Field("skin_faceadr", "i4", ("nskin",), "", ""),
    Field("skin_facenum", "i4", ("nskin",), "", ""),
    Field("skin_boneadr", "i4", ("nskin",), "", ""),
    Field("skin_bonenum", "i4", ("nskin",), "", ""),
    Field("skin_vert", "f4", ("nskinvert", 3), "", ""),
    Field("skin_texcoord", "f4", ("nskintexvert", 2), "", ""),
    Field("skin_face", "i4", ("nskinface", 3), "", ""),
    Field("skin_bonevertadr", "i4", ("nskinbone",), "", ""),
    Field("skin_bonevertnum", "i4", ("nskinbone",), "", ""),
    Field("skin_bonebindpos", "f4", ("nskinbone", 3), "", ""),
    Field("skin_bonebindquat", "f4", ("nskinbone", 4), "", ""),
    Field("skin_bonebodyid", "i4", ("nskinbone",), "", ""),
    Field("skin_bonevertid", "i4", ("nskinbonevert",), "", ""),
    Field("skin_bonevertweight", "f4", ("nskinbonevert",), "", ""),
    Field("skin_pathadr", "i4", ("nskin",), "", ""),
)
