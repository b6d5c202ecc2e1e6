"""Vectors, quaternions, 3x3 and spatial matrices, Cholesky factors and sparse rows: small kernels without a model."""
