"""Scenes whose controls and readings come late."""

import numpy as np

# An arm that hits the floor; every way to read a history, of every stage; the buffers wrap within a few steps.
DELAYED = """<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="2 2 .1"/>
<body pos="0 0 .3"><joint name="a" axis="0 1 0" damping=".05"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/>
<body pos=".4 0 0"><joint name="b" axis="0 1 0" damping=".05"/><geom type="capsule" size=".04" fromto="0 0 0 .3 0 .1"/>
<site name="tip" pos=".3 0 .1" size=".06"/></body></body></worldbody>
<actuator><motor joint="a" gear="3" nsample="6" delay=".012"/><position joint="b" kp="4" nsample="5" delay=".0071"
interp="cubic"/><general name="lazy" joint="b" dyntype="filter" dynprm=".05" gainprm="2" nsample="3" delay=".004" interp="linear"
ctrlrange="-.5 .5"/></actuator>
<sensor><jointpos joint="a" nsample="4" delay=".0055" interp="cubic"/>
<framepos objtype="site" objname="tip" nsample="3" delay=".006"/>
<jointvel joint="b" nsample="3" interval=".0047 -.001"/><accelerometer site="tip" nsample="4" interval=".0031" delay=".009"/>
<touch site="tip" nsample="9" delay=".017" interp="linear"/><rangefinder site="tip" nsample="2" interval=".02"/>
<actuatorfrc actuator="lazy" nsample="4"/><jointpos joint="b"/></sensor></mujoco>"""

_ACTUATORS = ("motor", 'position kp="3"', "velocity", 'intvelocity kp="2" actrange="-1 1"',
              'general dyntype="filter" dynprm=".1"')  # fmt: skip
_SENSORS = (
    '<jointpos joint="j{i}"', '<jointvel joint="j{i}"', '<framepos objtype="site" objname="s{i}"', '<accelerometer site="s{i}"',
    '<actuatorfrc actuator="a{i}"', '<rangefinder site="s{i}"', '<framequat objtype="body" objname="b{i}"',
    '<gyro site="s{i}" cutoff=".5"', "<clock", '<subtreeangmom body="b{i}"',
)  # fmt: skip


def random_scene(seed: int, sensors: tuple[str, ...] = _SENSORS, integrator: str = "Euler") -> str:
    """Pendulums without contacts, with random actuators and sensors, of which most have histories."""
    rng = np.random.default_rng(seed)
    h, n = float(rng.choice([0.001, 0.0037, 0.005, 0.01])), int(rng.integers(1, 4))
    bodies = "".join(
        f'<body name="b{i}" pos="{i} 0 1"><joint name="j{i}" axis="{rng.normal():.3f} {rng.normal():.3f} 1" damping=".1"/>'
        f'<geom size=".1" pos=".2 .1 0" contype="0" conaffinity="0"/><site name="s{i}" pos=".1 0 .2"/></body>'
        for i in range(n)
    )
    limits = 'ctrlrange="-.7 .7"'
    actuators = "".join(
        f'<{rng.choice(_ACTUATORS)} name="a{i}" joint="j{i}" group="{int(rng.integers(0, 2))}" {_history(rng, h, interval=False)}'
        f"{rng.choice(['', limits])}/>"
        for i in range(n)
    )
    read = "".join(
        str(rng.choice(sensors)).format(i=int(rng.integers(n))) + f" {_history(rng, h, interval=True)}/>" for _ in range(12)
    )
    off = ' actuatorgroupdisable="1"' if rng.random() < 0.2 else ""
    return (
        f'<mujoco><option timestep="{h}" integrator="{integrator}"{off}/><worldbody><geom type="plane" size="5 5 1" contype="0" '
        f'conaffinity="0"/>{bodies}</worldbody><actuator>{actuators}</actuator><sensor>{read}</sensor></mujoco>'
    )


def _history(rng: np.random.Generator, h: float, interval: bool) -> str:
    n = int(rng.integers(0, 9))
    text = f'interp="{rng.choice(["zoh", "linear", "cubic"])}"'
    if n == 0:
        return text
    text += f' nsample="{n}"'
    if rng.random() < 0.7:
        steps = n if rng.random() < 0.3 else rng.uniform(0.2, n + 1)
        text += f' delay="{h * steps:.12g}"'
    if interval and rng.random() < 0.4:
        period = h * rng.uniform(0.5, 4)
        text += f' interval="{period:.9g} {-period * rng.uniform(0, 0.99):.9g}"'
    return text
