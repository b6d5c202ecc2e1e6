"""Soft bodies of every type and kind of dofs move as the reference's do: at rest, and in random states."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.flex.scenes import ELASTIC, QUIET, TYPES, flexcomp, on_body, on_world
from tests.physics.compiler.flex.test_files import OBJ, TETRAHEDRA, text_22
from tumble import physics

FILES = {"m.obj": OBJ, "m.msh": text_22(TETRAHEDRA, 4)}
_HELD = '<edge equality="true" solref="0.1 2" solimp="0.5 0.6"/>'
_OPTION = '<mujoco><option tolerance="1e-14" iterations="300"><flag contact="disable"/></option>'
_TETRAHEDRON = {"type": "direct", "point": "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1", "element": "0 1 2 3 1 2 3 4", "dim": 3}


def types() -> dict[str, str]:
    """Every type of <flexcomp>, elastic and with edges that are held, and the other kinds of dofs."""
    found, fine = {}, {"dim": 3, "count": "7 7 7", "spacing": ".05 .05 .05"}
    for kind, dim, count in TYPES:
        more = {"type": kind, "dim": dim, "count": count, "spacing": "0.1 0.12 0.13", "mass": 2}
        found[f"{kind} {dim}"] = flexcomp(ELASTIC.format("both", 0.2) + '<edge damping="0.1"/>' + QUIET, **more)
        found[f"{kind} {dim}, held"] = flexcomp(_HELD + '<pin id="0"/>' + QUIET, **more)
    for kind in ("grid", "box", "ellipsoid"):
        for dof in ("radial", "trilinear", "quadratic"):
            away = {"pos": "0.9 0.2 0.1"} if dof == "radial" else {}
            found[f"{kind} {dof}"] = flexcomp(QUIET + ELASTIC.format("none", 0.1), type=kind, dof=dof, **away, **fine)
        found[f"{kind} radial, held"] = flexcomp(QUIET + _HELD, type=kind, dof="radial", pos="0.9 0.2 0.1", **fine)
    helix = " ".join(f"{0.1 * np.cos(k):g} {0.1 * np.sin(k):g} {0.005 * k:g}" for k in range(400))
    for dof in ("trilinear", "quadratic"):  # a shell between nodes is elastic whatever elastic2d says, a line is not
        inner = QUIET + ELASTIC.format("none", 0.1)
        found[f"shell {dof}"] = flexcomp(inner, type="box", dim=2, count="10 11 12", spacing=".05 .05 .05", dof=dof)
        found[f"line {dof}"] = flexcomp(inner, type="direct", dim=1, point=helix, dof=dof, radius=0.01, mass=1,
                                        element=" ".join(f"{k} {k + 1}" for k in range(399)))  # fmt: skip
    for name, more in (("mesh", {"file": "m.obj", "dim": 2}), ("filled mesh", {"file": "m.obj", "dim": 3, "origin": ".1 .1 .1"}),
                       ("gmsh", {"type": "gmsh", "file": "m.msh", "dim": 3}), ("direct", _TETRAHEDRON)):  # fmt: skip
        found[name] = flexcomp(ELASTIC.format("both", 0.2) + QUIET, **({"type": "mesh", "radius": 0.01} | more))
    found["strains held"] = flexcomp('<edge equality="vert" damping="1"/>' + QUIET, dim=2, count="4 3 1", mass=3)
    return {name: on_body(part).replace("<freejoint/>", "") for name, part in found.items()}


def orders() -> dict[str, str]:
    """Constraints on strains and edges, of which the first counts; with damping, also of the elasticity."""
    found = {}
    for dim, count in ((1, "5 1 1"), (2, "4 3 1"), (3, "3 3 3")):
        for k, inner in enumerate(("", '<edge damping="1"/>', ELASTIC.format("stretch", 0.2))):
            flex = flexcomp(inner + QUIET, dim=dim, count=count, spacing=".1 .1 .1", mass=2)
            for order in (("flexvert",), ("flex", "flexvert"), ("flexvert", "flex")):
                equality = "".join(f'<{kind} flex="F"/>' for kind in order)
                found[f"{dim} {k} {' '.join(order)}"] = on_world(flex, f"<equality>{equality}</equality>")
    return found


SCENES = types() | orders()
del SCENES["3 0 flexvert flex"]  # rows of zeros in the reference, unless its Jacobian is dense


@pytest.mark.parametrize("name", SCENES)
def test_accelerations_in_equal_states_are_the_references(name: str, tmp_path: Path) -> None:
    """To 1e-8 of the largest; forces of elasticity to 1e-9."""
    for file, data in FILES.items():
        (tmp_path / file).write_bytes(data)
    path = tmp_path / "model.xml"
    path.write_text(SCENES[name].replace("<mujoco>", _OPTION, 1))
    rm, m = mujoco.MjModel.from_xml_path(str(path)), physics.MjModel.from_xml_path(path)
    rd, d, rng = mujoco.MjData(rm), physics.MjData(m), np.random.default_rng(0)
    np.testing.assert_array_equal(m.flex_edgeequality, rm.flex_edgeequality)
    for state in range(21):
        moved = rng.normal(size=(2, rm.nv)) * (state > 0)
        rd.qpos[:], rd.qvel[:], rd.qacc_warmstart[:] = rm.qpos0 + 0.01 * moved[0], 0.3 * moved[1], 0.0
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = rd.qpos, rd.qvel, 0.0
        mujoco.mj_forward(rm, rd)
        physics.mj_forward(m, d)
        assert d.nefc == rd.nefc
        for field, limit in (("qfrc_passive", 1e-9), ("qacc", 1e-8)):
            theirs = getattr(rd, field)
            np.testing.assert_allclose(getattr(d, field), theirs, 0, limit * (1 + np.abs(theirs).max(initial=0)), err_msg=field)
