"""Linear complementarity problems for tests: given by a matrix, or met by a scene; and their definition in numpy."""

import numpy as np

from tumble.physics import MjData, MjModel, mj_forward, mj_fullM
from tumble.physics.solver.lcp.rows import lcp_rows
from tumble.physics.solver.lcp.solve import lcp
from tumble.physics.state.enums import mjtConstraint
from tumble.physics.state.own import ContactModel, Splitting

FREE, PUSH = "free", "push"


def load(xml: str, **options: float) -> tuple[MjModel, MjData]:
    """A model with hard contacts; options of m.tumble without their lcp_."""
    m = MjModel.from_xml_string(xml)
    m.tumble.contact_model = ContactModel.LCP
    for name, value in options.items():
        setattr(m.tumble, f"lcp_{name}", value)
    return m, MjData(m)


def matrix_problem(a: np.ndarray, b: np.ndarray, kind: str = PUSH) -> tuple[MjModel, MjData]:
    """LCP(a, b) for a positive definite a: unit masses on rails, whose constraints are the rows of a root of a.

    kind: "push", impulses are not negative, or "free", they are any. No stabilization, no smooth force.
    """
    n = len(b)
    rails = "".join(f'<body><joint type="slide" axis="1 0 0"/><geom size="0.1" mass="1" pos="0 {k} 0"/></body>' for k in range(n))
    m, d = load(f'<mujoco><option gravity="0 0 0"/><worldbody>{rails}</worldbody></mujoco>', stabilization=0, tolerance=1e-12)
    mj_forward(m, d)
    d.inner.nefc, d.inner.nJ = n, n * n
    d.inner.ne, d.inner.nl = (n, 0) if kind == FREE else (0, n)
    d.inner.efc_type = mjtConstraint.mjCNSTR_EQUALITY if kind == FREE else mjtConstraint.mjCNSTR_LIMIT_JOINT
    put_matrix(d, a, b)
    d.inner.efc_end, d.inner.efc_first, d.efc_pos = n, 0, 0.0
    return m, d


def put_matrix(d: MjData, a: np.ndarray, b: np.ndarray) -> None:
    """Give data of matrix_problem another problem of as many rows."""
    root = np.linalg.cholesky(a)
    d.efc_J = root.ravel()
    d.qvel = np.linalg.solve(root, b)


def solve_matrix(m: MjModel, d: MjData, method: Splitting, omega: float = 1.0, sweeps: int = 1000) -> float:
    """Iterate on a matrix problem; returns the natural map at the end."""
    for name, value in (("method", method), ("omega", omega), ("sweeps", sweeps)):
        m.as_run.put_number(f"tumble_lcp_{name}", value)  # stages called alone run on what the model is bound with, of any value
    lcp_rows(m, d)
    if d.needL:
        d.grow("maxL", d.needL)
        d.inner.needL = 0
        lcp_rows(m, d)
    lcp(m, d)
    x, w = d.lcp_impulse, d.lcp_velocity
    return float(np.abs(d.lcp_diag * (x - np.clip(x - w / d.lcp_diag, d.lcp_low, d.lcp_high))).max())


def definition(m: MjModel, d: MjData) -> tuple[np.ndarray, np.ndarray]:
    """A and b of the step that mj_forward has just solved, from their definition (dense Jacobian)."""
    mass = np.zeros((m.nv, m.nv))
    mj_fullM(m, mass, d.qM)
    jac, h, own = d.efc_J.reshape(-1, m.nv), m.opt.timestep, m.tumble
    mass += h * np.diag(m.dof_damping)
    a = jac @ np.linalg.solve(mass, jac.T)
    b = jac @ (d.qvel + h * np.linalg.solve(mass, d.qfrc_smooth))
    b[: d.ne] += np.clip(own.lcp_stabilization / h * d.efc_pos[: d.ne], -own.lcp_speed, own.lcp_speed)
    for r in range(d.ne + d.nf, d.nefc):
        if d.lcp_base[r] < 0:
            dist = d.efc_pos[r]
            wished = min(own.lcp_stabilization * max(0.0, -dist - own.lcp_slop) / h, own.lcp_speed)
            b[r] += dist / h if dist >= 0 else -wished
    return a, b


def limits(m: MjModel, d: MjData) -> tuple[np.ndarray, np.ndarray]:
    """Least and most impulse of each row, from the constraint's own fields."""
    low, high, h = np.zeros(d.nefc), np.full(d.nefc, np.inf), m.opt.timestep
    low[: d.ne] = -np.inf
    dry = slice(d.ne, d.ne + d.nf)
    high[dry] = h * d.efc_frictionloss[dry]
    low[dry] = -high[dry]
    for c in range(d.ncon):
        r, dim = d.contact.efc_address[c], d.contact.dim[c]
        if r >= 0:
            high[r + 1 : r + dim] = d.contact.friction[c, : dim - 1] * h * d.efc_force[r]
            low[r + 1 : r + dim] = -high[r + 1 : r + dim]
    return low, high


def violation(m: MjModel, d: MjData) -> float:
    """How far [m/s or rad/s] the forces of the data are from solving the complementarity problem of its definition."""
    a, b = definition(m, d)
    low, high = limits(m, d)
    x = m.opt.timestep * d.efc_force
    w, diagonal = a @ x + b, np.diag(a)
    moves = diagonal > 1e-15  # across the plane of a hinge nothing can move, whatever the impulse
    x, w, diagonal, low, high = x[moves], w[moves], diagonal[moves], low[moves], high[moves]
    return float(np.abs(diagonal * (x - np.clip(x - w / diagonal, low, high))).max(initial=0.0))
