"""Labels have room: none covers another, the nearest are kept, and what moves slowly does not make them flicker."""

from itertools import combinations, pairwise

import numpy as np

from tumble.render.scene.label_layout import LabelLayout, PlacedLabel
from tumble.render.scene.labels import Label

WIDTH, HEIGHT = 640, 480


def measure(text: str, size: float) -> tuple[float, float]:
    return 7.0 * size * len(text), 15.0 * size


def crowd(count: int, seed: int, spread: float = 200.0) -> list[Label]:
    """Labels about the middle of the picture, nearest first."""
    rng = np.random.default_rng(seed)
    depth = np.sort(rng.uniform(1.0, 6.0, count))
    places = np.clip(rng.normal((WIDTH / 2, HEIGHT / 2), spread, (count, 2)), 0, (WIDTH - 1, HEIGHT - 1))
    return [Label(f"body {k}", *map(float, at), float(z), k) for k, (at, z) in enumerate(zip(places, depth, strict=True))]


def overlap(one: PlacedLabel, two: PlacedLabel) -> bool:
    across = min(one.left + one.width, two.left + two.width) - max(one.left, two.left)
    return across > 0 and min(one.top + one.height, two.top + two.height) - max(one.top, two.top) > 0


def place(layout: LabelLayout, found: list[Label]) -> list[PlacedLabel]:
    return layout.place(found, measure, WIDTH, HEIGHT)


def test_no_two_labels_overlap_and_all_are_in_the_picture() -> None:
    for count, spread in ((1, 50.0), (30, 150.0), (120, 60.0), (400, 300.0)):
        placed = place(LabelLayout(), crowd(count, count, spread))
        assert placed
        assert not any(overlap(one, two) for one, two in combinations(placed, 2))
        for label in placed:
            assert 0 <= label.left <= WIDTH - label.width
            assert 0 <= label.top <= HEIGHT - label.height
            assert np.hypot(label.x - label.end[0], label.y - label.end[1]) < 65.0  # it is near what it names


def test_the_nearest_are_kept_and_the_farthest_are_smaller() -> None:
    found = crowd(100, 3, spread=25.0)
    placed = place(LabelLayout(), found)
    assert len(placed) < 60  # there is no room for all
    kept = [label.text for label in placed]
    assert kept[:5] == [label.text for label in found[:5]]
    without = [label for label in found if label.text not in kept]
    assert np.mean([label.depth for label in without]) > np.mean([label.depth for label in found if label.text in kept])
    assert placed[0].size == 1.0
    assert min(label.size for label in placed) < 0.8
    alone = place(LabelLayout(), [Label("a", 100.0, 100.0, 2.0, 0)])[0]
    assert not alone.away
    assert (alone.left, alone.top + alone.height) > (100.0, 90.0)
    assert any(label.away for label in placed)  # with a line to its point


def test_slow_motion_does_not_make_labels_jump_or_flicker() -> None:
    layout, found = LabelLayout(), crowd(60, 7, spread=70.0)
    rng = np.random.default_rng(1)
    way = rng.normal(0.0, 0.08, (len(found), 2))  # px a picture
    before: dict[str, PlacedLabel] = {}
    jumps = changes = 0
    pictures = 80
    for k in range(pictures):
        moved = [Label(x.text, x.x + k * way[i, 0], x.y + k * way[i, 1], x.depth + 1e-3 * np.sin(k + i), x.key)
                 for i, x in enumerate(found)]  # fmt: skip
        now = {label.text: label for label in place(layout, moved)}
        if before:
            changes += len(set(now) ^ set(before))
            offsets = [(now[t].left - now[t].x) - (before[t].left - before[t].x) for t in set(now) & set(before)]
            jumps += int(np.sum(np.abs(offsets) > 3.0))
        before = now
    assert len(before) > 20
    assert jumps < 0.01 * pictures * len(before)
    assert changes < 0.01 * pictures * len(before)
    # In a picture that stands, nothing changes but what returns to its point.
    for _ in range(60):
        placed = place(layout, moved)
    assert place(layout, moved) == placed


def test_a_label_that_was_pushed_away_comes_back_after_a_while() -> None:
    layout = LabelLayout()
    still = Label("still", 300.0, 200.0, 2.0, "still")
    crossing = [Label(f"crossing {i}", 300.0 + 18 * (i - 2), 190.0 + 6 * i, 1.0, i) for i in range(6)]
    pushed = [label for label in place(layout, [*crossing, still]) if label.text == "still"]
    assert pushed[0].away
    alone = [place(layout, [still])[0].away for _ in range(40)]
    assert alone[0]  # not at once
    assert not alone[-1]
    assert sum(a != b for a, b in pairwise(alone)) == 1
    branch = layout.branch()
    assert place(branch, [still]) == place(layout, [still])


def test_labels_of_something_else_begin_afresh() -> None:
    layout, found = LabelLayout(), crowd(80, 5, spread=40.0)
    first = place(layout, found)
    place(layout, crowd(80, 6, spread=40.0))
    fresh = layout.place(found, measure, WIDTH, HEIGHT, about="geoms")
    assert fresh == first
    assert layout.place([], measure, WIDTH, HEIGHT) == []
