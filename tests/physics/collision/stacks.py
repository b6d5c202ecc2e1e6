"""Ten equal things on top of each other: the scenes of the stacks, and how far they move."""

from typing import Any

import numpy as np

BRICK = " ".join(f"{x} {y} {z}" for x in (-0.125, 0.125) for y in (-0.125, 0.125) for z in (-0.0625, 0.0625))
KINDS = {
    "boxes": 'type="box" size=".125 .125 .0625"',
    "cylinders": 'type="cylinder" size=".125 .0625"',
    "mesh bricks": 'type="mesh" mesh="brick"',
}
SETTLED = 1.0  # s


def stack(kind: str, number: int = 10, multiccd: bool = True) -> str:
    """Things of one kind on a plane, in contact without a force."""
    bodies = "".join(f'<body pos="0 0 {0.0625 + 0.125 * k}"><freejoint/><geom {KINDS[kind]}/></body>' for k in range(number))
    return f"""<mujoco><option><flag multiccd="{"enable" if multiccd else "disable"}"/></option>
        <asset><mesh name="brick" vertex="{BRICK}"/></asset>
        <worldbody><geom type="plane" size="2 2 1"/>{bodies}</worldbody></mujoco>"""


def drift(engine: Any, xml: str, seconds: float) -> tuple[float, float]:
    """How far [m] a body is at most from where it was when all had settled, and when [s] it first was 5 cm away, or infinity.

    engine: the module of either engine.
    """
    m = engine.MjModel.from_xml_string(xml)
    d = engine.MjData(m)
    while d.time < SETTLED:
        engine.mj_step(m, d)
    start, farthest = np.array(d.qpos).reshape(-1, 7)[:, :3], 0.0
    while d.time < SETTLED + seconds:
        engine.mj_step(m, d)
        farthest = max(farthest, float(np.abs(d.qpos.reshape(-1, 7)[:, :3] - start).max()))
        if farthest > 0.05:
            return farthest, float(d.time)
    return farthest, np.inf
