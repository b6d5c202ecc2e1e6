"""The step linearized about a state: stability of integrators, poles, modes and regulators."""
