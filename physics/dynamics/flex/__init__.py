"""Flexes: where their vertices are, lengths of their edges, and the forces of their elasticity."""
