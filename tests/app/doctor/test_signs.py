"""Signs of trouble in snapshots, and examinations without a run and in the midst of one."""

import numpy as np
import pytest

from tests.app.doctor.test_rules import FALLS, FLOOR, PULL, crate, lever, model
from tumble import physics
from tumble.app.doctor.case import Examination
from tumble.app.doctor.evidence import evidence_words, quantity
from tumble.app.doctor.examine import examine
from tumble.app.doctor.live.blown import blown_finding
from tumble.app.doctor.live.signs import ForceProbe, SignWatch, explains
from tumble.app.doctor.rule_table import RULES
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange

SINKS = model(FLOOR + crate(0.1, 'solref="0.46 1" priority="1"'))
RAISED = model(FLOOR + crate(0.1, 'solref="0.002 1"'))
LIMITED = model(FLOOR + crate(0.1), option='iterations="1" solver="PGS"')
HELD = '<position name="p" joint="j" kp="50" forcerange="-{0} {0}"/>'


def signs(text, seconds, interval=0.05):
    """Signs that last at the end of a run, seen every so often [s]."""
    compiled = physics.MjModel.from_xml_string(text)
    data = physics.MjData(compiled)
    physics.mj_forward(compiled, data)
    simulation, probe = Simulation(), ForceProbe()
    simulation.adopt(compiled, data, exchange := Exchange(data))
    simulation.watch(probe)
    watch = SignWatch(compiled)
    for _ in range(round(seconds / interval)):
        simulation.step(round(interval / compiled.opt.timestep))
        simulation.publish()
        snapshot, _ = exchange.read()
        watch.look(compiled, snapshot, snapshot.reading(probe))
        if snapshot.time > 0.7 * seconds and not snapshot.time > 0.7 * seconds + interval:
            watch.clear()  # what settles counts no more
    return watch.take()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SINKS, {("deep", 0, 1)}),
        (LIMITED, {("limit", 0, 0)}),
        (lever(PULL, HELD.format(0.5)), {("saturated", 0, 0)}),
        (model(FLOOR + crate(0.1)), set()),
        (lever(PULL, HELD.format(50)), set()),
        (FALLS, set()),
    ],
)
def test_signs_last_over_several_looks(text, expected):
    assert signs(text, 2.0) == expected


def test_few_looks_show_no_sign():
    assert signs(SINKS, 0.3, 0.1) == set()


def rules(case):
    return [finding.rule for finding in examine(case, lambda done, steps: None)]


@pytest.mark.parametrize(("text", "rule", "at_start"), [(RAISED, "soft-contact", True), (SINKS, "sink", False),
                                                        (LIMITED, "solver-limit", False)])  # fmt: skip
def test_examination_without_a_run_has_rules_of_file_and_start_only(text, rule, at_start):
    compiled = physics.MjModel.from_xml_string(text)
    assert rule in rules(Examination(compiled))
    case = Examination(compiled, seconds=0.0)
    found = examine(case, lambda done, steps: pytest.fail("it took a step"))
    assert (rule in [finding.rule for finding in found]) == at_start


def test_examination_can_be_stopped_between_rules_and_within_long_ones():
    asked = []

    def check():
        asked.append(True)
        if len(asked) > most:
            raise TimeoutError

    compiled = physics.MjModel.from_xml_string(lever(PULL, HELD.format(50)))
    most = 1000
    rules(Examination(compiled, seconds=0.0, check=check))
    assert len(RULES) < len(asked) < most  # the stability of integrators asks before each
    asked, most = [], 1
    with pytest.raises(TimeoutError):
        rules(Examination(compiled, seconds=0.0, check=check))


def test_examination_in_the_midst_of_a_run_says_nothing_of_the_start():
    compiled = physics.MjModel.from_xml_string(model(FLOOR + crate(0.05)))
    data = physics.MjData(compiled)
    physics.mj_forward(compiled, data)
    assert "overlap-start" in rules(Examination(compiled, None, data, seconds=0.0))
    assert "overlap-start" not in rules(Examination(compiled, None, data, 0.25, begun=True))
    compiled = physics.MjModel.from_xml_string(SINKS)
    data = physics.MjData(compiled)
    physics.mj_step(compiled, data, 1000)
    case = Examination(compiled, None, data, 0.25, begun=True)
    assert "sink" in rules(case)
    assert case.data.time == pytest.approx(2.25)


def test_a_state_that_blew_up_is_a_finding_of_the_time_before():
    compiled = physics.MjModel.from_xml_string(lever('stiffness="1"'))
    data = physics.MjData(compiled)
    physics.mj_forward(compiled, data)
    exchange = Exchange(data)
    exchange.writing.fill(data)
    assert blown_finding(compiled, exchange.writing, 0.1) is None
    data.qvel[0] = np.nan
    physics.mj_step(compiled, data)
    exchange.writing.fill(data)
    finding = blown_finding(compiled, exchange.writing, 0.5)
    assert (finding.rule, finding.element, finding.time) == ("blow-up", (physics.mjtObj.mjOBJ_JOINT, 0), 0.5)
    assert finding.cause.startswith("0.500 s: velocity of joint j")


def test_numbers_are_shown_in_readable_units():
    numbers = ((0.026, "m"), (0.000108, "m"), (0.0012, "s"), (12.34, "N"), (2e-3, "kg"), (0.5, ""))
    assert [quantity(*number) for number in numbers] == ["26 mm", "0.108 mm", "1.2 ms", "12.3 N", "0.002 kg", "0.5"]
    evidence = {"depth": 0.02602, "time_constant": 0.002, "number": 3, "share": 1.4999, "warning": "mjWARN_BADQVEL"}
    assert evidence_words(evidence) == ["depth 26 mm", "time constant 2 ms", "number 3", "share 1.5", "warning mjWARN_BADQVEL"]


def test_findings_explain_the_signs_they_are_about():
    compiled = physics.MjModel.from_xml_string(SINKS)
    (sink,) = [finding for finding in examine(Examination(compiled), lambda done, steps: None) if finding.rule == "sink"]
    assert explains(sink, ("deep", 0, 1))
    assert not explains(sink, ("deep", 0, 2))
    assert not explains(sink, ("limit", 0, 0))
    assert not explains(sink, ("saturated", 0, 0))
