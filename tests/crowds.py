"""Large scenes, made by the number: figures in contact, dominoes, resting crates."""

import numpy as np

_DEFAULTS = """
  <default>
    <geom type="capsule" density="900" friction="0.8" condim="3"/>
    <joint type="hinge" damping="1" armature="0.02" limited="true"/>
  </default>
"""
_FLOOR = '<geom name="floor" type="plane" size="50 50 0.1"/>'

# A figure of 13 bodies and 27 degrees of freedom; {i} is its number, {at} where it begins.
_FIGURE = """
<body name="torso{i}" pos="{at}" euler="{turn}">
  <freejoint/>
  <geom fromto="0 -0.07 0 0 0.07 0" size="0.07"/>
  <geom fromto="0 -0.06 -0.12 0 0.06 -0.12" size="0.06"/>
  <geom type="sphere" size="0.09" pos="0 0 0.19"/>
  <body pos="0 0 -0.26">
    <joint axis="0 0 1" range="-45 45"/><joint axis="0 1 0" range="-75 30"/><joint axis="1 0 0" range="-35 35"/>
    <geom fromto="0 -0.07 0 0 0.07 0" size="0.09"/>
    {right_leg}{left_leg}
  </body>
  {right_arm}{left_arm}
</body>
"""
_LEG = """
<body pos="0 {side}0.1 -0.04">
  <joint axis="1 0 0" range="-25 5"/><joint axis="0 0 1" range="-60 35"/><joint axis="0 1 0" range="-110 20"/>
  <geom fromto="0 0 0 0 {back}0.01 -0.34" size="0.06"/>
  <body pos="0 {back}0.01 -0.4">
    <joint axis="0 -1 0" range="-150 -2"/>
    <geom fromto="0 0 0 0 0 -0.3" size="0.049"/>
    <body pos="0 0 -0.37">
      <joint axis="0 1 0" range="-50 50"/><joint axis="1 0 0.5" range="-50 50"/>
      <geom type="box" size="0.1 0.04 0.025" pos="0.04 0 0"/>
    </body>
  </body>
</body>
"""
_ARM = """
<body pos="0 {side}0.17 0.06">
  <joint axis="2 1 1" range="-85 60"/><joint axis="0 -1 1" range="-85 60"/>
  <geom fromto="0 0 0 0.16 {side}0.16 -0.16" size="0.04"/>
  <body pos="0.18 {side}0.18 -0.18">
    <joint axis="0 -1 1" range="-90 50"/>
    <geom fromto="0.01 {back}0.01 0.01 0.17 {back}0.17 0.17" size="0.031"/>
    <geom type="sphere" size="0.04" pos="0.18 {back}0.18 0.18"/>
  </body>
</body>
"""


def figures(count: int, spacing: float = 0.55, option: str = "") -> str:
    """Figures above the floor, turned each differently and so near each other that they touch when they lie there."""
    rng = np.random.default_rng(7)
    side = int(np.ceil(np.sqrt(count)))
    bodies = []
    for i in range(count):
        at = f"{spacing * (i % side):g} {spacing * (i // side):g} {1.3 + 0.2 * (i % 3):g}"
        turn = " ".join(f"{angle:.0f}" for angle in rng.uniform(-50, 50, 3))
        limbs = {}
        for name, limb in (("leg", _LEG), ("arm", _ARM)):
            limbs[f"right_{name}"], limbs[f"left_{name}"] = limb.format(side="-", back=""), limb.format(side="", back="-")
        bodies.append(_FIGURE.format(i=i, at=at, turn=turn, **limbs))
    return f"<mujoco>{option}{_DEFAULTS}<worldbody>{_FLOOR}{''.join(bodies)}</worldbody></mujoco>"


def boxes(count: int, spacing: tuple[float, float], row: int, size: str, option: str = "") -> str:
    """Free boxes of half sizes `size` [m] that stand on the floor in rows."""
    height = size.split()[2]
    bodies = "".join(
        f'<body pos="{spacing[0] * (i % row):g} {spacing[1] * (i // row):g} {height}">'
        f'<freejoint/><geom type="box" size="{size}"/></body>'
        for i in range(count)
    )
    return f"<mujoco>{option}<worldbody>{_FLOOR}{bodies}</worldbody></mujoco>"


SLEEP = '<option><flag sleep="enable"/></option>'


def dominoes(count: int, option: str = SLEEP) -> str:
    """Dominoes in rows of fifty, 6 cm apart: the first can push over its row."""
    return boxes(count, (0.06, 0.3), 50, "0.01 0.05 0.08", option)


def crates(count: int, option: str = SLEEP) -> str:
    """Crates that rest on the floor, apart from each other."""
    return boxes(count, (0.5, 0.5), 10, "0.1 0.1 0.1", option)
