"""Declarations of physics/state/fields/asset_fields.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array

class MeshFields:
    """`MESH` of the table."""

    mesh_vertadr: Array[np.int32]
    """first vertex [1], shape (nmesh,)"""
    mesh_vertnum: Array[np.int32]
    """vertices [1], shape (nmesh,)"""
    mesh_faceadr: Array[np.int32]
    """first triangle [1], shape (nmesh,)"""
    mesh_facenum: Array[np.int32]
    """triangles [1], shape (nmesh,)"""
    mesh_bvhadr: Array[np.int32]
    """root of its bounding volume hierarchy [1], shape (nmesh,)"""
    mesh_bvhnum: Array[np.int32]
    """bounding volumes [1], shape (nmesh,)"""
    mesh_octadr: Array[np.int32]
    """root of its octree; -1: none [1], shape (nmesh,)"""
    mesh_octnum: Array[np.int32]
    """octree nodes [1], shape (nmesh,)"""
    mesh_normaladr: Array[np.int32]
    """first normal [1], shape (nmesh,)"""
    mesh_normalnum: Array[np.int32]
    """normals [1], shape (nmesh,)"""
    mesh_texcoordadr: Array[np.int32]
    """first texture coordinate; -1: none [1], shape (nmesh,)"""
    mesh_texcoordnum: Array[np.int32]
    """texture coordinates [1], shape (nmesh,)"""
    mesh_graphadr: Array[np.int32]
    """start of its hull graph; -1: none [1], shape (nmesh,)"""
    mesh_vert: Array[np.float32]
    """vertices in the mesh frame, whose origin is the centre of mass [m], shape (nmeshvert, 3)"""
    mesh_normal: Array[np.float32]
    """normals [1], shape (nmeshnormal, 3)"""
    mesh_texcoord: Array[np.float32]
    """texture coordinates [1], shape (nmeshtexcoord, 2)"""
    mesh_face: Array[np.int32]
    """vertices of each triangle, counted from vertadr [1], shape (nmeshface, 3)"""
    mesh_facenormal: Array[np.int32]
    """normals of each triangle's corners, counted from normaladr [1], shape (nmeshface, 3)"""
    mesh_facetexcoord: Array[np.int32]
    """texture coordinates of each triangle's corners, counted from texcoordadr [1], shape (nmeshface, 3)"""
    mesh_graph: Array[np.int32]
    """hull graphs: counts, then vertices with their neighbours, then triangles [1], shape (nmeshgraph,)"""
    mesh_scale: Array[np.float64]
    """scale that was applied to the asset [1], shape (nmesh, 3)"""
    mesh_pos: Array[np.float64]
    """shift that was applied to the asset [m], shape (nmesh, 3)"""
    mesh_quat: Array[np.float64]
    """rotation that was applied to the asset [1], shape (nmesh, 4)"""
    mesh_pathadr: Array[np.int32]
    """its file's name in paths; -1: none [1], shape (nmesh,)"""
    mesh_polynum: Array[np.int32]
    """hull polygons [1], shape (nmesh,)"""
    mesh_polyadr: Array[np.int32]
    """first hull polygon [1], shape (nmesh,)"""
    mesh_polynormal: Array[np.float64]
    """outward normal of each polygon [1], shape (nmeshpoly, 3)"""
    mesh_polyvertadr: Array[np.int32]
    """first vertex index of each polygon [1], shape (nmeshpoly,)"""
    mesh_polyvertnum: Array[np.int32]
    """vertices of each polygon [1], shape (nmeshpoly,)"""
    mesh_polyvert: Array[np.int32]
    """vertices of the polygons in order [1], shape (nmeshpolyvert,)"""
    mesh_polymapadr: Array[np.int32]
    """first entry of each vertex in the vertex to polygon map [1], shape (nmeshvert,)"""
    mesh_polymapnum: Array[np.int32]
    """polygons that meet in each vertex [1], shape (nmeshvert,)"""
    mesh_polymap: Array[np.int32]
    """the polygons that meet in each vertex [1], shape (nmeshpolymap,)"""

class OctreeFields:
    """`OCTREE` of the table."""

    oct_depth: Array[np.int32]
    """depth of the node [1], shape (noct,)"""
    oct_child: Array[np.int32]
    """the eight children; -1: none [1], shape (noct, 8)"""
    oct_aabb: Array[np.float64]
    """box of the node: centre, half sizes [m], shape (noct, 6)"""
    oct_coeff: Array[np.float64]
    """signed distance at the eight corners [m], shape (noct, 8)"""

class HfieldFields:
    """`HFIELD` of the table."""

    hfield_size: Array[np.float64]
    """half width, half depth, height of a sample of 1, thickness of the base [m], shape (nhfield, 4)"""
    hfield_nrow: Array[np.int32]
    """rows of samples [1], shape (nhfield,)"""
    hfield_ncol: Array[np.int32]
    """columns of samples [1], shape (nhfield,)"""
    hfield_adr: Array[np.int32]
    """first sample [1], shape (nhfield,)"""
    hfield_data: Array[np.float32]
    """samples, scaled to 0..1, row by row [1], shape (nhfielddata,)"""
    hfield_pathadr: Array[np.int32]
    """its file's name in paths; -1: none [1], shape (nhfield,)"""

class TextureFields:
    """`TEXTURE` of the table."""

    tex_type: Array[np.int32]
    """flat, cube or sky (mjtTexture) [1], shape (ntex,)"""
    tex_colorspace: Array[np.int32]
    """how the numbers encode light (mjtColorSpace) [1], shape (ntex,)"""
    tex_height: Array[np.int32]
    """pixel rows; a cube has six faces below each other [1], shape (ntex,)"""
    tex_width: Array[np.int32]
    """pixel columns [1], shape (ntex,)"""
    tex_nchannel: Array[np.int32]
    """channels of a pixel [1], shape (ntex,)"""
    tex_adr: Array[np.int64]
    """first byte of the image [1], shape (ntex,)"""
    tex_data: Array[np.uint8]
    """pixels, row by row [1], shape (ntexdata,)"""
    tex_pathadr: Array[np.int32]
    """its file's name in paths; -1: none [1], shape (ntex,)"""

class MaterialFields:
    """`MATERIAL` of the table."""

    mat_texid: Array[np.int32]
    """texture for each role (mjtTextureRole); -1: none [1], shape (nmat, 10)"""
    mat_texuniform: Array[np.uint8]
    """whether texrepeat counts per metre rather than per object [1], shape (nmat,)"""
    mat_texrepeat: Array[np.float32]
    """how often the texture repeats in each direction [1 or 1/m], shape (nmat, 2)"""
    mat_emission: Array[np.float32]
    """light it gives of itself, times its colour [1], shape (nmat,)"""
    mat_specular: Array[np.float32]
    """strength of highlights [1], shape (nmat,)"""
    mat_shininess: Array[np.float32]
    """sharpness of highlights, 0..1 [1], shape (nmat,)"""
    mat_reflectance: Array[np.float32]
    """how much it mirrors, 0..1 [1], shape (nmat,)"""
    mat_metallic: Array[np.float32]
    """metalness, for physically based rendering; -1: not given [1], shape (nmat,)"""
    mat_roughness: Array[np.float32]
    """roughness, for physically based rendering; -1: not given [1], shape (nmat,)"""
    mat_rgba: Array[np.float32]
    """colour [1], shape (nmat, 4)"""

class SkinFields:
    """`SKIN` of the table."""

    skin_matid: Array[np.int32]
    """material; -1: none [1], shape (nskin,)"""
    skin_group: Array[np.int32]
    """group it is shown with [1], shape (nskin,)"""
    skin_rgba: Array[np.float32]
    """colour where there is no material [1], shape (nskin, 4)"""
    skin_inflate: Array[np.float32]
    """how far vertices are moved along their normals [m], shape (nskin,)"""
    skin_vertadr: Array[np.int32]
    """first vertex [1], shape (nskin,)"""
    skin_vertnum: Array[np.int32]
    """vertices [1], shape (nskin,)"""
    skin_texcoordadr: Array[np.int32]
    """first texture coordinate; -1: none [1], shape (nskin,)"""
    skin_faceadr: Array[np.int32]
    """first triangle [1], shape (nskin,)"""
    skin_facenum: Array[np.int32]
    """triangles [1], shape (nskin,)"""
    skin_boneadr: Array[np.int32]
    """first bone [1], shape (nskin,)"""
    skin_bonenum: Array[np.int32]
    """bones [1], shape (nskin,)"""
    skin_vert: Array[np.float32]
    """vertices in the binding pose [m], shape (nskinvert, 3)"""
    skin_texcoord: Array[np.float32]
    """texture coordinates [1], shape (nskintexvert, 2)"""
    skin_face: Array[np.int32]
    """vertices of each triangle, counted from vertadr [1], shape (nskinface, 3)"""
    skin_bonevertadr: Array[np.int32]
    """first vertex weight of each bone [1], shape (nskinbone,)"""
    skin_bonevertnum: Array[np.int32]
    """vertices each bone pulls [1], shape (nskinbone,)"""
    skin_bonebindpos: Array[np.float32]
    """position of each bone in the binding pose [m], shape (nskinbone, 3)"""
    skin_bonebindquat: Array[np.float32]
    """orientation of each bone in the binding pose [1], shape (nskinbone, 4)"""
    skin_bonebodyid: Array[np.int32]
    """body each bone follows [1], shape (nskinbone,)"""
    skin_bonevertid: Array[np.int32]
    """vertices pulled by each bone [1], shape (nskinbonevert,)"""
    skin_bonevertweight: Array[np.float32]
    """how strongly each vertex is pulled [1], shape (nskinbonevert,)"""
    skin_pathadr: Array[np.int32]
    """its file's name in paths; -1: none [1], shape (nskin,)"""
