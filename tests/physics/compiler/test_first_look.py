"""What is shown before any kernel is there: the poses that loading will find, without compiling anything."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tests.physics.scenes import GYM
from tumble import physics
from tumble.physics.dispatch.program import to_compile
from tumble.physics.kernel.digest import ROOT
from tumble.physics.kernel.prepare import ready

SHOWN = (
    "xpos", "xquat", "xmat", "xipos", "geom_xpos", "geom_xmat", "site_xpos", "cam_xpos", "cam_xmat", "light_xpos", "subtree_com"
)  # fmt: skip
ROBOTS = [path for path in GYM if path.stem in ("humanoid", "ant", "pusher", "swimmer")]
PROGRAM = """
import sys
from tumble import physics
model, data = physics.MjModel.first_look(sys.argv[1])
print(data.geom_xpos.sum() != 0, [name for name in ("numba", "llvmlite") if name in sys.modules])
"""


@pytest.mark.parametrize("path", ROBOTS, ids=lambda p: p.stem)
def test_a_first_look_sees_what_loading_finds(path):
    look, seen = physics.MjModel.first_look(path)
    model = physics.MjModel.from_xml_path(path)
    data = physics.MjData(model)
    physics.mj_kinematics(model, data)
    physics.mj_comPos(model, data)
    physics.mj_camlight(model, data)
    for name in SHOWN:
        np.testing.assert_allclose(getattr(seen, name), getattr(data, name), atol=1e-12, err_msg=name)  # the order of sums
    assert look.stat.extent == pytest.approx(model.stat.extent)
    np.testing.assert_allclose(look.stat.center, model.stat.center, atol=1e-12)


def test_a_first_look_knows_which_kernels_a_step_will_need():
    path = next(path for path in GYM if path.stem == "humanoid")
    look, _ = physics.MjModel.first_look(path)
    wanted = {part.key for part in to_compile(physics.MjModel.from_xml_path(path))}
    assert {part.key for part in to_compile(look)} == wanted
    assert ready(to_compile(look))


def test_a_first_look_compiles_nothing(tmp_path):
    path = next(path for path in GYM if path.stem == "humanoid")
    env = os.environ | {"TUMBLE_CACHE": str(tmp_path), "TUMBLE_KERNELS": "compile"}
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(path)], env=env, cwd=ROOT.parent, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("True []", "")
