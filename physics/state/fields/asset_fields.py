"""Fields of meshes, height fields, textures, materials and skins."""

from tumble.physics.state.fields.field import Field

MESH = (
    Field("mesh_vertadr", "i4", ("nmesh",), "1", "first vertex"),
    Field("mesh_vertnum", "i4", ("nmesh",), "1", "vertices"),
    Field("mesh_faceadr", "i4", ("nmesh",), "1", "first triangle"),
    Field("mesh_facenum", "i4", ("nmesh",), "1", "triangles"),
    Field("mesh_bvhadr", "i4", ("nmesh",), "1", "root of its bounding volume hierarchy"),
    Field("mesh_bvhnum", "i4", ("nmesh",), "1", "bounding volumes"),
    Field("mesh_octadr", "i4", ("nmesh",), "1", "root of its octree; -1: none"),
    Field("mesh_octnum", "i4", ("nmesh",), "1", "octree nodes"),
    Field("mesh_normaladr", "i4", ("nmesh",), "1", "first normal"),
    Field("mesh_normalnum", "i4", ("nmesh",), "1", "normals"),
    Field("mesh_texcoordadr", "i4", ("nmesh",), "1", "first texture coordinate; -1: none"),
    Field("mesh_texcoordnum", "i4", ("nmesh",), "1", "texture coordinates"),
    Field("mesh_graphadr", "i4", ("nmesh",), "1", "start of its hull graph; -1: none"),
    Field("mesh_vert", "f4", ("nmeshvert", 3), "m", "vertices in the mesh frame, whose origin is the centre of mass"),
    Field("mesh_normal", "f4", ("nmeshnormal", 3), "1", "normals"),
    Field("mesh_texcoord", "f4", ("nmeshtexcoord", 2), "1", "texture coordinates"),
    Field("mesh_face", "i4", ("nmeshface", 3), "1", "vertices of each triangle, counted from vertadr"),
    Field("mesh_facenormal", "i4", ("nmeshface", 3), "1", "normals of each triangle's corners, counted from normaladr"),
    Field(
        "mesh_facetexcoord", "i4", ("nmeshface", 3),
        "1", "texture coordinates of each triangle's corners, counted from texcoordadr",
    ),
    Field("mesh_graph", "i4", ("nmeshgraph",), "1", "hull graphs: counts, then vertices with their neighbours, then triangles"),
    Field("mesh_scale", "f8", ("nmesh", 3), "1", "scale that was applied to the asset"),
    Field("mesh_pos", "f8", ("nmesh", 3), "m", "shift that was applied to the asset"),
    Field("mesh_quat", "f8", ("nmesh", 4), "1", "rotation that was applied to the asset"),
    Field("mesh_pathadr", "i4", ("nmesh",), "1", "its file's name in paths; -1: none"),
    Field("mesh_polynum", "i4", ("nmesh",), "1", "hull polygons"),
    Field("mesh_polyadr", "i4", ("nmesh",), "1", "first hull polygon"),
    Field("mesh_polynormal", "f8", ("nmeshpoly", 3), "1", "outward normal of each polygon"),
    Field("mesh_polyvertadr", "i4", ("nmeshpoly",), "1", "first vertex index of each polygon"),
    Field("mesh_polyvertnum", "i4", ("nmeshpoly",), "1", "vertices of each polygon"),
    Field("mesh_polyvert", "i4", ("nmeshpolyvert",), "1", "vertices of the polygons in order"),
    Field("mesh_polymapadr", "i4", ("nmeshvert",), "1", "first entry of each vertex in the vertex to polygon map"),
    Field("mesh_polymapnum", "i4", ("nmeshvert",), "1", "polygons that meet in each vertex"),
    Field("mesh_polymap", "i4", ("nmeshpolymap",), "1", "the polygons that meet in each vertex"),
)

OCTREE = (
    Field("oct_depth", "i4", ("noct",), "1", "depth of the node"),
    Field("oct_child", "i4", ("noct", 8), "1", "the eight children; -1: none"),
    Field("oct_aabb", "f8", ("noct", 6), "m", "box of the node: centre, half sizes"),
    Field("oct_coeff", "f8", ("noct", 8), "m", "signed distance at the eight corners"),
)

HFIELD = (
    Field("hfield_size", "f8", ("nhfield", 4), "m", "half width, half depth, height of a sample of 1, thickness of the base"),
    Field("hfield_nrow", "i4", ("nhfield",), "1", "rows of samples"),
    Field("hfield_ncol", "i4", ("nhfield",), "1", "columns of samples"),
    Field("hfield_adr", "i4", ("nhfield",), "1", "first sample"),
    Field("hfield_data", "f4", ("nhfielddata",), "1", "samples, scaled to 0..1, row by row"),
    Field("hfield_pathadr", "i4", ("nhfield",), "1", "its file's name in paths; -1: none"),
)

TEXTURE = (
    Field("tex_type", "i4", ("ntex",), "1", "flat, cube or sky (mjtTexture)"),
    Field("tex_colorspace", "i4", ("ntex",), "1", "how the numbers encode light (mjtColorSpace)", open=True),
    Field("tex_height", "i4", ("ntex",), "1", "pixel rows; a cube has six faces below each other"),
    Field("tex_width", "i4", ("ntex",), "1", "pixel columns"),
    Field("tex_nchannel", "i4", ("ntex",), "1", "channels of a pixel"),
    Field("tex_adr", "i8", ("ntex",), "1", "first byte of the image"),
    Field("tex_data", "u1", ("ntexdata",), "1", "pixels, row by row", open=True),
    Field("tex_pathadr", "i4", ("ntex",), "1", "its file's name in paths; -1: none"),
)

MATERIAL = (
    Field("mat_texid", "i4", ("nmat", 10), "1", "texture for each role (mjtTextureRole); -1: none", open=True),
    Field("mat_texuniform", "u1", ("nmat",), "1", "whether texrepeat counts per metre rather than per object", open=True),
    Field("mat_texrepeat", "f4", ("nmat", 2), "1 or 1/m", "how often the texture repeats in each direction"),
    Field("mat_emission", "f4", ("nmat",), "1", "light it gives of itself, times its colour"),
    Field("mat_specular", "f4", ("nmat",), "1", "strength of highlights"),
    Field("mat_shininess", "f4", ("nmat",), "1", "sharpness of highlights, 0..1"),
    Field("mat_reflectance", "f4", ("nmat",), "1", "how much it mirrors, 0..1"),
    Field("mat_metallic", "f4", ("nmat",), "1", "metalness, for physically based rendering; -1: not given"),
    Field("mat_roughness", "f4", ("nmat",), "1", "roughness, for physically based rendering; -1: not given"),
    Field("mat_rgba", "f4", ("nmat", 4), "1", "colour"),
)

SKIN = (
    Field("skin_matid", "i4", ("nskin",), "1", "material; -1: none", open=True),
    Field("skin_group", "i4", ("nskin",), "1", "group it is shown with", open=True),
    Field("skin_rgba", "f4", ("nskin", 4), "1", "colour where there is no material"),
    Field("skin_inflate", "f4", ("nskin",), "m", "how far vertices are moved along their normals"),
    Field("skin_vertadr", "i4", ("nskin",), "1", "first vertex"),
    Field("skin_vertnum", "i4", ("nskin",), "1", "vertices"),
    Field("skin_texcoordadr", "i4", ("nskin",), "1", "first texture coordinate; -1: none"),
    Field("skin_faceadr", "i4", ("nskin",), "1", "first triangle"),
    Field("skin_facenum", "i4", ("nskin",), "1", "triangles"),
    Field("skin_boneadr", "i4", ("nskin",), "1", "first bone"),
    Field("skin_bonenum", "i4", ("nskin",), "1", "bones"),
    Field("skin_vert", "f4", ("nskinvert", 3), "m", "vertices in the binding pose"),
    Field("skin_texcoord", "f4", ("nskintexvert", 2), "1", "texture coordinates"),
    Field("skin_face", "i4", ("nskinface", 3), "1", "vertices of each triangle, counted from vertadr"),
    Field("skin_bonevertadr", "i4", ("nskinbone",), "1", "first vertex weight of each bone"),
    Field("skin_bonevertnum", "i4", ("nskinbone",), "1", "vertices each bone pulls"),
    Field("skin_bonebindpos", "f4", ("nskinbone", 3), "m", "position of each bone in the binding pose"),
    Field("skin_bonebindquat", "f4", ("nskinbone", 4), "1", "orientation of each bone in the binding pose"),
    Field("skin_bonebodyid", "i4", ("nskinbone",), "1", "body each bone follows"),
    Field("skin_bonevertid", "i4", ("nskinbonevert",), "1", "vertices pulled by each bone"),
    Field("skin_bonevertweight", "f4", ("nskinbonevert",), "1", "how strongly each vertex is pulled"),
    Field("skin_pathadr", "i4", ("nskin",), "1", "its file's name in paths; -1: none"),
)

# What files bring in; materials refer to it.
ASSET = (*MESH, *OCTREE, *SKIN, *HFIELD, *TEXTURE)
