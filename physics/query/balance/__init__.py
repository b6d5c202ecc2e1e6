"""The equation of motion by the origin of its forces: which element pushes which dof, with what force and what power."""
