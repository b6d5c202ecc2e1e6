"""The pipeline of compiled stages: forward dynamics, integration and inverse dynamics."""
