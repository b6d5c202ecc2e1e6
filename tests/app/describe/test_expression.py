"""Expressions give what the same arithmetic gives, and say where and why they are wrong."""

import math

import numpy as np
import pytest

from tests.physics.scenes import SMOOTH_SCENE
from tumble import physics
from tumble.app.describe.expression import ExpressionError, parse
from tumble.app.describe.signals import Catalogue


@pytest.fixture(scope="module")
def scene():
    m = physics.MjModel.from_xml_string(SMOOTH_SCENE)
    d = physics.MjData(m)
    rng = np.random.default_rng(2)
    d.qpos[:] = rng.normal(size=m.nq)
    d.qvel[:] = rng.normal(size=m.nv)
    d.xpos[:] = rng.normal(size=(m.nbody, 3))
    d.time = 1.25
    return m, d, Catalogue(m)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 - 2 - 1", 4), ("8 / 4 / 2", 1), ("2 ^ 3 ^ 2", 512), ("-2 ^ 2", -4),
        ("2 ^ -1", 0.5), ("2*-3", -6), ("- - 2", 2), ("1.5e-3 * 2", 0.003), (".5 + 1.", 1.5), ("max(1, 2, 3) - min(4, 5)", -1),
        ("1 < 2", 1), ("1 < 2 and 2 < 1", 0), ("1 > 2 or 2 > 1", 1), ("not 1 > 2", 1), ("not 1 > 2 and 3 > 4", 0),
        ("1 or 1 and 0", 1), ("1 + 1 == 2", 1), ("2 != 2", 0), ("3 >= 3", 1), ("sum(1, 2)", 3), ("abs(-4)", 4), ("sqrt(9)", 3),
        ("not not 5", 1), ("1 + (2 > 1)", 2), ("2 * (3 + 4) ^ 2", 98),
    ],
)  # fmt: skip
def test_arithmetic(scene, text, value):
    m, d, catalogue = scene
    assert parse(text, catalogue).value(m, d) == pytest.approx(value, rel=1e-15)


def test_fields_are_read_by_number_and_by_name(scene):
    m, d, catalogue = scene
    arm, twist = physics.mj_name2id(m, 1, "arm"), physics.mj_name2id(m, 3, "twist")
    for text, expected in {
        "time": d.time,
        "qpos[3]": d.qpos[3],
        "qpos[twist]": d.qpos[m.jnt_qposadr[twist]],
        "qvel[float, 4]": d.qvel[4],
        "xpos[arm, z]": d.xpos[arm, 2],
        "norm(xpos[arm])": np.linalg.norm(d.xpos[arm]),
        "norm(qvel)": np.linalg.norm(d.qvel),
        "max(abs(qvel) * 2)": 2 * np.abs(d.qvel).max(),
        "len(qpos)": m.nq,
        "sum(body_mass)": m.body_mass.sum(),
        "opt.timestep * 1000": 2,
        "len(contact.dist)": 0,
        "timer.number[pos_collision]": d.timer_number[physics.mjtTimer.mjTIMER_POS_COLLISION],
        "timer.duration[step]": d.timer_duration[0],
        "warning.number[badqpos]": 0,
    }.items():
        assert parse(text, catalogue).value(m, d) == pytest.approx(float(expected), rel=1e-14), text
    assert parse("abs(qvel[3]) > 0 and time > 1", catalogue).holds(m, d)
    assert not parse("time > 2", catalogue).holds(m, d)


def test_what_is_not_there_holds_nothing(scene):
    m, d, catalogue = scene
    for text in ("contact.dist[5]", "max(contact.dist)", "contact.dist[5] < 0", "min(contact.dist) < 1", "1 / 0 - 1 / 0"):
        assert not parse(text, catalogue).holds(m, d), text
    assert math.isnan(parse("contact.dist[5]", catalogue).value(m, d))
    assert parse("1 / 0", catalogue).holds(m, d)  # infinite, which is not nothing


def test_a_condition_tells_its_parts(scene):
    m, d, catalogue = scene
    text = parse("max(abs(qvel)) > 2 and time > 1", catalogue).told(m, d)
    assert text == f"max(abs(qvel)) = {np.abs(d.qvel).max():.6g}, time = 1.25"


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("", 0, "the end stands where a value belongs"),
        ("1 +", 3, "the end"),
        ("  1 + ", 6, "the end"),
        ("qpos[a^b] + 1", 4, "valid are for example"),
        ("2 ^ 2 ^ qpos[foot]", 12, "valid are for example"),
        ("1 2", 2, "an operator is missing"),
        ("qpoz[1] > 2", 0, "did you mean qpos"),
        ("1 + qpos[foot]", 8, "valid are for example"),
        ("qpos[99] > 1", 4, "there is no 99"),
        ("qpos[³] > 1", 4, "valid are for example"),
        ("qpos[--1] > 1", 4, "valid are for example"),
        ("qpos > 1", 0, "use max"),
        ("(1 + 2", 6, "')' is missing"),
        ("max 3", 4, "needs brackets"),
        ("1 < 2 < 3", 6, "join them with and"),
        ("time = 1", 5, "== compares"),
        ("qpos[1", 4, "']' is missing"),
        ("abs(1, 2)", 7, "takes one value"),
        ("time[0]", 4, "takes no brackets"),
        ("__import__('os')", 0, "there is no '__import__'"),
        ("time + 'os'", 7, "means nothing here"),
        ("time; time", 4, "means nothing"),
        ("qpos.__class__", 0, "there is no"),
        ("1 + not 1", 4, "put it in brackets"),
        ("qpos + qvel", 7, "one side must be one number"),
        ("xpos[arm, q] > 1", 4, "x, y, z"),
        ("(" * 400, 100, "in each other"),
        ("-" * 4000 + "1", 100, "in each other"),
    ],
)  # fmt: skip
def test_mistakes_say_where_and_what_is_valid(scene, text, at, words):
    with pytest.raises(ExpressionError, match=words.replace("(", r"\(").replace(")", r"\)").replace("[", r"\[")) as caught:
        parse(text, scene[2])
    assert caught.value.at == pytest.approx(at, abs=1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("007 + 08.5", 15.5), ("  1\n + 2", 3), ("1and 2", 1), ("2 ^ -3 ^ 2", 2**-9), ("-2 ^ -2", -0.25),
        ("1 < 2 and 2 < 3 or 0", 1),
        ("+".join(["1"] * 250), 250), ("9" * 400 + " > 1.7e308", 1), ("10 ^ 10 ^ 10 > 1", 1), ("1" + " and 1" * 300, 1),
    ],
)  # fmt: skip
def test_what_python_writes_in_another_way_means_what_it_says(scene, text, value):
    m, d, catalogue = scene
    assert parse(text, catalogue).value(m, d) == pytest.approx(value, rel=1e-15)


def test_names_in_brackets_may_have_any_sign(scene):
    class Any(Catalogue):
        def find(self, name, inside):
            names.append((name, list(inside)))
            return super().find("time", ())

    names = []
    parse("norm(xpos[left foot/1 (a) 'é', z]) ^ 2 > contact.dist [ #3 ] and qpos[a^b ^] > qpos[if]", Any(scene[0]))
    assert names == [("xpos", ["left foot/1 (a) 'é'", "z"]), ("contact.dist", ["#3"]), ("qpos", ["a^b ^"]), ("qpos", ["if"])]


@pytest.mark.parametrize(
    "text",
    [
        "lambda: 1", "[1, 2]", "{1: 2}", "1 if 2 else 3", "max(x for x in qpos)", "max(*qpos)", "max(1, key=2)", "(a := 1)",
        "qpos[1][2]", "(1).real", "f'{time}'", "b'1'", "1j", "None", "True", "...", "1 is 1", "1 in qpos", "1 // 2", "1 % 2",
        "1 << 2", "1 | 2", "~1", "await time", "yield", "time.__class__()", "(time)(1)", "time(1)", "max()", "()", "1, 2",
        "time # 1", "time\0", "\ud800", "\U0001d42dime", "1 \\\n+ 1", "max(1 2)", "1)", "a..b", "1e", "0x",
        "(1+" * 300 + "1" + ")" * 300, "2" + "^2" * 2000, "+".join(["1"] * 2000), "time" + ".a" * 2000, "time" + "(1)" * 1000,
        "9" * 5000, "(" * 150 + "1" + ")" * 150, "not " * 150 + "1", "max(" * 190 + "1" + ")" * 190 + "+" + "1+" * 299 + "1",
    ],
)  # fmt: skip
def test_invalid_expression_reports_position_without_running(scene, text):
    with pytest.raises(ExpressionError) as caught:
        parse(text, scene[2])
    assert 0 <= caught.value.at <= len(text)
    assert str(caught.value)


def test_history_is_addressed_by_actuator_or_sensor_name():
    xml = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
<actuator><motor joint="j" nsample="2"/><motor name="late" joint="j" nsample="3" delay=".004"/></actuator>
<sensor><framexaxis name="seen" objtype="body" objname="world" nsample="2"/><clock name="now"/></sensor></mujoco>"""
    m = physics.MjModel.from_xml_string(xml)
    d, catalogue = physics.MjData(m), Catalogue(m)
    d.ctrl[1] = 7
    physics.mj_step(m, d, 2)
    newest = parse("history[late, 1]", catalogue).value(m, d)
    assert parse(f"history[late, {5 + int(newest)}]", catalogue).value(m, d) == 7
    assert parse(f"history[late, {2 + int(newest)}]", catalogue).value(m, d) == m.opt.timestep
    assert parse("history[seen, 0]", catalogue).value(m, d) == -m.opt.timestep
    units = [catalogue.scalar(f"history[{place}]").unit for place in ("late, 1", "late, 2", "late, 5", "seen, 0", "seen, 4")]
    assert units == ["", "s", "N·m", "s", ""]
    with pytest.raises(ExpressionError, match="now"):
        parse("history[now]", catalogue)
