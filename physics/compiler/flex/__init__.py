"""Flexes: deformable bodies, from <flexcomp> and <flex> to the arrays of a model.

expand      <flexcomp> as the elements that it stands for
cloud       its points and elements, by type
gmsh        those of a GMSH file
read        a <flex>: its bodies, vertices and elements
topology    edges, surface, layers, pairs that follow from the elements
material    stiffness of elements and of bends
nodes       stiffness of what is interpolated between nodes; which points are fixed to the parent
patterns    which dofs the lengths of edges depend on
fill        the arrays
flex_constants  what follows from the reference configuration
"""
