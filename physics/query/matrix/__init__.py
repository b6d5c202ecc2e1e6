"""Factors, band and sparse matrices, and small quadratic programs, under MuJoCo's names."""
