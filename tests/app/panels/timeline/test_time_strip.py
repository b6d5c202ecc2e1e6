"""The timeline without a picture: axis, spots, pictures that fit, moves, requests, words."""

from types import SimpleNamespace

import numpy as np
import pytest

from tumble.app.panels.timeline.strip import (
    BOOKMARK,
    CAMERA,
    LOOKS,
    SHAPES,
    Axis,
    Move,
    Requests,
    Stand,
    empty_line,
    goal,
    moment,
    near,
    place_pictures,
    round_length,
    spot_line,
    spot_lines,
    spots,
    stand,
)
from tumble.app.replay.replay_view import Bookmark
from tumble.app.session.events import Event, EventKind

WIDTH = 1000.0


def axis_of(end, first=0.0, timestep=0.001):
    axis = Axis()
    axis.set_bounds(first, end, timestep)
    return axis


def event(step, kind=EventKind.CONTACT, text="", frame=None, time=None):
    return Event(step, 0.01 * step if time is None else time, kind, text, frame)


# ---- the axis


def test_a_round_length_is_the_least_that_is_long_enough():
    assert [round_length(s) for s in (0.03, 0.33, 1.0, 1.01, 9.0, 10.0, 61.0)] == pytest.approx([0.032, 0.4, 1, 1.25, 10, 10, 64])
    for seconds in np.geomspace(1e-3, 1e5, 400):
        assert seconds * (1 - 1e-9) <= round_length(float(seconds)) <= 1.34 * seconds


def test_an_axis_is_laid_out_anew_only_now_and_then():
    axis, layouts = Axis(), set()
    for k in range(2000):
        axis.set_bounds(0.0, 0.01 * k, 0.001)
        assert axis.start == 0.0
        assert axis.stop >= 0.01 * k
        layouts.add(axis.stop)
    assert len(layouts) < 20
    axis = axis_of(10.001)
    span = axis.span
    for end in (9.99, 10.01, 9.98, 10.0):
        axis.set_bounds(0.0, end, 0.001)
        assert axis.span == span


def test_zoom_keeps_the_moment_under_the_mouse_and_has_its_ends():
    axis = axis_of(8.0)
    share = (3.0 - axis.start) / axis.span
    axis.zoom(0.5, 3.0)
    assert (3.0 - axis.start) / axis.span == pytest.approx(share)
    assert axis.span == pytest.approx(4.0)
    assert not axis.whole
    for _ in range(100):
        axis.zoom(0.5, 3.0)
    assert axis.span == pytest.approx(0.010)
    assert axis.start <= 3.0 <= axis.stop
    for _ in range(100):
        axis.zoom(2.0, 3.0)
    assert axis.whole
    assert (axis.start, axis.stop) == (0.0, pytest.approx(8.0))


def test_moving_stays_within_what_is_known():
    axis = axis_of(8.0, first=2.0)
    axis.zoom(0.25, 4.0)
    span = axis.span
    axis.move(-100.0)
    assert axis.start == 2.0
    axis.move(100.0)
    assert axis.stop == pytest.approx(2.0 + round_length(6.0))
    assert axis.span == pytest.approx(span)


def test_zoomed_time_axis_follows_end_only_while_visible():
    axis = axis_of(8.0)
    axis.zoom(0.1, 8.0)
    for k in range(800, 1000):
        axis.set_bounds(0.0, 0.01 * k, 0.001)
        assert axis.start < 0.01 * k <= axis.stop
    axis.move(-3.0)
    start = axis.start
    axis.set_bounds(0.0, 11.0, 0.001)
    assert axis.start == start  # the user looks at something else


def test_reveal_moves_only_if_it_must():
    axis = axis_of(8.0)
    axis.zoom(0.25, 1.0)
    start = axis.start
    axis.reveal(axis.start + 0.1)
    assert axis.start == start
    axis.reveal(6.0)
    assert axis.start <= 6.0 <= axis.stop


def test_what_is_forgotten_leaves_the_view():
    axis = axis_of(10.0)
    axis.zoom(0.1, 1.0)
    axis.set_bounds(5.0, 15.0, 0.001)
    assert axis.start >= 5.0


# ---- spots and pictures


def test_timeline_spots_are_sorted_and_hidden_kinds_omitted():
    events = [event(30, EventKind.WARNING), event(10, EventKind.CONTACT), event(20, EventKind.SLEEP)]
    spot_list = spots(events, [Bookmark(15, 0.15, "here", None)], [(0.25, "key")], {EventKind.SLEEP}, 0.01)
    assert [(spot.step, spot.look) for spot in spot_list.all] == [
        (10, LOOKS[EventKind.CONTACT]), (15, BOOKMARK), (25, CAMERA), (30, LOOKS[EventKind.WARNING]),
    ]  # fmt: skip
    np.testing.assert_allclose(spot_list.times, [0.1, 0.15, 0.25, 0.3])


def test_every_kind_has_a_look_of_its_own():
    looks = [*LOOKS.values(), BOOKMARK, CAMERA]
    assert set(LOOKS) == set(EventKind)
    assert (
        len({look.rank for look in looks})
        == len({look.ink for look in looks})
        == len({look.shape for look in looks})
        == len(looks)
    )
    assert {look.shape for look in looks} == set(SHAPES)


def test_near_finds_the_nearest_first():
    assert near(np.array([10.0, 14.5, 30.0, 11.0]), 12.0, 3.0) == [3, 0, 1]
    assert near(np.zeros(0), 12.0, 3.0) == []


def place(xs, ranks, kept=None):
    kept = kept if kept is not None else [np.nan] * len(xs)
    return dict(place_pictures(np.array(xs), np.array(ranks), np.array(kept), WIDTH, 120.0, 6.0))


def test_pictures_never_overlap_and_are_over_their_spots():
    rng = np.random.default_rng(0)
    for count in (1, 5, 40, 400):
        xs = rng.uniform(-50, 1050, count)
        placed = place_pictures(xs, rng.integers(0, 3, count), np.full(count, np.nan), WIDTH, 120.0, 6.0)
        lefts = np.sort([left for _, left in placed])
        assert np.all(np.diff(lefts) >= 126.0 - 1e-6)
        for k, left in placed:
            assert 0.0 <= left <= WIDTH - 120.0
            assert left <= xs[k] <= left + 120.0
    assert len(placed) == 7  # as many as fit


def test_pictures_that_matter_more_come_first_others_stay():
    assert place([500.0, 501.0], [0, 5])[1] == 441.0
    assert place([500.0, 501.0], [5, 0])[0] == 440.0
    assert place([500.0, 510.0], [0, 0], [np.nan, -100.0])[1] == 410.0
    assert place([500.0, 510.0], [1, 0], [np.nan, -60.0])[0] == 440.0
    placed = place([400.0, 500.0, 560.0], [5, 3, 0])
    assert placed[0] == 340.0
    assert placed[1] == 466.0
    assert 2 not in placed or placed[2] >= 466.0 + 126.0
    placed = place([500.0, 590.0], [5, 0])
    assert placed == {0: 440.0, 1: 566.0}
    assert place_pictures(np.array([10.0]), np.array([0]), np.array([np.nan]), 100.0, 120.0, 6.0) == []


def test_pictures_that_are_placed_again_are_where_they_were():
    rng = np.random.default_rng(1)
    for _ in range(20):
        xs, ranks = rng.uniform(0, WIDTH, 60), rng.integers(0, 3, 60)
        first = place(list(xs), list(ranks))
        kept = [first[k] - xs[k] if k in first else np.nan for k in range(60)]
        assert place(list(xs), list(ranks), kept) == pytest.approx(first)


# ---- moves and requests


def test_moves_lead_to_steps_and_spots():
    spot_list = spots([event(10), event(30)], [Bookmark(20, 0.2, "", None)], [(0.25, "key")], (), 0.01)
    to = {move: goal(move, 20, 0, 50, spot_list) for move in Move}
    assert to == {
        Move.FIRST: 0, Move.SPOT_BEFORE: 10, Move.BACK: 19, Move.FORWARD: 21, Move.SPOT_AFTER: 30, Move.LAST: 50,
    }  # fmt: skip
    assert goal(Move.SPOT_AFTER, 20, 0, 50, spot_list) != 25  # a camera is no event
    assert [goal(move, 50, 0, 50, spot_list) for move in (Move.FORWARD, Move.LAST, Move.SPOT_AFTER)] == [None] * 3
    assert [goal(move, 8, 8, 50, spot_list) for move in (Move.BACK, Move.FIRST, Move.SPOT_BEFORE)] == [None] * 3


def test_seek_requests_run_one_at_a_time_and_keep_the_newest():
    gone = []
    requests = Requests(gone.append)
    for step in (5, 6, 7, 8):
        requests.ask(step)
        assert requests.aim == step
    assert gone == [5]
    requests.arrived()
    assert (gone, requests.aim) == ([5, 8], 8)
    requests.arrived()
    assert (gone, requests.aim) == ([5, 8], None)
    requests.ask(9)
    requests.ask(10)
    requests.forget()
    requests.arrived()
    assert (gone, requests.aim) == ([5, 8, 9], None)


# ---- words


@pytest.mark.parametrize(
    ("now", "target", "playing", "paused", "kind", "words"),
    [
        (100, None, False, False, Stand.LIVE, "Live"),
        (100, None, False, True, Stand.LIVE, "Live, paused"),
        (60, None, False, True, Stand.PAST, "In the past: 0.40 s before the end"),
        (60, None, True, False, Stand.AGAIN, "Replaying, 0.40 s before the end"),
        (60, 20, False, True, Stand.ON_THE_WAY, "Going to 0.20 s"),
    ],
)
def test_where_it_stands(now, target, playing, paused, kind, words):
    history = SimpleNamespace(first=0, now=now, end=100, timestep=0.01, target=target, playing=playing, strayed=0)
    assert stand(history, paused, True) == (kind, words)
    assert stand(history, paused, False)[0] is Stand.NOTHING


def test_a_replay_that_goes_another_way_says_so_from_then_on():
    history = SimpleNamespace(first=0, now=60, end=100, timestep=0.01, target=None, playing=False, strayed=50)
    words = stand(history, True, True)[1]
    assert words == "In the past: 0.40 s before the end; from 0.50 s on it differs from the recording"


def test_timeline_tooltips_give_time_text_and_reset_time():
    spot_list = spots([event(10, text="ball touches floor"), event(20, EventKind.RESET, time=0.0)], [], [], (), 0.01).all
    assert spot_line(spot_list[0], 0.01) == "0.10 s  ball touches floor"
    assert spot_line(spot_list[1], 0.01) == "0.20 s  Resets (time 0.00 s)"
    many = spots([event(k) for k in range(9)], [], [], (), 0.01).all
    assert spot_lines(many, 0.01)[-1] == "and 3 more"
    history = SimpleNamespace(first=10, end=100, timestep=0.01)
    assert empty_line(0.5, history) == "0.50 s"
    assert empty_line(0.05, history) == "Nothing is recorded at this moment"
    assert moment(617, 0.002) == "1.234 s"
