"""What a model needs to be loaded, begun and stepped is known beforehand: it is compiled beside the program, not in its way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CODE = """
import physics
from physics.compiler.setconst import LOADING
from physics.dispatch.program import to_compile
from physics.kernel.function import STAGES

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
    assert set(ran.stdout.split()) == set()
