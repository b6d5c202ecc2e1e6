"""The contacts of every pair: the same as stepping one by one and looking, closed forms, and limits of memory."""

import math

import numpy as np
import pytest

from tests.physics.reference import load
from tumble import physics
from tumble.physics.dynamics.contact_force import ContactMode, cone_share, contact_mode
from tumble.physics.errors import ModelError
from tumble.physics.observe import touch
from tumble.physics.observe.sample import SignalTap
from tumble.physics.observe.touch import (
    BEGIN,
    BROKE,
    CUT,
    END,
    ENDED,
    GEOM1,
    GOES_ON,
    IMPULSE,
    JUMP,
    MADE,
    MODE,
    PEAK,
    PEAK_TIME,
    ContactTap,
)
from tumble.physics.query.force import contact_forces

FLOOR = "<geom name='floor' type='plane' size='5 5 1' {}/>"
# An almost elastic ball: the contact is an undamped spring that is stiff and without a dead zone.
BALL = f"""<mujoco><option timestep="1e-4"/><worldbody>{FLOOR.format("condim='1'")}<body pos="0 0 .3"><freejoint/>
<geom name="ball" size=".1" solref="-40000 0" solimp=".9 .9 .001" condim="1"/></body></worldbody></mujoco>"""
SLOPE = """<mujoco><option timestep="0.002" cone="elliptic"/><worldbody>
<geom name="slope" type="plane" size="50 5 1" euler="0 20 0" friction=".01"/>
<body pos="0.0342 0 0.0939" euler="0 20 0"><freejoint/><geom name="box" type="box" size=".2 .2 .1" friction=".8"/></body>
</worldbody></mujoco>"""
# A ball that two boxes touch with forces of 1e-8 N: contacts that flicker at rest.
REST = f"""<mujoco><option timestep="0.002"/><worldbody>{FLOOR.format("")}
<body pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body>
<body pos=".2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="-.2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
# Boxes, balls and capsules with all kinds of friction that fall into a trough: pairs come, slip, part and meet again.
KINDS = ("type='box' size='.1 .08 .06'", "size='.09' condim='1'", "type='capsule' size='.05 .1' condim='6'", "size='.1'")
HEAP = """<mujoco><option timestep="0.002" cone="{cone}" {option}>{flag}</option>
<default><geom friction=".4 .02 .01"/></default><worldbody><geom type='plane' size='5 5 1'/>
<geom type='box' size='.05 1 .3' pos='-.5 0 .3'/><geom type='box' size='.05 1 .3' pos='.5 0 .3'/>{bodies}
</worldbody></mujoco>"""


def heap(cone="elliptic", option="", flag="", count=24):
    rng = np.random.default_rng(3)
    bodies = ""
    for i in range(count):
        x, y, turn = rng.uniform(-0.3, 0.3), rng.uniform(-0.2, 0.2), rng.uniform(-180, 180, 3)
        euler = " ".join(f"{a:.2f}" for a in turn)
        pose = f"pos='{x:.3f} {y:.3f} {0.2 + 0.12 * i:.3f}' euler='{euler}'"
        bodies += f"<body {pose}><freejoint/><geom {KINDS[i % len(KINDS)]}/></body>"
    return load(HEAP.format(cone=cone, option=option, flag=flag, bodies=bodies))


def followed(d, **sizes):
    tap = ContactTap(d, **sizes)
    tap.attach()
    return tap


def pieces(rows):
    """The rows that are no jumps."""
    return rows[rows[:, MODE] != JUMP]


class Lane:
    """A contact of one pair in the Looker: its piece, and the change that may be coming."""

    def __init__(self, looker, pair, start, mode, made):
        self.looker, self.pair, self.coming, self.run = looker, pair, None, [mode, start, 0]
        self.begin(start, mode, made)

    def begin(self, start, mode, made=0.0):
        self.piece = {"begin": start, "mode": mode, "made": made, "peak": -1.0, "at": start, "impulse": 0.0}

    def merge(self):
        """What happened since the change was coming becomes a part of the piece."""
        if self.coming is not None:
            since = self.coming
            if since["peak"] > self.piece["peak"]:
                self.piece.update(peak=since["peak"], at=since["at"])
            self.piece["impulse"] += since["impulse"]
            since.update(peak=-1.0, impulse=0.0)

    def write(self, end, ended):
        p = self.piece
        force = (p["peak"], p["at"], p["impulse"])
        self.looker.rows.append([p["begin"], end, *self.pair, p["mode"], *force, p["made"], ended])

    def add(self, start, h, force, now, d):
        """One step; returns whether the contact has broken."""
        if self.run[0] != now:
            self.run = [now, start, 0]
        self.run[2] += 1
        if now == self.piece["mode"]:
            if self.coming is not None and (now != ContactMode.STICK or start - self.run[1] >= touch.HOLD):
                self.merge()
                self.coming = None
        elif self.coming is None:
            self.coming = {"since": start, "peak": -1.0, "at": start, "impulse": 0.0, "moved": np.zeros(3)}
        self.divide(start, force, now)
        change = self.piece if self.coming is None else self.coming
        if force > change["peak"]:
            change.update(peak=force, at=start)
        change["impulse"] += force * h
        if self.coming is not None:
            a, b = (self.looker.velocity(d, geom, self.point) for geom in self.pair)
            self.coming["moved"] += h * (b - a)
            if now != self.piece["mode"]:
                return self.settle(now, start + h)
        return False

    def divide(self, start, force, now):
        if now == touch.AWAY and start - self.run[1] < touch.SLICE:
            return
        at = self.run[1] if now == touch.AWAY else start
        impulse = self.piece["impulse"] + (self.coming["impulse"] if self.coming else 0.0)
        age = at - self.piece["begin"]
        if age >= touch.SLICE and abs(force * age - impulse) > touch.SPREAD * impulse:
            self.merge()
            self.write(at, GOES_ON)
            self.begin(at, self.piece["mode"])
            if self.coming is not None:
                self.coming["since"] = at

    def settle(self, now, end):
        mode, few = self.piece["mode"], self.run[2] >= touch.FEW
        slid = np.linalg.norm(self.coming["moved"])
        apart = few and (self.coming["moved"] @ self.normal > self.reach or slid > touch.FAR * self.reach)
        if now == touch.AWAY:
            if apart:
                self.merge()
                self.write(max(self.run[1], self.piece["begin"]), BROKE)
            return apart
        if mode == ContactMode.SLIP and now == ContactMode.STICK:
            changed = few and end - self.run[1] >= touch.HOLD
        elif now == ContactMode.OPEN:
            changed = apart
        else:
            changed = (mode, now) != (ContactMode.STICK, ContactMode.SLIP) or slid > self.reach
        if changed:
            since = self.coming["since"]
            if since > self.piece["begin"]:
                self.write(since, GOES_ON)
                self.begin(since, now)
            self.piece["mode"] = now
            self.merge()
            self.coming = None
        return False


class Looker:
    """The same by looking at the data after every single step, in plain Python."""

    def __init__(self, m):
        self.m, self.rows, self.open, self.last, self.resets = m, [], {}, None, None

    def look(self, d):
        m, h = self.m, self.m.opt.timestep
        went_on = self.last is not None and self.resets == d.resets and abs(d.time - h - self.last) < 0.5 * h
        start = self.last if went_on else d.time - h
        if not went_on:
            for lane in self.open.values():
                lane.merge()
                lane.write(self.last, CUT)
            self.open = {}
            self.rows.append([start, 0, d.resets, 0, JUMP, 0, 0, 0, 0, 0])
        now = self._now(d)
        for pair in self.open:
            if pair not in now:
                bodies = d.body_awake[m.geom_bodyid[list(pair)]]
                awake = physics.mjtSleepState.mjS_AWAKE in bodies or physics.mjtSleepState.mjS_ASLEEP not in bodies
                now[pair] = (0.0, touch.AWAY if awake else ContactMode.ASLEEP)
        pos, frame, pairs = d.contact.pos, d.contact.frame.reshape(-1, 9), d.contact.geom.tolist()
        first = {tuple(pair): c for c, pair in reversed(list(enumerate(pairs)))}
        for pair, (force, mode) in now.items():
            if pair not in self.open:
                self.open[pair] = Lane(self, pair, start, mode, float(went_on))
                self.open[pair].reach = touch.REACH_SHARE * min(r for r in m.geom_rbound[list(pair)] if r > 0)
            lane = self.open[pair]
            if pair in first:
                lane.point, lane.normal = pos[first[pair]].copy(), frame[first[pair]][:3].copy()
            if lane.add(start, h, force, mode, d):
                del self.open[pair]
        self.last, self.resets = d.time, d.resets

    def velocity(self, d, geom, point):
        body = self.m.geom_bodyid[geom]
        com = d.subtree_com[self.m.body_rootid[body]]
        return d.cvel[body, 3:] + np.cross(d.cvel[body, :3], point - com)

    def _now(self, d):
        """Force and mode of every pair."""
        contact, result = d.contact, {}
        forces = contact_forces(d.efc_force, contact.efc_address, contact.dim, contact.friction, d.efc_type)
        hard = self.m.tumble.contact_model == physics.ContactModel.LCP
        elliptic = hard or self.m.opt.cone == physics.mjtCone.mjCONE_ELLIPTIC
        order = [ContactMode.OPEN, ContactMode.SMOOTH, ContactMode.STICK, ContactMode.SLIP]
        for c in range(d.ncon):
            n, f, mu = int(contact.dim[c]), forces[c], contact.friction[c]
            used = [abs(f[k + 1]) / mu[k] for k in range(n - 1)]
            total = math.sqrt(sum(u * u for u in used)) if elliptic else sum(used)
            if f[0] <= 0:
                mode = ContactMode.OPEN
            elif n == 1:
                mode = ContactMode.SMOOTH
            else:
                mode = ContactMode.SLIP if total / f[0] >= 1 - 1e-6 else ContactMode.STICK
            pair = tuple(int(g) for g in contact.geom[c])
            force, other = result.get(pair, (0.0, ContactMode.OPEN))
            result[pair] = (force + f[0], max(mode, other, key=order.index))
        return result


def ordered(rows):
    """Rows of the same end come in the order of the table, which is nobody's business."""
    rows = np.asarray(rows, float)
    return rows[np.lexsort(rows[:, [MODE, BEGIN, GEOM1 + 1, GEOM1, END]].T)] if len(rows) else rows


SCENES = {
    "elliptic": {"cone": "elliptic"},
    "pyramidal": {"cone": "pyramidal", "option": 'solver="CG" iterations="30"'},
    "hard": {"cone": "elliptic", "count": 10},
    "sleeping": {"cone": "elliptic", "flag": '<flag sleep="enable"/>', "option": 'sleep_tolerance="0.05"', "count": 3},
}


@pytest.mark.parametrize("name", SCENES)
def test_every_piece_is_as_if_each_step_had_been_looked_at(name):
    m, d = heap(**SCENES[name])
    if name == "hard":
        m.tumble.contact_model = physics.ContactModel.LCP
    other, looker = physics.MjData(m), Looker(m)
    tap = followed(d)
    for steps in (200, 150, 1, 249):
        physics.mj_step(m, d, steps)
    for _ in range(600):
        physics.mj_step(m, other)
        looker.look(other)
    np.testing.assert_array_equal(d.qpos, other.qpos)
    seen = tap.since(0)
    assert len(seen.rows) > 50
    expected = ordered(looker.rows)
    # Times are the same to the bit; forces are sums that may be rounded otherwise.
    actual, forces = ordered(seen.rows), [PEAK, PEAK_TIME, IMPULSE]
    np.testing.assert_array_equal(actual[:, :PEAK], expected[:, :PEAK])
    np.testing.assert_array_equal(actual[:, [MADE, ENDED]], expected[:, [MADE, ENDED]])
    np.testing.assert_allclose(actual[:, forces], expected[:, forces], rtol=1e-9)
    assert {(int(a), int(b)) for a, b in seen.open[:, GEOM1 : GEOM1 + 2]} == set(looker.open)
    if name == "sleeping":
        assert ContactMode.ASLEEP in seen.rows[:, MODE] or ContactMode.ASLEEP in seen.open[:, MODE]


def test_bouncing_ball_touch_times_and_impulse_match_theory():
    m, d = load(BALL)
    tap = followed(d)
    physics.mj_step(m, d, 10_000)
    rows = pieces(tap.since(0).rows)
    h, g, drop = 1e-4, 9.81, 0.2
    assert set(rows[:, MODE]) == {ContactMode.SMOOTH}
    made_at = rows[rows[:, MADE] == 1][:, BEGIN]
    broke_at = rows[rows[:, ENDED] == BROKE][:, END]
    assert len(made_at) == len(broke_at) == 2
    # Velocity first, then position: after n steps it has fallen g h^2 n (n + 1) / 2.
    steps = math.ceil((math.sqrt(1 + 8 * drop / (g * h * h)) - 1) / 2)
    assert made_at[0] == pytest.approx(steps * h, abs=1e-9)
    between = made_at[1] - broke_at[0]
    up = between * g / 2  # the speed at which it left: it came back after 2 v / g
    first = rows[: np.flatnonzero(rows[:, ENDED] == BROKE)[0] + 1]
    impulse = first[:, IMPULSE].sum() - m.body_mass[1] * g * (broke_at[0] - made_at[0])
    assert impulse / m.body_mass[1] == pytest.approx(math.sqrt(2 * g * drop) + up, rel=2e-3)  # the change of velocity
    assert first[:, PEAK].max() > 2 * first[:, IMPULSE].sum() / (broke_at[0] - made_at[0]) / math.pi  # a half sine


def rest_events(seconds):
    """Makes, breaks and changes of mode in a time at rest, after the scene has settled."""
    m, d = load(REST)
    tap, contacts = followed(d), SignalTap(d, [("ncon", 0)])
    physics.mj_step(m, d, 1500)
    contacts.attach()
    count, rows = tap.count, []
    before = {tuple(row[GEOM1 : GEOM1 + 2]): row[MODE] for row in tap.since(0).open}
    for _ in range(round(seconds)):
        physics.mj_step(m, d, round(1 / m.opt.timestep))
        seen = tap.since(count)
        rows, count = [*rows, *seen.rows], seen.count
    flicker = np.count_nonzero(np.diff(contacts.since(0).values[:, 0]))
    assert flicker > 5  # or the scene shows nothing
    return [row for row in rows if row[MADE] or row[ENDED] == BROKE or row[MODE] != before[tuple(row[GEOM1 : GEOM1 + 2])]]


def test_contacts_that_flicker_at_rest_are_no_events():
    assert rest_events(20) == []


@pytest.mark.fuzz
def test_ten_minutes_at_rest_have_no_events():
    assert rest_events(600) == []


def test_every_bounce_that_leaves_the_floor_is_an_event():
    m, d = load(BALL.replace("-40000 0", "-40000 -20"))
    tap, height = followed(d), SignalTap(d, [("qpos", 2)])
    height.attach()
    physics.mj_step(m, d, 40_000)
    apart = height.since(0).values[:, 0] - 0.1
    flights = np.split(apart, np.flatnonzero(np.diff(apart > 0)) + 1)
    high = [flight for flight in flights[1:] if flight.max() > touch.REACH_SHARE * 0.1]
    rows = pieces(tap.since(0).rows)
    assert len(high) >= 8
    assert (rows[:, ENDED] == BROKE).sum() == len(high)
    assert (rows[:, MADE] == 1).sum() == len(high) + 1
    assert high[-1].max() < 0.002  # small ones too


def test_box_on_slope_slips_when_friction_is_lowered():
    m, d = load(SLOPE)
    tap = followed(d)
    physics.mj_step(m, d, 250)
    stuck = tap.since(0).open
    assert list(stuck[:, MODE]) == [ContactMode.STICK]
    lowered = d.time
    m.geom_friction[1, 0] = 0.1
    m.geom_friction[0, 0] = 0.1
    physics.mj_step(m, d, 100)
    rows = pieces(tap.since(0).rows)
    slips = np.vstack([rows, tap.since(0).open])
    slips = slips[slips[:, MODE] == ContactMode.SLIP]
    assert slips[0, BEGIN] == pytest.approx(lowered, abs=m.opt.timestep)
    assert slips[0, MADE] == 0  # the same contact
    sum_of_pieces = np.vstack([rows, tap.since(0).open])[:, IMPULSE].sum()
    weight = m.body_mass[1] * 9.81 * math.cos(math.radians(20))
    assert sum_of_pieces == pytest.approx(weight * d.time, rel=0.02)  # it starts 0.1 mm above rest


def test_resets_and_time_jumps_cut_open_touches():
    m, d = load(SLOPE)
    tap = followed(d)
    physics.mj_step(m, d, 20)
    physics.mj_resetData(m, d)
    physics.mj_step(m, d, 10)
    rows = tap.since(0).rows
    jumps = rows[rows[:, MODE] == JUMP]
    assert jumps[1, GEOM1] == jumps[0, GEOM1] + 1  # resets
    assert jumps[1, BEGIN] == pytest.approx(0.0, abs=1e-15)
    assert rows[-2, ENDED] == CUT
    assert rows[-2, END] == pytest.approx(0.04)
    assert tap.since(0).jumps == 2
    state = np.empty(physics.mj_stateSize(m, physics.mjtState.mjSTATE_INTEGRATION))
    physics.mj_getState(m, d, state, physics.mjtState.mjSTATE_INTEGRATION)
    physics.mj_step(m, d, 10)
    physics.mj_setState(m, d, state, physics.mjtState.mjSTATE_INTEGRATION)  # back by ten steps
    count = tap.count
    physics.mj_step(m, d, 5)
    back = tap.since(count).rows
    assert back[0, ENDED] == CUT
    assert back[1, MODE] == JUMP
    assert back[1, BEGIN] == pytest.approx(0.02)
    assert back[1, GEOM1] == jumps[1, GEOM1]
    assert list(tap.since(count).open[:, MADE]) == [0.0]  # it was there before


def test_what_the_ring_and_the_table_have_no_room_for_is_counted():
    m, d = heap()
    small, large = followed(d, rows=16, room=4), followed(d)
    physics.mj_step(m, d, 300)
    assert small.count > 16 == len(small.since(0).rows)
    assert small.since(2).lost == small.count - 18
    np.testing.assert_array_equal(small.since(small.count - 3).rows, small.since(0).rows[-3:])
    assert len(small.since(0).open) <= 4
    assert small.since(0).missed > 100
    assert large.since(0).missed == 0
    for sizes in ({"rows": 0}, {"room": 0}):
        with pytest.raises(ModelError, match="at least one"):
            ContactTap(d, **sizes)


def test_taps_stand_side_by_side_and_leave_no_trace():
    m, d = heap(count=8)
    other = physics.MjData(m)
    signal, contacts = SignalTap(d, [("qpos", 2)]), followed(d)
    signal.attach()
    physics.mj_step(m, d, 100)
    contacts.detach()
    assert (signal.attached, contacts.attached) == (True, False)
    physics.mj_step(m, d, 50)
    signal.detach()
    assert d.tap == 0
    physics.mj_step(m, d, 50)
    assert (contacts.steps, signal.steps) == (100, 150)
    physics.mj_step(m, other, 200)
    np.testing.assert_array_equal(d.qpos, other.qpos)
    contacts.attach()
    signal.attach()
    physics.mj_step(m, d, 1)
    assert (contacts.steps, signal.steps) == (101, 151)


def test_numbers_and_arrays_have_one_definition_of_sticking():
    rng = np.random.default_rng(0)
    force, friction = rng.normal(size=(200, 6)), rng.uniform(0.1, 1, (200, 5))
    force[:, 0] = np.abs(force[:, 0]) * 3 * (rng.random(200) > 0.1)
    dim = rng.choice([1, 3, 4, 6], 200)
    for k in (1, 3, 4, 6):
        force[dim == k, k:] = 0
    for elliptic in (True, False):
        share = cone_share(force.T, friction.T, elliptic)
        modes = contact_mode(force[:, 0], share, dim)
        for k in range(200):
            one = cone_share(tuple(force[k]), friction[k], elliptic)
            assert one == pytest.approx(share[k], rel=1e-12)
            assert contact_mode(force[k, 0], one, dim[k]) == modes[k]
        assert set(modes) == {0, 1, 2, 3}
