"""Scenes that fall apart into islands."""

HEAD = """
<mujoco>
  <option cone="{cone}" solver="{solver}" jacobian="{jacobian}" timestep="0.003"><flag island="{island}"/></option>
  <statistic meaninertia="1"/>
  <default><geom friction="0.8 0.01 0.002" condim="{condim}"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="9 9 1"/>
"""

FLYING = '<body pos="0 {y} 3"><freejoint/><geom size=".1"/></body>'
BOX = '<body pos="1 {y} .098" euler="3 5 7"><freejoint/><geom type="box" size=".1 .12 .1"/></body>'
PAIR = """
<body pos="2 {y} .099"><freejoint/><geom size=".1"/></body>
<body pos="2.12 {y} .28"><freejoint/><geom type="capsule" size=".1 .05"/></body>
"""
ARM = """
<body pos="4 {y} .4">
  <joint axis="0 1 0" range="-20 0" limited="true" frictionloss="0.3"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
  <body pos=".5 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 -.1"/>
    <body pos=".4 0 -.1"><joint type="ball" range="0 40" limited="true"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .3 0 -.3"/></body>
  </body>
</body>
"""
# Three trees: a tendon joins the outer two; the one between, whose dofs lie between theirs, is alone.
SLIDERS = """
<body pos="6 {y} 1"><joint name="left{i}" type="slide" axis="0 0 1"/><geom size=".1"/></body>
<body pos="6.5 {y} .099"><freejoint/><geom size=".1"/></body>
<body pos="7 {y} 1"><joint name="right{i}" type="slide" axis="0 0 1" frictionloss="2"/><geom size=".1"/></body>
"""
TENDON = '<fixed limited="true" range="0.1 1"><joint joint="left{i}" coef="1"/><joint joint="right{i}" coef="0.5"/></fixed>'
PARTS = {"flying": FLYING, "box": BOX, "pair": PAIR, "arm": ARM, "sliders": SLIDERS}


def scene(
    *parts: str, cone: str = "pyramidal", solver: str = "Newton", jacobian: str = "auto", island: str = "enable", condim: int = 3
) -> str:
    """MJCF of the named parts, side by side, each apart from the others."""
    bodies = "".join(PARTS[p].format(y=i, i=i) for i, p in enumerate(parts))
    tendons = "".join(TENDON.format(i=i) for i, p in enumerate(parts) if p == "sliders")
    head = HEAD.format(cone=cone, solver=solver, jacobian=jacobian, island=island, condim=condim)
    return f"{head}{bodies}</worldbody><tendon>{tendons}</tendon></mujoco>"


ALL = ("flying", "box", "sliders", "pair", "flying", "arm", "box", "pair")

WALL = '<body pos="{x} 0 {z}"><freejoint/><geom type="box" size=".0995 .1 .05"/></body>'
# A wall of 12 bricks is one large island.
BRICKS = "".join(WALL.format(x=0.2 * (i % 4 + 0.5 * (i // 4 % 2)) - 3, z=0.0998 * (i // 4) + 0.0498) for i in range(12))
STATISTICS = ("improvement", "gradient", "lineslope", "nactive", "nchange", "neval", "nupdate")
