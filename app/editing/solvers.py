"""Solvers and friction cones as the window offers them, each with the settings that choose it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble.physics import ContactModel, Splitting, mjtCone, mjtSolver

if TYPE_CHECKING:
    from tumble.physics import SolveSettings

SOLVERS: dict[str, SolveSettings] = {
    "Newton": {"solver": mjtSolver.mjSOL_NEWTON, "contact_model": ContactModel.SOFT},
    "CG": {"solver": mjtSolver.mjSOL_CG, "contact_model": ContactModel.SOFT},
    "PGS": {"solver": mjtSolver.mjSOL_PGS, "contact_model": ContactModel.SOFT},
    "LCP Jacobi": {"contact_model": ContactModel.LCP, "lcp_method": Splitting.JACOBI},
    "LCP Gauss-Seidel": {"contact_model": ContactModel.LCP, "lcp_method": Splitting.GAUSS_SEIDEL},
    "LCP SOR": {"contact_model": ContactModel.LCP, "lcp_method": Splitting.SOR},
    "LCP conjugate": {"contact_model": ContactModel.LCP, "lcp_method": Splitting.CONJUGATE},
}
CONES: dict[str, SolveSettings] = {
    "cone as it is": {},
    "pyramidal cone": {"cone": mjtCone.mjCONE_PYRAMIDAL},
    "elliptic cone": {"cone": mjtCone.mjCONE_ELLIPTIC},
}
