"""The soft panel: elasticity of flexes, coloured elements, and the limit of the time step."""
