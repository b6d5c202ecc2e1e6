"""Flexes: deformable bodies, from <flexcomp> and <flex> to the arrays of a model.

expand      <flexcomp> as the elements that it stands for
cloud       its points and elements, by type
box         those of the types box, cylinder and ellipsoid
gmsh        those of a GMSH file
pins        which points are fixed to the parent
read        a <flex>: its bodies, vertices and elements
topology    edges, surface, layers, pairs that follow from the elements
elasticity  stiffness of elements and of bends
patterns    which dofs the lengths of edges depend on
fill        the arrays
constants   what follows from the reference configuration
"""
