"""Scenes in which collisions cost most: meshes in a heap, things on a height field, stacks, a hand; how stacks stand."""

import time

import mujoco
import numpy as np

from tests.benchmarks.crowds import compare
from tests.benchmarks.markdown import grid, mean, section
from tests.physics.collision.test_stacks import KINDS, drift, stack
from tumble import physics

_FLOOR = '<geom type="plane" size="9 9 .1"/>'
_SETTLE = 1.0  # simulated time before measuring [s]


def _hull(name: str, seed: int, points: int, size: tuple[float, float, float]) -> str:
    """A mesh: points in a ball, stretched; its hull has most of them as corners."""
    rng = np.random.default_rng(seed)
    places = rng.normal(size=(points, 3))
    places *= np.array(size) / np.linalg.norm(places, axis=1)[:, None]
    return f'<mesh name="{name}" vertex="{" ".join(f"{x:.4f}" for x in places.ravel())}"/>'


def _brick(name: str, x: float, y: float, z: float) -> str:
    corners = [(a, b, c) for a in (-x, x) for b in (-y, y) for c in (-z, z)]
    return f'<mesh name="{name}" vertex="{" ".join(f"{v:g}" for corner in corners for v in corner)}"/>'


def _free(place: tuple[float, float, float], geom: str) -> str:
    return f'<body pos="{place[0]:.3f} {place[1]:.3f} {place[2]:.3f}"><freejoint/><geom {geom}/></body>'


def _heap(count: int) -> list[tuple[float, float, float]]:
    """Places above each other, three to a layer."""
    rng = np.random.default_rng(3)
    return [(*(0.12 * rng.normal(size=2) + 0.25 * np.array([k % 3 - 1, k % 2])), 0.3 + 0.22 * (k // 3)) for k in range(count)]


def meshes(points: int) -> str:
    """Thirty bodies of six kinds of meshes in a heap."""
    assets = "".join(_hull(f"m{k}", k, points, (0.1 + 0.01 * k, 0.12, 0.16 - 0.01 * k)) for k in range(6))
    things = "".join(_free(place, f'type="mesh" mesh="m{k % 6}"') for k, place in enumerate(_heap(30)))
    return f"<mujoco><asset>{assets}</asset><worldbody>{_FLOOR}{things}</worldbody></mujoco>"


def on_a_height_field() -> str:
    """Twenty-four bodies of all kinds on hills."""
    n = 40
    x, y = np.meshgrid(np.linspace(0, 6, n), np.linspace(0, 6, n))
    heights = " ".join(f"{h:.3f}" for h in (0.5 + 0.5 * np.sin(x) * np.cos(y)).ravel())
    kinds = ['type="sphere" size=".1"', 'type="capsule" size=".07 .1"', 'type="box" size=".1 .1 .06"',
             'type="cylinder" size=".1 .08"', 'type="ellipsoid" size=".12 .1 .08"', 'type="mesh" mesh="rock"']  # fmt: skip
    things = "".join(_free((0.4 * (k % 6) - 1, 0.5 * (k // 6) - 0.8, 0.7), kinds[k % 6]) for k in range(24))
    hills = f'<hfield name="hills" nrow="{n}" ncol="{n}" size="2 2 .4 .1" elevation="{heights}"/>'
    return (f'<mujoco><asset>{_hull("rock", 1, 40, (0.12, 0.1, 0.1))}{hills}</asset>'
            f'<worldbody><geom type="hfield" hfield="hills"/>{things}</worldbody></mujoco>')  # fmt: skip


def stacks(geom: str, height: float) -> str:
    """Four stacks of eight with several points a pair. height: of one thing [m]."""
    things = "".join(_free((i, 0, height * (k + 0.4999)), geom) for i in range(4) for k in range(8))
    return (f'<mujoco><option><flag multiccd="enable"/></option><asset>{_brick("brick", 0.1, 0.08, 0.05)}</asset>'
            f"<worldbody>{_FLOOR}{things}</worldbody></mujoco>")  # fmt: skip


def hand() -> str:
    """A hand of meshes, four fingers of three links, that holds a rock."""
    link = '<geom type="mesh" mesh="link" pos=".05 0 0"/>'
    finger = (
        '<body pos="{} {} .02" euler="0 0 {}"><joint axis="0 1 0" range="-20 80" limited="true" stiffness="2" springref="60"/>'
        f'{link}<body pos=".1 0 0"><joint axis="0 -1 0" stiffness="1" springref="50"/>'
        f'{link}<body pos=".1 0 0"><joint axis="0 -1 0" stiffness="1" springref="40"/>{link}</body></body></body>'
    )
    rock = _free((0, 0, 0.25), 'type="mesh" mesh="rock"')
    fingers = "".join(finger.format(0.09 * np.cos(t), 0.09 * np.sin(t), np.degrees(t)) for t in (0.0, 1.6, 3.1, 4.7))
    return ('<mujoco><default><joint damping=".05" armature=".001"/></default>'
            f'<asset>{_hull("link", 2, 120, (0.055, 0.02, 0.02))}{_hull("palm", 3, 200, (0.12, 0.12, 0.03))}'
            f'{_hull("rock", 4, 200, (0.08, 0.07, 0.07))}</asset><worldbody>{_FLOOR}'
            f'<body pos="0 0 .1"><geom type="mesh" mesh="palm"/>{fingers}</body>'
            f"{rock}</worldbody></mujoco>")  # fmt: skip


SCENES = {
    "30 meshes of 20 points": meshes(20),
    "30 meshes of 200 points": meshes(200),
    "24 things on a height field": on_a_height_field(),
    "stacks of boxes": stacks('type="box" size=".1 .08 .05"', 0.1),
    "stacks of cylinders": stacks('type="cylinder" size=".1 .05"', 0.1),
    "stacks of mesh bricks": stacks('type="mesh" mesh="brick"', 0.1),
    "a hand of meshes": hand(),
}


def table() -> str:
    """A row for each scene."""
    results = {name: compare(text, _SETTLE) for name, text in SCENES.items()}
    return section(
        "Scenes that collide, against the reference",
        "Both go on from the same states; a ratio over 1 is faster than the reference (C, one thread).",
        grid("scene | reference [us] | ours [us] | ratio | contacts, both | iterations, both",
             [(name, *r.cells()) for name, r in results.items()]),
        mean([r.ratio for r in results.values()]),
    )  # fmt: skip


SECONDS = 60.0


def told(farthest: float, fell: float) -> str:
    """What a stack did, in a cell of the table."""
    return f"{1e3 * farthest:.2g} mm" if fell == np.inf else f"falls at {fell:.0f} s"


def standing() -> str:
    """How far stacks move in a minute, here and in the reference."""
    rows = []
    for kind in KINDS:
        for multiccd in (True, False):
            xml, cells, spent = stack(kind, multiccd=multiccd), [], []
            for engine in (physics, mujoco):
                start = time.process_time()
                cells.append(told(*drift(engine, xml, SECONDS)))
                spent.append(time.process_time() - start)
            ratio = "-" if "falls" in "".join(cells) else f"{spent[0] / spent[1]:.2f}"
            rows.append((kind, "on" if multiccd else "off", *cells, ratio))
    return section(
        "Stacks that stand",
        f"Ten on top of each other on a plane, the farthest that one moves in {SECONDS:.0f} s after the first second.",
        grid("stack | multiccd | here | reference | time here / reference", rows),
    )
