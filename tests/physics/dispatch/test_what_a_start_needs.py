"""What a model needs to be loaded, begun and stepped is known beforehand: it is compiled beside the program, not in its way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tumble.physics.kernel import Compiled, Kernel
from tumble.physics.kernel.prepare import everything

CODE = """
import sys

from tumble import physics
from tumble.physics.compiler.setconst import LOADING
from tumble.physics.dispatch.program import to_compile
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
print(*(name for name in sys.modules if name.startswith("tumble.physics.") and "flex" in name))
"""


def test_nothing_else_is_compiled_on_the_way_to_the_first_steps() -> None:
    ran = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
    others, _ = ran.stdout.split("\n")[:2]
    assert others == ""


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
