"""The soft panel: elasticity of flexes, their elements in colours, and what limits the time step."""
