"""The older collision of convex geoms (flag nativeccd disabled), which files ask for to keep contacts as they were."""

import mujoco
import numpy as np
import pytest

from tumble import physics

SIZES = {"capsule": "0.08 0.1", "ellipsoid": "0.1 0.07 0.13", "cylinder": "0.1 0.08", "box": "0.1 0.07 0.05"}
POINTS = " ".join(f"{x:.4f}" for x in np.random.default_rng(5).normal(size=60) * 0.06)


def scene(*kinds: str) -> str:
    """Two free bodies with a geom each, of a primitive type or a mesh."""
    shapes = [f'size="{SIZES[kind]}"' if kind in SIZES else 'mesh="stone"' for kind in kinds]
    bodies = [f'<body><freejoint/><geom type="{k}" {shape}/></body>' for k, shape in zip(kinds, shapes, strict=True)]
    return f"""<mujoco><option><flag nativeccd="disable"/></option><asset><mesh name="stone" vertex="{POINTS}"/></asset>
        <worldbody>{"".join(bodies)}</worldbody></mujoco>"""


PAIRS = [("capsule", "cylinder"), ("ellipsoid", "box"), ("cylinder", "cylinder"), ("cylinder", "box"), ("mesh", "capsule"),
         ("mesh", "mesh")]  # fmt: skip


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_contacts_are_those_of_the_reference(kinds: tuple[str, str]) -> None:
    rm = mujoco.MjModel.from_xml_string(scene(*kinds))
    rd, m = mujoco.MjData(rm), physics.MjModel.from_xml_string(scene(*kinds))
    d, rng = physics.MjData(m), np.random.default_rng(1)
    errors = []
    for _ in range(150):
        qpos = np.r_[np.zeros(3), rng.normal(size=4), rng.normal(size=3) * 0.08, rng.normal(size=4)]
        qpos[3:7] /= np.linalg.norm(qpos[3:7])
        qpos[10:] /= np.linalg.norm(qpos[10:])
        rd.qpos[:] = d.qpos[:] = qpos
        mujoco.mj_fwdPosition(rm, rd)
        physics.mj_kinematics(m, d)
        physics.mj_collision(m, d)
        assert d.ncon == rd.ncon
        if d.ncon:
            one, other = d.contact, rd.contact
            errors.append([abs(one.dist[0] - other.dist[0]), np.abs(one.pos - other.pos).max(),
                           np.abs(one.frame[0, :3] - other.frame[0, :3]).max()])  # fmt: skip
    dist, pos, normal = np.array(errors).T
    assert len(errors) > 100
    # Where faces are large, the reference takes another than the nearest point of the last portal: a depth that is greater.
    assert np.mean(pos < 1e-6) > 0.97
    assert np.mean(dist < 1e-6) > 0.8
    assert np.mean(normal < 1e-6) > 0.85


def test_the_flag_chooses_between_the_least_depth_and_that_along_the_line_of_centres() -> None:
    m = physics.MjModel.from_xml_string(scene("cylinder", "box"))
    d = physics.MjData(m)
    # Upwards it is 22 mm out, sideways 30; but the line of centres leaves the overlap through the side (0.2/0.17 < 0.13/0.108).
    d.qpos[7:10] = 0.17, 0, 0.108
    depths = []
    for flags in (int(physics.mjtDisableBit.mjDSBL_NATIVECCD), 0):
        m.opt.disableflags = flags
        physics.mj_forward(m, d)
        depths.append(-d.contact.dist[0])
    assert depths == pytest.approx([0.03, 0.022], abs=1e-5)
