"""Derivatives of the smooth forces by velocity: d.qDeriv, in the square pattern of the dofs that affect each other."""
