"""Questions about a state: Jacobians, rays, distances, forces, velocities, names; and MuJoCo's vector functions."""
