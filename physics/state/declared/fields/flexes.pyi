"""Declarations of physics/state/fields/flexes.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array

class FlexFields:
    """`FLEX` of the table."""

    flex_contype: Array[np.int32]
    """what it is: bits matched against the other's conaffinity [1], shape (nflex,)"""
    flex_conaffinity: Array[np.int32]
    """what it collides with: bits matched against the other's contype [1], shape (nflex,)"""
    flex_condim: Array[np.int32]
    """dimensions of contact force: 1, 3, 4 or 6 [1], shape (nflex,)"""
    flex_priority: Array[np.int32]
    """the higher one decides the parameters of a contact [1], shape (nflex,)"""
    flex_solmix: Array[np.float64]
    """weight when solref and solimp are mixed [1], shape (nflex,)"""
    flex_solref: Array[np.float64]
    """contact response: time constant and damping ratio, or -stiffness and -damping [s, 1], shape (nflex, 2)"""
    flex_solimp: Array[np.float64]
    """contact impedance: d0, dwidth, width, midpoint, power [1, 1, m, 1, 1], shape (nflex, 5)"""
    flex_friction: Array[np.float64]
    """sliding, torsional and rolling friction coefficients [1, m, m], shape (nflex, 3)"""
    flex_margin: Array[np.float64]
    """contacts are found when closer than this [m], shape (nflex,)"""
    flex_gap: Array[np.float64]
    """of found contacts those closer than margin - gap push [m], shape (nflex,)"""
    flex_internal: Array[np.uint8]
    """whether collisions that keep elements from turning inside out are on [1], shape (nflex,)"""
    flex_selfcollide: Array[np.int32]
    """how it collides with itself (mjtFlexSelf) [1], shape (nflex,)"""
    flex_activelayers: Array[np.int32]
    """layers of elements below the surface that collide (dim 3) [1], shape (nflex,)"""
    flex_passive: Array[np.int32]
    """whether its contacts act as passive forces rather than constraints [1], shape (nflex,)"""
    flex_dim: Array[np.int32]
    """1: cable, 2: cloth, 3: solid [1], shape (nflex,)"""
    flex_matid: Array[np.int32]
    """material; -1: none [1], shape (nflex,)"""
    flex_group: Array[np.int32]
    """group it is shown with [1], shape (nflex,)"""
    flex_interp: Array[np.int32]
    """0: vertices are free; else order of interpolation between nodes [1], shape (nflex,)"""
    flex_nodeadr: Array[np.int32]
    """first node [1], shape (nflex,)"""
    flex_nodenum: Array[np.int32]
    """nodes [1], shape (nflex,)"""
    flex_vertadr: Array[np.int32]
    """first vertex [1], shape (nflex,)"""
    flex_vertnum: Array[np.int32]
    """vertices [1], shape (nflex,)"""
    flex_edgeadr: Array[np.int32]
    """first edge [1], shape (nflex,)"""
    flex_edgenum: Array[np.int32]
    """edges [1], shape (nflex,)"""
    flex_elemadr: Array[np.int32]
    """first element [1], shape (nflex,)"""
    flex_elemnum: Array[np.int32]
    """elements [1], shape (nflex,)"""
    flex_elemdataadr: Array[np.int32]
    """start of its elements' vertex indices [1], shape (nflex,)"""
    flex_elemedgeadr: Array[np.int32]
    """start of its elements' edge indices [1], shape (nflex,)"""
    flex_shellnum: Array[np.int32]
    """fragments of its surface [1], shape (nflex,)"""
    flex_shelldataadr: Array[np.int32]
    """start of its fragments' vertex indices [1], shape (nflex,)"""
    flex_evpairadr: Array[np.int32]
    """first element and vertex pair [1], shape (nflex,)"""
    flex_evpairnum: Array[np.int32]
    """element and vertex pairs [1], shape (nflex,)"""
    flex_texcoordadr: Array[np.int32]
    """first texture coordinate; -1: none [1], shape (nflex,)"""
    flex_nodebodyid: Array[np.int32]
    """body of each node [1], shape (nflexnode,)"""
    flex_vertbodyid: Array[np.int32]
    """body of each vertex [1], shape (nflexvert,)"""
    flex_vertedgeadr: Array[np.int32]
    """start of each vertex's edges [1], shape (nflexvert,)"""
    flex_vertedgenum: Array[np.int32]
    """edges that meet in each vertex [1], shape (nflexvert,)"""
    flex_vertedge: Array[np.int32]
    """edges that meet in the vertices [1], shape (nflexedge, 2)"""
    flex_edge: Array[np.int32]
    """the two vertices of each edge [1], shape (nflexedge, 2)"""
    flex_edgeflap: Array[np.int32]
    """the vertices opposite each edge in its two triangles (dim 2); -1: none [1], shape (nflexedge, 2)"""
    flex_elem: Array[np.int32]
    """the dim + 1 vertices of each element [1], shape (nflexelemdata,)"""
    flex_elemtexcoord: Array[np.int32]
    """texture coordinates of each element's vertices [1], shape (nflexelemdata,)"""
    flex_elemedge: Array[np.int32]
    """the edges of each element [1], shape (nflexelemedge,)"""
    flex_elemlayer: Array[np.int32]
    """how many layers each element lies below the surface (dim 3) [1], shape (nflexelem,)"""
    flex_shell: Array[np.int32]
    """the dim vertices of each fragment of the surface [1], shape (nflexshelldata,)"""
    flex_evpair: Array[np.int32]
    """element and vertex that may collide [1], shape (nflexevpair, 2)"""
    flex_vert: Array[np.float64]
    """vertices in their bodies' frames [m], shape (nflexvert, 3)"""
    flex_vert0: Array[np.float64]
    """vertices at qpos0 in coordinates of the bounding box, 0..1 [1], shape (nflexvert, 3)"""
    flex_vertmetric: Array[np.float64]
    """inverse of the reference shape around each vertex [1/m^2], shape (nflexvert, 4)"""
    flex_node: Array[np.float64]
    """nodes in their bodies' frames [m], shape (nflexnode, 3)"""
    flex_node0: Array[np.float64]
    """nodes at qpos0 in the world [m], shape (nflexnode, 3)"""
    flexedge_length0: Array[np.float64]
    """length of each edge at qpos0 [m], shape (nflexedge,)"""
    flexedge_invweight0: Array[np.float64]
    """inverse inertia of each edge at qpos0 [1/kg], shape (nflexedge,)"""
    flex_radius: Array[np.float64]
    """thickness: how far the surface lies from the vertices [m], shape (nflex,)"""
    flex_size: Array[np.float64]
    """half sizes of the box around the vertices at qpos0 [m], shape (nflex, 3)"""
    flex_stiffness: Array[np.float64]
    """elastic stiffness of each element, by pairs of edges [N/m^3], shape (nflexelem, 21)"""
    flex_bending: Array[np.float64]
    """bending stiffness of each edge, by vertices of its two triangles [N m], shape (nflexedge, 17)"""
    flex_damping: Array[np.float64]
    """damping as a multiple of stiffness (Rayleigh) [s], shape (nflex,)"""
    flex_edgestiffness: Array[np.float64]
    """spring constant of all edges [N/m], shape (nflex,)"""
    flex_edgedamping: Array[np.float64]
    """damping of all edges [N s/m], shape (nflex,)"""
    flex_edgeequality: Array[np.int32]
    """what equality constraints act on: 0 none, 1 edges, 2 vertices [1], shape (nflex,)"""
    flex_rigid: Array[np.uint8]
    """whether all vertices belong to one body [1], shape (nflex,)"""
    flexedge_rigid: Array[np.uint8]
    """whether both ends belong to one body [1], shape (nflexedge,)"""
    flex_centered: Array[np.uint8]
    """whether every vertex lies in its body's origin [1], shape (nflex,)"""
    flex_flatskin: Array[np.uint8]
    """whether it is shown with flat faces [1], shape (nflex,)"""
    flex_bvhadr: Array[np.int32]
    """root of its bounding volume hierarchy; -1: none [1], shape (nflex,)"""
    flex_bvhnum: Array[np.int32]
    """bounding volumes [1], shape (nflex,)"""
    flexedge_J_rownnz: Array[np.int32]
    """nonzeros in each row of the edge Jacobian [1], shape (nflexedge,)"""
    flexedge_J_rowadr: Array[np.int32]
    """start of each row of the edge Jacobian [1], shape (nflexedge,)"""
    flexedge_J_colind: Array[np.int32]
    """dofs of the nonzeros of the edge Jacobian [1], shape (nJfe,)"""
    flexvert_J_rownnz: Array[np.int32]
    """nonzeros in each row of the vertex Jacobian [1], shape (nflexvert, 2)"""
    flexvert_J_rowadr: Array[np.int32]
    """start of each row of the vertex Jacobian [1], shape (nflexvert, 2)"""
    flexvert_J_colind: Array[np.int32]
    """dofs of the nonzeros of the vertex Jacobian [1], shape (nJfv, 2)"""
    flex_rgba: Array[np.float32]
    """colour where there is no material [1], shape (nflex, 4)"""
    flex_texcoord: Array[np.float32]
    """texture coordinates [1], shape (nflextexcoord, 2)"""
