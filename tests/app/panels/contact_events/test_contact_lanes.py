"""Lanes of contacts: what is kept of every pair, what resets and short memory do to it, and what each pixel shows."""

import numpy as np
import pytest

from tests.app.conftest import MODELS
from tumble import physics
from tumble.app.panels.contact_events.lane_view import GROUND, LEAST, cells, marks, picture
from tumble.app.panels.contact_events.lanes import BY_GEOM, LATEST, STRONGEST, Lanes, summary
from tumble.app.widgets.time_view import TimeWindow, ticks
from tumble.physics import ContactMode
from tumble.physics.observe.touch import (
    BEGIN,
    BROKE,
    CUT,
    END,
    GOES_ON,
    JUMP,
    PIECE,
    ContactTap,
    Touches,
)

BOUNCE = MODELS / "bounce.xml"
FLOOR, BALL, BRICK = 0, 1, 2


@pytest.fixture
def bounce():
    m = physics.MjModel.from_xml_path(str(BOUNCE))
    d = physics.MjData(m)
    physics.mj_resetDataKeyframe(m, d, 0)
    tap = ContactTap(d)
    tap.attach()
    return m, d, tap


def run(m, d, tap, lanes, *steps):
    count = tap.count
    for n in steps:
        physics.mj_step(m, d, n)
        lanes.take(tap.since(count))
        count = tap.count


def piece(begin, end, geoms=(0, 1), mode=ContactMode.STICK, peak=1.0, made=0, ended=GOES_ON):
    return [begin, end, *geoms, mode, peak, begin, peak * (end - begin), made, ended]


def seen(rows, opened=(), count=None, lost=0, jumps=1, time=None):
    """What a tap would have told."""
    rows, opened = (np.array(x, float).reshape(-1, PIECE) for x in (rows, opened))
    newest = time if time is not None else max([*rows[:, END], *opened[:, END]], default=0.0)
    return Touches(len(rows) + lost if count is None else count, lost, 0, jumps, newest, rows, opened)


START = [0.0, 0, 7, 0, JUMP, 0, 0, 0, 0, 0]  # after seven resets


def test_contact_touches_do_not_depend_on_delivery_chunks(bounce):
    m, d, tap = bounce
    lanes = Lanes()
    run(m, d, tap, lanes, *[7] * 100, 300)
    ball = lanes.touches(lanes.lane_of((FLOOR, BALL)))
    assert all(touch.duration == touch.end - touch.begin for touch in ball)
    assert [(t.made, t.broke) for t in ball] == [(True, True)] * 2
    assert {mode for t in ball for _, mode in t.modes} == {ContactMode.SMOOTH}
    assert ball[0].begin < ball[0].peak_time < ball[0].end
    brick = lanes.touches(lanes.lane_of((FLOOR, BRICK)))[-1]
    assert {ContactMode.SLIP, ContactMode.STICK} <= {mode for _, mode in brick.modes}
    assert not brick.broke
    other, tap_at_once = Lanes(), ContactTap(d)
    physics.mj_resetDataKeyframe(m, d, 0)
    tap_at_once.attach()
    run(m, d, tap_at_once, other, 1000)
    assert other.touches(other.lane_of((FLOOR, BALL))) == ball


def test_lanes_are_ordered_and_found():
    lanes = Lanes()
    rows = [START, piece(0, 1, (0, 3), peak=5, ended=BROKE), piece(1, 2, (0, 1), peak=1, ended=BROKE)]
    lanes.take(seen(rows, [piece(0.5, 3, (2, 4), peak=2)]))
    pairs = lambda order, chosen=None: [lanes.pairs[k] for k in lanes.present(chosen, order)]  # noqa: E731
    assert pairs(LATEST) == [(2, 4), (0, 1), (0, 3)]
    assert pairs(STRONGEST) == [(0, 3), (2, 4), (0, 1)]
    assert pairs(BY_GEOM) == [(0, 1), (0, 3), (2, 4)]
    assert pairs(LATEST, np.array([pair[0] == 0 for pair in lanes.pairs])) == [(0, 1), (0, 3)]
    rows, slots = lanes.between(0.9, 1.5, lanes.present(None, BY_GEOM))
    assert sorted(zip(slots.tolist(), rows[:, BEGIN].tolist(), strict=True)) == [(0, 1.0), (1, 0.0), (2, 0.5)]
    assert lanes.touching == 1
    assert lanes.touch_at(lanes.lane_of((0, 3)), 7.0).begin == 0.0  # the nearest


def test_a_reset_empties_the_lanes_and_a_step_back_cuts_them(bounce):
    m, d, tap = bounce
    lanes = Lanes()
    run(m, d, tap, lanes, 400)
    spec = physics.mjtState.mjSTATE_INTEGRATION
    state = np.empty(physics.mj_stateSize(m, spec))
    physics.mj_getState(m, d, state, spec)
    begins = [t.begin for t in lanes.touches(lanes.lane_of((FLOOR, BALL)))]
    run(m, d, tap, lanes, 600)
    assert len(lanes.touches(lanes.lane_of((FLOOR, BALL)))) > len(begins)
    physics.mj_setState(m, d, state, spec)
    run(m, d, tap, lanes, 1)
    assert lanes.time == pytest.approx(0.401)
    assert [t.begin for t in lanes.touches(lanes.lane_of((FLOOR, BALL)))] == begins
    rows, _ = lanes.between(-1, 10, lanes.present())
    assert rows[:, END].max() == lanes.time
    physics.mj_resetData(m, d)
    run(m, d, tap, lanes, 1)
    assert len(lanes) == 0
    assert [lanes.pairs[k] for k in lanes.present()] == [(FLOOR, BRICK)]
    assert not lanes.touches(lanes.lane_of((FLOOR, BRICK)))[0].made  # it was there


def test_a_tap_that_was_away_leaves_a_gap(bounce):
    m, d, tap = bounce
    lanes = Lanes()
    run(m, d, tap, lanes, 600)  # the brick lies
    tap.detach()
    physics.mj_step(m, d, 50)
    again = ContactTap(d)
    again.attach()
    run(m, d, again, lanes, 50)
    first, second = lanes.touches(lanes.lane_of((FLOOR, BRICK)))[-2:]
    assert (first.end, second.begin) == (pytest.approx(0.6), pytest.approx(0.65))
    assert not first.broke
    assert not second.made


def test_the_oldest_pieces_are_dropped_and_lost_ones_are_counted():
    lanes = Lanes(kept=8)
    lanes.take(seen([START, *(piece(k, k + 1, (0, 1)) for k in range(3))], count=4))
    lanes.take(seen([piece(k, k + 1, (0, 2)) for k in range(3, 9)], count=10))
    assert (len(lanes), lanes.dropped) == (8, 1)
    assert len(lanes.present()) == 2
    lanes.take(seen([piece(k, k + 1, (0, 2)) for k in range(9, 30)], count=31))
    assert (len(lanes), lanes.dropped) == (8, 9)  # those that never had room are not counted twice
    assert [lanes.pairs[k] for k in lanes.present()] == [(0, 2)]
    assert lanes.touches(lanes.lane_of((0, 2)))[0].begin == 22
    lanes = Lanes()
    lanes.take(seen([START, piece(0, 1)], count=2))
    lanes.take(seen([piece(4, 5)], count=8, lost=5))
    assert (len(lanes), lanes.lost) == (2, 5)
    assert summary(lanes, 1) == "1 pair, 0 in contact, 2 pieces kept; 5 came too fast and are lost"
    lanes.take(seen([piece(2, 3)], count=12, lost=3, jumps=2))
    assert (len(lanes), lanes.lost) == (1, 3)
    assert lanes.touches(0)[0].begin == 2


def test_pairs_that_are_gone_take_no_memory(monkeypatch):
    monkeypatch.setattr("tumble.app.panels.contact_events.lanes.MANY", 16)
    lanes = Lanes(kept=8)
    count = 0
    for k in range(200):
        rows = ([START] if k == 0 else []) + [piece(k, k + 1, (k, k + 1), ended=BROKE)]
        count += len(rows)
        lanes.take(seen(rows, count=count))
        assert len(lanes.pairs) <= 34
    assert [lanes.pairs[k][0] for k in lanes.present()] == list(range(199, 191, -1))
    assert all(len(lanes.touches(k)) == 1 for k in lanes.present())


def test_events_are_a_table_in_the_order_of_time():
    lanes = Lanes()
    slip = piece(0.2, 0.3, mode=ContactMode.SLIP, peak=3, ended=BROKE)
    lanes.take(seen([START, piece(0.1, 0.2, made=1), piece(0.15, 0.25, (0, 2), ended=CUT), slip]))
    table = list(lanes.contacts(lanes.present()).events(["floor", "ball", "brick"]))
    assert [row[1] for row in table[1:]] == ["make", "stick", "stick", "peak", "slip", "peak", "break"]
    assert table[-1][:5] == ["0.3", "break", "floor", "ball", ""]
    assert [float(x) for x in table[-1][5:]] == pytest.approx([0.2, 0.4, 0.5])  # duration, impulse, share slipping
    assert table[-2][4] == "3.0"


def test_a_contact_of_two_steps_has_a_pixel_at_any_zoom():
    rows = np.array([piece(1.0, 1.002, peak=9), piece(0.5, 3.0, peak=1), piece(2.0, 2.001, (0, 2), peak=1)])
    slots = np.array([0, 0, 1])
    for span in (0.01, 1.0, 100.0, 86_400.0):
        shown = cells(rows, slots, 2, 1.0 - span / 2, 1.0 + span / 2, 600)
        assert (shown[0] == 0).sum() >= 1  # the strong one is seen, not the long one behind it
    shown = cells(rows, slots, 2, 0.0, 4.0, 400)
    assert list(np.flatnonzero(shown[0] == 0)) == [100]
    assert list(np.flatnonzero(shown[0] == 1)) == [k for k in range(50, 300) if k != 100]
    assert list(np.flatnonzero(shown[1] == 2)) == [200]
    assert (cells(rows, slots, 2, 5.0, 6.0, 400) == -1).all()
    assert cells(np.zeros((0, PIECE)), np.zeros(0, int), 0, 0.0, 1.0, 50).shape == (0, 50)


def test_lane_bars_show_mode_colour_and_force_height():
    rows = np.array([piece(0, 1, peak=4), piece(1, 2, mode=ContactMode.SLIP, peak=1), piece(2, 3, mode=ContactMode.OPEN, peak=0)])
    shown = cells(rows, np.zeros(3, int), 1, 0.0, 4.0, 4)
    inks = {int(mode): (10 * (mode + 1), 100, 200) for mode in ContactMode}
    pixels = picture(rows, shown, 18, 4, inks, (0, 0, 0))
    assert pixels.shape == (22, 4)
    solid = {k: 0xFF000000 | 10 * (k + 1) << 16 | 100 << 8 | 200 for k in range(3)}
    assert (pixels[:, 0] == solid[ContactMode.STICK]).sum() == 18
    assert (pixels[:, 1] == solid[ContactMode.SLIP]).sum() == LEAST + round((18 - LEAST) / 2)  # the root of a quarter
    assert (pixels[:, 2] == solid[ContactMode.OPEN]).sum() == LEAST
    assert (pixels[:, 3] == 0xFF000000).all()
    assert pixels[0, 1] & 0xFF == round(GROUND * 200)


def test_makes_breaks_and_peaks_are_marked_where_there_is_room():
    rows = np.array([
        piece(0, 1, peak=2, made=1), piece(1, 2, mode=ContactMode.SLIP, peak=5, ended=BROKE), piece(3, 4, peak=1, ended=CUT),
        piece(0, 0.001, (0, 2), made=1, ended=BROKE),
    ])  # fmt: skip
    made, broke, peaks = marks(rows, np.array([0, 0, 0, 1]), 0.0, 4.0, 400)
    assert (made.tolist(), broke.tolist(), peaks.tolist()) == ([0], [1], [1, 2])
    made, broke, peaks = marks(rows, np.array([0, 0, 0, 1]), 0.0, 0.002, 400)
    assert made.tolist() == [0, 3]


def test_the_window_of_time_follows_until_it_is_moved():
    window = TimeWindow(5.0)
    window.advance(2.0)
    assert (window.start, window.stop) == (0.0, 5.0)
    window.advance(12.0)
    assert (window.start, window.stop) == (7.0, 12.0)
    window.zoom(0.5, 8.0)
    assert (window.start, window.stop) == (9.5, 12.0)  # the newest moment stays in view
    assert window.follow
    window.move(-4.0)
    window.advance(13.0)
    assert (window.start, window.stop, window.follow) == (5.5, 8.0, False)
    window.zoom(2.0, 6.0)
    assert (window.start, window.stop) == (5.0, 10.0)
    window.set_follow(True)
    assert (window.start, window.stop) == (8.0, 13.0)
    window.zoom(1e-9, 0.0)
    assert window.span == 1e-4


@pytest.mark.parametrize("span", [1e-4, 0.003, 0.7, 12.0, 5000.0])
def test_ticks_are_round_and_few(span):
    moments, digits = ticks(3.0, 3.0 + span, 8)
    assert 2 <= len(moments) <= 9
    assert len({f"{t:.{digits}f}" for t in moments}) == len(moments)
    assert all(3.0 - 1e-9 <= t <= 3.0 + span + 1e-9 for t in moments)
    assert float(f"{moments[0]:.{digits}f}") == pytest.approx(moments[0], abs=1e-9)
