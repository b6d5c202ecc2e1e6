"""Piles of bodies that touch in many ways, and contact sensors of every kind of side, data and reduction."""

import numpy as np

DATA = ("found", "force", "torque", "dist", "pos", "normal", "tangent")
REDUCTIONS = ("none", "mindist", "maxforce", "netforce")
SITES = """
  <site name="s0" size=".3"/><site name="s1" type="capsule" size=".2 .1"/><site name="s2" type="ellipsoid" size=".3 .2 .25"/>
  <site name="s3" type="cylinder" size=".2 .1"/><site name="s4" type="box" size=".3 .1 .2"/>
"""
_NAMED = {"geom": ("floor", *(f"g{i}" for i in range(12))), "body": ("world", *(f"b{i}" for i in range(12)))}
_NAMED["subtree"] = _NAMED["body"]


def sensors(rng: np.random.Generator, count: int) -> str:
    """Contact sensors of random sides, slots and data."""
    lines = []
    for _ in range(count):
        first = _side(rng, "1") if rng.random() < 0.7 else f'site="s{rng.integers(5)}"'
        data = [word for word in DATA if rng.random() < 0.7] or ["found"]
        lines.append(f'<contact {first} {_side(rng, "2")} num="{rng.integers(1, 12)}" reduce="{rng.choice(REDUCTIONS)}" '
                     f'data="{" ".join(data)}"/>')  # fmt: skip
    return "".join(lines)


def _side(rng: np.random.Generator, end: str) -> str:
    kind = str(rng.choice(["geom", "body", "subtree", ""]))
    return f'{kind}{end}="{rng.choice(_NAMED[kind])}"' if kind else ""


def scene(seed: int, sensor: str, gap: float = 0.0) -> str:
    """Spheres and boxes in a heap, each with an arm that swings."""
    rng = np.random.default_rng(seed)
    bodies = ""
    for i in range(0, 12, 2):
        at = " ".join(map(str, (*rng.uniform(-0.3, 0.3, 2), rng.uniform(0.05, 0.3))))
        kinds = rng.choice(["box", "sphere", "capsule"], 2)
        bodies += f"""<body name="b{i}" pos="{at}"><freejoint/><geom name="g{i}" type="{kinds[0]}" size=".1 .08 .06"/>
          <body name="b{i + 1}" pos=".1 .1 0"><joint/><geom name="g{i + 1}" type="{kinds[1]}" size=".1 .08 .06" pos=".1 0 0"/>
          </body></body>"""
    cone, condim = rng.choice(["elliptic", "pyramidal"]), rng.choice([1, 3, 4, 6])
    return f"""<mujoco><option cone="{cone}" tolerance="1e-14" iterations="200"/>
      <default><geom condim="{condim}" margin="{gap}" gap="{gap}"/></default>
      <worldbody><geom name="floor" type="plane" size="5 5 1"/>{SITES}{bodies}</worldbody>
      <sensor>{sensor}</sensor></mujoco>"""
