"""What a model needs to be loaded, begun and stepped is known beforehand: it is compiled beside the program, not in its way."""

import os
import subprocess
import sys
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest

from tests.physics.island.scenes import ALL, scene
from tests.physics.scenes import GYM, HUMANOID
from tumble import physics
from tumble.physics import ContactModel, MjModel
from tumble.physics.kernel import Compiled, Kernel
from tumble.physics.kernel.digest import ROOT
from tumble.physics.kernel.prepare import everything, ready
from tumble.physics.run.program import needed, to_compile
from tumble.physics.state.enums import mjtEnableBit
from tumble.physics.state.stages import Entry

CODE = """
from tumble import physics
from tumble.physics.compiler.setconst import LOADING
from tumble.physics.run.program import to_compile
from tumble.physics.kernel.function import STAGES

m = physics.MjModel.from_xml_string(
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
    "<body pos='0 0 .1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
)
known = {part.key for part in (*LOADING, *to_compile(m))}
d = physics.MjData(m)
physics.mj_resetData(m, d)
physics.mj_forward(m, d)
physics.mj_step(m, d, 5)
print(*(key for key, part in STAGES.items() if part.ready and key not in known))
"""


def test_nothing_else_is_compiled_on_the_way_to_the_first_steps() -> None:
    ran = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
    assert ran.stdout.strip() == ""


def leaves(function: Any, found: set[Kernel]) -> set[Kernel]:
    """The kernels that a function calls, directly or not."""
    codes = [function.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for name in code.co_names:
            called = function.__globals__.get(name)
            if isinstance(called, Kernel) and called not in found:
                found.add(called)
                leaves(called.function, found)
    return found


@pytest.mark.parametrize("part", everything(), ids=lambda part: part.key)
def test_what_only_flexes_need_is_compiled_on_its_own(part: Compiled) -> None:
    """Whatever is part of a stage is compiled for every model that needs the stage."""
    of_flexes = {leaf.__module__ for leaf in leaves(part.function, set()) if "flex" in leaf.__module__}
    assert not of_flexes or "flex" in part.key


@pytest.fixture(scope="module")
def model():
    return MjModel.from_xml_string(scene(*ALL))


@pytest.mark.parametrize(("entry", "flag"), [
    (Entry.ENERGY_POS, mjtEnableBit.mjENBL_ENERGY), (Entry.ENERGY_VEL, mjtEnableBit.mjENBL_ENERGY),
    (Entry.FORWARD_INVERSE, mjtEnableBit.mjENBL_FWDINV), (Entry.FALL, mjtEnableBit.mjENBL_SLEEP),
    (Entry.WAKE_TOUCHING, mjtEnableBit.mjENBL_SLEEP),
])  # fmt: skip
def test_a_flag_brings_its_stages_and_takes_them_away(model, entry, flag):
    assert entry not in needed(model)
    model.opt.enableflags |= int(flag)
    try:
        assert entry in needed(model)
    finally:
        model.opt.enableflags &= ~int(flag)


def test_hard_contacts_replace_solver_lanes_and_no_slip_pass(model):
    model.tumble.contact_model = ContactModel.LCP
    try:
        plan = needed(model)
    finally:
        model.tumble.contact_model = ContactModel.SOFT
    assert not {Entry.SOLVER, Entry.LANE, Entry.NOSLIP, Entry.DUAL} & plan.keys()
    assert {Entry.SOLVE, Entry.PROJECT} <= plan.keys()


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
    look, _ = physics.MjModel.first_look(HUMANOID)
    wanted = {part.key for part in to_compile(physics.MjModel.from_xml_path(HUMANOID))}
    assert {part.key for part in to_compile(look)} == wanted
    assert ready(to_compile(look))


def test_a_first_look_compiles_nothing(tmp_path):
    env = os.environ | {"TUMBLE_CACHE": str(tmp_path), "TUMBLE_KERNELS": "compile"}
    done = subprocess.run([sys.executable, "-c", PROGRAM, HUMANOID], env=env, cwd=ROOT.parent, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("True []", "")
